package gateway

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/confmap/provider/fileprovider"
	"go.opentelemetry.io/collector/exporter"
	"go.opentelemetry.io/collector/exporter/otlpexporter"
	"go.opentelemetry.io/collector/extension"
	"go.opentelemetry.io/collector/otelcol"
	"go.opentelemetry.io/collector/processor"
	"go.opentelemetry.io/collector/receiver"
	"go.opentelemetry.io/collector/receiver/otlpreceiver"
	"go.opentelemetry.io/collector/service/telemetry/otelconftelemetry"

	"github.com/open-telemetry/opentelemetry-collector-contrib/exporter/kafkaexporter"
	"github.com/open-telemetry/opentelemetry-collector-contrib/exporter/loadbalancingexporter"
	"github.com/open-telemetry/opentelemetry-collector-contrib/extension/storage/filestorage"
	"github.com/open-telemetry/opentelemetry-collector-contrib/receiver/kafkareceiver"

	"github.com/agentleak/otelcol-agentleak/processor/agentleakprocessor"
)

// configVariable makes the test binary a collector that runs the configuration it names.
const configVariable = "AGENTLEAK_TEST_CONFIG"

func TestMain(m *testing.M) {
	if file := os.Getenv(configVariable); file != "" {
		if err := runCollector(file); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func runCollector(file string) error {
	c, err := otelcol.NewCollector(otelcol.CollectorSettings{
		BuildInfo: component.BuildInfo{Command: "gateway-test", Version: "0"},
		Factories: factories,
		ConfigProviderSettings: otelcol.ConfigProviderSettings{ResolverSettings: confmap.ResolverSettings{
			URIs:              []string{"file:" + file},
			ProviderFactories: []confmap.ProviderFactory{fileprovider.NewFactory()},
		}},
	})
	if err != nil {
		return err
	}
	return c.Run(context.Background())
}

func factories() (f otelcol.Factories, err error) {
	if f.Receivers, err = otelcol.MakeFactoryMap[receiver.Factory](otlpreceiver.NewFactory(), kafkareceiver.NewFactory()); err != nil {
		return f, err
	}
	if f.Processors, err = otelcol.MakeFactoryMap[processor.Factory](agentleakprocessor.NewFactory()); err != nil {
		return f, err
	}
	if f.Exporters, err = otelcol.MakeFactoryMap[exporter.Factory](otlpexporter.NewFactory(), kafkaexporter.NewFactory(), loadbalancingexporter.NewFactory()); err != nil {
		return f, err
	}
	f.Telemetry = otelconftelemetry.NewFactory()
	f.Extensions, err = otelcol.MakeFactoryMap[extension.Factory](filestorage.NewFactory())
	return f, err
}

// collector is a collector in a process of its own.
type collector struct {
	name, config string
	log          *os.File
	cmd          *exec.Cmd
}

// start runs a collector of this name, anew if it ran before.
func start(t *testing.T, dir, name, config string) *collector {
	t.Helper()
	c := &collector{name: name, config: filepath.Join(dir, name+".yaml")}
	c.write(t, config)
	log, err := os.OpenFile(filepath.Join(dir, name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	c.log = log
	c.cmd = exec.Command(os.Args[0])
	c.cmd.Env = append(os.Environ(), configVariable+"="+c.config)
	c.cmd.Stdout, c.cmd.Stderr = log, log
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.kill()
		if t.Failed() {
			data, _ := os.ReadFile(log.Name())
			t.Logf("%s:\n%s", name, data[max(0, len(data)-4000):])
		}
	})
	return c
}

func (c *collector) write(t *testing.T, config string) {
	t.Helper()
	if err := os.WriteFile(c.config, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
}

// reload makes the collector read another configuration.
func (c *collector) reload(t *testing.T, config string) {
	t.Helper()
	c.write(t, config)
	if err := c.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
}

// kill ends the collector without a chance to shut down.
func (c *collector) kill() {
	_ = c.cmd.Process.Kill()
	_ = c.cmd.Wait()
	_ = c.log.Close()
}

// listening waits until something accepts connections at an endpoint.
func listening(t *testing.T, endpoint string) {
	t.Helper()
	eventually(t, endpoint+" accepts connections", func() bool {
		conn, err := net.DialTimeout("tcp", endpoint, time.Second)
		if err != nil {
			return false
		}
		return conn.Close() == nil
	})
}

// eventually waits for what other processes do.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(3 * time.Minute); !is(); {
		if time.Now().After(end) {
			t.Fatalf("not within three minutes: %s", what)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// freeEndpoint returns an address of this machine that nobody listens on.
func freeEndpoint(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// gatewayConfig is that of a gateway that scores what a receiver gets and keeps what it holds in dir.
func gatewayConfig(name, receiver, dir, sink string) string {
	return strings.NewReplacer("NAME", name, "RECEIVER", receiver, "DIR", dir, "SINK", sink).Replace(`
receivers:
RECEIVER
extensions:
  file_storage:
    directory: DIR
    create_directory: true
    recreate: true
processors:
  agentleak:
    hold: 6s
    grace: 1s
    redaction: {levels: [4], style: token, key: a key that all gateways share}
    storage: file_storage
    storage_key: another key, for what is written
exporters:
  otlp_grpc:
    endpoint: SINK
    tls: {insecure: true}
    sending_queue: {enabled: false}
service:
  extensions: [file_storage]
  telemetry: {metrics: {level: none}}
  pipelines:
    traces: {receivers: [NAME], processors: [agentleak], exporters: [otlp_grpc]}
`)
}
