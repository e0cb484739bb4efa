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

// Usage reads what an organisation has used of its plan in the month of an
// instant.
func (s *Store) Usage(ctx context.Context, of org.Tenant, at time.Time) (org.Usage, error) {
	u := org.Usage{Month: org.UsageMonth(at)}
	into := append(planInto(&u.Plan), &u.Invoices, &u.Validations)
	err := s.db.One(ctx, errNoOrganisation(), usageQuery, []any{of.ID(), u.Month.Format(monthForm)}, into...)
	return u, err
}

// Used reads the same without the plan, for whoever has it already.
func (s *Store) Used(ctx context.Context, of org.Tenant, at time.Time) (org.Usage, error) {
	u := org.Usage{Month: org.UsageMonth(at)}
	const query = `SELECT invoices, validations FROM usage WHERE org_id = $1 AND month = $2`
	return u, s.db.One(ctx, nil, query, []any{of.ID(), u.Month.Format(monthForm)}, &u.Invoices, &u.Validations)
}

// TakeWrite counts a write of fair use in a month, unless as many as the
// ceiling were counted; then it says no. What is taken and not used is given
// back, so that refused requests are not counted and no two pass where one may.
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

// TakeVisit counts a call of an organisation's people on the public tools in the
// month of an instant, unless as many as the ceiling were counted. It says how
// many there are now, and whether this one is among them.
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

var errSpent = errors.New("spent")

// GiveWriteBack takes back a count of TakeWrite.
func (s *Store) GiveWriteBack(ctx context.Context, of org.Tenant, month time.Time) error {
	return s.write(ctx, func(t *tx) error {
		return t.Exec(`UPDATE fair_use SET writes = writes - 1 WHERE org_id = $1 AND month = $2 AND writes > 0`, of.ID(), month.Format(monthForm))
	})
}

// Writes is how many writes of fair use were counted in a month.
func (s *Store) Writes(ctx context.Context, of org.Tenant, month time.Time) (int, error) {
	n := 0
	err := s.db.One(ctx, nil, `SELECT writes FROM fair_use WHERE org_id = $1 AND month = $2`, []any{of.ID(), month.Format(monthForm)}, &n)
	return n, err
}
