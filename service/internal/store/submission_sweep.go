package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/submit"
)

// Promote queues waiting documents that are due and returns their number. A due
// time after far was set by a wrong clock and counts as past.
func (s *Store) Promote(ctx context.Context, now, far time.Time, most int) (n int, err error) {
	const ends = `
		SELECT
			(SELECT min(due_at) FROM submission WHERE state = 'waiting'),
			(SELECT max(due_at) FROM submission WHERE state = 'waiting')`
	var first, last sql.NullInt64
	if err := s.db.One(ctx, nil, ends, nil, &first, &last); err != nil || !first.Valid {
		return 0, err
	}
	due, than := "due_at <= $1", millis(now)
	switch {
	case first.Int64 <= than:
	case last.Int64 > millis(far):
		due, than = "due_at > $1", millis(far)
	default:
		return 0, nil
	}
	err = s.write(ctx, func(t *tx) (err error) {
		n, err = t.moved(`
			UPDATE submission SET state = 'queued', due_at = NULL
			WHERE (org_id, invoice_id) IN (
				SELECT org_id, invoice_id FROM submission
				WHERE state = 'waiting' AND `+due+`
				ORDER BY due_at
				LIMIT $2`+s.skipLocked()+`)`, than, most)
		return err
	})
	return n, err
}

// Lapse records an unknown outcome for documents whose lease has ended, because
// they may have been sent, and returns their number.
func (s *Store) Lapse(ctx context.Context, now, far time.Time, most int, retry func(failures int) time.Duration) (int, error) {
	const query = `
		SELECT s.org_id, s.invoice_id, s.device_id, s.attempts, s.failures, s.route, a.claimed_at
		FROM submission s
		JOIN attempt a ON a.org_id = s.org_id AND a.invoice_id = s.invoice_id AND a.number = s.attempts
		WHERE s.state = 'sending' AND (s.lease_until <= $1 OR s.lease_until > $3)
		ORDER BY s.lease_until
		LIMIT $2`
	at, lapsed := s.now(), map[org.Tenant][]submit.Result{}
	_, err := database.All(ctx, s.db, query, []any{millis(now), most, millis(far)}, func(row scanner) (struct{}, error) {
		r := submit.Result{At: at, Event: ledger.Lapse, Verdict: ledger.Verdict{Outcome: ledger.Unknown, Sent: true}}
		var of uuid.UUID
		var failures int
		if err := row.Scan(&of, &r.Invoice, &r.Device, &r.Attempt, &failures, &r.Route, instant{&r.ClaimedAt}); err != nil {
			s.note(org.TenantOf(of), &ledger.Damage{Invoice: r.Invoice, What: "the submission: " + err.Error()})
			return struct{}{}, nil
		}
		r.Due = at.Add(retry(failures + 1))
		lapsed[org.TenantOf(of)] = append(lapsed[org.TenantOf(of)], r)
		return struct{}{}, nil
	})
	n, failed := s.recordAll(ctx, lapsed)
	return n, errors.Join(err, failed)
}

// recordAll records the results of several organisations and returns how many it
// recorded.
func (s *Store) recordAll(ctx context.Context, all map[org.Tenant][]submit.Result) (n int, err error) {
	for of, results := range all {
		some, failed := s.recordEach(ctx, of, results)
		n, err = n+some, errors.Join(err, failed)
	}
	return n, err
}

