package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/org"
)

// Repairing configures Repair.
type Repairing struct {
	By   func(org.Tenant) org.Actor                       // who repairs the documents of an organisation
	Read func(each func(line []byte) error) error         // calls each with all lines of the archive, or until it returns an error
	Hash func(xml []byte) (invoiceHash string, err error) // of a signed document
}

// RepairedDocument is a document of which something was repaired.
type RepairedDocument struct {
	Organisation uuid.UUID
	Invoice      uuid.UUID
	Number       string
	What         []string // the repaired parts
}

// Repaired is the result of Repair.
type Repaired struct {
	Documents []RepairedDocument
	Remaining []DamagedDocument // that are still damaged
}

// errEnough ends the reading of an archive that has nothing more to repair.
var errEnough = errors.New("every document is repaired")

// Repair replaces damaged parts of documents by what the archive has of them. It
// writes a part only if its digest in the archive is that in the database, or if
// the digest is damaged and the rest of the row, or the invoice hash, proves that
// the archived part is the right one. It does not change intact documents and
// parts. Repaired documents that were held as damaged are released.
func (s *Store) Repair(ctx context.Context, damaged []DamagedDocument, how Repairing) (done Repaired, err error) {
	r := &repair{
		Repairing: how, store: s, ctx: ctx, archive: &reentry{store: s, ctx: ctx},
		wanted: map[uuid.UUID]DamagedDocument{}, repaired: map[uuid.UUID][]string{}, failed: map[uuid.UUID]error{},
	}
	for _, d := range damaged {
		if d.Invoice != uuid.Nil { // otherwise its id is damaged
			r.wanted[d.Invoice] = d
		}
	}
	if err := r.archive.readSchema(); err != nil {
		return done, err
	}
	if len(r.wanted) > 0 {
		if err = how.Read(r.line); errors.Is(err, errEnough) {
			err = nil
		}
	}
	// The archive may be damaged too. What was repaired is reported in any case.
	done, failed := r.result(damaged)
	if failed == nil {
		_, failed = s.ReleaseWhole(ctx)
	}
	return done, errors.Join(err, failed)
}

// repair is the state of one Repair.
type repair struct {
	Repairing
	store   *Store
	ctx     context.Context
	archive *reentry // decodes archived values

	wanted   map[uuid.UUID]DamagedDocument // that are still damaged, by invoice
	repaired map[uuid.UUID][]string        // repaired parts, by invoice
	failed   map[uuid.UUID]error           // why a document could not be written, by invoice
}

// documentPart is a part of a document that has its own digest.
type documentPart struct {
	what    string
	columns []column
	digest  column
}

type column struct{ table, name string }

func columnsIn(table string, names ...string) (all []column) {
	for _, name := range names {
		all = append(all, column{table, name})
	}
	return all
}

// documentParts lists the parts of a document with the columns of their digests.
var documentParts = []documentPart{
	{
		what: damagedRecord,
		columns: append(columnsIn("invoice", "task_id", "device_id", "counter", "type_code", "hash", "previous_hash", "ref_num", "transaction_code", "issue_date", "issue_time",
			"issued_at", "created_at", "currency", "buyer_id", "buyer_name", "without_vat", "vat", "with_vat", "payable", "idempotency_key", "body_digest"),
			columnsIn("document", "record", "qr")...),
		digest: column{"document", "digest"},
	},
	{what: damagedXML, columns: columnsIn("document", "xml"), digest: column{"document", "xml_digest"}},
	{what: damagedAnswer, columns: columnsIn("invoice", "status", "code", "submitted_at", "answered_at", "cleared_qr"), digest: column{"invoice", "answer_digest"}},
	{
		what:    damagedVerdict,
		columns: columnsIn("verdict", "attempt", "route", "status", "code", "result", "infos", "warnings", "errors", "suspect", "answered_at"),
		digest:  column{"verdict", "digest"},
	},
	{what: damagedStamped, columns: columnsIn("verdict", "stamped", "flag"), digest: column{"verdict", "stamped_digest"}},
}

