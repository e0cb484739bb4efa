package khatm_test

import "testing"

// layer is the part of the module that a package belongs to.
type layer string

const (
	library   layer = "library"   // the document library: pure, importable by anyone
	service   layer = "service"   // the service and its operator commands
	simulator layer = "simulator" // the simulator of the tax authority, a separate product
	command   layer = "command"   // commands, benchmarks and test tools
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

// plan lists every package with exactly what it imports, so that a reviewer sees
// every new import. ARCHITECTURE.md contains this table; update it after a change
// with
//
//	make golden
var plan = []row{
	{library, "money", "", "exact decimal arithmetic with one rounding rule: half away from zero"},
	{library, "qr", "", "TLV content of the QR code, and its printed symbol"},
	{library, "witness", "", "independent verifier; shares no code with the packages that write and sign"},
	{library, "pdfa", "", "PDF/A-3 writer, and extractor of embedded files with size limits; independent of invoices"},
	{library, "codes", "money", "code lists and glossary, in English and Arabic"},
	{library, "ubl", "money", "typed UBL 2.1 invoice with a canonical writer and a strict reader with size limits; has no business rules"},
	{library, "rules", "codes money ubl", "the authority's validation rules over `ubl`: one file per family, one row per rule"},
	{library, "check", "rules ubl witness", "all checks of one document: schema, rules, stamp and QR code"},
	{library, "jsontree", "", "JSON parsed into one list that keeps numbers as written, the order of members and duplicate names"},
	{library, "invoice", "codes jsontree money ubl", "the tax document: facts, computation, mapping to and from `ubl`"},
	{library, "seal", "qr ubl", "hashes, stamps, keys, certificate requests and certificates; writes and signs"},
	{library, "sample", "codes invoice money seal", "valid facts of every kind, random facts, and a device that stamps them; for tests, benchmarks and demonstrations"},
	{library, "paper", "codes money pdfa qr ubl", "layout of the printed invoice, from `ubl`"},
	{library, "audit", "witness", "verifies the chains, stamps and verdicts of stored documents"},

	{service, "service/internal/fault", "", "the error type of the service: kind, code and message"},
	{service, "service/internal/ready", "fault", "table of the conditions that stop issuing"},
	{service, "service/internal/clock", "", "decides whether the wall clock may date documents"},
	{service, "service/internal/disk", "", "free space of a file system"},
	{service, "service/internal/work", "", "background loops and leases"},
	{service, "service/internal/limit", "", "rate limits"},
	{service, "service/internal/database", "fault", "opens SQLite or PostgreSQL: transactions, locks, error classes, migrations"},
	{service, "service/internal/org", "codes fault", "organisations, branches, people, keys, roles and plans"},
	{service, "service/internal/device", "", "devices and their certificates"},
	{service, "service/internal/trade", "codes fault money org", "clients, items and reasons"},
	{service, "service/internal/ledger", "fault invoice money", "stored invoices: states and transitions, submissions, attempts"},
	{service, "service/internal/vault", "fault seal", "encryption of stored secrets"},
	{service, "service/internal/blob", "fault", "file storage"},
	{service, "service/internal/mail", "org", "emails: a queue, and delivery over SMTP"},
	{service, "service/internal/mail/mailtest", "", "a mail server for tests"},
	{service, "service/internal/authority", "device ledger", "HTTP client of the tax authority; interprets its answers"},
	{service, "service/internal/continuity", "org ready", "detects a database that lacks issued documents: marks, database identity, recovery"},
	{service, "service/internal/account", "fault org", "operations on keys, people, sessions and plans that the APIs and the operator commands share"},
	{service, "service/internal/issue", "codes device fault invoice ledger money org ready rules seal trade ubl", "checks requests for invoices and appends the documents"},
	{service, "service/internal/submit", "device fault ledger org witness work", "sends documents to the authority and records its answers"},
	{service, "service/internal/render", "fault ledger org paper", "creates PDFs and stores them"},
	{service, "service/internal/onboard", "device fault invoice ledger org rules seal ubl", "onboarding and renewal of devices"},
	{service, "service/internal/share", "fault invoice issue ledger mail money org", "shared links and drafts"},
	{service, "service/internal/store", "account continuity database device fault invoice issue ledger limit mail money onboard org share submit trade", "database queries, one SQL text for both engines"},
	{service, "service/internal/store/pgtest", "testtool", "PostgreSQL databases for tests"},
	{service, "service/internal/store/storetest", "database pgtest store", "stores for tests, on both engines"},
	{service, "service/internal/backup", "blob database fault org store", "writes an installation into one file, verifies it and restores it; daily backups"},
	{service, "service/internal/codec", "fault jsontree money", "decodes, encodes and describes the JSON of requests and answers, from Go struct types"},
	{service, "service/internal/wire", "codec fault limit org", "HTTP layer of the APIs: routes, access checks, rate limits, error format, OpenAPI documents"},
	{service, "service/internal/wire/wiretest", "money wire", "checks answers against the OpenAPI document, and sends requests that violate it"},
	{service, "service/internal/docs", "", "HTML page that displays an OpenAPI document"},
	{service, "service/internal/api", "codec codes device fault invoice issue ledger money org render trade wire", "the API for keys"},
	{service, "service/internal/tools", "check codes fault invoice money paper pdfa qr rules ubl wire witness", "the public tools; they store nothing"},
	{service, "service/internal/guest", "codes fault ledger money org qr render share tools wire", "pages and endpoints for people with a shared link"},
	{service, "service/internal/app", "account api codec fault issue ledger mail org share wire", "the API for signed-in people"},
	{service, "service/internal/server", "account api app authority backup blob clock continuity device disk docs fault guest issue ledger limit mail onboard org ready render share store submit tools vault wire work", "configuration, start and stop; connects the other packages"},
	{service, "service", "server", "settings, start and stop of a server, for other programs"},
	{service, "service/admin", "account audit authority backup blob codes continuity database device disk fault issue ledger mail money onboard org pdfa store trade ubl vault witness", "implements the operator commands"},

	{simulator, "simulator/internal/ca", "witness", "its certificate authority"},
	{simulator, "simulator/internal/journal", "", "its journal of requests"},
	{simulator, "simulator/internal/mood", "", "its fault injection: a seeded plan of faults for HTTP answers"},
	{simulator, "simulator/internal/judge", "check rules ubl witness", "its validation of documents"},
	{simulator, "simulator", "ca journal judge mood", "the simulator of the tax authority"},

	{command, "service/internal/servicetest", "simulator account api authority codes device invoice issue ledger limit mail mailtest money onboard org pdfa qr sample seal server share storetest submit trade vault wire wiretest witness", "runs the service for tests: on both engines, over HTTP, with the simulator"},
	{command, ".", "", "no code; tests of all packages"},
	{command, "cmd/khatm", "admin audit check codes money paper rules service simulator witness", "the command khatm"},
	{command, "internal/testtool", "", "finds external programs for tests, and sets the counts of long runs"},
	{command, "internal/testrun", "", "runs go test with a timeout that suits the machine; reports failures and the slowest tests"},
	{command, "bench", "", "benchmarks, each with a limit"},
}

func TestPlan(t *testing.T) {
	report(t, planFaults(plan))
	report(t, importFaults(plan, thisTree(t)))
	report(t, unusedFaults(plan, thisTree(t)))
}
