package store_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// record is a row, by column name.
type record map[string]any

// with returns a copy with changed values, given as name, value, name, value.
func (r record) with(changes ...any) record {
	changed := maps.Clone(r)
	for i := 0; i < len(changes); i += 2 {
		changed[fmt.Sprint(changes[i])] = changes[i+1]
	}
	return changed
}

// records returns the rows of a query.
func (s *fixture) records(query string) (found []record) {
	s.t.Helper()
	rows, err := s.raw.Query(query)
	ok(s.t, err)
	defer func() { _ = rows.Close() }()
	names, err := rows.Columns()
	ok(s.t, err)
	for rows.Next() {
		values, into := make([]any, len(names)), make([]any, len(names))
		for i := range values {
			into[i] = &values[i]
		}
		ok(s.t, rows.Scan(into...))
		r := record{}
		for i, name := range names {
			r[name] = values[i]
		}
		found = append(found, r)
	}
	ok(s.t, rows.Err())
	return found
}

// anyRecord returns a row of a table.
func (s *fixture) anyRecord(table string) record {
	s.t.Helper()
	found := s.records(`SELECT * FROM ` + table + ` LIMIT 1`)
	if len(found) == 0 {
		s.t.Fatalf("table %s is empty", table)
	}
	return found[0]
}

// insert tries to insert a row and rolls back.
func (s *fixture) insert(table string, r record) error {
	s.t.Helper()
	names := slices.Sorted(maps.Keys(r))
	marks, values := make([]string, len(names)), make([]any, len(names))
	for i, name := range names {
		marks[i], values[i] = fmt.Sprintf("$%d", i+1), r[name]
	}
	tx, err := s.raw.Begin()
	ok(s.t, err)
	defer func() { _ = tx.Rollback() }()
	_, err = tx.Exec(`INSERT INTO `+table+` (`+strings.Join(names, ", ")+`) VALUES (`+strings.Join(marks, ", ")+`)`, values...)
	return err
}

// isRefusal reports whether the database refused a row because of its values,
// and not because of an error in the statement.
func isRefusal(err error) bool {
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		return lite.Code()&0xff == sqlite3.SQLITE_CONSTRAINT
	}
	var pg *pgconn.PgError
	// Class 23 is an integrity violation, 22P02 an invalid uuid or JSON.
	return errors.As(err, &pg) && (strings.HasPrefix(pg.Code, "23") || pg.Code == "22P02")
}

// unknownID is an id that no row has.
var unknownID = uuid.Max.String()

// fresh maps each table to the values that turn a copy of a row into another
// valid row. Tables that can have only one row are omitted.
var fresh = map[string]record{
	"access_link":   {"digest": digestOf(0xac), "id": "01000000-0000-7000-8000-0000000000ac", "used_at": 5},
	"plan":          {"slug": "gold", "position": 99},
	"gap":           {"first": 7, "last": 9},
	"number_gap":    {"first": 7, "last": 9},
	"organisation":  {"id": unknownID, "number": 99},
	"branch":        {"id": unknownID},
	"person":        {"id": unknownID, "email": "x@y"},
	"session":       {"digest": digestOf(0xee)},
	"known_network": {"digest": digestOf(0xee)},
	"recovery_code": {"digest": digestOf(0xee)},
	"reset_request": {"id": unknownID},
	"second_factor": {"person_id": withoutFactor},
	"api_key":       {"name": "svc_abcdefg_", "id": unknownID},
	"client":        {"id": unknownID, "place": 99},
	"item":          {"id": unknownID, "place": 99, "sku": "another", "barcode": "another"},
	"reason":        {"id": unknownID},
	"device":        {"id": unknownID, "serial_number": "another"},
	"secret":        {"owner": "another"},
	"usage":         {"month": "2031-01-01"},
	"fair_use":      {"month": "2031-01-01"},
	"event":         {"id": unknownID, "link": nil, "hash": nil},
	"enrolment":     {"renewal": 1},
	"membership":    {"org_id": otherTenant},
	"notice_read":   {"notice": "another"},
	"saved_view":    {"id": unknownID, "name": "another"},
	"tally":         {"org_id": otherTenant},
	"import_job":    {"id": unknownID},
	"import_row":    {"number": 99},

	"book":            {"org_id": otherTenant},
	"series":          {"kind": "ADV"},
	"receipt_series":  {"org_id": otherTenant},
	"invoice":         {"id": unknownID, "place": 99, "counter": 99, "previous_hash": strings.Repeat("p", 44), "ref_num": "another", "idempotency_key": "another"},
	"document":        {"invoice_id": bare},
	"vat_row":         {"position": 99},
	"guard":           {"digest": digestOf(0xee)},
	"submission":      {"invoice_id": bare},
	"copy_request":    {"invoice_id": bareCleared},
	"credit":          {"original_id": unknownID},
	"deduction":       {"advance_id": bare},
	"earlier_invoice": {"id": unknownID, "number": "another"},
	"remark":          {"id": unknownID},
	"share":           {"digest": digestOf(0xee)},
	"attempt":         {"number": 99},
	"draft":           {"id": unknownID, "shown": "{}", "xml": []byte("x"), "approval": "{}", "invoice_id": nil, "removed": 0, "summary": "{}", "folded": ""},
	"draft_link":      {"digest": digestOf(0xee), "revoked": 1},
	"draft_code":      {"digest": digestOf(0xd2)},
	"letter":          {"id": unknownID, "state": "queued", "sealed": sealedSample(1), "sent_at": nil, "lease_until": 1},
	"verdict":         {"invoice_id": bare},
	"damage":          {"invoice_id": unknownID},

	"receipt":     {"id": unknownID, "number": "another", "request_key": "another"},
	"allocation":  {"id": unknownID},
	"refund":      {"id": unknownID, "number": "another", "request_key": "another"},
	"refund_part": {"original_id": bare},
}