// keyColumn returns the column with the id of the invoice.
func keyColumn(table string) string {
	if table == "invoice" {
		return "id"
	}
	return "invoice_id"
}

// line repairs a document with what a line of the archive has of it.
func (r *repair) line(line []byte) error {
	if !r.concerns(line) {
		return nil
	}
	l, err := parseLine(line)
	if err != nil {
		return err
	}
	if l.Kind == "document" {
		return r.document(l.ID, l.Rows)
	}
	for _, c := range l.Changes {
		id, err := uuid.Parse(c.Row.text(keyColumn(c.Table)))
		if err != nil || c.Table != "invoice" && c.Table != "verdict" {
			continue
		}
		if err := r.document(id, map[string][]archivedRow{c.Table: {c.Row}}); err != nil {
			return err
		}
	}
	return nil
}

// concerns reports whether a line may be about a damaged document, without decoding
// the whole line.
func (r *repair) concerns(line []byte) bool {
	key := []byte(`"id":"`)
	switch {
	case bytes.HasPrefix(line, []byte(`{"kind":"document"`)):
	case bytes.Count(line, []byte(`"table":"`)) != 1:
		return true
	case bytes.Contains(line, []byte(`"table":"invoice"`)):
	case bytes.Contains(line, []byte(`"table":"verdict"`)):
		key = []byte(`"invoice_id":"`)
	default:
		return false
	}
	_, rest, _ := bytes.Cut(line, key)
	id, err := uuid.ParseBytes(rest[:min(len(rest), len(uuid.Nil.String()))])
	_, is := r.wanted[id]
	return err == nil && is
}

// document repairs a document with archived rows.
func (r *repair) document(id uuid.UUID, rows map[string][]archivedRow) error {
	d, is := r.wanted[id]
	if !is {
		return nil
	}
	archived := map[column]any{}
	for table, of := range rows {
		if len(of) != 1 || of[0].text("org_id") != d.Organisation.String() || of[0].text(keyColumn(table)) != id.String() {
			continue
		}
		for name := range of[0] {
			c := column{table, strings.TrimSuffix(name, base64Suffix)}
			value, err := r.archive.value(c.table, c.name, of[0])
			if err != nil {
				return err
			}
			archived[c] = value
		}
	}
	var what []string
	whole := false
	err := r.store.write(r.ctx, func(t *tx) (err error) {
		what, whole, err = r.replace(t, d, archived)
		return err
	})
	switch {
	case errors.Is(err, errUnrepaired):
		return nil // another line may have it
	case err != nil && transient(r.ctx, err) && !database.IsUnreadable(err):
		return fmt.Errorf("repair invoice %s: %w", id, err)
	case err != nil:
		r.failed[id] = err
		return nil
	}
	r.repaired[id] = append(r.repaired[id], what...)
	if whole {
		delete(r.wanted, id)
	}
	if len(r.wanted) == 0 {
		return errEnough
	}
	return r.store.db.Point("document repaired")
}

// errUnrepaired rolls back a transaction that repairs nothing.
var errUnrepaired = errors.New("nothing can be repaired")

// replace repairs the parts of a document that archived values repair, and verifies
// the result. It returns these parts and whether the document is intact now.
func (r *repair) replace(t *tx, d DamagedDocument, archived map[column]any) (what []string, whole bool, err error) {
	stored, err := t.documentValues(d.Organisation, d.Invoice)
	if err != nil {
		return nil, false, err
	}
	intact, err := t.intactParts(d.Organisation, d.Invoice)
	if err != nil {
		return nil, false, err
	}
	changes := map[string][]column{}
	for _, p := range documentParts {
		if intact[p.what] {
			continue
		}
		different := r.different(p, stored, archived, intact)
		if len(different) == 0 {
			continue
		}
		what = append(what, p.what)
		for _, c := range different {
			changes[c.table] = append(changes[c.table], c)
		}
	}
	if len(what) == 0 {
		return nil, false, errUnrepaired
	}
	// A document can be changed only while it is known to be damaged.
	if err := t.enterDamage([]DamagedDocument{d}); err != nil {
		return nil, false, err
	}
	for table, columns := range changes {
		if err := t.replaceValues(table, d, columns, archived); err != nil {
			return nil, false, err
		}
	}
	if intact, err = t.intactParts(d.Organisation, d.Invoice); err != nil {
		return nil, false, err
	}
	if slices.ContainsFunc(what, func(one string) bool { return !intact[one] }) {
		return nil, false, errUnrepaired
	}
	whole = !slices.ContainsFunc(documentParts, func(p documentPart) bool { return !intact[p.what] })
	if whole {
		if err := t.Exec(`DELETE FROM damage WHERE org_id = $1 AND invoice_id = $2`, d.Organisation, d.Invoice); err != nil {
			return nil, false, err
		}
	}
	return what, whole, t.event(r.By(org.TenantOf(d.Organisation)), "invoice.repair", d.Invoice.String(), map[string]any{"repaired": what})
}

