# Khatm. `make` or `make help` lists the targets.

GO       ?= go
FUZZTIME ?= 10s
PACKAGES ?= ./...
VERSION  ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)

# A test that skips for want of a tool must not be remembered as passed: the
# test cache does not see a tool that is installed later. So while one is
# missing, nothing is cached.
UNCACHED = $(shell scripts/missing --quiet || echo -count=1)

.DEFAULT_GOAL := help
.PHONY: help build test only-go check golden lint race vuln fuzz bench conformance contract torture clean need-go testrun

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: need-go ## one static binary, bin/khatm
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags "-s -w -X main.version=$(VERSION)" -o bin/khatm ./cmd/khatm

test: need-go testrun ## vet and all tests, or PACKAGES; lists the slowest ones and says what was left out
	@scripts/missing --install
	@status=0; \
	echo "$(GO) test $(UNCACHED) $(PACKAGES)"; \
	GO="$(GO)" scripts/in-memory scripts/with-postgres bin/testrun test $(UNCACHED) $(PACKAGES) || status=1; \
	scripts/missing || status=1; \
	exit $$status

# All packages are asked for, and go test runs those again whose result may
# differ: it remembers which environment variables the tests of a package have
# read. Every way to an external program reads KHATM_ONLY_GO (internal/testtool)
# or KHATM_TEST_POSTGRES. A package that has read neither, nor anything else that
# has changed since make test, gives the result of make test again, "(cached)".
# That holds within make check, where both have the same timeout and the same
# TMPDIR; otherwise everything runs.
only-go: need-go testrun ## the tests that may use external programs, without them
	@echo "KHATM_ONLY_GO=1 $(GO) test $(PACKAGES)"
	@KHATM_ONLY_GO=1 KHATM_STRICT= GO="$(GO)" scripts/in-memory scripts/with-postgres bin/testrun test $(PACKAGES)

check: need-go testrun ## all that is asked of a change: test, only-go, lint, race and vuln
	@KHATM_TEST_TIMEOUT=$$(bin/testrun timeout) scripts/in-memory \
	  $(MAKE) --no-print-directory test only-go lint race vuln

golden: need-go ## rewrite all golden files and generated pages; read git diff afterwards
	@GO="$(GO)" scripts/golden

lint: need-go ## golangci-lint, built from tools/go.mod (minutes the first time)
	$(GO) tool -modfile=tools/go.mod golangci-lint run ./...

race: need-go testrun ## the tests in which goroutines meet, under the race detector; needs a C compiler
	@GO="$(GO)" scripts/race

vuln: need-go ## govulncheck; left out where its database cannot be reached
	@GO="$(GO)" scripts/vuln

fuzz: need-go ## every fuzz target for FUZZTIME (10s)
	@GO="$(GO)" scripts/fuzz "$(FUZZTIME)"

bench: need-go ## benchmarks, each held to its limit
	@test -d bench || { echo "bench: there are no benchmarks yet"; exit 1; }
	@status=0; \
	KHATM_BENCH=1 $(GO) test -count=1 -timeout 30m -run . -v ./bench/... || status=1; \
	KHATM_BENCH=1 scripts/with-postgres $(GO) test -count=1 -p 1 -timeout 60m -run Bench -v ./service/... || status=1; \
	exit $$status

conformance: need-go ## agreement with the official verdicts; needs KHATM_CORPUS and KHATM_ORACLE
	@test -d "$${KHATM_CORPUS:-}/samples" || { \
	  echo "conformance: KHATM_CORPUS must name a folder that holds samples/ (it is '$${KHATM_CORPUS:-}')"; exit 2; }
	@command -v "$${KHATM_ORACLE:-}" >/dev/null || { \
	  echo "conformance: KHATM_ORACLE must name a program that judges XML (it is '$${KHATM_ORACLE:-}')"; exit 2; }
	@command -v java >/dev/null && command -v mvn >/dev/null || { \
	  echo "conformance: Java and Maven are needed to build the judge of PDFs (tools/verapdf)"; exit 2; }
	KHATM_VERAPDF="$(CURDIR)/scripts/verapdf" $(GO) test -count=1 -timeout 60m -run Conformance -v ./...

contract: ## linters and a generator on the published document; needs node and npm
	@scripts/contract

torture: need-go ## the long run: kills, faults, races; a table at the end; then a minute on each fuzz target
	@GO="$(GO)" scripts/torture
	@$(MAKE) --no-print-directory fuzz FUZZTIME=60s

clean: ## remove what the targets made
	rm -rf bin coverage.out coverage.html

need-go:
	@command -v $(GO) >/dev/null 2>&1 || { \
	  echo "Khatm is built with Go $$(sed -n 's/^go //p' go.mod) or newer, and '$(GO)' is not on the PATH: see https://go.dev/doc/install"; exit 1; }

testrun: need-go
	@$(GO) build -o bin/testrun ./internal/testrun
