package store_test

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"khatm/service/internal/issue"
)

// bare is the id of an invoice that has a row and an attempt only.
const bare = "01000000-0000-7000-8000-00000000ba4e"

// bareCleared is the id of an invoice that has a row, an attempt, and a verdict
// that cleared it without a stamped copy.
const bareCleared = "01000000-0000-7000-8000-0000ba4ec1ea"

// bareInvoice inserts the invoices bare and bareCleared.
func (s *fixture) bareInvoice() {
	s.t.Helper()
	s.write("invoice", s.anyRecord("invoice").with("id", bare, "place", 98, "counter", 98, "previous_hash", strings.Repeat("q", 44), "ref_num", "bare", "idempotency_key", nil))
	s.write("attempt", s.anyRecord("attempt").with("invoice_id", bare))
	s.write("invoice", s.anyRecord("invoice").with("id", bareCleared, "place", 97, "counter", 97, "previous_hash", strings.Repeat("r", 44), "ref_num", "cleared", "idempotency_key", nil))
	s.write("attempt", s.anyRecord("attempt").with("invoice_id", bareCleared, "number", 1))
	s.write("verdict", s.anyRecord("verdict").with("invoice_id", bareCleared, "attempt", 1, "stamped", nil, "stamped_digest", nil, "flag", "no document"))
}

// write inserts a row.
func (s *fixture) write(table string, r record) {
	s.t.Helper()
	names := slices.Sorted(maps.Keys(r))
	marks, values := make([]string, len(names)), make([]any, len(names))
	for i, name := range names {
		marks[i], values[i] = "$"+strconv.Itoa(i+1), r[name]
	}
	s.execute(`INSERT INTO `+table+` (`+strings.Join(names, ", ")+`) VALUES (`+strings.Join(marks, ", ")+`)`, values...)
}

// wrongInvoices are rows about invoices that the tables must refuse.
var wrongInvoices = map[string][][]any{
	"book":   {{"org_id", unknownID}, {"documents", -1}},
	"series": {{"org_id", unknownID}, {"kind", "XXX"}, {"kind", "INV"}, {"prefix", ""}, {"first", 0}, {"year", -1}, {"last", -1}, {"ahead", "{"}},
	"invoice": {
		{"place", 0}, {"org_id", unknownID}, {"id", "short"}, {"task_id", "short"}, {"device_id", unknownID}, {"counter", 0}, {"hash", "short"},
		{"previous_hash", "short"}, {"ref_num", ""}, {"type_code", 380}, {"transaction_code", "0100001"}, {"transaction_code", ""},
		{"issue_date", "2026-1-1"}, {"issue_time", "9:00"}, {"currency", "SA"}, {"idempotency_key", ""}, {"body_digest", []byte("short")},
		{"ref_key", ""}, {"tail", -1}, {"key_folded", ""}, {"buyer_text", 1},
		{"status", "CLEAR"}, {"status", ""}, {"code", 99}, {"code", 600}, {"payment", ""}, {"payment", "paid"}, {"due_date", "2026-1-1"}, {"due_date", ""},
		{"id", bare}, {"place", 98}, {"counter", 98}, {"previous_hash", strings.Repeat("q", 44)}, {"ref_num", "bare"},
	},
	"buyer_text": {{"place", 0}, {"org_id", unknownID}, {"digest", []byte("short")}, {"digest", digestOf(1), "org_id", unknownID}},
	"document":   {{"org_id", unknownID}, {"invoice_id", unknownID}, {"record", "{"}, {"xml", []byte{}}, {"qr", ""}, {"digest", []byte("short")}, {"xml_digest", []byte("short")}},
	"damage":     {{"org_id", "short"}, {"invoice_id", "short"}, {"what", ""}},
	"scrub":      {{"one", 1}, {"one", 2}, {"documents", -1}},
	"vat_row":    {{"org_id", unknownID}, {"invoice_id", unknownID}, {"position", 0}, {"position", 1}, {"category", "X"}},
	"guard":      {{"org_id", unknownID}, {"digest", []byte("short")}},
	"submission": {{"org_id", unknownID}, {"invoice_id", unknownID}, {"state", ""}, {"state", "sent"}, {"route", ""}, {"attempts", -1}, {"failures", -1}, {"state", "sending"}, {"lease_until", 1}, {"state", "waiting"}, {"asked", 2}, {"stopped", "why"}, {"state", "queued", "stopped", "in doubt"}},
	"attempt": {
		{"org_id", unknownID}, {"invoice_id", unknownID}, {"number", 0}, {"number", 1}, {"route", ""}, {"outcome", "lost"}, {"outcome", nil}, {"ended_at", nil},
		{"sent", 2}, {"code", 99}, {"code", 1000}, {"took", -1},
	},
	"verdict": {
		{"org_id", unknownID}, {"invoice_id", unknownID}, {"attempt", 0}, {"attempt", 98}, {"route", ""}, {"status", "No response"}, {"code", 208}, {"code", 400},
		{"infos", "["}, {"warnings", "["}, {"errors", "["}, {"stamped", []byte{}}, {"stamped", nil, "stamped_digest", nil}, {"flag", "why"}, {"flag", "no document"},
		{"status", "REPORTED"}, {"status", "NOT_CLEARED"}, {"digest", []byte("short")}, {"stamped_digest", []byte("short")},
	},
	"copy_request": {
		{"org_id", unknownID}, {"invoice_id", unknownID}, {"state", ""}, {"state", "sending"}, {"lease_until", 1}, {"failures", -1},
		{"stopped", "expired"}, {"state", "stopped"}, {"state", "stopped", "stopped", "why"},
	},
	"credit":          {{"org_id", unknownID}, {"note_id", unknownID}, {"vat_rows", "["}, {"released", 2}},
	"deduction":       {{"org_id", unknownID}, {"advance_id", unknownID}, {"invoice_id", unknownID}, {"released", 2}, {"vat_rows", "["}, {"vat_rows", nil}},
	"earlier_invoice": {{"org_id", unknownID}, {"id", "short"}, {"number", ""}, {"number", "OLD-7"}, {"issue_date", ""}, {"simplified", 2}, {"currency", ""}, {"vat_rows", "["}},
	"remark":          {{"org_id", unknownID}, {"id", "short"}, {"invoice_id", unknownID}, {"title", ""}},
	"share":           {{"digest", []byte("short")}, {"org_id", unknownID}, {"invoice_id", unknownID}, {"sealed", []byte("not sealed")}, {"revoked", 2}},
}

