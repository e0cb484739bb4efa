package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/submit"
)

// skipLocked returns the clause for a SELECT that locks rows and skips those
// already locked.
func (s *Store) skipLocked() string {
	if s.dialect.LockRow == "" {
		return ""
	}
	return s.dialect.LockRow + " SKIP LOCKED"
}

// Claim claims queued documents for sending. See submit.Keeper.
func (s *Store) Claim(ctx context.Context, c submit.Claiming) (submit.Claimed, error) {
	var out submit.Claimed
	if c.Most <= 0 {
		return out, nil // SQLite treats a negative limit as no limit
	}
	turns, err := s.turns(ctx, c)
	if err != nil || len(turns) == 0 {
		return out, err
	}
	err = s.write(ctx, func(t *tx) (err error) {
		out, err = t.claim(c, turns)
		return err
	})
	if errors.Is(err, ErrOtherArchive) {
		return submit.Claimed{}, nil // see CheckArchive
	}
	if err != nil && !transient(ctx, err) {
		out, err = s.claimEach(ctx, c, turns)
	}
	if err != nil {
		return submit.Claimed{}, err
	}
	whole, damaged, err := s.withDocuments(ctx, out.Jobs)
	if err != nil {
		return submit.Claimed{}, err
	}
	s.stopDamaged(ctx, damaged)
	out.Jobs = whole
	return out, nil
}

// turns returns the organisations to claim from, in order. Usually there are
// none. Finding this out needs no transaction.
func (s *Store) turns(ctx context.Context, c submit.Claiming) ([]uuid.UUID, error) {
	switch {
	case !c.Urgent.IsZero():
		return database.All(ctx, s.db, urgentTurn, []any{string(c.Route), millis(c.Urgent), millis(c.Now)}, scanTurn)
	case c.Probe:
		return database.All(ctx, s.db, probeTurn, []any{string(c.Route)}, scanTurn)
	}
	damaged := func(id uuid.UUID) bool { return id == uuid.Nil }
	turns, err := database.All(ctx, s.db, everyTurn, []any{string(c.Route), c.After, c.Most}, scanTurn)
	turns = slices.DeleteFunc(turns, damaged)
	if err != nil || len(turns) == c.Most || c.After == uuid.Nil {
		return turns, err
	}
	first, err := database.All(ctx, s.db, everyTurn, []any{string(c.Route), uuid.Nil, c.Most - len(turns)}, scanTurn)
	for _, id := range first {
		if !damaged(id) && id.String() <= c.After.String() {
			turns = append(turns, id)
		}
	}
	return turns, err
}

// Queries for turns. urgentTurn selects the organisation whose document expires
// first, probeTurn the one with the oldest document in doubt. everyTurn selects
// each organisation with queued documents by one index lookup, regardless of
// its number of rows. Each query must use an index and stop as soon as it has
// found enough.
const (
	urgentTurn = `
		SELECT org_id
		FROM submission
		WHERE state = 'queued' AND expires_at IS NOT NULL AND route = $1 AND expires_at > $3 AND expires_at <= $2
		ORDER BY expires_at
		LIMIT 1`
	probeTurn = `
		SELECT org_id
		FROM submission
		WHERE state = 'queued' AND doubt_at IS NOT NULL AND asked = 0 AND stopped = '' AND route = $1
		ORDER BY doubt_at
		LIMIT 1`
	everyTurn = `
		WITH RECURSIVE turn (org_id) AS (
			SELECT (SELECT s.org_id FROM submission s WHERE s.route = $1 AND s.state = 'queued' AND s.org_id > $2 ORDER BY s.org_id LIMIT 1)
			UNION ALL
			SELECT (SELECT s.org_id FROM submission s WHERE s.route = $1 AND s.state = 'queued' AND s.org_id > turn.org_id ORDER BY s.org_id LIMIT 1)
			FROM turn
			WHERE turn.org_id IS NOT NULL
		)
		SELECT org_id FROM turn WHERE org_id IS NOT NULL LIMIT $3`
)

// scanTurn reads an organisation's id. A damaged id becomes uuid.Nil.
func scanTurn(row scanner) (id uuid.UUID, err error) {
	var text string
	err = row.Scan(&text)
	if id.Scan(text) != nil {
		id = uuid.Nil
	}
	return id, err
}

func scanID(row scanner) (id uuid.UUID, err error) {
	err = row.Scan(&id)
	return id, err
}

// claim claims the share of each organisation. If it fails, the returned jobs
// were picked but not claimed.
func (t *tx) claim(c submit.Claiming, turns []uuid.UUID) (out submit.Claimed, err error) {
	if err := t.store.checkArchive(t.Context(), t); err != nil {
		return out, err
	}
	attempts := rowsOf{t: t, insert: `INSERT INTO attempt (org_id, invoice_id, number, route, worker, claimed_at, sent, took, cause)`}
	left := c.Most
	for i, organisation := range turns {
		share := (left + len(turns) - i - 1) / (len(turns) - i)
		jobs, err := t.pick(c, organisation, min(share, left))
		if err != nil {
			return out, err
		}
		out.Jobs = append(out.Jobs, jobs...)
		if err := t.begin(c, jobs); err != nil {
			return out, err
		}
		for _, j := range jobs {
			if err := attempts.add(j.Tenant.ID(), j.Invoice, j.Attempt, string(j.Route), c.Worker, millis(c.Now), 0, 0, ""); err != nil {
				return out, err
			}
		}
		if len(jobs) > 0 {
			out.Last = organisation
		}
		left -= len(jobs)
	}
	if err := attempts.flush(); err != nil {
		return out, err
	}
	return out, t.store.db.Point("claimed")
}

