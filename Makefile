# Shortcuts; every target is one or two commands that can be typed as well.
.PHONY: all soak kill test sdk browser race fuzz bench bench-rules lint generate detection build collector dist smoke ci

all: generate lint test

generate:
	go generate ./cmd/otelcol-agentleak ./processor/agentleakprocessor ./internal/mapping ./internal/detect

# Cost of a scan by group of rules.
bench-rules:
	go test -run '^$$' -bench Families ./internal/detect

# docs/detection.md, from the corpus beside the project.
detection:
	docs/detection.sh

lint:
	test -z "$$(gofmt -l $$(git ls-files '*.go'))"
	go vet ./...

test:
	go test ./...

# Real agents of npm packages, a gigabyte of them.
sdk:
	go test -tags sdk ./test/sdk

# The HTML reports in a headless Chromium.
browser:
	cd test/browser && go test ./...

race:
	go test -race -short ./internal/assembly ./internal/audit ./processor/agentleakprocessor/...

fuzz:
	FUZZTIME=30s; for t in leaf:FuzzRewriteIdentity leaf:FuzzRewriteEdits detect:FuzzScan mapping:FuzzMapping audit:FuzzRedact; do \
	  go test ./internal/$${t%%:*} -run '^$$' -fuzz "^$${t##*:}$$" -fuzztime 30s || exit 1; done

bench:
	go test -run '^$$' -bench . -benchmem ./internal/leaf ./internal/detect ./internal/audit ./internal/assembly ./processor/agentleakprocessor

# Ten minutes at the highest rate the machine takes, with traces that never end; memory and throughput over time.
SOAK = 10m
soak: build
	AGENTLEAK_BIN=$(CURDIR)/bin/otelcol-agentleak go test -tags soak ./cmd/otelcol-agentleak -run '^TestSoak$$' -soak $(SOAK) -timeout 6h -v

# SIGKILL under load, KILLS times: nothing acknowledged is lost.
KILLS = 50
kill: build
	AGENTLEAK_BIN=$(CURDIR)/bin/otelcol-agentleak go test ./cmd/otelcol-agentleak -run '^TestKill$$' -kills $(KILLS) -timeout 1h -v

build:
	CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o bin/otelcol-agentleak ./cmd/otelcol-agentleak

# A collector from builder-config.yaml alone, in ./_build.
collector:
	go run go.opentelemetry.io/collector/cmd/builder@v0.165.0 --config builder-config.yaml

# Release archives for six platforms, with checksums, in ./dist.
dist:
	.ci/dist $$(sed -n 's/^\tversion = "\(.*\)"/\1/p' cmd/otelcol-agentleak/main.go)

smoke: build
	bin/otelcol-agentleak demo

ci:
	.ci/run
