package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/submit"
)

// Damaged documents are held by changing only the row of their submission,
// because the row of their invoice may be unreadable or missing.

const (
	damagedCopyAgain = time.Hour   // delay before a stamped copy of a damaged document is requested again
	unreadableAgain  = time.Minute // delay before an unreadable document is read again
	forgetDamage     = time.Hour   // delay before known damage is logged and tried again
)

// transient reports whether an error concerns the database as a whole or the
// caller's context, and not the rows that were written.
func transient(ctx context.Context, err error) bool {
	return ctx.Err() != nil || fault.KindOf(err) == fault.Unavailable
}

// claimEach claims documents one by one, because they could not be claimed
// together. A document that cannot be claimed alone is damaged and set aside.
func (s *Store) claimEach(ctx context.Context, c submit.Claiming, turns []uuid.UUID) (out submit.Claimed, err error) {
	var failed []error
	for n, organisation := range turns {
		most := (c.Most - len(out.Jobs) + len(turns) - n - 1) / (len(turns) - n)
		for tries := 0; tries < most; tries++ {
			var picked submit.Claimed
			err := s.write(ctx, func(t *tx) (err error) {
				one := c
				one.Most = 1
				picked, err = t.claim(one, []uuid.UUID{organisation})
				return err
			})
			switch {
			case err != nil && transient(ctx, err) && len(out.Jobs) == 0:
				return out, err
			case err != nil && transient(ctx, err):
				return out, nil //nolint:nilerr // the claimed documents are sent
			case err != nil && len(picked.Jobs) == 1:
				s.setAside(ctx, picked.Jobs[0], err)
				continue
			case err != nil:
				failed = append(failed, fmt.Errorf("claim documents of organisation %s: %w", organisation, err))
			case len(picked.Jobs) == 1:
				out.Jobs, out.Last = append(out.Jobs, picked.Jobs[0]), picked.Last
				continue
			}
			break // nothing more to claim, or unreadable
		}
	}
	if err := errors.Join(failed...); err != nil && len(out.Jobs) == 0 {
		return out, err
	} else if err != nil {
		s.log.Error("some documents could not be claimed", "cause", err.Error())
	}
	return out, nil
}

// setAside holds a document that cannot be claimed. If this fails too, the
// process excludes it from claiming for a while.
func (s *Store) setAside(ctx context.Context, j submit.Job, cause error) {
	s.note(j.Tenant, &ledger.Damage{Invoice: j.Invoice, What: "the document cannot be claimed: " + cause.Error()})
	n := 0
	err := s.write(ctx, func(t *tx) (err error) {
		n, err = t.moved(holdDamaged+` AND state = 'queued'`, j.Tenant.ID(), j.Invoice, nil)
		return err
	})
	if err != nil || n != 1 {
		s.exclude(j.Invoice.String())
	}
}

// exclude keeps this process from claiming a document for a while. id is the
// stored text, which may not be a valid id.
func (s *Store) exclude(id string) {
	s.damage.mu.Lock()
	defer s.damage.mu.Unlock()
	if s.damage.excluded == nil {
		s.damage.excluded = map[string]time.Time{}
	}
	s.damage.excluded[id] = s.now().Add(forgetDamage)
}

// excluded returns the ids that must not be claimed.
func (s *Store) excluded() (ids []any) {
	s.damage.mu.Lock()
	defer s.damage.mu.Unlock()
	for id, until := range s.damage.excluded {
		if now := s.now(); now.After(until) || until.Sub(now) > forgetDamage { // the clock may be set back
			delete(s.damage.excluded, id)
			continue
		}
		ids = append(ids, id)
	}
	return ids
}

// holdDamaged holds a document as damaged. If it may have been sent, $3 is the
// time of that attempt; an earlier doubt_at is kept.
const holdDamaged = `
	UPDATE submission
	SET state = 'held', stopped = 'damaged', asked = 0, lease_until = NULL, due_at = NULL, doubt_at = CASE
			WHEN doubt_at < coalesce(CAST($3 AS BIGINT), doubt_at) THEN doubt_at
			ELSE coalesce(CAST($3 AS BIGINT), doubt_at)
		END
	WHERE org_id = $1 AND invoice_id = $2`

// stopDamaged holds claimed documents that must not be sent because they are
// damaged. A document with a temporary read error is tried again soon. A
// request for a stamped copy waits instead of being stopped, because a stopped
// request cannot be resumed; it expires by itself.
func (s *Store) stopDamaged(ctx context.Context, damaged []damagedJob) {
	for _, j := range damaged {
		stop := submit.Result{
			Invoice: j.Invoice, Device: j.Device, Attempt: j.Attempt, ClaimedAt: j.ClaimedAt, At: s.now(), Route: j.Route, Copy: j.Copy,
			Event: ledger.Damaged, Verdict: ledger.Verdict{Outcome: ledger.Unknown, Cause: j.damage}, Stop: submit.Damaged,
		}
		if j.transient {
			stop.Stop, stop.Due = "", stop.At.Add(unreadableAgain)
			s.log.Error("a document could not be read; it will be tried again", "organisation", j.Tenant.ID(), "invoice", j.Invoice, "cause", j.damage.What)
		} else {
			s.note(j.Tenant, j.damage)
		}
		if j.Copy {
			stop.Due = stop.At.Add(damagedCopyAgain)
		}
		if _, err := s.putBack(ctx, j.Tenant, stop); err != nil {
			s.log.Error("a damaged document could not be held", "invoice", j.Invoice, "cause", err.Error())
		}
	}
}