// StopInDoubt holds documents that were sent before the given time and never
// answered, until sending is requested again. It returns these documents.
func (s *Store) StopInDoubt(ctx context.Context, before time.Time, most int) (stopped []submit.Stopped, err error) {
	const query = `
		SELECT org_id, invoice_id
		FROM submission
		WHERE state IN ('queued', 'waiting', 'held') AND doubt_at IS NOT NULL AND doubt_at <= $1 AND asked = 0 AND stopped = ''
		LIMIT $2`
	found, err := database.All(ctx, s.db, query, []any{millis(before), most}, func(row scanner) (one submit.Stopped, err error) {
		var of uuid.UUID
		err = row.Scan(&of, &one.Invoice)
		one.Tenant = org.TenantOf(of)
		return one, err
	})
	for _, one := range found {
		moved, failed := s.stopInDoubt(ctx, one)
		if failed != nil && !transient(ctx, failed) { // the invoice cannot be read
			s.note(one.Tenant, &ledger.Damage{Invoice: one.Invoice, What: failed.Error()})
			failed = s.write(ctx, func(t *tx) error {
				return t.Exec(holdDamaged+` AND state IN ('queued', 'waiting')`, one.Tenant.ID(), one.Invoice, nil)
			})
		}
		if moved {
			stopped = append(stopped, one)
		}
		if err = errors.Join(err, failed); failed != nil && transient(ctx, failed) {
			break
		}
	}
	return stopped, err
}

func (s *Store) stopInDoubt(ctx context.Context, one submit.Stopped) (moved bool, err error) {
	err = s.write(ctx, func(t *tx) error {
		// A document held with a parked device stays held when the device is
		// released.
		const hold = `UPDATE submission SET stopped = $3 WHERE org_id = $1 AND invoice_id = $2 AND state = 'held' AND stopped = '' AND asked = 0`
		n, err := t.moved(hold, one.Tenant.ID(), one.Invoice, submit.InDoubt)
		if err != nil {
			return err
		}
		if moved = n == 1; moved {
			return t.event(bySystem(one.Tenant), "invoice.in_doubt", one.Invoice.String(), nil)
		}
		r := recording{tx: t, of: one.Tenant, tallies: map[ledger.Status]int{}}
		was, next, err := r.happens(one.Invoice, ledger.Stop)
		if moved = err == nil && was.Standing != next; err != nil || !moved {
			return err // it is being sent
		}
		return r.restate(bySystem(one.Tenant), one.Invoice, was, next, "invoice.in_doubt", submit.InDoubt)
	})
	return moved && err == nil, err
}

// Ask queues a document again at a caller's request.
func (s *Store) Ask(ctx context.Context, by org.Actor, invoice uuid.UUID) error {
	found, err := s.checkedDocuments(ctx, by.Tenant, []any{invoice})
	if err != nil {
		return err
	}
	if _, known := found[invoice]; !known {
		if err := s.missing(ctx, by.Tenant, invoice); err != nil {
			return err
		}
	}
	if d := found[invoice].damage; d != nil {
		return s.damaged(by.Tenant, d)
	}
	return s.write(ctx, func(t *tx) error {
		r := recording{tx: t, of: by.Tenant, tallies: map[ledger.Status]int{}}
		was, next, err := r.happens(invoice, ledger.Ask)
		switch {
		case err != nil:
			return err
		case was.Standing != next:
			return r.restate(by, invoice, was, next, "invoice.resend", "")
		case was.Status.Final():
			return fault.New(fault.InvoiceAnswered, "The authority has answered this invoice.")
		case was.State == ledger.Sending:
			return fault.New(fault.InvoiceSending, "The invoice is being sent to the authority.")
		}
		return fault.New(fault.InvoiceQueued, "The invoice is queued for the authority already.")
	})
}

// happens locks an invoice's row and returns its state before and after an
// event.
func (r *recording) happens(invoice uuid.UUID, event ledger.Event) (was kept, next ledger.Standing, err error) {
	if err := r.read([]submit.Result{{Invoice: invoice}}); err != nil {
		return was, next, err
	}
	was, known := r.kept[invoice]
	if !known {
		return was, next, errNoInvoice()
	}
	next, _ = was.After(event, ledger.Unanswered)
	return was, next, nil
}