// otherTenant is a placeholder for the id of the second organisation, which has
// no members and no clients.
const otherTenant = "the other"

// wrongRows are rows that the tables must refuse: a valid row with these values
// changed. Each table is in one of the maps.
var wrongRows = []map[string][][]any{
	wrong,
	wrongDrafts,
	wrongPayments,
	wrongImports,
	wrongInvoices,
}

// wrong are rows of the tables that have no other map.
var wrong = map[string][][]any{
	"installation": {{"one", 2}},
	"continuity":   {{"one", 2}, {"generation", -1}, {"identity", "{"}, {"synchronous", "{"}, {"stopped_at", 1}, {"reason", "x"}, {"stopped_at", 1, "reason", ""}},
	"gap":          {{"org_id", unknownID}, {"device_id", unknownID}, {"first", 0}, {"last", 6}, {"hash", "short"}},
	"number_gap":   {{"org_id", unknownID}, {"series", ""}, {"first", 0}, {"last", 6}},
	"plan":         {{"slug", ""}, {"name", ""}, {"name_arabic", ""}, {"invoices", -2}, {"writes", -2}, {"api", 2}, {"position", 1}, {"slug", "free"}},
	"organisation": {
		{"id", "short"}, {"number", 0}, {"number", 1}, {"name", ""}, {"vat_number", ""}, {"vat_number", "30000000000000"}, {"country_code", "AE"},
		{"status", ""}, {"status", "Active"}, {"plan", "gold"},
	},
	"branch":        {{"org_id", unknownID}, {"id", "short"}, {"name", ""}, {"country_code", "AE"}, {"active", 2}},
	"person":        {{"id", "short"}, {"email", "X@y"}, {"email", "nobody"}, {"email", "@y"}, {"email", "x@"}, {"disabled", 2}},
	"membership":    {{"org_id", unknownID}, {"person_id", unknownID}, {"role", ""}, {"role", "King"}},
	"notice_read":   {{"org_id", unknownID}, {"person_id", unknownID}, {"notice", ""}},
	"saved_view":    {{"org_id", unknownID}, {"id", "short"}, {"person_id", unknownID}, {"list", ""}, {"name", ""}, {"name", "Rejected"}},
	"session":       {{"digest", []byte("short")}, {"person_id", unknownID}},
	"known_network": {{"digest", []byte("short")}, {"person_id", unknownID}},
	"recovery_code": {{"digest", []byte("short")}, {"person_id", unknownID}},
	"reset_request": {{"id", "short"}, {"email", ""}, {"language", "fr"}},
	"second_factor": {
		{"person_id", unknownID}, {"sealed", []byte("not sealed")}, {"last_step", -1}, {"last_step", 0}, {"active_at", nil}, {"expires_at", int64(1) << 50},
		{"active_at", nil, "last_step", 0, "expires_at", 1},
	},
	"api_key": {
		{"name", "svc_abcdef_"}, {"name", "svc_abcdefgh"}, {"name", "key_abcdefg_"}, {"name", "svcXabcdefg_"}, {"id", "short"}, {"org_id", unknownID}, {"title", ""},
		{"digest", []byte("short")}, {"role", "Admin"}, {"role", ""},
	},
	"client": {
		{"place", 0}, {"org_id", unknownID}, {"id", "short"}, {"name", ""}, {"vat_number", "3"}, {"country_code", ""}, {"country_code", "SAU"}, {"identifications", "not JSON"},
	},
	"item": {
		{"place", 0}, {"org_id", unknownID}, {"id", "short"}, {"name", "abc"}, {"name", strings.Repeat("خ", 51)}, {"price", "-1"}, {"unit", ""}, {"category", "X"}, {"stock", "-0.5"},
		{"images", "["}, {"active", 2}, {"category", "S"}, {"reason_code", "", "reason_text", ""},
		{"sku", strings.Repeat("خ", 65)}, {"barcode", strings.Repeat("0", 65)},
	},
	"reason": {{"org_id", unknownID}, {"id", "short"}, {"description", ""}, {"active", -1}},
	"device": {
		{"org_id", unknownID}, {"id", "short"}, {"branch_id", unknownID}, {"environment", "moon"}, {"common_name", ""}, {"serial_number", ""}, {"invoice_type", "1111"},
		{"status", "active"}, {"compliance_from", nil}, {"compliance_until", nil}, {"production_from", nil}, {"production_from", nil, "production_until", nil},
		{"parked", 2},
	},
	"chain": {{"org_id", unknownID}, {"device_id", unknownID}, {"counter", -1}, {"last_hash", ""}},
	"enrolment": {
		{"org_id", unknownID}, {"device_id", unknownID}, {"renewal", 2}, {"turn", 0}, {"status", "done"}, {"request_id", "1"}, {"token", "t"},
		{"request_id", "1", "token", "t"},
	},
	"clock_release": {
		{"org_id", unknownID}, {"device_id", unknownID}, {"counter", 0}, {"counter", 1}, {"counter", 3}, {"last_issued_at", 1}, {"released_at", int64(1) << 60},
	},
	"certificate":   {{"org_id", unknownID}, {"device_id", unknownID}, {"token", ""}},
	"secret":        {{"org_id", unknownID}, {"purpose", ""}, {"owner", ""}, {"sealed", []byte("not sealed")}},
	"tally":         {{"org_id", unknownID}, {"what", ""}, {"n", -1}},
	"usage":         {{"org_id", unknownID}, {"month", "2026-11-02"}, {"month", "2026-11"}, {"invoices", -1}, {"validations", -1}},
	"archive_begin": {{"one", 2}, {"epoch", 0}, {"token", ""}, {"token", nil}},
	"archive":       {{"one", 2}, {"location", ""}, {"location", nil}, {"since", nil}},
	"heartbeat":     {{"server", ""}, {"number", 0}, {"number", nil}, {"token", ""}, {"token", nil}},
	"unarchived": {
		{"name", nil, "seq", newSeq}, {"key", nil, "seq", newSeq}, {"org_id", unknownID, "seq", newSeq}, {"invoice_id", unknownID, "seq", newSeq},
		{"server", unknownID, "seq", newSeq}, {"since", 1, "seq", newSeq},
	},
	"fair_use": {{"org_id", unknownID}, {"month", "2026-11-15"}, {"writes", -1}},
	"event": {
		{"id", "short"}, {"org_id", unknownID}, {"kind", ""}, {"kind", "king"}, {"action", ""}, {"details", "{"}, {"link", 99}, {"hash", digestOf(1)},
		{"link", 0, "hash", digestOf(1)}, {"link", 1, "hash", digestOf(1)}, {"link", 99, "hash", []byte("short")},
	},
}

