package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/submit"
)

// acceptedSince selects the earliest time at which the authority can have
// accepted a document. If an answer accepted it as new, this is the time of
// that attempt. A duplicate may have been accepted by any earlier attempt that
// could have arrived. After a restore the database may lack this attempt; then
// doubt_at is earlier than all others.
const acceptedSince = `
	SELECT coalesce(
		(SELECT min(claimed_at) FROM attempt WHERE org_id = $1 AND invoice_id = $2 AND outcome = 'accepted'),
		(SELECT min(possible.since) FROM (
			SELECT claimed_at AS since
			FROM attempt
			WHERE org_id = $1 AND invoice_id = $2 AND (outcome IS NULL OR outcome = 'duplicate' OR outcome = 'unknown' AND sent = 1)
			UNION ALL
			SELECT doubt_at FROM submission WHERE org_id = $1 AND invoice_id = $2
		) possible),
		0)`

// enterCopyRequest inserts the request for the stamped copy of a document that
// was cleared without one.
func (r *recording) enterCopyRequest(one submit.Result) error {
	var since int64
	if err := r.QueryRow(acceptedSince, r.of.ID(), one.Invoice).Scan(&since); err != nil {
		return fmt.Errorf("read when invoice %s was accepted: %w", one.Invoice, err)
	}
	const insert = `
		INSERT INTO copy_request (org_id, invoice_id, device_id, state, since, due_at, failures, stopped)
		SELECT org_id, invoice_id, device_id, $3, CAST($4 AS BIGINT), CAST($5 AS BIGINT), 0, ''
		FROM submission
		WHERE org_id = $1 AND invoice_id = $2`
	return r.Exec(insert, r.of.ID(), one.Invoice, string(ledger.CopyWaiting), since, millis(one.At))
}

// dueCopies selects copy requests that are due. farCopies selects those with a
// due time too far in the future, which was set by a wrong clock.
const (
	dueCopies = copiesWhere + `c.due_at <= $1` + copiesAlso
	farCopies = copiesWhere + `c.due_at > $1` + copiesAlso

	copiesWhere = `
	SELECT c.org_id, c.invoice_id, c.device_id, c.failures
	FROM copy_request c
	WHERE c.state = 'waiting' AND `
	copiesAlso = ` AND c.since > $2
	  AND NOT EXISTS (SELECT 1 FROM device d WHERE d.org_id = c.org_id AND d.id = c.device_id AND d.parked = 1)
	ORDER BY c.due_at
	LIMIT $3`
)

// ClaimCopies claims due copy requests. See submit.Keeper.
func (s *Store) ClaimCopies(ctx context.Context, c submit.Claiming) ([]submit.Job, error) {
	if c.Most <= 0 {
		return nil, nil
	}
	scan := func(row scanner) (submit.Job, error) {
		j := submit.Job{Route: ledger.ByClearance, ClaimedAt: c.Now, Copy: true}
		var of uuid.UUID
		err := row.Scan(&of, &j.Invoice, &j.Device, &j.Failures)
		j.Tenant = org.TenantOf(of)
		return j, err
	}
	due, err := database.All(ctx, s.db, dueCopies, []any{millis(c.Now), millis(c.Doubt), c.Most}, scan)
	if err == nil && len(due) == 0 {
		due, err = database.All(ctx, s.db, farCopies, []any{millis(c.Far), millis(c.Doubt), c.Most}, scan)
	}
	if err != nil || len(due) == 0 {
		return nil, err
	}
	jobs, err := s.claimDue(ctx, c, due)
	if err != nil && !transient(ctx, err) && len(due) > 1 {
		jobs = nil
		for n := range due { // one of them cannot be claimed: try each
			one, err := s.claimDue(ctx, c, due[n:n+1])
			if err != nil && transient(ctx, err) {
				return nil, err
			}
			jobs = append(jobs, one...)
		}
	} else if err != nil && transient(ctx, err) {
		return nil, err
	}
	whole, damaged, err := s.withDocuments(ctx, jobs)
	if err != nil {
		return nil, err
	}
	s.stopDamaged(ctx, damaged)
	return whole, nil
}

// claimDue claims all of the given copy requests or none. A single request that
// cannot be claimed is damaged and is tried again later.
func (s *Store) claimDue(ctx context.Context, c submit.Claiming, due []submit.Job) (jobs []submit.Job, err error) {
	err = s.write(ctx, func(t *tx) error {
		jobs = nil
		if err := s.checkArchive(t.Context(), t); err != nil {
			return err
		}
		for _, j := range due {
			mine, err := t.claimCopy(c, &j)
			if err != nil {
				return fmt.Errorf("claim the copy request of invoice %s: %w", j.Invoice, err)
			}
			if mine {
				jobs = append(jobs, j)
			}
		}
		return s.db.Point("copy claimed")
	})
	if err == nil {
		return jobs, nil
	}
	if errors.Is(err, ErrOtherArchive) {
		return nil, nil // see CheckArchive
	}
	if len(due) == 1 && !transient(ctx, err) {
		j := due[0]
		s.note(j.Tenant, &ledger.Damage{Invoice: j.Invoice, What: err.Error()})
		const later = `UPDATE copy_request SET due_at = $3 WHERE org_id = $1 AND invoice_id = $2 AND state = 'waiting'`
		err = errors.Join(err, s.write(ctx, func(t *tx) error {
			return t.Exec(later, j.Tenant.ID(), j.Invoice, millis(c.Now.Add(damagedCopyAgain)))
		}))
	}
	return nil, err
}

