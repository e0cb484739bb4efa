package store

import (
	"context"
	"errors"
	"time"

	"khatm/service/internal/org"
)

const monthForm = time.DateOnly

const usageQuery = `
	SELECT ` + planColumns + `, coalesce(u.invoices, 0), coalesce(u.validations, 0)
	FROM organisation o
	JOIN plan p ON p.slug = o.plan
	LEFT JOIN usage u ON u.org_id = o.id AND u.month = $2
	WHERE o.id = $1`

// Usage returns an organisation's usage of its plan in the month of at.
func (s *Store) Usage(ctx context.Context, of org.Tenant, at time.Time) (org.Usage, error) {
	u := org.Usage{Month: org.UsageMonth(at)}
	into := append(planInto(&u.Plan), &u.Invoices, &u.Validations)
	err := s.db.One(ctx, errNoOrganisation(), usageQuery, []any{of.ID(), u.Month.Format(monthForm)}, into...)
	return u, err
}

// Used is Usage without the plan, for callers that already have it.
func (s *Store) Used(ctx context.Context, of org.Tenant, at time.Time) (org.Usage, error) {
	u := org.Usage{Month: org.UsageMonth(at)}
	const query = `SELECT invoices, validations FROM usage WHERE org_id = $1 AND month = $2`
	return u, s.db.One(ctx, nil, query, []any{of.ID(), u.Month.Format(monthForm)}, &u.Invoices, &u.Validations)
}

// TakeWrite counts a write in a month and returns true, or returns false if the
// ceiling is reached. Callers return unused writes with GiveWriteBack. So
// refused requests are not counted, and concurrent requests cannot exceed the
// ceiling.
func (s *Store) TakeWrite(ctx context.Context, of org.Tenant, month time.Time, ceiling int) (bool, error) {
	err := s.write(ctx, func(t *tx) error {
		if ceiling <= 0 {
			return errSpent
		}
		const take = `
			INSERT INTO fair_use (org_id, month, writes)
			VALUES ($1, $2, 1)
			ON CONFLICT (org_id, month) DO UPDATE SET writes = fair_use.writes + 1
			WHERE fair_use.writes < $3`
		return t.ExecOne(errSpent, take, of.ID(), month.Format(monthForm), ceiling)
	})
	if errors.Is(err, errSpent) {
		return false, nil
	}
	return err == nil, err
}

// TakeVisit counts a call of the public tools by an organisation's members in
// the month of at, unless the ceiling is reached. It returns the current count
// and whether the call was counted.
func (s *Store) TakeVisit(ctx context.Context, of org.Tenant, at time.Time, ceiling int) (used int, taken bool, err error) {
	month := org.UsageMonth(at).Format(monthForm)
	err = s.write(ctx, func(t *tx) error {
		const take = `
			INSERT INTO usage (org_id, month, invoices, validations)
			VALUES ($1, $2, 0, 1)
			ON CONFLICT (org_id, month) DO UPDATE SET validations = usage.validations + 1
			WHERE usage.validations < $3`
		return t.ExecOne(errSpent, take, of.ID(), month, ceiling)
	})
	if err != nil && !errors.Is(err, errSpent) {
		return 0, false, err
	}
	taken = err == nil
	err = s.db.One(ctx, nil, `SELECT validations FROM usage WHERE org_id = $1 AND month = $2`, []any{of.ID(), month}, &used)
	return used, taken, err
}

var errSpent = errors.New("ceiling is reached")

// GiveWriteBack undoes one TakeWrite.
func (s *Store) GiveWriteBack(ctx context.Context, of org.Tenant, month time.Time) error {
	return s.write(ctx, func(t *tx) error {
		return t.Exec(`UPDATE fair_use SET writes = writes - 1 WHERE org_id = $1 AND month = $2 AND writes > 0`, of.ID(), month.Format(monthForm))
	})
}

// Writes returns how many writes were counted in a month.
func (s *Store) Writes(ctx context.Context, of org.Tenant, month time.Time) (int, error) {
	n := 0
	err := s.db.One(ctx, nil, `SELECT writes FROM fair_use WHERE org_id = $1 AND month = $2`, []any{of.ID(), month.Format(monthForm)}, &n)
	return n, err
}
