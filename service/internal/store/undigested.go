package store

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"khatm/service/internal/database"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// Undigested is a document without digests, from before they were introduced,
// with the data needed to verify it.
type Undigested struct {
	KeptDocument
	Organisation uuid.UUID
	Device       uuid.UUID
	Tokens       []string // production certificates of the device
	Record       ledger.Record
	ClearedQR    string
}

// Digesting configures DigestDocuments.
type Digesting struct {
	Verify   func(Undigested) error // a document for which it fails gets no digest
	Progress func(done, total int)
}

// Digested is the result of DigestDocuments.
type Digested struct {
	Documents int
	Damaged   []DamagedDocument
}

// DigestDocuments verifies the documents that have no digests and writes their
// digests. It needs exclusive use of the data folder. It can be interrupted and
// continues where it stopped.
func DigestDocuments(ctx context.Context, c Config, how Digesting) (out Digested, err error) {
	s, err := open(ctx, c.unreported(), database.Maintain)
	if err != nil {
		return out, err
	}
	defer s.Close()
	at, err := s.db.Version(ctx)
	if err != nil {
		return out, err
	}
	if err := s.db.CheckVersion(at); err != nil {
		return out, err
	}
	total := 0
	if err := s.db.One(ctx, nil, `SELECT count(*) FROM document WHERE digest IS NULL`, nil, &total); err != nil || total == 0 {
		return out, err
	}
	d := digesting{Digesting: how, s: s}
	if d.tokens, err = s.tokens(ctx); err != nil {
		return out, err
	}
	every := 0
	if err := s.db.One(ctx, nil, `SELECT count(*) FROM document`, nil, &every); err != nil {
		return out, err
	}
	for more := true; more && ctx.Err() == nil; {
		var n int
		var damaged []DamagedDocument
		if n, more, damaged, err = d.chunk(ctx); err != nil {
			return out, err
		}
		out.Documents, out.Damaged = out.Documents+n, append(out.Damaged, damaged...)
		if how.Progress != nil {
			how.Progress(out.Documents, max(total, out.Documents))
		}
	}
	if ctx.Err() != nil || out.Documents < every {
		return out, ctx.Err() // the others were not checked
	}
	return out, s.noteCheck(ctx)
}

// noteCheck records that all documents have just been checked.
func (s *Store) noteCheck(ctx context.Context) error {
	return s.write(ctx, func(t *tx) error { return t.Exec(`UPDATE scrub SET completed_at = $1 WHERE one = 1`, millis(s.now())) })
}

// undigested returns an error if an upgrade of the database was not finished,
// because documents without a digest are not served. A document without an
// invoice row cannot be verified and is not counted: one of the two ids is
// damaged.
func (s *Store) undigested(ctx context.Context) error {
	const query = `
		SELECT count(*)
		FROM document d
		JOIN invoice i ON i.org_id = d.org_id AND i.id = d.invoice_id
		WHERE d.digest IS NULL AND NOT EXISTS (SELECT 1 FROM damage m WHERE m.org_id = d.org_id AND m.invoice_id = d.invoice_id)`
	n := 0
	if err := s.db.QueryRowContext(ctx, query).Scan(&n); database.IsCorrupt(err) {
		s.log.Error("the documents without digests cannot be counted and are not served", "cause", err.Error())
	} else if err != nil {
		return database.Outage(err)
	}
	if n > 0 {
		return fmt.Errorf("the upgrade of the database is not complete, %d documents are not verified yet: stop the server, run khatm migrate", n)
	}
	return nil
}

// digestChunk limits the number of documents in one transaction, and
// digestBytes their total size, because they are held in memory.
const (
	digestChunk = 100
	digestBytes = 16 << 20
)

// digesting is the state of DigestDocuments.
type digesting struct {
	Digesting
	s      *Store
	tokens map[uuid.UUID][]string
	after  [2]string // ids of the last document, as stored
}

// tokens returns all production certificates of each device.
func (s *Store) tokens(ctx context.Context) (map[uuid.UUID][]string, error) {
	tokens := map[uuid.UUID][]string{}
	_, err := database.AllOnce(ctx, s.db, `SELECT device_id, token FROM certificate ORDER BY since`, nil, func(row scanner) (struct{}, error) {
		var id uuid.UUID
		var token string
		err := row.Scan(&id, &token)
		tokens[id] = append(tokens[id], token)
		return struct{}{}, err
	})
	return tokens, err
}

// upgraded is a document with its data for digests, or the problem found.
type upgraded struct {
	Position
	stored
	at      [2]string // its ids, as stored
	xml     []byte
	verdict *verdictRow
	problem error
}

// next returns the next documents. A damaged id becomes the problem of its
// document; such an id may sort before all others.
func (d *digesting) next(ctx context.Context) ([]upgraded, error) {
	query, args := `SELECT org_id, invoice_id FROM document WHERE digest IS NULL ORDER BY org_id, invoice_id LIMIT $1`, []any{digestChunk}
	if d.after != [2]string{} {
		query = `SELECT org_id, invoice_id FROM document WHERE digest IS NULL AND (org_id, invoice_id) > ($2, $3) ORDER BY org_id, invoice_id LIMIT $1`
		args = append(args, d.after[0], d.after[1])
	}
	return database.AllOnce(ctx, d.s.db, query, args, func(row scanner) (u upgraded, err error) {
		if err := row.Scan(&u.at[0], &u.at[1]); err != nil {
			return u, err
		}
		if err := errors.Join(exactID{&u.Organisation}.Scan(u.at[0]), exactID{&u.Invoice}.Scan(u.at[1])); err != nil {
			u.problem, u.Invoice = fmt.Errorf("the id of a document: %w", err), uuid.Nil
		}
		return u, nil
	})
}

