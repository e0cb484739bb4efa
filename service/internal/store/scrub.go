package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/submit"
)

// Position is the progress of a check of all documents. The zero value is the
// beginning.
type Position struct{ Organisation, Invoice uuid.UUID }

// Scrubbing configures a check of documents.
type Scrubbing struct {
	Rate     int // documents per second
	Most     int // maximum number of documents; 0 means all
	Progress func(documents int)
}

// Scrubbed is the result of Scrub.
type Scrubbed struct {
	Documents int
	Damaged   []DamagedDocument
	Next      Position // position to continue at
	Done      bool     // all documents were checked
}

// scrubChunk is the number of documents checked at a time.
const scrubChunk = 20

// Scrub reads documents after a position and checks all their digests. It
// writes damage into the table that Damages reads, and removes documents that
// are intact again from the table. After the last document it releases intact
// documents that were held as damaged.
func (s *Store) Scrub(ctx context.Context, from Position, c Scrubbing) (Scrubbed, error) {
	out := Scrubbed{Next: from}
	pace := time.NewTicker(max(time.Second*scrubChunk/time.Duration(max(c.Rate, 1)), time.Microsecond))
	defer pace.Stop()
	for !out.Done && (c.Most == 0 || out.Documents < c.Most) {
		if err := s.scrub(ctx, &out); err != nil {
			return out, err
		}
		if c.Progress != nil {
			c.Progress(out.Documents)
		}
		if out.Done {
			break
		}
		select {
		case <-pace.C:
		case <-ctx.Done():
			return out, ctx.Err()
		}
	}
	return out, nil
}

// scrub checks one chunk.
func (s *Store) scrub(ctx context.Context, out *Scrubbed) error {
	chunk, damaged, err := s.scrubNext(ctx, out.Next)
	if err != nil {
		return fmt.Errorf("list the documents after invoice %s: %w", out.Next.Invoice, err)
	}
	byOrg := map[org.Tenant][]any{}
	for _, p := range chunk {
		of := org.TenantOf(p.Organisation)
		byOrg[of] = append(byOrg[of], p.Invoice)
	}
	rows := len(chunk) + len(damaged)
	for of, ids := range byOrg {
		some, err := s.damagedAmong(ctx, of, ids)
		if err != nil {
			return err
		}
		damaged = append(damaged, some...)
	}
	last := Position{uuid.Max, uuid.Max}
	if out.Done = rows < scrubChunk; !out.Done {
		if len(chunk) == 0 {
			return errors.New("the ids of many invoices are damaged: restore the database from a backup")
		}
		last = chunk[len(chunk)-1]
	}
	if err := s.replaceDamage(ctx, out.Next, last, damaged); err != nil {
		return fmt.Errorf("record the damaged documents: %w", err)
	}
	if out.Done {
		if _, err := s.ReleaseWhole(ctx); err != nil {
			return fmt.Errorf("release documents that are intact again: %w", err)
		}
	}
	out.Next, out.Documents, out.Damaged = last, out.Documents+rows, append(out.Damaged, damaged...)
	return nil
}

// scrubNext returns the documents after a position. A row with an invalid id is
// returned as damaged.
func (s *Store) scrubNext(ctx context.Context, after Position) (next []Position, damaged []DamagedDocument, err error) {
	query, args := `SELECT org_id, id FROM invoice ORDER BY org_id, id LIMIT $1`, []any{scrubChunk}
	if after != (Position{}) { // a damaged id may sort before uuid.Nil
		query = `SELECT org_id, id FROM invoice WHERE (org_id, id) > ($2, $3) ORDER BY org_id, id LIMIT $1`
		args = append(args, after.Organisation, after.Invoice)
	}
	_, err = database.AllOnce(ctx, s.db, query, args, func(row scanner) (struct{}, error) {
		var p Position
		if err := row.Scan(exactID{&p.Organisation}, exactID{&p.Invoice}); err != nil {
			d := &ledger.Damage{What: "the id of an invoice: " + err.Error()}
			s.note(org.TenantOf(p.Organisation), d)
			damaged = append(damaged, DamagedDocument{Organisation: p.Organisation, What: d.What, FoundAt: s.now()})
			return struct{}{}, nil
		}
		next = append(next, p)
		return struct{}{}, nil
	})
	return next, damaged, err
}

// damagedAmong checks all digests of the given documents of an organisation and
// returns the damaged ones.
func (s *Store) damagedAmong(ctx context.Context, of org.Tenant, ids []any) ([]DamagedDocument, error) {
	documents, err := s.checkedDocuments(ctx, of, ids)
	if err != nil {
		return nil, fmt.Errorf("read documents: %w", err)
	}
	verdicts, err := s.verdictsAmong(ctx, of, ids)
	if err != nil {
		return nil, fmt.Errorf("read verdicts: %w", err)
	}
	var damaged []DamagedDocument
	for _, one := range ids {
		id, _ := one.(uuid.UUID) // all elements are UUIDs
		p, known := documents[id]
		what := ""
		switch verdict, has := verdicts[id]; {
		case !known:
			what = "the invoice row cannot be found by its id"
		case p.damage != nil:
			what = p.damage.What
		case p.answered && !has:
			what = damagedVerdict + " is missing"
		case has:
			what = verdict
		}
		if what != "" {
			d := &ledger.Damage{Invoice: id, Number: s.provenNumber(ctx, of, id), What: what}
			s.note(of, d)
			damaged = append(damaged, DamagedDocument{of.ID(), id, d.Number, what, s.now()})
		}
	}
	return damaged, nil
}

