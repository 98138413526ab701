package internal

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/agentleak/otelcol-agentleak/"

// layers says which packages of ours a package may import, and which modules outside the standard library. It is the
// table of ARCHITECTURE.md; a change here is a change of the house.
var layers = map[string]struct{ ours, outside []string }{
	"internal/agentrisk": {},
	"internal/wire":      {},
	"internal/seal":      {},
	"internal/leaf":      {nil, []string{pdata}},
	"internal/assembly":  {nil, []string{pdata}},
	"internal/detect":    {[]string{"internal/agentrisk"}, nil},
	"internal/mapping":   {[]string{"internal/agentrisk", "internal/leaf", "internal/wire"}, []string{pdata}},
	"internal/redact":    {[]string{"internal/agentrisk", "internal/detect"}, nil},
	"internal/audit": {[]string{"internal/agentrisk", "internal/leaf", "internal/detect", "internal/mapping",
		"internal/redact", "internal/wire"}, []string{pdata}},
	"internal/redteam": {[]string{"internal/agentrisk", "internal/audit"}, []string{pdata}},
	"internal/report":  {[]string{"internal/agentrisk", "internal/audit", "internal/redteam"}, nil},
	"internal/cli": {[]string{"internal/agentrisk", "internal/leaf", "internal/detect", "internal/mapping",
		"internal/redact", "internal/assembly", "internal/audit", "internal/redteam", "internal/report"}, []string{anything}},
	"processor/agentleakprocessor": {[]string{"internal/agentrisk", "internal/assembly", "internal/audit", "internal/leaf",
		"internal/seal", "internal/wire",
		"processor/agentleakprocessor/internal/metadata"}, []string{anything}},
	"processor/agentleakprocessor/internal/metadata":     {nil, []string{anything}},
	"cmd/otelcol-agentleak":                              {[]string{"internal/cli", "processor/agentleakprocessor"}, []string{anything}},
	"internal/gencomponents":                             {nil, []string{anything}},
	"test/sdk":                                           {nil, []string{anything}},
	"processor/agentleakprocessor/internal/metadatatest": {[]string{"processor/agentleakprocessor/internal/metadata"}, []string{anything}},
}

const (
	pdata    = "go.opentelemetry.io/collector/pdata"
	anything = "*"
)

func TestLayers(t *testing.T) {
	var stderr bytes.Buffer
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", module+"...")
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.Bytes())
	}
	seen := 0
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var pkg struct {
			ImportPath string
			Imports    []string
		}
		if err := dec.Decode(&pkg); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(pkg.ImportPath, module)
		if name == "internal" {
			continue // this test
		}
		may, ok := layers[name]
		if !ok {
			t.Errorf("package %s is not in the table of layers", name)
			continue
		}
		seen++
		for _, imp := range pkg.Imports {
			first, _, _ := strings.Cut(imp, "/")
			ours, isOurs := strings.CutPrefix(imp, module)
			switch {
			case isOurs && !slices.Contains(may.ours, ours):
				t.Errorf("%s may not import %s", name, ours)
			case !isOurs && strings.Contains(first, "."):
				if !slices.ContainsFunc(may.outside, func(m string) bool { return m == anything || strings.HasPrefix(imp, m) }) {
					t.Errorf("%s may not import %s", name, imp)
				}
			case !isOurs && slices.Contains([]string{"net", "net/http", "log", "log/slog", "os/exec"}, imp) && !slices.Contains(may.outside, anything):
				t.Errorf("%s may not import %s: the core opens no connection, starts no process and writes no log", name, imp)
			}
		}
	}
	if seen == 0 {
		t.Error("no package seen")
	}
}
