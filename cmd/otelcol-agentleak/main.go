// Command otelcol-agentleak is an OpenTelemetry Collector that scores and redacts leaks in the
// telemetry of AI agents, and a command line for the same work on files.
//
// Without --config it runs the configuration in default.yaml, which is part of the binary.
package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/confmap/provider/envprovider"
	"go.opentelemetry.io/collector/confmap/provider/fileprovider"
	"go.opentelemetry.io/collector/confmap/provider/yamlprovider"
	"go.opentelemetry.io/collector/otelcol"

	"github.com/agentleak/otelcol-agentleak/internal/cli"
)

const (
	name = "otelcol-agentleak"

	// version is dist.version of builder-config.yaml.
	version = "0.1.0"

	// ourGroup marks the subcommands of package cli among those of the collector.
	ourGroup = "agentleak"
)

//go:embed default.yaml
var defaultConfig []byte

func main() {
	cmd, err := newCommand().ExecuteC()
	os.Exit(exitCode(os.Stderr, cmd, err))
}

// newCommand returns the command of the collector with our subcommands.
func newCommand() *cobra.Command {
	set, w := settings(), &warner{}
	set.Factories = w.factories
	root := otelcol.NewCommand(set)
	info, _ := debug.ReadBuildInfo()
	root.Version = fmt.Sprintf("%s (commit %s)", version, commit(info))
	root.Short = "OpenTelemetry Collector that scores and redacts leaks in agent telemetry"
	root.Long = root.Short + `.

Without a command it runs the collector: with the files of --config, or with the embedded
configuration, which listens for OTLP on 127.0.0.1:4317 (gRPC) and 127.0.0.1:4318 (HTTP).`
	root.SilenceErrors = true // exitCode prints them.
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		return &cli.ExitError{Code: 2, Err: err}
	})
	root.Args = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return &cli.ExitError{Code: 2, Err: fmt.Errorf("unknown command %q, see --help", args[0])}
	}

	root.PreRunE = useDefaultConfig
	for _, cmd := range root.Commands() {
		if cmd.Flags().Lookup("config") != nil {
			cmd.PreRunE = useDefaultConfig
		}
		if cmd.Name() == "validate" {
			w.on(cmd)
		}
	}

	root.AddGroup(&cobra.Group{ID: ourGroup, Title: "Commands of agentleak:"})
	for _, cmd := range cli.Commands(cli.Options{RunCollector: runCollector, DefaultConfig: defaultConfig, Version: version}) {
		cmd.GroupID = ourGroup
		root.AddCommand(cmd)
	}
	return root
}

func settings() otelcol.CollectorSettings {
	return otelcol.CollectorSettings{
		BuildInfo: component.BuildInfo{
			Command:     name,
			Description: "OpenTelemetry Collector that scores and redacts leaks in agent telemetry",
			Version:     version,
		},
		Factories: components,
		ConfigProviderSettings: otelcol.ConfigProviderSettings{
			ResolverSettings: confmap.ResolverSettings{
				ProviderFactories: []confmap.ProviderFactory{
					envprovider.NewFactory(),
					fileprovider.NewFactory(),
					yamlprovider.NewFactory(),
				},
				DefaultScheme: "env",
			},
		},
		ProviderModules: map[string]string{
			"env":  "go.opentelemetry.io/collector/confmap/provider/envprovider v1.71.0",
			"file": "go.opentelemetry.io/collector/confmap/provider/fileprovider v1.71.0",
			"yaml": "go.opentelemetry.io/collector/confmap/provider/yamlprovider v1.71.0",
		},
	}
}

// useDefaultConfig gives a command of the collector the embedded configuration when its user named
// none. It goes through the flag, rather than the settings, so that --set still applies over it.
func useDefaultConfig(cmd *cobra.Command, _ []string) error {
	if cmd.Flags().Changed("config") {
		return nil
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s: no --config, using the embedded configuration\n", cmd.CommandPath())
	return cmd.Flags().Set("config", "yaml:"+string(defaultConfig))
}

// runCollector runs a collector until ctx is done or the collector fails. Signals are the caller's: a collector that
// handles one, while ctx ends for it too, gives up its shutdown.
func runCollector(ctx context.Context, uris []string) error {
	set := settings()
	set.DisableGracefulShutdown = true
	set.ConfigProviderSettings.ResolverSettings.URIs = uris
	col, err := otelcol.NewCollector(set)
	if err != nil {
		return err
	}
	return col.Run(ctx)
}

// exitCode writes err, if it has anything to say, and returns the code to end the process with: the
// one that err carries, else 1 from the collector and 2 from our subcommands, where 1 says that the
// policy failed.
func exitCode(stderr io.Writer, cmd *cobra.Command, err error) int {
	if err == nil {
		return 0
	}
	if msg := err.Error(); msg != "" {
		fmt.Fprintf(stderr, "%s: %s\n", cmd.CommandPath(), msg)
	}
	var exit *cli.ExitError
	switch {
	case errors.As(err, &exit):
		return exit.Code
	case cmd.GroupID == ourGroup:
		return 2
	}
	return 1
}

// commit names the source that the binary was built from, as far as the go command recorded it.
func commit(info *debug.BuildInfo) string {
	if info == nil {
		return "unknown"
	}
	var revision, modified string
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = ", modified"
		}
	}
	if revision == "" {
		return "unknown"
	}
	return revision + modified
}