const (
	pickable = `
		SELECT org_id, invoice_id, device_id, attempts, failures
		FROM submission
		WHERE state = 'queued' AND route = $1 AND (doubt_at IS NULL OR doubt_at > $2 OR asked = 1)
			AND NOT EXISTS (SELECT 1 FROM unarchived u WHERE u.org_id = submission.org_id AND u.invoice_id = submission.invoice_id)`
	pickNext   = pickable + ` AND org_id = $4 ORDER BY deadline LIMIT $3`
	pickUrgent = pickable + ` AND expires_at IS NOT NULL AND expires_at > $5 AND expires_at <= $4 ORDER BY expires_at LIMIT $3`
	pickProbe  = pickable + ` AND doubt_at IS NOT NULL AND asked = 0 AND stopped = '' ORDER BY doubt_at LIMIT $3`
)

// pick locks and returns jobs: of one organisation by deadline, or of all
// organisations by expiry or age of the doubt.
func (t *tx) pick(c submit.Claiming, organisation uuid.UUID, most int) ([]submit.Job, error) {
	query, args := pickNext, []any{string(c.Route), millis(c.Doubt), most, organisation}
	switch {
	case !c.Urgent.IsZero():
		query, args = pickUrgent, []any{string(c.Route), millis(c.Doubt), most, millis(c.Urgent), millis(c.Now)}
	case c.Probe:
		query, args = pickProbe, []any{string(c.Route), millis(c.Doubt), most}
	}
	if excluded := t.store.excluded(); len(excluded) > 0 {
		query = strings.Replace(query, ` ORDER BY`, ` AND invoice_id NOT IN (`+numbered(len(args)+1, len(excluded))+`) ORDER BY`, 1)
		args = append(args, excluded...)
	}
	rows, err := t.Query(query+t.store.skipLocked(), args...)
	picked, err := database.Collect(rows, err, func(row scanner) (submit.Job, error) { return t.store.scanJob(row, c) })
	return slices.DeleteFunc(picked, func(j submit.Job) bool { return j.Invoice == uuid.Nil }), err
}

// scanJob reads a job. A job with damaged ids is excluded from claiming and
// returned as zero.
func (s *Store) scanJob(row scanner, c submit.Claiming) (submit.Job, error) {
	j := submit.Job{Route: c.Route, ClaimedAt: c.Now}
	var ids [3]string
	if err := row.Scan(&ids[0], &ids[1], &ids[2], &j.Attempt, &j.Failures); err != nil {
		return j, err
	}
	var of uuid.UUID
	err := errors.Join(exactID{&of}.Scan(ids[0]), exactID{&j.Invoice}.Scan(ids[1]), exactID{&j.Device}.Scan(ids[2]))
	j.Tenant, j.Attempt = org.TenantOf(of), j.Attempt+1
	if err != nil {
		s.note(j.Tenant, &ledger.Damage{Invoice: j.Invoice, What: "the ids of a submission: " + err.Error()})
		s.exclude(ids[1])
		return submit.Job{}, nil
	}
	return j, nil
}

// begin moves the picked submissions to sending. A submission that is not found
// by its id is damaged and must not be sent, because its result could not be
// recorded.
func (t *tx) begin(c submit.Claiming, jobs []submit.Job) error {
	for of, ids := range byTenant(jobs) {
		args := padded(append([]any{of.ID(), millis(c.LeaseUntil)}, ids...), 2)
		query := `
			UPDATE submission
			SET state = 'sending', attempts = attempts + 1, lease_until = $2, due_at = NULL
			WHERE org_id = $1 AND invoice_id IN (` + numbered(3, len(args)-2) + `)`
		n, err := t.moved(query, args...)
		if err != nil {
			return err
		}
		if n != len(ids) {
			return fmt.Errorf("%d of %d submissions were found by their ids, want all", n, len(ids))
		}
	}
	return nil
}

func byTenant(jobs []submit.Job) map[org.Tenant][]any {
	ids := map[org.Tenant][]any{}
	for _, j := range jobs {
		ids[j.Tenant] = append(ids[j.Tenant], j.Invoice)
	}
	return ids
}

// Credentials returns the token of a device's production certificate and the
// sealed secret that belongs to it, read in one statement so that they match.
func (s *Store) Credentials(ctx context.Context, of org.Tenant, id uuid.UUID, purpose string) (token string, sealed []byte, err error) {
	const query = `
		SELECT d.token, s.sealed
		FROM device d
		JOIN secret s ON s.org_id = d.org_id AND s.purpose = $3 AND s.owner = $4
		WHERE d.org_id = $1 AND d.id = $2`
	err = s.db.One(ctx, errNoCredentials, query, []any{of.ID(), id, purpose, id.String()}, &token, &sealed)
	return token, sealed, err
}

var errNoCredentials = errors.New("device has no credentials")

// expiry returns when the legal time for reporting a document ends, or nil for
// a document that must be cleared.
func expiry(i ledger.Invoice) any {
	if !i.Transaction.Simplified {
		return nil
	}
	return millis(i.CreatedAt.Add(submit.Legal))
}
