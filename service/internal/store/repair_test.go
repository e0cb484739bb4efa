package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
	"khatm/service/internal/submit"
)

// documentRows returns the rows of all documents as text.
func (s *fixture) documentRows() map[string][]string {
	s.t.Helper()
	all := map[string][]string{}
	for _, table := range []string{"invoice", "document", "verdict", "submission"} {
		for _, row := range s.records(`SELECT * FROM ` + table) {
			all[table] = append(all[table], fmt.Sprintf("%q", fmt.Sprint(row)))
		}
		slices.Sort(all[table])
	}
	return all
}

// bend changes a stored value of a document a little. It reports false if there is
// no value or the database does not accept any other.
func (s *fixture) bend(id uuid.UUID, c store.DocumentColumn) bool {
	s.t.Helper()
	key := "invoice_id"
	if c.Table == "invoice" {
		key = "id"
	}
	var was any
	ok(s.t, s.raw.QueryRow(`SELECT `+c.Name+` FROM `+c.Table+` WHERE CAST(`+key+` AS TEXT) = $1`, id.String()).Scan(&was))
	var values []any
	switch was := was.(type) {
	case int64:
		values = []any{was + 1, int64(202), int64(200)} // two codes of the authority
	case string:
		if was == "" {
			return false
		}
		last := len(was) - 1
		for _, end := range []byte{was[last] ^ 1, '0', '1'} {
			values = append(values, was[:last]+string(end))
		}
		values = append(values, was+" ", strings.Replace(was, ":", " :", 1), "clearance", "reporting", "NOT_REPORTED", "REPORTED", "NOT_CLEARED")
	case []byte:
		bent := bytes.Clone(was)
		bent[len(bent)/2] ^= 4
		values = []any{bent}
	}
	// The triggers accept changes of a document that is known to be damaged.
	s.execute(`INSERT INTO damage (org_id, invoice_id, ref_num, what, found_at) SELECT org_id, id, '', 'x', 1 FROM invoice WHERE CAST(id AS TEXT) = $1`, id.String())
	defer s.execute(`DELETE FROM damage`)
	for _, value := range values {
		if cmp.Equal(value, was) {
			continue
		}
		update := `UPDATE ` + c.Table + ` SET ` + c.Name + ` = $1 WHERE CAST(` + key + ` AS TEXT) = $2`
		if s.unconstrained(update, value, id.String()) == nil {
			return true
		}
	}
	return false
}

// unconstrained runs a statement, on SQLite without constraints.
func (s *fixture) unconstrained(statement string, args ...any) error {
	s.t.Helper()
	conn, err := s.raw.Conn(s.ctx)
	ok(s.t, err)
	defer func() { _ = conn.Close() }()
	if s.config.URL == "" {
		_, err := conn.ExecContext(s.ctx, `PRAGMA foreign_keys = 0; PRAGMA ignore_check_constraints = 1`)
		ok(s.t, err)
		defer func() {
			_, err := conn.ExecContext(s.ctx, `PRAGMA foreign_keys = 1; PRAGMA ignore_check_constraints = 0`)
			ok(s.t, err)
		}()
	}
	_, err = conn.ExecContext(s.ctx, statement, args...)
	return err
}

// repair repairs all damaged documents with the lines of an archive.
func (s *fixture) repair(lines [][]byte, hash func([]byte) (string, error)) store.Repaired {
	s.t.Helper()
	done, err := s.Repair(s.ctx, s.scrub(s.t).Damaged, store.Repairing{
		By: func(of org.Tenant) org.Actor { return org.Operator(of, "shop") }, Read: reading(lines), Hash: hash,
	})
	ok(s.t, err)
	return done
}

// hashes returns a function that returns the invoice hashes of the stored
// documents, which are those that they have before they are damaged.
func (s *fixture) hashes() func([]byte) (string, error) {
	s.t.Helper()
	known := map[string]string{}
	rows, err := s.raw.Query(`SELECT i.hash, d.xml, v.stamped FROM invoice i JOIN document d ON d.invoice_id = i.id LEFT JOIN verdict v ON v.invoice_id = i.id`)
	ok(s.t, err)
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var hash string
		var xml, stamped []byte
		ok(s.t, rows.Scan(&hash, &xml, &stamped))
		known[string(xml)], known[string(stamped)] = hash, hash
	}
	ok(s.t, rows.Err())
	return func(xml []byte) (string, error) {
		if hash, is := known[string(xml)]; is {
			return hash, nil
		}
		return "", errors.New("not a document")
	}
}

// errHash is the Hash of tests in which only digests may prove a repair.
func errHash([]byte) (string, error) { return "", errors.New("not needed") }

