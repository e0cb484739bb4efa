package store

import (
	"context"

	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

const planColumns = `p.slug, p.name, p.name_arabic, p.invoices, p.writes, p.api`

func planInto(p *org.Plan) []any {
	return []any{&p.Slug, &p.Name, &p.NameArabic, &p.Invoices, &p.Writes, &p.API}
}

// Plans returns the plans, smallest first.
func (s *Store) Plans(ctx context.Context) ([]org.Plan, error) {
	const query = `
		SELECT ` + planColumns + `
		FROM plan p
		ORDER BY p.position`
	return database.All(ctx, s.db, query, nil, func(row scanner) (org.Plan, error) {
		var p org.Plan
		err := row.Scan(planInto(&p)...)
		return p, err
	})
}

// ChangePlan locks a plan, calls change with it and writes the result.
func (s *Store) ChangePlan(ctx context.Context, by org.Actor, slug string, change func(*org.Plan) error) (org.Plan, error) {
	var p org.Plan
	err := s.write(ctx, func(t *tx) error {
		const read = `SELECT ` + planColumns + ` FROM plan p WHERE p.slug = $1`
		if err := t.QueryRow(read+s.dialect.LockRow, slug).Scan(planInto(&p)...); err != nil {
			return missingIf(err, "Plan")
		}
		if err := change(&p); err != nil {
			return err
		}
		p.Slug = slug
		const update = `
			UPDATE plan
			SET name = $1, name_arabic = $2, invoices = $3, writes = $4, api = $5
			WHERE slug = $6`
		if err := t.ExecOne(fault.Missing("Plan"), update, p.Name, p.NameArabic, p.Invoices, p.Writes, bit(p.API), p.Slug); err != nil {
			return err
		}
		return t.event(by, "plan.set", p.Slug, map[string]any{"invoices": p.Invoices, "writes": p.Writes, "api": p.API})
	})
	return p, err
}