// Some columns of an invoice are unique within its device or organisation, but
// can repeat in others.
func TestChecksRefuseDuplicateInvoices(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		first := s.seller(s.by).issue(asIs)
		second := s.seller(s.by).issue(asIs)
		theirs := s.seller(s.other)
		theirs.issue(func(e *issue.Entry) { e.Invoice.ID, e.Invoice.IdempotencyKey = first.ID, first.IdempotencyKey }) // and the same number
		kept := s.records(`SELECT * FROM invoice WHERE device_id = '` + first.Device.String() + `'`)[0]
		another := kept.with("id", unknownID, "place", 99, "counter", 99, "previous_hash", strings.Repeat("p", 44), "ref_num", "another", "idempotency_key", "another")
		ok(t, s.insert("invoice", another))
		ok(t, s.insert("invoice", another.with("idempotency_key", nil)))
		for _, column := range []string{"id", "place", "counter", "previous_hash", "ref_num", "idempotency_key"} {
			if err := s.insert("invoice", another.with(column, kept[column])); !isRefusal(err) {
				t.Errorf("insert of a second invoice with the same %s: %v, want a refusal", column, err)
			}
		}
		// The second device started with the same counter and hash.
		if second.Counter != first.Counter || second.PreviousHash != first.PreviousHash {
			t.Errorf("first and second device started with counter and hash %d, %q and %d, %q, want the same", first.Counter, first.PreviousHash, second.Counter, second.PreviousHash)
		}
	})
}

// A deduction has amounts, and changes only by being released. Several invoices
// can deduct one advance.
func TestChecksOfDeductions(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		seller := s.seller(s.by)
		advance := seller.issue(asIs)
		for range 2 {
			seller.issue(func(e *issue.Entry) { e.Deductions = []issue.Deduction{{Advance: advance.ID, Rows: sampleRows}} })
		}
		kept := s.records(`SELECT * FROM deduction`)[0]
		if err := s.insert("deduction", kept.with("invoice_id", advance.ID.String(), "vat_rows", nil)); !isRefusal(err) {
			t.Errorf("insert of a deduction without amounts: %v, want a refusal", err)
		}
		ok(t, s.insert("deduction", kept.with("invoice_id", advance.ID.String())))
	})
}