// newSeq is a number that no entry of the outbox has.
const newSeq = int64(1) << 40

func TestChecksRefuseWrongRows(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		fillTables(t, s)
		s.seller(s.by).unstamped()
		s.bareInvoice()
		ok(t, s.Store.RecordArchive(s.ctx, "somewhere", 1))
		ok(t, s.RecordBegin(s.ctx, 1, "token"))
		_, err := s.NextHeartbeat(s.ctx, "web-1", "token")
		ok(t, err)
		columns := columnsOf(t, s)
		for _, table := range tables(t, s) {
			if slices.Contains(onlyPostgres, table) {
				continue
			}
			var cases [][]any
			for _, some := range wrongRows {
				cases = append(cases, some[table]...)
			}
			if cases == nil {
				t.Errorf("table %s has no test of invalid rows", table)
			}
			right := s.anyRecord(table)
			if table == "device" { // the check on certificates needs a device with both
				right = right.with("status", "pcsid_generated")
			}
			if table == "letter" { // the draft of a letter is one of its organisation
				right = right.with("org_id", s.by.Tenant.ID().String())
			}
			if table == "clock_release" { // a release is of the last document
				at := s.records(`SELECT counter, last_issued_at FROM chain WHERE device_id = (SELECT device_id FROM clock_release)`)[0]
				right = right.with("counter", at["counter"], "last_issued_at", at["last_issued_at"])
			}
			if another := fresh[table]; another != nil {
				maps.Copy(right, another)
				if right["org_id"] == otherTenant {
					right["org_id"] = s.other.Tenant.ID().String()
				}
				if err := s.insert(table, right); err != nil {
					t.Errorf("valid row of table %s: %v, want it accepted", table, err)
				}
			}
			for _, changes := range cases {
				if err := s.insert(table, right.with(changes...)); !isRefusal(err) {
					t.Errorf("table %s with %q: %v, want a refusal", table, changes, err)
				}
			}
			if fresh[table] != nil {
				s.refusesNull(t, columns, table, right)
			}
		}
	})
}

// refusesNull checks that a row with null in a NOT NULL column is refused.
// SQLite assigns an integer primary key itself.
func (s *fixture) refusesNull(t *testing.T, columns []column, table string, right record) {
	t.Helper()
	for _, c := range columns {
		if c.Table != table || c.Nullable || c.Name == "place" && s.config.URL == "" {
			continue
		}
		if err := s.insert(table, right.with(c.Name, nil)); !isRefusal(err) {
			t.Errorf("table %s without column %s: %v, want a refusal", table, c.Name, err)
		}
	}
}