// different returns the columns of a damaged part that differ from the archive, or
// nil if it is not proven that the archive has the right ones.
func (r *repair) different(p documentPart, stored, archived map[column]any, intact map[string]bool) (columns []column) {
	if digest, is := archived[p.digest].([]byte); !is || digest == nil {
		return nil
	}
	if _, is := stored[p.digest]; !is {
		return nil // the row is missing
	}
	for _, c := range p.columns {
		value, is := archived[c]
		if !is {
			return nil
		}
		if !sameValue(stored[c], value) {
			columns = append(columns, c)
		}
	}
	switch {
	case sameValue(stored[p.digest], archived[p.digest]):
		return columns
	case len(columns) == 0 || r.fits(p, stored, archived, intact):
		return append(columns, p.digest)
	}
	return nil
}

// fits reports whether an archived part is the right one although both the part and
// its digest are damaged: the document has the invoice hash that is in its row, and
// a verdict the answer that is in it.
func (r *repair) fits(p documentPart, stored, archived map[column]any, intact map[string]bool) bool {
	same := func(columns ...column) bool {
		return !slices.ContainsFunc(columns, func(c column) bool {
			value, is := archived[c]
			return !is || !sameValue(stored[c], value)
		})
	}
	hash := column{"invoice", "hash"}
	switch p.what {
	case damagedRecord, damagedXML:
		rows := slices.DeleteFunc(slices.Clone(documentParts[0].columns), func(c column) bool { return c.table != hash.table })
		return same(rows...) && r.hashes(archived[column{"document", "xml"}], archived[hash])
	case damagedVerdict, damagedStamped:
		answer := true
		for _, name := range []string{"status", "code", "answered_at"} {
			answer = answer && sameValue(stored[column{"invoice", name}], archived[column{"verdict", name}])
		}
		if stamped := archived[column{"verdict", "stamped"}]; stamped != nil || p.what == damagedStamped {
			answer = answer && r.hashes(stamped, stored[hash])
		}
		return answer && intact[damagedRecord] && intact[damagedAnswer]
	}
	return false
}

// hashes reports whether XML has an invoice hash.
func (r *repair) hashes(xml, hash any) bool {
	text, is := xml.([]byte)
	if !is || len(text) == 0 {
		return false
	}
	got, err := r.Hash(text)
	return err == nil && got != "" && got == hash
}

// documentValues returns the rows of a document as they are stored, and locks the
// invoice. A row that does not exist has no values.
func (t *tx) documentValues(of, id uuid.UUID) (map[column]any, error) {
	values := map[column]any{}
	for _, table := range []string{"invoice", "document", "verdict"} {
		query := `SELECT * FROM ` + table + ` WHERE org_id = $1 AND ` + keyColumn(table) + ` = $2`
		if table == "invoice" {
			query += t.store.dialect.LockRow
		}
		rows, err := t.Query(query, of, id)
		if err != nil {
			return nil, err
		}
		err = addValues(rows, table, values)
		if err = errors.Join(err, rows.Close()); err != nil {
			return nil, fmt.Errorf("read table %s: %w", table, err)
		}
	}
	return values, nil
}

