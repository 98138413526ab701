package gateway

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"
)

// wholeWSL is the weighted sum of a run: the password, L4, and the address, L2, both leak.
const wholeWSL = 4 + 2

const runs = 600

// TestLoadBalancing: three gateways behind the load-balancing exporter; one is killed and one is added under load.
func TestLoadBalancing(t *testing.T) {
	dir, out := t.TempDir(), newSink(t)
	type gateway struct {
		endpoint, config string
		run              *collector
	}
	launch := func(name string) *gateway {
		g := &gateway{endpoint: freeEndpoint(t)}
		g.config = gatewayConfig("otlp", "  otlp:\n    protocols: {grpc: {endpoint: "+g.endpoint+"}}", filepath.Join(dir, name), out.endpoint)
		g.run = start(t, dir, name, g.config)
		listening(t, g.endpoint)
		return g
	}
	gateways := []*gateway{launch("gateway-a"), launch("gateway-b"), launch("gateway-c")}
	in := freeEndpoint(t)
	routes := func(gs ...*gateway) string {
		var hosts []string
		for _, g := range gs {
			hosts = append(hosts, g.endpoint)
		}
		return routerConfig(in, hosts)
	}
	router := start(t, dir, "router", routes(gateways...))
	listening(t, in)
	killed := gateways[1]
	load(t, in, runs, func(sent int) {
		switch sent {
		case 200:
			killed.run.kill()
			router.reload(t, routes(gateways[0], gateways[2]))
		case 400:
			gateways = append(gateways, launch("gateway-d"))
			router.reload(t, routes(gateways[0], gateways[2], gateways[3]))
		}
	})
	// Whatever supervises it starts the killed gateway again; it still has what it had acknowledged.
	start(t, dir, "gateway-b", killed.config)
	out.await(t, runs)
	whole, marked := out.verify(t, runs)
	if whole < runs/2 || marked == runs {
		t.Errorf("only %d traces were scored as a whole: the test says nothing", whole)
	}
}

// TestKafka: three gateways are one consumer group of a topic that is partitioned by trace id; one is killed and one is
// added under load. The broker is a stand-in.
func TestKafka(t *testing.T) {
	dir, out := t.TempDir(), newSink(t)
	broker, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(12, "otlp_spans"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(broker.Close)
	brokers := strings.Join(broker.ListenAddrs(), ", ")
	config := func(name string) string {
		return gatewayConfig("kafka", `  kafka:
    brokers: [`+brokers+`]
    group_id: gateways
    initial_offset: earliest
    session_timeout: 6s
    heartbeat_interval: 1s
    message_marking: {after: true, on_error: false}`, filepath.Join(dir, name), out.endpoint)
	}
	launch := func(name string) *collector { return start(t, dir, name, config(name)) }
	launch("gateway-a")
	killed := launch("gateway-b")
	launch("gateway-c")
	in := freeEndpoint(t)
	start(t, dir, "edge", edgeConfig(in, brokers))
	listening(t, in)
	load(t, in, runs, func(sent int) {
		switch sent {
		case 200:
			killed.kill()
		case 400:
			launch("gateway-d")
		}
	})
	start(t, dir, "gateway-b", config("gateway-b"))
	out.await(t, runs)
	whole, marked := out.verify(t, runs)
	if whole < runs/2 || marked == runs {
		t.Errorf("only %d traces were scored as a whole: the test says nothing", whole)
	}
}

// routerConfig spreads traces over gateways by their id.
func routerConfig(in string, gateways []string) string {
	return strings.NewReplacer("IN", in, "GATEWAYS", strings.Join(gateways, ", ")).Replace(`
receivers:
  otlp:
    protocols: {grpc: {endpoint: "IN"}}
exporters:
  load_balancing:
    routing_key: traceID
    # No queue: what a gateway did not take, the sender sends again.
    retry_on_failure: {enabled: false}
    sending_queue: {enabled: false}
    protocol:
      otlp:
        tls: {insecure: true}
        retry_on_failure: {enabled: false}
        sending_queue: {enabled: false}
    resolver:
      static: {hostnames: [GATEWAYS]}
service:
  telemetry: {metrics: {level: none}}
  pipelines:
    traces: {receivers: [otlp], exporters: [load_balancing]}
`)
}

// edgeConfig writes spans to a topic, one message a trace, keyed by its id.
func edgeConfig(in, brokers string) string {
	return strings.NewReplacer("IN", in, "BROKERS", brokers).Replace(`
receivers:
  otlp:
    protocols: {grpc: {endpoint: "IN"}}
exporters:
  kafka:
    brokers: [BROKERS]
    partition_traces_by_id: true
    sending_queue: {enabled: false}
service:
  telemetry: {metrics: {level: none}}
  pipelines:
    traces: {receivers: [otlp], exporters: [kafka]}
`)
}
