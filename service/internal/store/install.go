package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"khatm/service/internal/database"
	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// install marks a new database as an installation and inserts the first plans.
func (s *Store) install(ctx context.Context) error {
	var there int
	if err := s.db.QueryRowContext(ctx, `SELECT count(*) FROM installation`).Scan(&there); err != nil {
		return database.Outage(err)
	}
	if there == 1 {
		return nil
	}
	return s.write(ctx, func(t *tx) error {
		const installation = `
			INSERT INTO installation (one, id, created_at)
			VALUES (1, $1, $2)
			ON CONFLICT (one) DO NOTHING`
		if err := t.Exec(installation, s.newID(), millis(s.now())); err != nil {
			return fmt.Errorf("write the installation: %w", err)
		}
		for i, p := range org.FirstPlans() {
			const plan = `
				INSERT INTO plan (slug, name, name_arabic, invoices, writes, api, position)
				VALUES ($1, $2, $3, $4, $5, $6, $7)
				ON CONFLICT (slug) DO NOTHING`
			if err := t.Exec(plan, p.Slug, p.Name, p.NameArabic, p.Invoices, p.Writes, bit(p.API), i+1); err != nil {
				return fmt.Errorf("write plan %s: %w", p.Slug, err)
			}
		}
		return nil
	})
}

var errNotInstalled = errors.New("the database has no installation")

// Environment returns the authority's environment that this database belongs
// to, or "" if it is not chosen yet.
func (s *Store) Environment(ctx context.Context) (device.Environment, error) {
	var kept sql.NullString
	err := s.db.One(ctx, errNotInstalled, `SELECT environment FROM installation WHERE one = 1`, nil, &kept)
	return device.Environment(kept.String), err
}

// Stamp binds the database to an environment at its first use and returns an
// error for any other one, because a chain of documents must not continue with
// another authority.
func (s *Store) Stamp(ctx context.Context, e device.Environment) error {
	err := s.write(ctx, func(t *tx) error {
		return t.Exec(`UPDATE installation SET environment = $1 WHERE one = 1 AND environment IS NULL`, string(e))
	})
	if err != nil {
		return err
	}
	kept, err := s.Environment(ctx)
	if err != nil || kept == e {
		return err
	}
	return fmt.Errorf("the database belongs to the authority's %s environment and the server was started for %s: start it with --authority %s, or use another database", kept, e, kept)
}

// ChooseEnvironment assigns the database to an environment, on behalf of by. It
// returns EnvironmentFixed if the database belongs to another one. Choosing the
// same one again changes nothing.
func (s *Store) ChooseEnvironment(ctx context.Context, by org.Actor, e device.Environment) error {
	return s.write(ctx, func(t *tx) error { return t.chooseEnvironment(by, e) })
}

func (t *tx) chooseEnvironment(by org.Actor, e device.Environment) error {
	const choose = `
		UPDATE installation
		SET environment = $1
		WHERE one = 1
			AND environment IS NULL`
	taken := errors.New("the environment is chosen")
	err := t.ExecOne(taken, choose, string(e))
	if err == nil {
		return t.event(by, "environment.choose", string(e), nil)
	}
	if !errors.Is(err, taken) {
		return err
	}
	var kept string
	if err := t.QueryRow(`SELECT environment FROM installation WHERE one = 1`).Scan(&kept); err != nil {
		return fmt.Errorf("read the environment: %w", err)
	}
	if kept != string(e) {
		return fault.New(fault.EnvironmentFixed, "This installation belongs to the authority's %s environment, which cannot be changed.", kept)
	}
	return nil
}

// MasterKey returns the id of the master key that this installation needs, or
// "" before the first secret is sealed.
func (s *Store) MasterKey(ctx context.Context) (string, error) {
	var kept sql.NullString
	err := s.db.One(ctx, errNotInstalled, `SELECT master_key FROM installation WHERE one = 1`, nil, &kept)
	return kept.String, err
}

// TieMasterKey binds the installation to a master key unless it already has
// one. It returns the id of the key that it is bound to.
func (s *Store) TieMasterKey(ctx context.Context, id string) (string, error) {
	kept, err := s.MasterKey(ctx)
	if err != nil || kept != "" {
		return kept, err
	}
	err = s.write(ctx, func(t *tx) error {
		return t.Exec(`UPDATE installation SET master_key = $1 WHERE one = 1 AND master_key IS NULL`, id)
	})
	if err != nil {
		return "", fmt.Errorf("bind the installation to master key %s: %w", id, err)
	}
	return s.MasterKey(ctx)
}

// ChangeMasterKey binds the installation to another master key. All secrets
// must already be sealed with it.
func (s *Store) ChangeMasterKey(ctx context.Context, by org.Actor, id string) error {
	return s.write(ctx, func(t *tx) error {
		if err := t.ExecOne(errNotInstalled, `UPDATE installation SET master_key = $1 WHERE one = 1`, id); err != nil {
			return err
		}
		return t.event(by, "vault.rewrap", id, nil)
	})
}