func addValues(rows *sql.Rows, table string, into map[column]any) error {
	columns, err := rows.Columns()
	for err == nil && rows.Next() {
		var values []any
		values, err = scanValues(rows, len(columns))
		for i, value := range values {
			into[column{table, columns[i]}] = value
		}
	}
	return errors.Join(err, rows.Err())
}

// intactParts returns which parts of a document match their digests. A document
// that has no answer has intact answers.
func (t *tx) intactParts(of, id uuid.UUID) (map[string]bool, error) {
	intact := map[string]bool{}
	answered := false
	const document = `SELECT ` + storedColumns + `, d.xml, d.xml_digest FROM ` + storedTables + ` WHERE i.org_id = $1 AND i.id = $2`
	err := database.Each(t.Context(), t, database.Query{Text: document, Args: []any{of, id}, Row: func(row scanner) error {
		var r stored
		var xml, digest []byte
		if damage, err := scanConverted(row, &r, &xml, &digest); damage != nil || err != nil {
			return err
		}
		answered = r.answerDigest != nil
		intact[damagedRecord] = r.record.Valid && bytes.Equal(r.digest, r.sum())
		intact[damagedXML] = bytes.Equal(digest, bytesDigest("xml", of, id, xml))
		intact[damagedAnswer] = r.answerDamage() == ""
		intact[damagedVerdict], intact[damagedStamped] = !answered, !answered
		return nil
	}})
	if err != nil {
		return nil, err
	}
	const verdict = `SELECT ` + verdictColumns + ` FROM verdict WHERE org_id = $1 AND invoice_id = $2`
	err = database.Each(t.Context(), t, database.Query{Text: verdict, Args: []any{of, id}, Row: func(row scanner) error {
		var v verdictRow
		if err := row.Scan(v.into()...); err != nil {
			return nil //nolint:nilerr // it is damaged
		}
		intact[damagedVerdict] = bytes.Equal(v.digest, v.sum(of, id))
		intact[damagedStamped] = stampedDamage(of, id, v.stamped, v.stampedDigest) == ""
		return nil
	}})
	return intact, err
}

// replaceValues sets columns of a row of a document.
func (t *tx) replaceValues(table string, d DamagedDocument, columns []column, values map[column]any) error {
	args := []any{d.Organisation, d.Invoice}
	set := ""
	for _, c := range columns {
		args = append(args, values[c])
		set += fmt.Sprintf(", %s = $%d", c.name, len(args))
	}
	return t.ExecOne(errUnrepaired, `UPDATE `+table+` SET `+set[2:]+` WHERE org_id = $1 AND `+keyColumn(table)+` = $2`, args...)
}

// result checks the documents again.
func (r *repair) result(damaged []DamagedDocument) (done Repaired, err error) {
	s := r.store
	byOrg := map[org.Tenant][]any{}
	for _, d := range damaged {
		if d.Invoice == uuid.Nil {
			done.Remaining = append(done.Remaining, d)
			continue
		}
		of := org.TenantOf(d.Organisation)
		byOrg[of] = append(byOrg[of], d.Invoice)
		if what := r.repaired[d.Invoice]; what != nil {
			done.Documents = append(done.Documents, RepairedDocument{d.Organisation, d.Invoice, s.provenNumber(r.ctx, of, d.Invoice), what})
		}
	}
	for of, ids := range byOrg {
		for chunk := range slices.Chunk(ids, scrubChunk) {
			some, err := s.damagedAmong(r.ctx, of, chunk)
			if err != nil {
				return done, err
			}
			for _, d := range some {
				if err := r.failed[d.Invoice]; err != nil {
					d.What += fmt.Sprintf(" (it cannot be repaired: %v)", err)
				}
				done.Remaining = append(done.Remaining, d)
			}
		}
	}
	return done, s.write(r.ctx, func(t *tx) error {
		for _, d := range damaged {
			if err := t.Exec(`DELETE FROM damage WHERE org_id = $1 AND invoice_id = $2`, d.Organisation, d.Invoice); err != nil {
				return err
			}
		}
		return t.enterDamage(done.Remaining)
	})
}
