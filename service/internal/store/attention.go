package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/attention"
	"khatm/service/internal/database"
	"khatm/service/internal/onboard"
	"khatm/service/internal/org"
	"khatm/service/internal/submit"
)

// AttentionState returns what waits for the people of an organisation at a time.
func (s *Store) AttentionState(ctx context.Context, of org.Tenant, now time.Time) (a attention.State, err error) {
	if a.Notices, err = s.NoticeState(ctx, of, now); err != nil {
		return a, err
	}
	for _, read := range []func(context.Context, org.Tenant, time.Time) ([]attention.Row, error){
		s.stoppedDevices, s.unanswered, s.rejected, s.held, s.answeredDrafts, s.undelivered, s.unstamped,
	} {
		rows, err := read(ctx, of, now)
		if err != nil {
			return a, fmt.Errorf("read what waits for a person: %w", err)
		}
		a.Rows = append(a.Rows, rows...)
	}
	return a, nil
}

// rejected returns rejected invoices that no other invoice replaces, the newest
// first.
func (s *Store) rejected(ctx context.Context, of org.Tenant, now time.Time) ([]attention.Row, error) {
	const query = `
		SELECT invoice.id, invoice.ref_num, invoice.type_code, invoice.answered_at, draft.id
		FROM invoice
		LEFT JOIN draft ON draft.org_id = invoice.org_id AND draft.corrects = invoice.id AND draft.removed = 0
		WHERE invoice.org_id = $1 AND invoice.status IN ('NOT_CLEARED', 'NOT_REPORTED') AND invoice.answered_at >= $2 AND draft.invoice_id IS NULL
		ORDER BY invoice.id DESC
		LIMIT $3`
	args := []any{of.ID(), millis(now.Add(-attention.RejectedFor)), attention.Most + 1}
	return database.All(ctx, s.db, query, args, func(row scanner) (attention.Row, error) {
		r := attention.Row{Kind: attention.Rejected}
		var draft uuid.NullUUID
		err := row.Scan(&r.ID, &r.Name, &r.Type, instant{&r.Since}, &draft)
		r.Draft = draft.UUID
		return r, err
	})
}

// held returns the rejected invoices with payments on them, the newest first.
func (s *Store) held(ctx context.Context, of org.Tenant, _ time.Time) ([]attention.Row, error) {
	const query = `
		SELECT id, ref_num, type_code, answered_at
		FROM invoice
		WHERE org_id = $1 AND status IN ('NOT_CLEARED', 'NOT_REPORTED') AND received > refunded
		ORDER BY id DESC
		LIMIT $2`
	return database.All(ctx, s.db, query, []any{of.ID(), attention.Most + 1}, func(row scanner) (attention.Row, error) {
		r := attention.Row{Kind: attention.Held}
		return r, row.Scan(&r.ID, &r.Name, &r.Type, instant{&r.Since})
	})
}

// unstamped returns the cleared invoices whose stamped copies are no longer asked
// for, the newest first.
func (s *Store) unstamped(ctx context.Context, of org.Tenant, _ time.Time) ([]attention.Row, error) {
	const query = `
		SELECT i.id, i.ref_num, i.type_code, c.since
		FROM copy_request c
		JOIN invoice i ON i.org_id = c.org_id AND i.id = c.invoice_id
		WHERE c.org_id = $1 AND c.state = 'stopped'
		ORDER BY c.invoice_id DESC
		LIMIT $2`
	return database.All(ctx, s.db, query, []any{of.ID(), attention.Most + 1}, func(row scanner) (attention.Row, error) {
		r := attention.Row{Kind: attention.Unstamped}
		return r, row.Scan(&r.ID, &r.Name, &r.Type, instant{&r.Since})
	})
}

// Invoices of an organisation without an answer and with an unknown one. Both are
// read along the index of organisation, status and id.
const (
	longWaiting = waitingOf + ` AND status IS NULL` + firstWaiting
	longUnknown = waitingOf + ` AND status = 'No response'` + firstWaiting

	waitingOf = `
		SELECT id, ref_num, type_code, issued_at
		FROM invoice
		WHERE org_id = $1 AND issued_at <= $2`
	firstWaiting = `
		ORDER BY id
		LIMIT $3`
)