// restate changes the standing of an invoice outside an attempt. If the next
// state is queued, sending counts as requested.
func (r *recording) restate(by org.Actor, invoice uuid.UUID, was kept, next ledger.Standing, action, stopped string) error {
	asked := bit(next.State == ledger.Queued)
	const move = `
		UPDATE submission
		SET state = $3, asked = $4, stopped = $5, due_at = NULL, failures = failures * $6
		WHERE org_id = $1 AND invoice_id = $2`
	if err := r.Exec(move, r.of.ID(), invoice, string(next.State), asked, stopped, 1-asked); err != nil {
		return err
	}
	if was.Status != next.Status {
		if err := r.Exec(`UPDATE invoice SET status = $3 WHERE org_id = $1 AND id = $2`, r.of.ID(), invoice, statusOrNull(next.Status)); err != nil {
			return err
		}
		r.tallies[was.Status]--
		r.tallies[next.Status]++
	}
	if err := r.moveTallies(); err != nil {
		return err
	}
	return r.event(by, action, invoice.String(), nil)
}

// Backlog counts the documents that are not answered.
func (s *Store) Backlog(ctx context.Context, now time.Time) (submit.Backlog, error) {
	b := submit.Backlog{States: map[ledger.SubmissionState]int{}}
	// Each count uses a partial index that has no other rows.
	const states = `
		SELECT
			(SELECT count(*) FROM submission WHERE state = 'queued'),
			(SELECT count(*) FROM submission WHERE state = 'sending'),
			(SELECT count(*) FROM submission WHERE state = 'waiting'),
			(SELECT count(*) FROM submission WHERE state = 'held' AND stopped = ''),
			(SELECT count(*) FROM submission WHERE stopped <> '')`
	var queued, sending, waiting, held int
	if err := s.db.One(ctx, nil, states, nil, &queued, &sending, &waiting, &held, &b.Stopped); err != nil {
		return b, err
	}
	b.States[ledger.Queued], b.States[ledger.Sending], b.States[ledger.Waiting], b.States[ledger.Held] = queued, sending, waiting, held+b.Stopped
	if err := s.db.One(ctx, nil, `SELECT count(*) FROM device WHERE parked = 1`, nil, &b.Parked); err != nil {
		return b, err
	}
	const lapsing = `SELECT count(*) FROM device WHERE production_until <= $1 AND retired_at IS NULL`
	if err := s.db.One(ctx, nil, lapsing, []any{millis(now.Add(device.Soon))}, &b.Lapsing); err != nil {
		return b, err
	}
	const unstamped = `
		SELECT
			(SELECT count(*) FROM copy_request WHERE state IN ('waiting', 'sending') AND state <> 'arrived'),
			(SELECT count(*) FROM copy_request WHERE state = 'stopped' AND state <> 'arrived')`
	if err := s.db.One(ctx, nil, unstamped, nil, &b.Unstamped, &b.UnstampedLost); err != nil {
		return b, err
	}
	var standard, simplified sql.NullInt64
	const oldest = `
		SELECT
			(SELECT min(deadline) FROM submission WHERE state <> 'done' AND expires_at IS NULL),
			(SELECT min(expires_at) FROM submission WHERE state <> 'done')`
	if err := s.db.One(ctx, nil, oldest, nil, &standard, &simplified); err != nil {
		return b, err
	}
	b.Oldest = earliest(timeOrNil(standard), ledger.StandardDeadline, timeOrNil(simplified), submit.Legal)
	for _, age := range submit.Ages() {
		var n int
		const over = `SELECT count(*) FROM submission WHERE state <> 'done' AND expires_at <= $1`
		if err := s.db.One(ctx, nil, over, []any{millis(now.Add(submit.Legal - age))}, &n); err != nil {
			return b, err
		}
		b.Over = append(b.Over, n)
	}
	return b, nil
}

// earliest returns the earlier of two creation times, each computed from a due
// time and the duration between the two.
func earliest(a *time.Time, afterA time.Duration, b *time.Time, afterB time.Duration) time.Time {
	var first time.Time
	if a != nil {
		first = a.Add(-afterA)
	}
	if b != nil {
		if at := b.Add(-afterB); first.IsZero() || at.Before(first) {
			first = at
		}
	}
	return first
}