// verdictsAmong returns what is damaged in each verdict, or "" for an intact
// one.
func (s *Store) verdictsAmong(ctx context.Context, of org.Tenant, ids []any) (map[uuid.UUID]string, error) {
	found := make(map[uuid.UUID]string, len(ids))
	query := `SELECT invoice_id, ` + verdictColumns + ` FROM verdict WHERE org_id = $1 AND invoice_id IN (` + numbered(2, len(ids)) + `)`
	_, err := database.AllOnce(ctx, s.db, query, append([]any{of.ID()}, ids...), func(row scanner) (struct{}, error) {
		var id uuid.UUID
		var v verdictRow
		if err := row.Scan(append([]any{&id}, v.into()...)...); err != nil {
			return struct{}{}, nil //nolint:nilerr // the caller reports the missing verdict as damage
		}
		found[id] = v.damage(of.ID(), id)
		return struct{}{}, nil
	})
	if !database.IsUnreadable(err) {
		return found, err
	}
	if len(ids) == 1 {
		id, _ := ids[0].(uuid.UUID)
		return map[uuid.UUID]string{id: err.Error()}, nil
	}
	clear(found)
	for n := range ids {
		one, err := s.verdictsAmong(ctx, of, ids[n:n+1])
		if err != nil {
			return nil, err
		}
		for id, what := range one {
			found[id] = what
		}
	}
	return found, nil
}

// replaceDamage sets the damage of a range of documents in the table. Usually
// there is none and nothing is written.
func (s *Store) replaceDamage(ctx context.Context, after, last Position, damaged []DamagedDocument) error {
	inRange := ` WHERE (org_id, invoice_id) > ($1, $2) AND (org_id, invoice_id) <= ($3, $4)`
	if after == (Position{}) { // damage without an id has the zero id
		inRange = strings.Replace(inRange, ">", ">=", 1)
	}
	args := []any{after.Organisation, after.Invoice, last.Organisation, last.Invoice}
	var before int
	if err := s.db.One(ctx, nil, `SELECT count(*) FROM damage`+inRange, args, &before); err != nil {
		return err
	}
	s.forget(after, last)
	if before == 0 && len(damaged) == 0 {
		return nil
	}
	return s.write(ctx, func(t *tx) error {
		if err := t.Exec(`DELETE FROM damage`+inRange, args...); err != nil {
			return err
		}
		return t.enterDamage(damaged)
	})
}

// CountDocuments returns the number of documents of all organisations.
func (s *Store) CountDocuments(ctx context.Context) (n int, err error) {
	err = s.db.One(ctx, nil, `SELECT coalesce(sum(documents), 0) FROM book`, nil, &n)
	return n, err
}

// LastScrub returns when the last regular check of all documents ended, or nil
// if there was none.
func (s *Store) LastScrub(ctx context.Context) (*time.Time, error) {
	var at sql.NullInt64
	err := s.db.One(ctx, nil, `SELECT completed_at FROM scrub WHERE one = 1`, nil, &at)
	return timeOrNil(at), err
}

// TakeScrub claims the regular check of all documents until leaseUntil and
// returns the position to continue at. The check is not due if the last one
// ended after since, or if another server has claimed it.
func (s *Store) TakeScrub(ctx context.Context, since, leaseUntil time.Time) (from Position, due bool, err error) {
	// Times further in the future than the lease were set by a wrong clock.
	const isDue = `
		FROM scrub
		WHERE one = 1 AND (lease_until <= $1 OR lease_until > $3)
		  AND (completed_at IS NULL OR completed_at <= $2 OR completed_at > $3)`
	args := []any{millis(s.now()), millis(since), millis(leaseUntil.Add(submit.Skew))}
	var some int // usually no check is due; finding this out needs no transaction
	if err := s.db.One(ctx, nil, `SELECT count(*)`+isDue, args, &some); err != nil || some == 0 {
		return from, false, err
	}
	err = s.write(ctx, func(t *tx) error {
		due = false
		err := t.QueryRow(`SELECT after_org, after_invoice`+isDue+s.dialect.LockRow, args...).Scan(&from.Organisation, &from.Invoice)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		due = true
		return t.Exec(`UPDATE scrub SET lease_until = $1 WHERE one = 1`, millis(leaseUntil))
	})
	return from, due, err
}

// LeaveScrub records the progress of the regular check and ends the lease. It
// does nothing if another server has claimed the check since the lease ended.
func (s *Store) LeaveScrub(ctx context.Context, lease time.Time, done Scrubbed) error {
	return s.write(ctx, func(t *tx) error {
		if done.Done {
			const end = `UPDATE scrub SET after_org = $1, after_invoice = $1, documents = 0, lease_until = 0, completed_at = $2 WHERE one = 1 AND lease_until = $3`
			return t.Exec(end, uuid.Nil, millis(s.now()), millis(lease))
		}
		const pause = `UPDATE scrub SET after_org = $1, after_invoice = $2, documents = documents + $3, lease_until = 0 WHERE one = 1 AND lease_until = $4`
		return t.Exec(pause, done.Next.Organisation, done.Next.Invoice, done.Documents, millis(lease))
	})
}