// claimCopy claims one copy request unless another process has claimed it.
// Every change of a copy request locks the row of the submission, as recording
// a result does.
func (t *tx) claimCopy(c submit.Claiming, j *submit.Job) (mine bool, err error) {
	lock := `SELECT attempts FROM submission WHERE org_id = $1 AND invoice_id = $2` + t.store.skipLocked()
	if err := t.QueryRow(lock, j.Tenant.ID(), j.Invoice).Scan(&j.Attempt); errors.Is(err, sql.ErrNoRows) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	const take = `
		UPDATE copy_request
		SET state = 'sending', lease_until = $3
		WHERE org_id = $1 AND invoice_id = $2 AND state = 'waiting' AND (due_at <= $4 OR due_at > $6) AND since > $5`
	n, err := t.moved(take, j.Tenant.ID(), j.Invoice, millis(c.LeaseUntil), millis(c.Now), millis(c.Doubt), millis(c.Far))
	if err != nil || n == 0 {
		return false, err
	}
	j.Attempt++
	if err := t.Exec(`UPDATE submission SET attempts = $3 WHERE org_id = $1 AND invoice_id = $2`, j.Tenant.ID(), j.Invoice, j.Attempt); err != nil {
		return false, err
	}
	const attempt = `
		INSERT INTO attempt (org_id, invoice_id, number, for_copy, route, worker, claimed_at, sent, took, cause)
		VALUES ($1, $2, $3, 1, $4, $5, $6, 0, 0, '')`
	return true, t.Exec(attempt, j.Tenant.ID(), j.Invoice, j.Attempt, string(j.Route), c.Worker, millis(c.Now))
}

// LapseCopies puts copy requests whose lease has ended back into the queue and
// returns their number.
func (s *Store) LapseCopies(ctx context.Context, now, far time.Time, most int, retry func(failures int) time.Duration) (int, error) {
	const query = `
		SELECT c.org_id, c.invoice_id, c.device_id, c.failures, s.attempts, a.claimed_at
		FROM copy_request c
		JOIN submission s ON s.org_id = c.org_id AND s.invoice_id = c.invoice_id
		JOIN attempt a ON a.org_id = s.org_id AND a.invoice_id = s.invoice_id AND a.number = s.attempts
		WHERE c.state = 'sending' AND (c.lease_until <= $1 OR c.lease_until > $3)
		ORDER BY c.lease_until
		LIMIT $2`
	at, lapsed := s.now(), map[org.Tenant][]submit.Result{}
	_, err := database.All(ctx, s.db, query, []any{millis(now), most, millis(far)}, func(row scanner) (struct{}, error) {
		r := submit.Result{At: at, Event: ledger.Lapse, Route: ledger.ByClearance, Copy: true}
		var of uuid.UUID
		var failures int
		err := row.Scan(&of, &r.Invoice, &r.Device, &failures, &r.Attempt, instant{&r.ClaimedAt})
		r.Due = at.Add(retry(failures + 1))
		lapsed[org.TenantOf(of)] = append(lapsed[org.TenantOf(of)], r)
		return struct{}{}, err
	})
	n, failed := s.recordAll(ctx, lapsed)
	return n, errors.Join(err, failed)
}

// StopCopies stops and returns the requests for documents that may have been
// accepted before the given time.
func (s *Store) StopCopies(ctx context.Context, before time.Time, most int) (stopped []submit.Stopped, err error) {
	const query = `SELECT org_id, invoice_id FROM copy_request WHERE state = 'waiting' AND since <= $1 LIMIT $2`
	found, err := database.All(ctx, s.db, query, []any{millis(before), most}, func(row scanner) (one submit.Stopped, err error) {
		var of uuid.UUID
		err = row.Scan(&of, &one.Invoice)
		one.Tenant = org.TenantOf(of)
		return one, err
	})
	for _, one := range found {
		n := 0
		failed := s.write(ctx, func(t *tx) (err error) {
			const stop = `UPDATE copy_request SET state = 'stopped', stopped = $3 WHERE org_id = $1 AND invoice_id = $2 AND state = 'waiting'`
			if n, err = t.moved(stop, one.Tenant.ID(), one.Invoice, submit.CopyExpired); err != nil || n == 0 {
				return err
			}
			return t.event(bySystem(one.Tenant), "invoice.copy_stopped", one.Invoice.String(), map[string]any{"why": submit.CopyExpired})
		})
		if err = errors.Join(err, failed); failed == nil && n == 1 {
			stopped = append(stopped, one)
		}
		if failed != nil && transient(ctx, failed) {
			break
		}
	}
	return stopped, err
}

// Unstamped is a cleared document without its stamped copy.
type Unstamped struct {
	Organisation uuid.UUID
	Invoice      uuid.UUID
	Number       string
	Stopped      string // why the copy is not requested any more; empty if it still is
}

// Unstamped returns up to most cleared documents without their stamped copy.
// Documents whose copy is not requested any more are first.
func (s *Store) Unstamped(ctx context.Context, most int) ([]Unstamped, error) {
	const query = `
		SELECT c.org_id, c.invoice_id, i.ref_num, c.stopped
		FROM copy_request c
		JOIN invoice i ON i.org_id = c.org_id AND i.id = c.invoice_id
		WHERE c.state <> 'arrived'
		ORDER BY c.stopped = '', c.since, c.invoice_id
		LIMIT $1`
	return database.All(ctx, s.db, query, []any{most}, func(row scanner) (u Unstamped, err error) {
		err = row.Scan(&u.Organisation, &u.Invoice, &u.Number, &u.Stopped)
		return u, err
	})
}