// unanswered returns the invoices that have waited longest for an answer.
func (s *Store) unanswered(ctx context.Context, of org.Tenant, now time.Time) (rows []attention.Row, err error) {
	for _, query := range []string{longWaiting, longUnknown} {
		args := []any{of.ID(), millis(now.Add(-submit.Ages()[0])), attention.Most + 1}
		some, err := database.All(ctx, s.db, query, args, func(row scanner) (attention.Row, error) {
			r := attention.Row{Kind: attention.Unanswered}
			return r, row.Scan(&r.ID, &r.Name, &r.Type, instant{&r.Since})
		})
		if err != nil {
			return nil, err
		}
		rows = append(rows, some...)
	}
	slices.SortStableFunc(rows, func(a, b attention.Row) int { return a.Since.Compare(b.Since) })
	return rows[:min(len(rows), attention.Most+1)], nil
}

// stoppedDevices returns the devices in use that the authority refuses, and those
// whose onboarding failed.
func (s *Store) stoppedDevices(ctx context.Context, of org.Tenant, _ time.Time) ([]attention.Row, error) {
	const query = `
		SELECT device.id, device.common_name, device.status, device.parked, enrolment.code, enrolment.trouble, enrolment.changed_at
		FROM device
		LEFT JOIN enrolment ON enrolment.org_id = device.org_id AND enrolment.device_id = device.id AND enrolment.renewal = 0
		WHERE device.org_id = $1 AND device.retired_at IS NULL AND (device.parked = 1 OR device.status IN ($2, $3, $4, $5))
		ORDER BY device.id
		LIMIT $6`
	args := []any{of.ID()}
	for _, status := range attention.Failed() {
		args = append(args, string(status))
	}
	return database.All(ctx, s.db, query, append(args, attention.Most+1), func(row scanner) (attention.Row, error) {
		r := attention.Row{Kind: attention.Stopped}
		var parked int
		var code, said sql.NullString
		var changed sql.NullInt64
		err := row.Scan(&r.ID, &r.Name, &r.Why, &parked, &code, &said, &changed)
		if parked == 1 {
			r.Why = attention.Parked
			return r, err
		}
		r.Trouble = onboard.Trouble{Code: code.String, Message: said.String}
		if changed.Valid {
			r.Since = timeOf(changed.Int64)
		}
		return r, err
	})
}

// answeredDrafts returns the approved and declined drafts that are not issued, the
// newest first.
func (s *Store) answeredDrafts(ctx context.Context, of org.Tenant, _ time.Time) (rows []attention.Row, err error) {
	for _, one := range []struct {
		kind  attention.Kind
		query string
	}{
		{attention.Approved, `
			SELECT id, changed_at
			FROM draft
			WHERE org_id = $1 AND removed = 0 AND invoice_id IS NULL AND approval IS NOT NULL
			ORDER BY id DESC
			LIMIT $2`},
		{attention.Declined, `
			SELECT id, changed_at
			FROM draft
			WHERE org_id = $1 AND removed = 0 AND invoice_id IS NULL AND approval IS NULL AND decline IS NOT NULL
			ORDER BY id DESC
			LIMIT $2`},
	} {
		some, err := database.All(ctx, s.db, one.query, []any{of.ID(), attention.Most + 1}, func(row scanner) (attention.Row, error) {
			r := attention.Row{Kind: one.kind}
			return r, row.Scan(&r.ID, instant{&r.Since})
		})
		if err != nil {
			return nil, err
		}
		rows = append(rows, some...)
	}
	return rows, nil
}

// undelivered returns e-mails that were refused or not delivered in time, the
// newest first. E-mails that were never tried, because a change of their draft
// made them useless, are left out.
func (s *Store) undelivered(ctx context.Context, of org.Tenant, now time.Time) ([]attention.Row, error) {
	const query = `
		SELECT id, recipient, about, created_at
		FROM letter
		WHERE org_id = $1 AND state IN ('refused', 'expired') AND attempts > 0 AND created_at >= $2
		ORDER BY created_at DESC, id
		LIMIT $3`
	args := []any{of.ID(), millis(now.Add(-attention.LetterFor)), attention.Most + 1}
	return database.All(ctx, s.db, query, args, func(row scanner) (attention.Row, error) {
		r := attention.Row{Kind: attention.Letter}
		return r, row.Scan(&r.ID, &r.Name, &r.About, instant{&r.Since})
	})
}