// Every damaged column that has a digest is repaired, also the digests themselves.
// Other columns and documents do not change, and the audit trail says what was
// repaired.
func TestRepair(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		a := s.archived()
		seller := s.seller(s.by)
		seller.answered(ledger.Reported)
		i := seller.answered(ledger.Cleared)
		seller.issue(asIs)
		s.caughtUp()
		want, lines := s.documentRows(), a.all()
		var refused []string
		repaired := 0
		for _, c := range store.DocumentColumns() {
			if !s.bend(i.ID, c) {
				refused = append(refused, c.Table+"."+c.Name)
				continue
			}
			done := s.repair(lines, errHash)
			if len(done.Documents) != 1 || done.Documents[0].Invoice != i.ID || !slices.Equal(done.Documents[0].What, []string{c.Part}) || len(done.Remaining) != 0 {
				t.Errorf("%s.%s: repaired %+v, want %s of invoice %s", c.Table, c.Name, done, c.Part, i.Number)
			}
			if diff := cmp.Diff(want, s.documentRows()); diff != "" {
				t.Fatalf("%s.%s: rows after the repair (-want +got):\n%s", c.Table, c.Name, diff)
			}
			repaired++
		}
		if n := s.count(`SELECT count(*) FROM damage`); n != 0 {
			t.Errorf("%d documents are known as damaged, want none", n)
		}
		if n := s.count(`SELECT count(*) FROM event WHERE action = 'invoice.repair' AND subject = $1`, i.ID.String()); n != repaired {
			t.Errorf("the audit trail has %d repairs, want %d", n, repaired)
		}
		// The sample has no message and no document that was refused. PostgreSQL also
		// keeps its constraints.
		least := 40
		if s.config.URL != "" {
			least = 30
		}
		if repaired < least {
			t.Errorf("%d columns were repaired, want at least %d; not damaged were %v", repaired, least, refused)
		}
	})
}

// If a part and its digest are damaged together, the invoice hash and the answer
// prove that the archived ones are right.
func TestRepairWithDamagedDigest(t *testing.T) {
	pairs := [][2]store.DocumentColumn{
		{{Table: "document", Name: "xml"}, {Table: "document", Name: "xml_digest"}},
		{{Table: "document", Name: "record"}, {Table: "document", Name: "digest"}},
		{{Table: "document", Name: "qr"}, {Table: "document", Name: "digest"}},
		{{Table: "verdict", Name: "stamped"}, {Table: "verdict", Name: "stamped_digest"}},
		{{Table: "verdict", Name: "result"}, {Table: "verdict", Name: "digest"}},
	}
	each(t, func(t *testing.T, s *fixture) {
		a := s.archived()
		i := s.seller(s.by).answered(ledger.Cleared)
		s.caughtUp()
		want, lines, hashes := s.documentRows(), a.all(), s.hashes()
		for _, pair := range pairs {
			for _, c := range pair {
				if !s.bend(i.ID, c) {
					t.Fatalf("cannot damage %v", c)
				}
			}
			bent := s.documentRows()
			done := s.repair(lines, func([]byte) (string, error) { return "another hash", nil })
			if len(done.Documents) != 0 || len(done.Remaining) != 1 || !cmp.Equal(bent, s.documentRows()) {
				t.Errorf("%v: repaired %+v although the archived document has another hash", pair, done)
			}
			if done := s.repair(lines, hashes); len(done.Documents) != 1 || len(done.Remaining) != 0 {
				t.Errorf("%v: repaired %+v, want one document", pair, done)
			}
			if diff := cmp.Diff(want, s.documentRows()); diff != "" {
				t.Fatalf("%v: rows after the repair (-want +got):\n%s", pair, diff)
			}
		}
		// Nothing proves the invoice row if its digest is damaged too.
		s.bend(i.ID, store.DocumentColumn{Table: "invoice", Name: "buyer_name"})
		s.bend(i.ID, store.DocumentColumn{Table: "document", Name: "digest"})
		if done := s.repair(lines, hashes); len(done.Documents) != 0 || len(done.Remaining) != 1 {
			t.Errorf("repaired %+v, want nothing", done)
		}
	})
}

// A line of the archive that does not match the digests is not written, and intact
// documents are not changed.
func TestRepairFromAnotherArchive(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		a := s.archived()
		seller := s.seller(s.by)
		i, intact := seller.answered(ledger.Cleared), seller.answered(ledger.Cleared)
		s.caughtUp()
		lines := a.all()
		for n := range lines {
			lines[n] = bytes.ReplaceAll(lines[n], []byte(`AQ==INV`), []byte(`AR==INV`))
			lines[n] = bytes.ReplaceAll(lines[n], []byte(`<Invoice>`), []byte(`<invoice>`))
		}
		s.bend(i.ID, store.DocumentColumn{Table: "document", Name: "xml"})
		s.bend(i.ID, store.DocumentColumn{Table: "document", Name: "qr"})
		bent := s.documentRows()
		damaged := s.scrub(t).Damaged
		damaged = append(damaged, store.DamagedDocument{Organisation: s.by.Tenant.ID(), Invoice: intact.ID, What: "nothing"})
		done, err := s.Repair(s.ctx, damaged, store.Repairing{By: func(of org.Tenant) org.Actor { return org.Operator(of, "shop") }, Read: reading(lines), Hash: errHash})
		ok(t, err)
		if len(done.Documents) != 0 || len(done.Remaining) != 1 || done.Remaining[0].Invoice != i.ID {
			t.Errorf("repaired %+v, want nothing and one damaged document", done)
		}
		if diff := cmp.Diff(bent, s.documentRows()); diff != "" {
			t.Errorf("rows after the repair (-want +got):\n%s", diff)
		}
		if n := s.count(`SELECT count(*) FROM event WHERE action = 'invoice.repair'`); n != 0 {
			t.Errorf("the audit trail has %d repairs, want none", n)
		}
		same(t, 1)(s.count(`SELECT count(*) FROM damage`), nil)
	})
}

