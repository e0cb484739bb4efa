package khatm_test

import "testing"

// layer is the part of the module that a package belongs to.
type layer string

const (
	library   layer = "library"   // the document library: pure, importable by other programs
	service   layer = "service"   // the service and its operator commands
	simulator layer = "simulator" // the simulator of the tax authority, independent of the service
	command   layer = "command"   // commands, benchmarks and tools for tests
)

// row describes one package of this module.
type row struct {
	layer layer
	dir   string // folder, from the root

	// imports are the other packages of this module that its non-test files
	// import, each by its base name. Base names are unique.
	imports string

	about string // what the package is
}

// plan lists every package with its imports, so that a reviewer sees each new
// import. ARCHITECTURE.md contains this table. After a change here, update the
// page with:
//
//	make golden
var plan = []row{
	{library, "money", "", "exact decimals and the rounding rule, half away from zero"},
	{library, "qr", "", "encoding and decoding of the QR code; drawing and reading of its symbol"},
	{library, "witness", "", "independent verifier; shares no code with what it verifies"},
	{library, "pdfa", "", "PDF/A-3 writer, and bounded reader of embedded files, texts and pictures; independent of invoices"},
	{library, "codes", "money", "code lists and glossary, in English and Arabic"},
	{library, "ubl", "money", "typed UBL 2.1 invoice, canonical writer, strict bounded reader; no business rules"},
	{library, "rules", "codes money ubl", "the authority's rules over `ubl`: one file per family, one row per rule"},
	{library, "rules/sheet", "", "reads the authority's rule sheets and compares those of two kits"},
	{library, "check", "rules ubl witness", "all checks of one document: schema, rules, stamp and QR code; texts and severities of the verifier's findings"},
	{library, "jsontree", "", "JSON parser that keeps numbers and the order of members as written and reports duplicate names"},
	{library, "invoice", "codes jsontree money ubl", "the tax document: facts, computation, conversion to and from `ubl`"},
	{library, "seal", "qr ubl", "hashes and stamps documents; keys, certificate requests and certificates of devices"},
	{library, "sample", "codes invoice money seal", "valid documents of every kind, random ones, and a device that stamps them; for tests, benchmarks and demonstrations"},
	{library, "tafqit", "money", "amounts in words, in Arabic and English"},
	{library, "paper", "codes money pdfa qr tafqit ubl", "renders an invoice as PDF/A-3, on A4 or as a receipt"},
	{library, "spreadsheet", "", "reads and writes CSV and XLSX, in bounded memory; cells are never formulas"},
	{library, "audit", "witness", "checks stored documents: chains, stamps and the authority's responses"},

	{service, "service/internal/fault", "", "kinds and codes of errors"},
	{service, "service/internal/ready", "fault", "the reasons why issuing is stopped, in one table"},
	{service, "service/internal/clock", "", "decides whether the system clock is good enough to date documents"},
	{service, "service/internal/disk", "", "free space of a file system"},
	{service, "service/internal/work", "", "background loops and leases"},
	{service, "service/internal/traces", "", "sends spans to an OpenTelemetry collector"},
	{service, "service/internal/metric", "", "metrics in the text format of Prometheus, and those of the Go runtime and the process"},
	{service, "service/internal/limit", "", "rate limits, counted in fixed windows"},
	{service, "service/internal/listen", "", "HTTP server on a TCP port that stops without resetting a connection"},
	{service, "service/internal/tlscert", "", "certificate of an HTTPS server, from files or from an ACME authority"},
	{service, "service/internal/listen/listentest", "", "HTTP clients on raw connections, for tests"},
	{service, "service/internal/capacity", "fault", "divides memory, cores and connections fairly between callers"},
	{service, "service/internal/database", "fault", "opens SQLite or PostgreSQL: transactions, locks, error kinds, migrations"},
	{service, "service/internal/org", "codes fault ubl", "organisations, branches, users, API keys, roles, plans"},
	{service, "service/internal/device", "", "devices and their certificates"},
	{service, "service/internal/trade", "codes fault money org ubl", "clients, items, reasons"},
	{service, "service/internal/intake", "capacity codes fault issue ledger money org spreadsheet trade ubl", "imports clients, items and invoices of older systems from CSV and XLSX: fates of rows, background runs"},
	{service, "service/internal/ledger", "fault invoice money", "stored invoices: states and transitions, submissions, attempts"},
	{service, "service/internal/payment", "codes fault invoice ledger money ubl", "balances of invoices, payments split over them, refunds, credit of clients, statements, ageing"},
	{service, "service/internal/vault", "fault seal", "encrypts secrets at rest"},
	{service, "service/internal/blob", "fault s3", "storage of files: in a folder, in PostgreSQL or in S3"},
	{service, "service/internal/s3", "", "addresses of folders in S3 buckets, and their clients"},
	{service, "service/internal/s3/s3test", "testtool", "S3 server for tests"},
	{service, "service/internal/archive", "s3", "append-only journal of issued documents in a folder or in S3: format, epochs, reading"},
	{service, "service/internal/mail", "org", "sends e-mail over SMTP, from a queue"},
	{service, "service/internal/mail/mailtest", "", "SMTP server for tests"},
	{service, "service/internal/authority", "device ledger", "HTTP client of the tax authority; interprets its responses"},
	{service, "service/internal/continuity", "org ready", "detects a database that lacks issued documents: marks, identity, recovery"},
	{service, "service/internal/account", "capacity codes device fault mail org ubl", "API keys, users, sessions, plans: operations shared by the HTTP surfaces and the commands"},
	{service, "service/internal/issue", "codes device fault invoice ledger money org ready rules seal trade ubl", "creates invoices and appends them to the chains of their devices"},
	{service, "service/internal/submit", "device fault ledger org witness work", "sends documents to the authority and records its responses"},
	{service, "service/internal/render", "capacity codes fault invoice ledger money org paper payment trade", "renders and stores PDFs"},
	{service, "service/internal/onboard", "device fault invoice ledger org rules seal ubl", "onboards devices and renews their certificates"},
	{service, "service/internal/remedy", "codes issue ledger money rules", "what a rejected invoice needs: cause, field and suggested value"},
	{service, "service/internal/share", "codes fault invoice issue ledger mail money org", "shared links and drafts"},
	{service, "service/internal/store", "account attention blob continuity database device fault intake invoice issue ledger limit mail money notice onboard org payment share submit trade", "all SQL queries, with one text for both engines"},
	{service, "service/internal/notice", "device invoice org submit", "what the people of an organisation should know: thresholds and texts of notices"},
	{service, "service/internal/attention", "account codes device notice onboard share submit", "what waits for the people of an organisation"},
	{service, "service/internal/recovery", "archive store", "connects a database with its archive at the start of a server, and enters what the database lacks"},
	{service, "service/internal/store/pgtest", "testtool", "PostgreSQL for tests"},
	{service, "service/internal/store/storetest", "database pgtest store testtool", "stores for tests, on both engines"},
	{service, "service/internal/backup", "blob database fault org store", "writes an installation into one file, verifies it and restores it; daily backups"},
	{service, "service/internal/export", "device invoice ledger org spreadsheet store ubl", "writes the documents of a period into a folder for an auditor, with a script that verifies them"},
	{service, "service/internal/codec", "fault jsontree money", "JSON of requests and responses: decodes, encodes and describes it from Go types"},
	{service, "service/internal/wire", "capacity codec fault limit org", "HTTP framework: routes, authentication, limits, error responses, the OpenAPI document"},
	{service, "service/internal/wire/wiretest", "money wire", "compares responses with the OpenAPI document in tests, and sends requests that violate it"},
	{service, "service/internal/docs", "", "browsable page of an OpenAPI document"},
	{service, "service/internal/api", "capacity codec codes device fault invoice issue ledger money org payment render trade wire", "HTTP surface for API keys"},
	{service, "service/internal/tools", "capacity check codes fault invoice money paper pdfa qr rules spreadsheet ubl wire witness", "public HTTP surface without a key; stores nothing"},
	{service, "service/internal/guest", "capacity codes fault ledger money org qr render share tools wire", "pages and endpoints of shared links"},
	{service, "service/internal/app", "account api attention codec codes device fault intake invoice issue ledger mail money notice onboard org payment remedy render share spreadsheet trade wire", "HTTP surface for signed-in users"},
	{service, "web", "", "the built web app"},
	{service, "service/internal/site", "", "serves the files of the web app"},
	{service, "service/internal/server", "account api app archive authority backup blob capacity clock continuity database device disk docs fault guest intake issue ledger limit listen mail metric onboard org ready recovery remedy render share site store submit tlscert tools traces vault web wire work", "configuration, start and stop; connects the packages above"},
	{service, "service", "server", "settings, start and stop of a server, for other programs"},
	{service, "service/admin", "account archive audit authority backup blob continuity database device disk export fault issue ledger mail money onboard org pdfa recovery store tlscert trade ubl vault witness", "operations of the operator's commands"},

	{simulator, "simulator/internal/ca", "witness", "certificate authority of the simulator"},
	{simulator, "simulator/internal/journal", "", "journal of all requests to the simulator"},
	{simulator, "simulator/internal/mood", "", "simulated faults: a seeded plan around any HTTP response"},
	{simulator, "simulator/internal/judge", "check rules ubl witness", "validates submitted documents"},
	{simulator, "simulator/internal/view", "check codes journal mood rules ubl", "web page of the simulator: mood, devices and the last requests, in English and Arabic"},
	{simulator, "simulator", "ca journal judge mood view", "simulator of the tax authority"},
	{simulator, "simulator/recording", "witness", "proxy that records calls to the real authority without secrets; format of the recording"},
	{simulator, "simulator/replay", "ca invoice recording sample seal", "sends a recording to a simulator and compares the answers"},

	{command, "service/internal/servicetest", "account api authority codes device fault invoice issue ledger limit listentest mail mailtest money onboard org payment pdfa qr sample seal server share simulator storetest submit testtool trade vault wire wiretest witness", "runs the service in tests: on both engines, over HTTP, with the simulator"},
	{command, ".", "", "no code; tests of all packages"},
	{command, "cmd/khatm", "admin audit check codes money paper recording replay rules service sheet simulator ubl witness", "the khatm command"},
	{command, "internal/testtool", "", "for tests of several packages: external programs, golden files, a clock, and the length of long test runs"},
	{command, "internal/lossyfs", "", "file system for tests that loses what was not synced"},
	{command, "internal/browser", "testtool", "controls Chromium in tests of web pages"},
	{command, "internal/testrun", "", "runs go test with a timeout for the machine, reports failures and the slowest tests"},
	{command, "internal/release", "", "builds the files of a release, and compares its interfaces with those of the previous one"},
	{command, "deploy", "", "no code; files for operators, and tests of what they name"},
	{command, "bench", "", "benchmarks, each with a limit"},
}

func TestPlan(t *testing.T) {
	report(t, planFaults(plan))
	report(t, importFaults(plan, thisTree(t)))
	report(t, unusedFaults(plan, thisTree(t)))
}
