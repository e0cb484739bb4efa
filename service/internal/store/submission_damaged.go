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

// What is damaged is held through its submission alone: its invoice may be the
// row that cannot be read or found.

const (
	damagedCopyAgain = time.Hour   // when the stamped copy of a damaged document is tried again
	unreadableAgain  = time.Minute // when a document is tried again that could not be read
	forgetDamage     = time.Hour   // when damage that was met is noted again, and tried again
)

// passing reports whether a failure is one of the database as a whole, or of the
// caller, and says nothing about the rows that were written.
func passing(ctx context.Context, err error) bool {
	return ctx.Err() != nil || fault.KindOf(err) == fault.Unavailable
}

// claimEach claims documents one by one, because they could not be claimed
// together. One that cannot be claimed by itself is damaged and set aside.
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
			case err != nil && passing(ctx, err) && len(out.Jobs) == 0:
				return out, err
			case err != nil && passing(ctx, err):
				return out, nil //nolint:nilerr // what was claimed is sent
			case err != nil && len(picked.Jobs) == 1:
				s.setAside(ctx, picked.Jobs[0], err)
				continue
			case err != nil:
				failed = append(failed, fmt.Errorf("claim documents of organisation %s: %w", organisation, err))
			case len(picked.Jobs) == 1:
				out.Jobs, out.Last = append(out.Jobs, picked.Jobs[0]), picked.Last
				continue
			}
			break // there is nothing more to claim, or it cannot be read
		}
	}
	if err := errors.Join(failed...); err != nil && len(out.Jobs) == 0 {
		return out, err
	} else if err != nil {
		s.log.Error("some documents could not be claimed", "cause", err.Error())
	}
	return out, nil
}

// setAside holds a document that cannot be claimed. If it cannot be held either,
// this process does not claim it for a while.
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

// exclude keeps this process from claiming a document for a while. The id is as
// the database has it, which may be no id any more.
func (s *Store) exclude(id string) {
	s.damage.mu.Lock()
	defer s.damage.mu.Unlock()
	if s.damage.excluded == nil {
		s.damage.excluded = map[string]time.Time{}
	}
	s.damage.excluded[id] = s.now().Add(forgetDamage)
}

// excluded are the ids that are not claimed.
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

// holdDamaged holds a document as damaged. If it may have been sent, the third
// value says when; an earlier doubt stays.
const holdDamaged = `
	UPDATE submission
	SET state = 'held', stopped = 'damaged', asked = 0, lease_until = NULL, due_at = NULL, doubt_at = CASE
			WHEN doubt_at < coalesce(CAST($3 AS BIGINT), doubt_at) THEN doubt_at
			ELSE coalesce(CAST($3 AS BIGINT), doubt_at)
		END
	WHERE org_id = $1 AND invoice_id = $2`

// stopDamaged holds what was claimed and must not be sent. What could only not be
// read now is tried again soon. The request for a stamped copy waits, because it
// could not be resumed once it was stopped, and ends in time.
func (s *Store) stopDamaged(ctx context.Context, damaged []damagedJob) {
	for _, j := range damaged {
		stop := submit.Result{
			Invoice: j.Invoice, Device: j.Device, Attempt: j.Attempt, ClaimedAt: j.ClaimedAt, At: s.now(), Route: j.Route, Copy: j.Copy,
			Event: ledger.Damaged, Verdict: ledger.Verdict{Outcome: ledger.Unknown, Cause: j.damage}, Stop: submit.Damaged,
		}
		if j.passing {
			stop.Stop, stop.Due = "", stop.At.Add(unreadableAgain)
			s.log.Error("a document could not be read and is not sent now", "organisation", j.Tenant.ID(), "invoice", j.Invoice, "cause", j.damage.What)
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

// putBack ends an attempt and moves its job out of sending, without its invoice.
// A job that cannot be moved is taken back when its turn is over.
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
	if err != nil && !passing(ctx, err) {
		err = move(false) // the attempt may be what is damaged
	}
	return moved, err
}

func (r *recording) putBack(one submit.Result) (int, error) {
	const mine = ` AND state = 'sending' AND attempts = $4`
	of, id := r.of.ID(), one.Invoice
	switch {
	case one.Copy:
		var attempts int // whoever changes a copy request holds the submission row
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

// recordEach records results one by one where they cannot be recorded together.
// What cannot be recorded by itself is damaged and held.
func (s *Store) recordEach(ctx context.Context, of org.Tenant, results []submit.Result) (n int, err error) {
	_, err = s.Record(ctx, of, results)
	switch {
	case err == nil:
		return len(results), nil
	case passing(ctx, err) && !database.IsUnreadable(err):
		return 0, err
	case len(results) > 1:
		err = nil // each is recorded or reports its own error
		for i := range results {
			some, failed := s.recordEach(ctx, of, results[i:i+1])
			n, err = n+some, errors.Join(err, failed)
			if failed != nil && passing(ctx, failed) {
				break
			}
		}
		return n, err
	}
	one := results[0]
	s.note(of, &ledger.Damage{Invoice: one.Invoice, What: err.Error()})
	one.Stop = submit.Damaged
	one.Due = one.At.Add(damagedCopyAgain) // of a copy request
	moved, failed := s.putBack(ctx, of, one)
	if failed != nil || !moved {
		return 0, fmt.Errorf("take back invoice %s: %w", one.Invoice, errors.Join(err, failed))
	}
	return 1, nil
}

// ReleaseWhole reads the documents that are held as damaged. Those that are whole
// are held no longer as damaged, so that FreeHeld queues them; what may have
// arrived too long ago is then stopped as any other.
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
			papers, failed := s.papers(ctx, of, chunk)
			for id, p := range papers {
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