// putBack ends an attempt and moves its job out of sending, without using the
// invoice row. A job that cannot be moved lapses when its lease ends.
func (s *Store) putBack(ctx context.Context, of org.Tenant, one submit.Result) (moved bool, err error) {
	move := func(attempts bool) error {
		return s.write(ctx, func(t *tx) error {
			r := recording{tx: t, of: of}
			if attempts {
				if err := r.endAttempt(one); err != nil {
					return err
				}
			}
			n, err := r.putBack(one)
			moved = n == 1
			return err
		})
	}
	err = move(true)
	if err != nil && !transient(ctx, err) {
		err = move(false) // the row of the attempt may be damaged
	}
	return moved, err
}

func (r *recording) putBack(one submit.Result) (int, error) {
	const mine = ` AND state = 'sending' AND attempts = $4`
	of, id := r.of.ID(), one.Invoice
	switch {
	case one.Copy:
		var attempts int // every change of a copy request locks the submission
		if err := r.QueryRow(`SELECT attempts FROM submission WHERE org_id = $1 AND invoice_id = $2`+r.store.dialect.LockRow, of, id).Scan(&attempts); err != nil || attempts != one.Attempt {
			return 0, err
		}
		const wait = `
			UPDATE copy_request
			SET state = 'waiting', lease_until = NULL, due_at = $3, failures = failures + 1
			WHERE org_id = $1 AND invoice_id = $2 AND state = 'sending'`
		return r.moved(wait, of, id, millis(one.Due))
	case one.Stop == "":
		const wait = `UPDATE submission SET state = 'waiting', lease_until = NULL, due_at = $3 WHERE org_id = $1 AND invoice_id = $2`
		return r.moved(wait+mine, of, id, millis(one.Due), one.Attempt)
	}
	var doubt any
	if one.Verdict.Sent {
		doubt = millis(one.ClaimedAt)
	}
	return r.moved(holdDamaged+mine, of, id, doubt, one.Attempt)
}

// recordEach records results, one by one if they cannot be recorded together. A
// result that cannot be recorded alone is damaged and its document is held.
func (s *Store) recordEach(ctx context.Context, of org.Tenant, results []submit.Result) (n int, err error) {
	_, err = s.Record(ctx, of, results)
	switch {
	case err == nil:
		return len(results), nil
	case transient(ctx, err) && !database.IsUnreadable(err):
		return 0, err
	case len(results) > 1:
		err = nil // each is recorded or reports its own error
		for i := range results {
			some, failed := s.recordEach(ctx, of, results[i:i+1])
			n, err = n+some, errors.Join(err, failed)
			if failed != nil && transient(ctx, failed) {
				break
			}
		}
		return n, err
	}
	one := results[0]
	s.note(of, &ledger.Damage{Invoice: one.Invoice, What: err.Error()})
	one.Stop = submit.Damaged
	one.Due = one.At.Add(damagedCopyAgain) // used for a copy request
	moved, failed := s.putBack(ctx, of, one)
	if failed != nil || !moved {
		return 0, fmt.Errorf("hold invoice %s: %w", one.Invoice, errors.Join(err, failed))
	}
	return 1, nil
}

// ReleaseWhole checks the documents that are held as damaged and releases those
// that are intact, so that FreeHeld queues them. Documents that may have been
// sent too long ago are then stopped like any other.
func (s *Store) ReleaseWhole(ctx context.Context) (released int, err error) {
	const query = `SELECT org_id, invoice_id FROM submission WHERE stopped <> '' AND stopped = 'damaged' ORDER BY org_id, invoice_id`
	held := map[org.Tenant][]any{}
	_, err = database.All(ctx, s.db, query, nil, func(row scanner) (struct{}, error) {
		var p Position
		if row.Scan(exactID{&p.Organisation}, exactID{&p.Invoice}) == nil {
			held[org.TenantOf(p.Organisation)] = append(held[org.TenantOf(p.Organisation)], p.Invoice)
		}
		return struct{}{}, nil
	})
	for of, ids := range held {
		for chunk := range slices.Chunk(ids, scrubChunk) {
			documents, failed := s.checkedDocuments(ctx, of, chunk)
			for id, p := range documents {
				if failed != nil || p.damage != nil {
					continue
				}
				failed = s.write(ctx, func(t *tx) error {
					const release = `UPDATE submission SET stopped = '' WHERE org_id = $1 AND invoice_id = $2 AND state = 'held' AND stopped = 'damaged'`
					n, err := t.moved(release, of.ID(), id)
					released += n
					return err
				})
			}
			err = errors.Join(err, failed)
		}
	}
	return released, err
}
