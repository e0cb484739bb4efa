# Khatm. `make` or `make help` lists the targets.

GO       ?= go
FUZZTIME ?= 10s
PACKAGES ?= ./...
VERSION  ?=
BASE     ?=

# go test would cache a test that is skipped for a missing program, and not run it
# when the program is installed later. So while one is missing, the test cache is
# not used.
UNCACHED = $(shell scripts/missing --quiet || echo -count=1)

.DEFAULT_GOAL := help
.PHONY: help web web-test web-build build test only-go check golden lint race vuln fuzz bench conformance contract torture growth release compatibility deploy-check clean need-go testrun

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: need-go ## build one static binary, bin/khatm
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags "-s -w -X main.release=$(VERSION)" -o bin/khatm ./cmd/khatm

web: ## build the web app into web/dist; needs node
	cd web && npm ci --no-audit --no-fund && npm run build

web-test: build ## open the pages of the web app in Chromium; needs node and make web
	cd web && KHATM="$(CURDIR)/bin/khatm" npm run flows

web-build: ## check that web/dist is what its sources give; needs node
	@scripts/web-build

test: need-go testrun ## run vet and all tests, or those of PACKAGES; list the slowest and the skipped ones
	@scripts/missing --install
	@status=0; \
	echo "$(GO) test $(UNCACHED) $(PACKAGES)"; \
	GO="$(GO)" scripts/in-memory scripts/with-postgres bin/testrun test $(UNCACHED) $(PACKAGES) || status=1; \
	scripts/missing || status=1; \
	exit $$status

# This runs all packages, but go test uses the cached result of make test for a
# package that has read no changed environment variable or file. All code that uses
# external programs reads KHATM_ONLY_GO (internal/testtool) or KHATM_TEST_POSTGRES,
# so its tests run again. The cache is used only within make check, where both runs
# have the same timeout and the same TMPDIR; otherwise everything runs. It leaves out
# what make test leaves out, because make check has run that before (KHATM_ALL).
only-go: need-go testrun ## run the tests without external programs
	@echo "KHATM_ONLY_GO=1 $(GO) test $(PACKAGES)"
	@KHATM_ONLY_GO=1 KHATM_STRICT= KHATM_ALL= GO="$(GO)" scripts/in-memory scripts/with-postgres bin/testrun test $(PACKAGES)

check: need-go testrun ## run everything that a change must pass: test in full, only-go, the web app, lint, race and vuln
	@KHATM_ALL=1 KHATM_TEST_TIMEOUT=$$(bin/testrun timeout) scripts/in-memory \
	  $(MAKE) --no-print-directory test only-go lint race vuln web-build web-test

golden: need-go ## rewrite all golden files and generated pages; read git diff afterwards
	@GO="$(GO)" scripts/golden

lint: need-go ## run golangci-lint, built from tools/go.mod (takes minutes the first time)
	$(GO) tool -modfile=tools/go.mod golangci-lint run ./...

race: need-go testrun ## run concurrent tests under the race detector; needs a C compiler
	@GO="$(GO)" scripts/race

vuln: need-go ## run govulncheck; skipped if its database cannot be reached
	@GO="$(GO)" scripts/vuln

fuzz: need-go ## run every fuzz target for FUZZTIME (default 10s)
	@GO="$(GO)" scripts/fuzz "$(FUZZTIME)"

bench: need-go ## run the benchmarks; each has a limit that it must meet
	@test -d bench || { echo "bench: the folder bench does not exist"; exit 1; }
	@status=0; \
	KHATM_BENCH=1 $(GO) test -count=1 -timeout 30m -run . -v ./bench/... || status=1; \
	KHATM_BENCH=1 scripts/with-postgres $(GO) test -count=1 -p 1 -timeout 60m -run Bench -v ./service/... || status=1; \
	exit $$status

conformance: need-go ## compare results with the official validators; needs KHATM_CORPUS and KHATM_ORACLE
	@test -d "$${KHATM_CORPUS:-}/samples" || { \
	  echo "conformance: KHATM_CORPUS must be a folder with a subfolder samples (it is '$${KHATM_CORPUS:-}')"; exit 2; }
	@command -v "$${KHATM_ORACLE:-}" >/dev/null || { \
	  echo "conformance: KHATM_ORACLE must be a program that validates XML (it is '$${KHATM_ORACLE:-}')"; exit 2; }
	@command -v java >/dev/null && command -v mvn >/dev/null || { \
	  echo "conformance: install Java and Maven, which build the PDF validator (tools/verapdf)"; exit 2; }
	KHATM_VERAPDF="$(CURDIR)/scripts/verapdf" $(GO) test -count=1 -timeout 60m -run Conformance -v ./...

contract: need-go ## check the OpenAPI documents with linters and with generated clients; needs node, npm and python3
	@GO="$(GO)" scripts/contract

torture: need-go ## run the long tests (kills, faults, races), print a table, then fuzz each target for a minute
	@GO="$(GO)" scripts/torture
	@$(MAKE) --no-print-directory fuzz FUZZTIME=60s

growth: need-go ## load millions of invoices into KHATM_GROWTH_DATA and measure; see scripts/growth
	@GO="$(GO)" scripts/growth

release: need-go compatibility ## build the files of a release into dist: archives, packages, checksums; VERSION=v1.2.0
	@GO="$(GO)" $(GO) run ./internal/release build -version "$(VERSION)"

compatibility: need-go ## compare the APIs with the previous release, or with BASE; ACCEPT=1 reports only
	@GO="$(GO)" $(GO) run ./internal/release compatibility -base "$(BASE)" $(if $(ACCEPT),-accept)

deploy-check: ## check the files of deploy with the programs that read them, if they are installed
	@scripts/deploy

clean: ## remove the files that the targets create
	rm -rf bin dist coverage.out coverage.html

need-go:
	@command -v $(GO) >/dev/null 2>&1 || { \
	  echo "'$(GO)' is not on the PATH: install Go $$(sed -n 's/^go //p' go.mod) or newer, see https://go.dev/doc/install"; exit 1; }

testrun: need-go
	@$(GO) build -trimpath -o bin/testrun ./internal/testrun