// chunk verifies the next documents and writes their digests.
func (d *digesting) chunk(ctx context.Context) (n int, more bool, damaged []DamagedDocument, err error) {
	found, err := d.next(ctx)
	if err != nil || len(found) == 0 {
		return 0, false, nil, err
	}
	more = len(found) == digestChunk
	size := 0
	for n := range found {
		if size > digestBytes {
			found, more = found[:n], true
			break
		}
		u := &found[n]
		if u.problem != nil {
			continue
		}
		if err := d.read(ctx, u); err != nil {
			return 0, false, nil, fmt.Errorf("read invoice %s: %w", u.Invoice, err)
		}
		size += len(u.xml) + len(u.record.String)
		if u.verdict != nil {
			size += len(u.verdict.stamped)
		}
	}
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for n := range found {
		if u := &found[n]; u.problem == nil {
			group.Go(func() error {
				u.problem = d.verify(u)
				return nil
			})
		}
	}
	_ = group.Wait() // the errors are in the documents
	for _, u := range found {
		if u.problem != nil {
			damaged = append(damaged, DamagedDocument{u.Organisation, u.Invoice, u.number, u.problem.Error(), d.s.now()})
		}
	}
	err = d.s.write(ctx, func(t *tx) error {
		for n := range found {
			if err := t.enterDigests(&found[n]); err != nil {
				return fmt.Errorf("write the digests of invoice %s: %w", found[n].Invoice, err)
			}
		}
		return t.enterDamage(damaged)
	})
	if err == nil {
		err = d.s.db.Point("digests written")
	}
	d.after = found[len(found)-1].at
	return len(found), more, damaged, err
}

// read reads a document with its verdict. Unreadable data is recorded as the
// problem of the document, not returned as an error.
func (d *digesting) read(ctx context.Context, u *upgraded) error {
	of := u.Organisation
	const query = `SELECT ` + storedColumns + `, d.xml FROM ` + storedTables + ` WHERE i.org_id = $1 AND i.id = $2`
	rows, err := database.All(ctx, d.s.db, query, []any{of, u.Invoice}, func(row scanner) (struct{}, error) {
		u.problem = row.Scan(u.into(&u.xml)...)
		return struct{}{}, nil
	})
	if err == nil && u.problem == nil {
		if len(rows) == 0 {
			u.problem = errors.New("the invoice row is missing")
		}
		const verdict = `SELECT ` + verdictColumns + ` FROM verdict WHERE org_id = $1 AND invoice_id = $2`
		_, err = database.All(ctx, d.s.db, verdict, []any{of, u.Invoice}, func(row scanner) (struct{}, error) {
			u.verdict = &verdictRow{}
			if err := row.Scan(u.verdict.into()...); err != nil {
				u.problem = err
			}
			return struct{}{}, nil
		})
	}
	if database.IsUnreadable(err) {
		u.problem, err = err, nil
	}
	return err
}

// verify returns what is wrong with a document, or nil.
func (d *digesting) verify(u *upgraded) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	i, err := u.invoice()
	if err != nil {
		return err
	}
	row := storedOf(org.TenantOf(u.of), i, u.body, u.record.String)
	for _, c := range []struct{ what, row, record string }{
		{"currency", u.currency, row.currency}, {"buyer", u.buyer.UUID.String(), row.buyer.UUID.String()}, {"buyer's name", u.buyerName, row.buyerName},
		{"amount without VAT", u.withoutVAT, row.withoutVAT}, {"VAT", u.vat, row.vat}, {"amount with VAT", u.withVAT, row.withVAT}, {"payable amount", u.total, row.total},
	} {
		if c.row != c.record {
			return fmt.Errorf("the %s is %q in the invoice row and %q in the record", c.what, c.row, c.record)
		}
	}
	doc := Undigested{
		Organisation: u.of, Device: u.device, Tokens: d.tokens[u.device], Record: i.Record, ClearedQR: u.clearedQR.String,
		KeptDocument: u.keptDocument(u.xml),
	}
	if u.verdict == nil && i.Status.Final() {
		return errors.New(damagedVerdict + " is missing")
	}
	if v := u.verdict; v != nil {
		if _, err := v.answer(); err != nil {
			return err
		}
		doc.Verdict = &KeptVerdict{ledger.Status(v.status), int(v.code), v.stamped, ledger.Flag(v.flag)}
	}
	return d.Verify(doc)
}

// enterDigests writes the digests of a verified document.
func (t *tx) enterDigests(u *upgraded) error {
	if u.problem != nil {
		return nil
	}
	of, id := u.Organisation, u.Invoice
	const document = `UPDATE document SET digest = $3, xml_digest = $4 WHERE org_id = $1 AND invoice_id = $2`
	if err := t.Exec(document, of, id, u.sum(), bytesDigest("xml", of, id, u.xml)); err != nil {
		return err
	}
	if err := t.Exec(`DELETE FROM damage WHERE org_id = $1 AND invoice_id = $2`, of, id); err != nil {
		return err
	}
	if !ledger.Status(u.status.String).Final() {
		return nil
	}
	if err := t.Exec(`UPDATE invoice SET answer_digest = $3 WHERE org_id = $1 AND id = $2`, of, id, u.answerSum()); err != nil {
		return err
	}
	var stamped any
	if u.verdict.stamped != nil {
		stamped = bytesDigest("stamped", of, id, u.verdict.stamped)
	}
	const verdict = `UPDATE verdict SET digest = $3, stamped_digest = $4 WHERE org_id = $1 AND invoice_id = $2`
	return t.ExecOne(errors.New("verdict does not exist"), verdict, of, id, u.verdict.sum(of, id), stamped)
}
