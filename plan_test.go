package khatm_test

import "testing"

// layer is the part of the module that a package belongs to.
type layer string

const (
	library   layer = "library"   // the document library: pure, importable by anyone
	service   layer = "service"   // the service and its operator commands
	simulator layer = "simulator" // the simulator of the tax authority, a product of its own
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

// plan lists every package with exactly what it imports, so that a new import
// is a decision that a reviewer sees. ARCHITECTURE.md shows this table; after a
// change here write it anew:
//
//	make golden
var plan = []row{
	{library, "money", "", "exact decimals, and the one rounding: half away from zero"},
	{library, "qr", "", "the TLV of the QR code, and the printed symbol"},
	{library, "witness", "", "the independent verifier; shares nothing with what it verifies"},
	{library, "pdfa", "", "PDF/A-3 writer and bounded extractor; knows no invoice"},
	{library, "codes", "money", "code lists and glossary, in English and Arabic"},
	{library, "ubl", "money", "the format: typed UBL 2.1 invoice, canonical writer, strict bounded reader; knows no business"},
	{library, "rules", "codes money ubl", "the rulebook over `ubl`: one file a family, one row a rule"},
	{library, "check", "rules ubl witness", "every check of one document: schema, rulebook, stamp and QR code; one table of what the verifier finds"},
	{library, "jsontree", "", "JSON read into one list that keeps numbers as written, the order of members and names given twice"},
	{library, "invoice", "codes jsontree money ubl", "the tax document: facts, computation, mapping to and from `ubl`"},
	{library, "seal", "qr ubl", "hash, stamp, keys, certificate requests, certificates: it writes and signs"},
	{library, "sample", "codes invoice money seal", "right facts of every kind, random ones, and a device that stamps them: for tests, benchmarks and demonstrations"},
	{library, "paper", "codes money pdfa qr ubl", "the invoice on paper: layout from `ubl`"},
	{library, "audit", "witness", "walks kept documents and proves chain, stamps and verdicts"},

	{service, "service/internal/fault", "", "kinds of failure"},
	{service, "service/internal/ready", "fault", "the reasons why issuing is stopped, in one table"},
	{service, "service/internal/clock", "", "whether the wall clock may date documents"},
	{service, "service/internal/disk", "", "free space of a file system"},
	{service, "service/internal/work", "", "background loops and leases"},
	{service, "service/internal/limit", "", "rate windows"},
	{service, "service/internal/database", "fault", "opens SQLite or PostgreSQL: transactions, locks, kinds of errors, migrations"},
	{service, "service/internal/org", "codes fault", "organisation, branch, person, key, role, plan"},
	{service, "service/internal/device", "", "devices and their certificates"},
	{service, "service/internal/trade", "codes fault money org", "clients, items, reasons"},
	{service, "service/internal/ledger", "fault invoice money", "invoices as kept: states and transitions, submissions, attempts"},
	{service, "service/internal/vault", "fault seal", "secrets at rest"},
	{service, "service/internal/blob", "fault", "files"},
	{service, "service/internal/mail", "org", "letters over SMTP, from a queue"},
	{service, "service/internal/mail/mailtest", "", "a mail server for tests"},
	{service, "service/internal/authority", "device ledger", "HTTP client of the tax authority; meaning of its answers"},
	{service, "service/internal/continuity", "org ready", "detects a database that lacks issued documents: marks, identity, recovery"},
	{service, "service/internal/account", "fault org", "keys, people, sessions, plans: the operations that the HTTP surfaces and the commands share"},
	{service, "service/internal/issue", "codes device fault invoice ledger money org ready rules seal trade ubl", "create and append"},
	{service, "service/internal/submit", "device fault ledger org witness work", "send and record"},
	{service, "service/internal/render", "fault ledger org paper", "draws PDFs and keeps them"},
	{service, "service/internal/onboard", "device fault invoice ledger org rules seal ubl", "the life of a device"},
	{service, "service/internal/share", "fault invoice issue ledger mail money org", "links and drafts"},
	{service, "service/internal/store", "account continuity database device fault invoice issue ledger limit mail money onboard org share submit trade", "the queries, one text for both engines"},
	{service, "service/internal/store/pgtest", "testtool", "a PostgreSQL for tests"},
	{service, "service/internal/store/storetest", "database pgtest store", "stores for tests, on both engines"},
	{service, "service/internal/backup", "blob database fault org store", "writes an installation into one file, verifies it and restores it; daily backups"},
	{service, "service/internal/codec", "fault jsontree money", "the JSON of requests and answers: reads, writes and describes it by the types of Go structs"},
	{service, "service/internal/wire", "codec fault limit org", "the HTTP frame: routes, error shapes, the gate, limits, the published document"},
	{service, "service/internal/wire/wiretest", "money wire", "holds answers to the published document, and breaks its bounds"},
	{service, "service/internal/docs", "", "the browsable page of a published document"},
	{service, "service/internal/api", "codec codes device fault invoice issue ledger money org render trade wire", "the key surface"},
	{service, "service/internal/tools", "check codes fault invoice money paper pdfa qr rules ubl wire witness", "the public tools; they keep nothing"},
	{service, "service/internal/guest", "codes fault ledger money org qr render share tools wire", "pages and endpoints for people with a link"},
	{service, "service/internal/app", "account api codec fault issue ledger mail org share wire", "the signed-in surface"},
	{service, "service/internal/server", "account api app authority backup blob clock continuity device disk docs fault guest issue ledger limit mail onboard org ready render share store submit tools vault wire work", "configuration, start and stop; it connects the packages below it"},
	{service, "service", "server", "settings, start and stop of a server, for programs"},
	{service, "service/admin", "account audit authority backup blob codes continuity database device disk fault issue ledger mail money onboard org pdfa store trade ubl vault witness", "what operator commands call"},

	{simulator, "simulator/internal/ca", "witness", "its certificate authority"},
	{simulator, "simulator/internal/journal", "", "what it has seen"},
	{simulator, "simulator/internal/mood", "", "its misbehaviour: a seeded plan of faults around any HTTP answer"},
	{simulator, "simulator/internal/judge", "check rules ubl witness", "its verdicts"},
	{simulator, "simulator", "ca journal judge mood", "the simulator of the tax authority"},

	{command, "service/internal/servicetest", "simulator account api authority codes device invoice issue ledger limit mail mailtest money onboard org pdfa qr sample seal server share storetest submit trade vault wire wiretest witness", "runs the service for tests: on both engines, over HTTP, beside the simulator"},
	{command, ".", "", "no code; tests of all packages"},
	{command, "cmd/khatm", "admin audit check codes money paper rules service simulator witness", "the commands"},
	{command, "internal/testtool", "", "finds the external programs that some tests run, and says how much a long run does"},
	{command, "internal/testrun", "", "runs go test with a timeout for the machine, reports failures and the slowest tests"},
	{command, "bench", "", "benchmarks, each with its limit beside it"},
}

func TestPlan(t *testing.T) {
	report(t, planFaults(plan))
	report(t, importFaults(plan, thisTree(t)))
	report(t, unusedFaults(plan, thisTree(t)))
}