// A damaged document that was held can be sent after its repair.
func TestRepairReleasesHeldDocuments(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		a := s.archived()
		i := s.seller(s.by).queued(false, 0)
		s.caughtUp()
		s.bend(i.ID, store.DocumentColumn{Table: "document", Name: "xml"})
		now := s.config.Now()
		claimed, err := s.Claim(s.ctx, submit.Claiming{Route: ledger.ByClearance, Most: 9, Now: now, LeaseUntil: now.Add(time.Minute), Worker: "test", Doubt: now.Add(-submit.DoubtTime)})
		ok(t, err)
		same(t, 0)(len(claimed.Jobs), nil)
		same(t, []string{"damaged"})(s.texts(`SELECT stopped FROM submission WHERE state = 'held'`), nil)
		s.repair(a.all(), errHash)
		same(t, []string{""})(s.texts(`SELECT stopped FROM submission WHERE state = 'held'`), nil)
	})
}

// A document is repaired after a page with a part of it, its QR code and its digests
// was overwritten. One whose pages are lost stays damaged, and does not prevent the
// repair of others.
func TestRepairOfOverwrittenPages(t *testing.T) {
	t.Parallel()
	s := open(t, storetest.SQLite(t))
	a := s.archived()
	seller := s.seller(s.by)
	large := func(e *issue.Entry) {
		e.XML = []byte("<Invoice>" + strings.Repeat(e.Invoice.Number, 3000))
	}
	lost, overwritten := seller.issue(large), seller.issue(large)
	s.caughtUp()
	want, lines, hashes := s.records(`SELECT * FROM document ORDER BY invoice_id`), a.all(), s.hashes()
	s.execute(`PRAGMA wal_checkpoint(TRUNCATE)`)
	pages := s.pagesOf(t, "document")
	s.Close()
	flipped := s.bytesFlipped(t, pages, func(page []byte) bool {
		switch {
		case bytes.Contains(page, []byte(overwritten.QR)):
			clear(page[4:]) // the first bytes are the number of the next page
		case bytes.Count(page, []byte(lost.Number)) > 100:
			copy(page, []byte{0xff, 0xff, 0xff, 0xff})
		default:
			return false
		}
		return true
	})
	done := flipped.repair(lines, hashes)
	if len(done.Documents) != 1 || done.Documents[0].Invoice != overwritten.ID || len(done.Documents[0].What) != 2 {
		t.Errorf("repaired %+v, want the record and the XML of one document", done.Documents)
	}
	if len(done.Remaining) != 1 || done.Remaining[0].Invoice != lost.ID || !strings.Contains(done.Remaining[0].What, "cannot be repaired") {
		t.Errorf("still damaged are %+v, want the document with lost pages", done.Remaining)
	}
	got := flipped.records(`SELECT * FROM document WHERE invoice_id = '` + overwritten.ID.String() + `'`)
	if diff := cmp.Diff(want[1:], got); diff != "" {
		t.Errorf("the repaired document (-want +got):\n%s", diff)
	}
}

// A document that is known to be damaged keeps its ids and its place.
func TestTriggersKeepTheKeysOfDamagedDocuments(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		id := s.seller(s.by).answered(ledger.Cleared).ID.String()
		s.execute(`INSERT INTO damage (org_id, invoice_id, ref_num, what, found_at) SELECT org_id, id, '', 'x', 1 FROM invoice`)
		for _, f := range []forbiddenStatement{
			{`UPDATE invoice SET place = place + 1 WHERE id = $1`, invoiceStays}, {`UPDATE invoice SET id = task_id WHERE id = $1`, invoiceStays},
			{`UPDATE invoice SET buyer_text = NULL WHERE id = $1`, invoiceStays}, {`UPDATE document SET invoice_id = org_id WHERE invoice_id = $1`, documentStays},
			{`UPDATE verdict SET invoice_id = org_id WHERE invoice_id = $1`, invoiceStays}, {`UPDATE verdict SET digest = NULL WHERE invoice_id = $1`, invoiceStays},
			{`UPDATE verdict SET stamped = NULL, flag = 'no document' WHERE invoice_id = $1`, invoiceStays},
			{`DELETE FROM invoice WHERE id = $1`, invoiceStays}, {`DELETE FROM document WHERE invoice_id = $1`, documentStays}, {`DELETE FROM verdict WHERE invoice_id = $1`, belongingsStay},
		} {
			if _, err := s.raw.Exec(f.statement, id); !refusedWith(err, f.words) {
				t.Errorf("%s\n\terror = %v, want %q", f.statement, err, f.words)
			}
		}
	})
}
