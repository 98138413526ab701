package main

import (
	"math/rand/v2"
	"net"
	"regexp"
	"strconv"
	"testing"

	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
	"google.golang.org/grpc"
)

// TestSinkRestart kills the sink and starts it again, twice, while traces come. The processor retries, for the exporter
// does not: each span that was accepted arrives, and what the collector says of itself adds up at any time.
func TestSinkRestart(t *testing.T) {
	t.Parallel()
	s := &sink{endpoint: freeEndpoint(t)}
	serve := func() *grpc.Server {
		l, err := net.Listen("tcp", s.endpoint)
		if err != nil {
			t.Fatal(err)
		}
		server := grpc.NewServer()
		ptraceotlp.RegisterGRPCServer(server, s)
		go server.Serve(l)
		t.Cleanup(server.Stop)
		return server
	}
	server := serve()
	c := startCollector(t, s, "hold: 1s, grace: 100ms")
	client := dial(t, c.endpoint)
	r := rand.New(rand.NewPCG(1, 1))
	sent := 0
	send := func(runs int) {
		for i := range runs {
			batches, _ := randomRun(r, uint64(sent)<<16|uint64(i))
			for _, td := range batches {
				sendUntilTaken(client, td)
				sent += td.SpanCount()
			}
		}
	}
	for range 2 {
		send(20)
		server.Stop()
		send(20)
		until(t, "a refusal", func() bool { return total(c.scrape(t), "queued_spans", "agentleak_") > 0 })
		m := c.scrape(t)
		in, out := total(m, "incoming_items", ""), total(m, "outgoing_items", "")
		rest := total(m, "lost_spans", "agentleak_") + total(m, "held_spans", "agentleak_") + total(m, "queued_spans", "agentleak_")
		// The numbers are not read at one moment.
		if lost := total(m, "lost_spans", "agentleak_"); int(in) != sent || in-out-rest > 200 || lost > 0 {
			t.Errorf("%v in, %v out, %v held, queued or lost", in, out, rest)
		}
		server = serve()
		send(10)
		s.await(t, sent)
	}
	c.stop(t)
	got := map[string]bool{}
	for id, spans := range distinct(s) {
		got[id] = true
		if len(spans) > 1 {
			t.Logf("span %s came %d times: its first answer was lost with the sink", id, len(spans))
		}
	}
	if len(got) != sent {
		t.Errorf("%d of %d spans came", len(got), sent)
	}
}

// total adds up the points of a metric of the processor.
func total(scraped, name, of string) (sum float64) {
	for _, m := range regexp.MustCompile(`(?m)^otelcol_processor_`+of+name+`[a-zA-Z_]*(?:\{[^}]*\})? ([0-9.e+]+)$`).FindAllStringSubmatch(scraped, -1) {
		v, _ := strconv.ParseFloat(m[1], 64)
		sum += v
	}
	return sum
}
