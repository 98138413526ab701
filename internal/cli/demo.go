package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
)

// demoFile is what the demo's collector writes.
const demoFile = "agentleak-traces.jsonl"

// Bounds of the demo's waiting. What takes longer is broken.
const (
	startPatience  = 30 * time.Second
	sendPatience   = 10 * time.Second // for one trace
	exportPatience = 30 * time.Second // for all of them
)

func demoCommand(opts Options) *cobra.Command {
	d := demo{opts: opts, patience: exportPatience}
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "See the collector work on sample traces",
		Long: `Demo starts the collector with the embedded configuration, sends the sample traces that are part of
the program over OTLP, waits until they come out, and shows for each its score and what became of one
of its texts. Everything happens on this machine, and everything in the samples is invented.

It exits 0 when all traces came out with a score, and 2 when something went wrong.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d.w, d.self = cmd.OutOrStdout(), self(cmd.Root().Name())
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			return failure(d.run(ctx))
		},
	}
	cmd.Flags().StringVar(&d.dir, "out", "", "directory for the exported file (default: a new one for temporary files)")
	cmd.Flags().BoolVar(&d.serve, "serve", false, "keep listening until interrupted")
	return cmd
}

// self is how the user runs this program, as far as its path tells.
func self(name string) string {
	if path := filepath.ToSlash(os.Args[0]); strings.Contains(path, "/go-build") {
		return "go run ./cmd/" + name // whose program is gone by the time anyone types its path
	}
	return os.Args[0]
}

type demo struct {
	opts     Options
	w        io.Writer
	dir      string
	serve    bool
	self     string
	patience time.Duration
}

func (d *demo) run(ctx context.Context) (err error) {
	samples, err := demoSamples()
	if err != nil {
		return err
	}
	file, discard, err := d.create()
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			discard()
		}
	}()
	ports, err := demoPorts(d.opts.DefaultConfig)
	if err != nil {
		return err
	}
	fmt.Fprintln(d.w, "Starting the collector with its embedded configuration.")
	for _, p := range ports {
		if p.taken != "" {
			fmt.Fprintf(d.w, "%s is taken: OTLP over %s listens on %s instead.\n", p.taken, p.protocol, p.endpoint)
		}
	}

	col := startCollector(ctx, d.opts, demoConfig(ports, file, d.serve))
	defer func() {
		if stopErr := col.stop(); err == nil {
			err = stopErr
		}
	}()
	if err := col.await(ports); err != nil {
		return err
	}
	spans := 0
	for i := range samples {
		s := &samples[i]
		s.over = ports[i%len(ports)]
		if err := s.send(col.ctx); err != nil {
			return col.because(fmt.Errorf("%s over %s: %w", s.name, s.over.protocol, err))
		}
		spans += s.traces.SpanCount()
	}
	fmt.Fprintf(d.w, "Sent %d traces, %d spans, with the exporters of the OpenTelemetry SDK. All that is in them is invented.\n",
		len(samples), spans)

	out, err := awaitExport(col.ctx, file, samples, d.patience)
	if err != nil {
		return col.because(err)
	}
	for i := range samples {
		if err := d.show(i, &samples[i], out); err != nil {
			return err
		}
	}
	d.farewell(file, ports)
	if d.serve {
		<-col.ctx.Done()
	}
	return nil
}

// create makes the exported file and returns its path. discard removes it again with what was made for it.
func (d *demo) create() (path string, discard func(), err error) {
	dir, remove := d.dir, func() {}
	if dir == "" {
		if dir, err = os.MkdirTemp("", "agentleak-demo-"); err != nil {
			return "", nil, err
		}
		remove = func() { os.Remove(dir) }
	} else if err = os.MkdirAll(dir, 0o700); err != nil {
		return "", nil, err
	}
	if path, err = filepath.Abs(filepath.Join(dir, demoFile)); err != nil {
		return "", nil, err
	}
	// The exporter appends to a file that exists, and what is in it would pass for what the demo wrote.
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		remove()
		if errors.Is(err, os.ErrExist) {
			err = fmt.Errorf("--out: %s exists: want a directory without it", path)
		}
		return "", nil, err
	}
	return path, func() { os.Remove(path); remove() }, f.Close()
}

// farewell says what there is to do next.
func (d *demo) farewell(file string, ports []demoPort) {
	fmt.Fprintf(d.w, `
The redacted traces are in %s
A secret has the same token wherever it stood, and its token still counts as the secret. For every finding:

  %s audit %s
`, file, d.self, file)
	if !d.serve {
		return
	}
	fmt.Fprint(d.w, "\nListening for OTLP until interrupted (Ctrl-C); what comes is added to the file.\n\n")
	for _, p := range ports {
		fmt.Fprintf(d.w, "  %-4s  %s\n", p.protocol, p.endpoint)
	}
}
