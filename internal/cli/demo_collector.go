package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// errDemoStopped is why the demo ends when the collector does without an error: a signal reached it.
var errDemoStopped = errors.New("the collector was stopped before the demo was over")

// A demoPort is where the demo's collector listens for OTLP over one protocol.
type demoPort struct {
	protocol string // as people write it
	key      string // as the configuration does
	endpoint string
	taken    string // the endpoint of the embedded configuration, if something listens there
}

// demoPorts takes the endpoints of the embedded configuration, or others on the same address where they are taken.
func demoPorts(config []byte) ([]demoPort, error) {
	type listener struct {
		Endpoint string `yaml:"endpoint"`
	}
	var c struct {
		Receivers struct {
			OTLP struct {
				Protocols map[string]listener `yaml:"protocols"`
			} `yaml:"otlp"`
		} `yaml:"receivers"`
	}
	if err := yaml.Unmarshal(config, &c); err != nil {
		return nil, fmt.Errorf("embedded configuration: %w", err)
	}
	ports := []demoPort{{protocol: "gRPC", key: "grpc"}, {protocol: "HTTP", key: "http"}}
	for i := range ports {
		p := &ports[i]
		p.endpoint = c.Receivers.OTLP.Protocols[p.key].Endpoint
		l, err := net.Listen("tcp", p.endpoint)
		if err != nil {
			host, _, splitErr := net.SplitHostPort(p.endpoint)
			if splitErr != nil {
				return nil, fmt.Errorf("embedded configuration: receivers::otlp::protocols::%s::endpoint: %w", p.key, splitErr)
			}
			if l, err = net.Listen("tcp", net.JoinHostPort(host, "0")); err != nil {
				return nil, err
			}
			p.taken, p.endpoint = p.endpoint, l.Addr().String()
		}
		defer l.Close() // once all are chosen, so that no two are one
	}
	return ports, nil
}

// demoConfig is what the demo changes in the embedded configuration, as a URI. JSON is YAML with every text quoted.
func demoConfig(ports []demoPort, file string, serve bool) string {
	type tree = map[string]any
	protocols, processors := tree{}, tree{}
	for _, p := range ports {
		if p.taken != "" {
			protocols[p.key] = tree{"endpoint": p.endpoint}
		}
	}
	if !serve {
		// All spans of a sample come at once, so there are no stragglers to wait for.
		processors["agentleak"] = tree{"hold": "5s", "grace": "200ms"}
	}
	text, err := json.Marshal(tree{
		"receivers":  tree{"otlp": tree{"protocols": protocols}},
		"processors": processors,
		// A dollar sign would begin a reference.
		"exporters": tree{
			"file/traces": tree{"path": strings.ReplaceAll(file, "$", "$$")},
			"file/logs":   tree{"path": strings.ReplaceAll(file, "$", "$$") + ".logs"},
		},
		// The screen is for the report, and no other port is taken whatever the environment says.
		"service": tree{"telemetry": tree{"logs": tree{"level": "warn"}, "metrics": tree{"level": "none"}}},
	})
	if err != nil {
		panic(err) // of strings
	}
	return "yaml:" + string(text)
}

// A demoCollector is a collector that runs in this process.
type demoCollector struct {
	// ctx is done when the collector has ended or was told to. Its cause is why.
	ctx  context.Context
	quit context.CancelFunc
	done chan struct{}
	err  error // once done
}

// startCollector runs the embedded configuration with changes merged over it, until ctx is done or stop is called.
func startCollector(ctx context.Context, opts Options, changes string) *demoCollector {
	asked, quit := context.WithCancel(ctx)
	running, ended := context.WithCancelCause(asked)
	c := &demoCollector{ctx: running, quit: quit, done: make(chan struct{})}
	go func() {
		defer close(c.done)
		c.err = opts.RunCollector(asked, []string{"yaml:" + string(opts.DefaultConfig), changes})
		if c.err != nil {
			ended(c.err)
			return
		}
		ended(errDemoStopped)
	}()
	return c
}

// await waits until the collector listens on all ports.
func (c *demoCollector) await(ports []demoPort) error {
	ctx, cancel := context.WithTimeout(c.ctx, startPatience)
	defer cancel()
	for _, p := range ports {
		for {
			conn, err := new(net.Dialer).DialContext(ctx, "tcp", p.endpoint)
			if err == nil {
				conn.Close()
				break
			}
			if !pause(ctx, 20*time.Millisecond) {
				return c.because(fmt.Errorf("the collector does not listen on %s", p.endpoint))
			}
		}
	}
	return nil
}

// because returns why the collector ended, if it has, since all else failed for that, and otherwise err.
func (c *demoCollector) because(err error) error {
	switch cause := context.Cause(c.ctx); {
	case cause == nil:
		return err
	case errors.Is(cause, context.Canceled):
		return errDemoStopped
	default:
		return cause
	}
}

// stop ends the collector and waits until it has passed on all that it holds. It may be called again.
func (c *demoCollector) stop() error {
	c.quit()
	<-c.done
	return c.err
}

// pause reports false when ctx is done first.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
