package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"khatm/service/internal/device"
	"khatm/service/internal/org"
)

// install writes down, once, that this database is an installation, and gives
// it its first plans.
func (s *Store) install(ctx context.Context) error {
	var there int
	if err := s.readers.QueryRowContext(ctx, `SELECT count(*) FROM installation`).Scan(&there); err != nil {
		return s.outage(err)
	}
	if there == 1 {
		return nil
	}
	return s.write(ctx, func(t *tx) error {
		const installation = `
			INSERT INTO installation (one, id, created_at)
			VALUES (1, $1, $2)
			ON CONFLICT (one) DO NOTHING`
		if err := t.exec(installation, s.newID(), millis(s.now())); err != nil {
			return fmt.Errorf("write the installation: %w", err)
		}
		for i, p := range org.FirstPlans() {
			const plan = `
				INSERT INTO plan (slug, name, name_arabic, invoices, writes, api, position)
				VALUES ($1, $2, $3, $4, $5, $6, $7)
				ON CONFLICT (slug) DO NOTHING`
			if err := t.exec(plan, p.Slug, p.Name, p.NameArabic, p.Invoices, p.Writes, bit(p.API), i+1); err != nil {
				return fmt.Errorf("write plan %s: %w", p.Slug, err)
			}
		}
		return nil
	})
}

// Environment is the authority that this database has served; empty before
// the first server.
func (s *Store) Environment(ctx context.Context) (device.Environment, error) {
	var kept sql.NullString
	err := s.one(ctx, errors.New("the database is not an installation"), `SELECT environment FROM installation WHERE one = 1`, nil, &kept)
	return device.Environment(kept.String), err
}

// Stamp ties the database to an environment at first use. From then on every
// other is refused: a chain of one authority's documents must not go on with
// another's.
func (s *Store) Stamp(ctx context.Context, e device.Environment) error {
	err := s.write(ctx, func(t *tx) error {
		return t.exec(`UPDATE installation SET environment = $1 WHERE one = 1 AND environment IS NULL`, string(e))
	})
	if err != nil {
		return err
	}
	kept, err := s.Environment(ctx)
	if err != nil || kept == e {
		return err
	}
	return fmt.Errorf("this database belongs to the authority's %s environment and the server was started for %s: start it with --authority %s, or give it another database", kept, e, kept)
}
