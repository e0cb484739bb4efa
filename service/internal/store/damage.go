package store

import (
	"bytes"
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// DamagedDocument is a document that is known to be damaged.
type DamagedDocument struct {
	Organisation uuid.UUID
	Invoice      uuid.UUID
	Number       string // empty if it cannot be proven
	What         string
	FoundAt      time.Time
}

// damages holds the damage found by this process.
type damages struct {
	mu      sync.Mutex
	refused int64                  // reads that were refused
	known   map[Position]time.Time // time of the last log entry
	pending []DamagedDocument      // not yet in the table

	excluded map[string]time.Time // ids that are not claimed, and until when
}

// note logs damage at most once an hour and queues it for KeepDamage. It does
// not use the database, so it can be called inside a transaction.
func (s *Store) note(of org.Tenant, d *ledger.Damage) {
	s.damage.mu.Lock()
	defer s.damage.mu.Unlock()
	s.damage.refused++
	at, now := Position{of.ID(), d.Invoice}, s.now()
	if noted, is := s.damage.known[at]; is && !now.Before(noted) && now.Sub(noted) < forgetDamage {
		return
	}
	if s.damage.known == nil {
		s.damage.known = map[Position]time.Time{}
	}
	s.damage.known[at] = now
	s.damage.pending = append(s.damage.pending, DamagedDocument{of.ID(), d.Invoice, d.Number, d.What, now})
	s.log.Error("a stored document is damaged: it is neither shown nor sent; repair it with khatm repair, or restore it from a backup",
		"organisation", of.ID(), "invoice", d.Invoice, "ref_num", d.Number, "damaged", d.What)
}

// forget removes the known damage in a range of documents that were just
// checked, so that damage found again is reported as new.
func (s *Store) forget(after, last Position) {
	s.damage.mu.Lock()
	defer s.damage.mu.Unlock()
	for at := range s.damage.known {
		if (after == Position{} || at.compare(after) > 0) && at.compare(last) <= 0 {
			delete(s.damage.known, at)
		}
	}
}

func (p Position) compare(q Position) int {
	return cmp.Or(bytes.Compare(p.Organisation[:], q.Organisation[:]), bytes.Compare(p.Invoice[:], q.Invoice[:]))
}

// damaged notes damage and returns the error for the caller.
func (s *Store) damaged(of org.Tenant, d *ledger.Damage) error {
	s.note(of, d)
	return d.Fault()
}

// unreadable turns the error of a database that cannot read its pages into the
// error of a damaged invoice. It returns other errors unchanged.
func (s *Store) unreadable(of org.Tenant, id uuid.UUID, err error) error {
	if !database.IsUnreadable(err) {
		return err
	}
	return s.damaged(of, &ledger.Damage{Invoice: id, What: err.Error()})
}

// provenNumber returns the number of a damaged invoice from its signed XML, or
// "" if that is damaged too.
func (s *Store) provenNumber(ctx context.Context, of org.Tenant, id uuid.UUID) string {
	var xml, digest []byte
	const query = `SELECT xml, xml_digest FROM document WHERE org_id = $1 AND invoice_id = $2`
	if err := s.db.One(ctx, errNoInvoice(), query, []any{of.ID(), id}, &xml, &digest); err != nil {
		return ""
	}
	if !bytes.Equal(digest, bytesDigest("xml", of.ID(), id, xml)) {
		return ""
	}
	return ledger.NumberIn(xml)
}

// RefusedReads returns the number of reads that this process refused because
// the document is damaged.
func (s *Store) RefusedReads() int64 {
	s.damage.mu.Lock()
	defer s.damage.mu.Unlock()
	return s.damage.refused
}

// KeepDamage writes the damage found by this process into the table that
// Damages reads.
func (s *Store) KeepDamage(ctx context.Context) error {
	s.damage.mu.Lock()
	pending := s.damage.pending
	s.damage.pending = nil
	s.damage.mu.Unlock()
	if len(pending) == 0 {
		return nil
	}
	err := s.write(ctx, func(t *tx) error { return t.enterDamage(pending) })
	if err != nil {
		s.damage.mu.Lock()
		s.damage.pending = append(pending, s.damage.pending...)
		s.damage.mu.Unlock()
	}
	return err
}

func (t *tx) enterDamage(list []DamagedDocument) error {
	for _, d := range list {
		const insert = `
			INSERT INTO damage (org_id, invoice_id, ref_num, what, found_at)
			VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (org_id, invoice_id) DO UPDATE SET what = excluded.what`
		if err := t.Exec(insert, d.Organisation, d.Invoice, d.Number, d.What, millis(d.FoundAt)); err != nil {
			return err
		}
	}
	return nil
}

// Damages returns up to most damaged documents and the number of all damaged
// documents.
func (s *Store) Damages(ctx context.Context, most int) (list []DamagedDocument, all int, err error) {
	if err := s.db.One(ctx, nil, `SELECT count(*) FROM damage`, nil, &all); err != nil || all == 0 {
		return nil, all, err
	}
	const query = `SELECT org_id, invoice_id, ref_num, what, found_at FROM damage ORDER BY org_id, invoice_id LIMIT $1`
	list, err = database.AllOnce(ctx, s.db, query, []any{most}, func(row scanner) (d DamagedDocument, err error) {
		err = row.Scan(&d.Organisation, &d.Invoice, &d.Number, &d.What, instant{&d.FoundAt})
		return d, err
	})
	return list, all, err
}
