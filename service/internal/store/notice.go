package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/notice"
	"khatm/service/internal/org"
	"khatm/service/internal/submit"
)

// mostExpiring is how many certificates of an organisation have a notice at a
// time.
const mostExpiring = 100

// NoticeState returns what the notices of an organisation depend on at a time.
func (s *Store) NoticeState(ctx context.Context, of org.Tenant, now time.Time) (n notice.State, err error) {
	if n.Usage, err = s.Usage(ctx, of, now); err != nil {
		return n, err
	}
	if n.Expiring, err = s.expiring(ctx, of, now.Add(notice.Horizon)); err != nil {
		return n, err
	}
	if n.Oldest, err = s.oldestUnreported(ctx, of); err != nil {
		return n, err
	}
	chain, err := s.Continuity(ctx)
	if err != nil {
		return n, err
	}
	n.Stopped = chain.StoppedAt
	n.Damaged, err = s.damagedOf(ctx, of)
	return n, err
}

// expiring returns the production certificates of an organisation's active
// devices that end until a time, the first to end first.
func (s *Store) expiring(ctx context.Context, of org.Tenant, until time.Time) ([]notice.Expiring, error) {
	const query = `
		SELECT id, common_name, production_until
		FROM device
		WHERE org_id = $1 AND status = 'pcsid_generated' AND retired_at IS NULL AND production_until <= $2
		ORDER BY production_until, id
		LIMIT $3`
	return database.All(ctx, s.db, query, []any{of.ID(), millis(until), mostExpiring}, func(row scanner) (e notice.Expiring, err error) {
		err = row.Scan(&e.Device, &e.Name, instant{&e.Until})
		return e, err
	})
}

// The oldest simplified invoice of an organisation without an answer, and with an
// unknown one. Both are read along the index of organisation, status and id.
const (
	oldestWaiting = openOf + ` AND invoice.status IS NULL` + oldestFirst
	oldestUnknown = openOf + ` AND invoice.status = 'No response'` + oldestFirst

	openOf = `
		SELECT invoice.id, submission.expires_at
		FROM invoice
		JOIN submission ON submission.org_id = invoice.org_id AND submission.invoice_id = invoice.id
		WHERE invoice.org_id = $1 AND submission.expires_at IS NOT NULL`
	oldestFirst = `
		ORDER BY invoice.id
		LIMIT 1`
)

// oldestUnreported returns the oldest simplified invoice of an organisation that
// the authority has not answered, or zero.
func (s *Store) oldestUnreported(ctx context.Context, of org.Tenant) (notice.Waiting, error) {
	var oldest notice.Waiting
	for _, query := range []string{oldestWaiting, oldestUnknown} {
		var id uuid.UUID
		var expires sql.NullInt64
		if err := s.db.One(ctx, nil, query, []any{of.ID()}, &id, &expires); err != nil {
			return oldest, err
		}
		if end := timeOrNil(expires); end != nil {
			if at := end.Add(-submit.Legal); oldest.CreatedAt.IsZero() || !at.After(oldest.CreatedAt) {
				oldest = notice.Waiting{Invoice: id, CreatedAt: at}
			}
		}
	}
	return oldest, nil
}

// damagedOf returns what is known of an organisation's damaged documents.
func (s *Store) damagedOf(ctx context.Context, of org.Tenant) (notice.Damaged, error) {
	var d notice.Damaged
	var first, last sql.NullInt64
	const count = `SELECT count(*), min(found_at), max(found_at) FROM damage WHERE org_id = $1`
	if err := s.db.One(ctx, nil, count, []any{of.ID()}, &d.Documents, &first, &last); err != nil || d.Documents == 0 {
		return d, err
	}
	d.First, d.Last = timeOf(first.Int64), timeOf(last.Int64)
	const one = `SELECT invoice_id FROM damage WHERE org_id = $1 ORDER BY found_at, invoice_id LIMIT 1`
	return d, s.db.One(ctx, nil, one, []any{of.ID()}, &d.Invoice)
}

// NoticesRead returns the ids of the notices that a person has read.
func (s *Store) NoticesRead(ctx context.Context, of org.Tenant, person uuid.UUID) (map[string]bool, error) {
	const query = `SELECT notice FROM notice_read WHERE org_id = $1 AND person_id = $2`
	list, err := database.All(ctx, s.db, query, []any{of.ID(), person}, func(row scanner) (id string, err error) {
		err = row.Scan(&id)
		return id, err
	})
	read := map[string]bool{}
	for _, id := range list {
		read[id] = true
	}
	return read, err
}

// noticesKept is how long the store remembers that a notice was read. A notice
// that lasts longer is shown as new.
const noticesKept = 400 * 24 * time.Hour

// ReadNotices records that a person has read notices. It adds no entry to the
// audit trail, because nothing depends on it.
func (s *Store) ReadNotices(ctx context.Context, of org.Tenant, person uuid.UUID, ids []string) error {
	now := s.now()
	return s.write(ctx, func(t *tx) error {
		const forget = `DELETE FROM notice_read WHERE org_id = $1 AND person_id = $2 AND read_at < $3`
		if err := t.Exec(forget, of.ID(), person, millis(now.Add(-noticesKept))); err != nil {
			return err
		}
		for _, id := range ids {
			const insert = `
				INSERT INTO notice_read (org_id, person_id, notice, read_at)
				VALUES ($1, $2, $3, $4)
				ON CONFLICT (org_id, person_id, notice) DO NOTHING`
			if err := t.Exec(insert, of.ID(), person, id, millis(now)); err != nil {
				return err
			}
		}
		return nil
	})
}
