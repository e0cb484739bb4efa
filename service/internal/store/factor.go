package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/google/uuid"

	"khatm/service/internal/account"
	"khatm/service/internal/database"
	"khatm/service/internal/org"
)

// factorQuery selects the second factor of the person $1.
const factorQuery = `
	SELECT f.person_id, f.sealed, f.created_at, f.expires_at, f.active_at, f.last_step, (
		SELECT count(*) FROM recovery_code c WHERE c.person_id = f.person_id AND c.used_at IS NULL
	)
	FROM second_factor f
	WHERE f.person_id = $1`

func scanFactor(row scanner) (account.Factor, error) {
	var f account.Factor
	var expires, active sql.NullInt64
	err := row.Scan(&f.Person, &f.Sealed, instant{&f.CreatedAt}, &expires, &active, &f.LastStep, &f.Recovery)
	if t := timeOrNil(expires); t != nil {
		f.Expires = *t
	}
	if t := timeOrNil(active); t != nil {
		f.ActiveAt = *t
	}
	return f, err
}

// Factor returns the second factor of a user, or account.ErrUnknown.
func (s *Store) Factor(ctx context.Context, person uuid.UUID) (account.Factor, error) {
	return database.First(ctx, s.db, account.ErrUnknown, factorQuery, []any{person}, scanFactor)
}

// factor returns the second factor of a user, or account.ErrUnknown. It locks the
// user, so that sign-ins and changes of the factor happen one after the other.
func (t *tx) factor(person uuid.UUID) (account.Factor, error) {
	const lock = `SELECT id FROM person WHERE id = $1`
	if err := t.QueryRow(lock+t.store.dialect.LockRow, person).Scan(&person); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return account.Factor{}, err
	}
	f, err := scanFactor(t.QueryRow(factorQuery, person))
	if errors.Is(err, sql.ErrNoRows) {
		err = account.ErrUnknown
	}
	return f, err
}

// AddFactor stores a second factor that is not active yet, in place of another such
// one. It returns account.ErrFactor if the user has an active one.
func (s *Store) AddFactor(ctx context.Context, f account.Factor) error {
	return s.write(ctx, func(t *tx) error {
		kept, err := t.factor(f.Person)
		if err != nil && !errors.Is(err, account.ErrUnknown) {
			return err
		}
		if kept.Active() {
			return account.ErrFactor
		}
		if err := t.Exec(`DELETE FROM second_factor WHERE person_id = $1`, f.Person); err != nil {
			return err
		}
		const insert = `
			INSERT INTO second_factor (person_id, sealed, created_at, expires_at, last_step)
			VALUES ($1, $2, $3, $4, 0)`
		return t.Exec(insert, f.Person, f.Sealed, millis(f.CreatedAt), millis(f.Expires))
	})
}

// ActivateFactor makes a second factor active, if it has not expired when the
// session is opened. It replaces the recovery codes and all sessions of the user.
func (s *Store) ActivateFactor(ctx context.Context, by org.Actor, prove account.Prove, recovery [][]byte, o account.Opening) error {
	return s.write(ctx, func(t *tx) error {
		f, err := t.factor(o.Person)
		if err != nil {
			return err
		}
		if f.Active() || !f.Expires.After(o.From) {
			return account.ErrUnknown
		}
		proof, err := prove(f)
		if err != nil {
			return err
		}
		const activate = `UPDATE second_factor SET active_at = $1, expires_at = NULL, last_step = $2 WHERE person_id = $3`
		if err := t.Exec(activate, millis(o.From), proof.Step, o.Person); err != nil {
			return err
		}
		if err := t.replaceRecovery(o.Person, recovery); err != nil {
			return err
		}
		if err := t.Exec(`DELETE FROM session WHERE person_id = $1`, o.Person); err != nil {
			return err
		}
		if err := t.addSession(o); err != nil {
			return err
		}
		return t.personEvent(by, o.Person, "second_factor.add")
	})
}

// ReplaceRecovery replaces the recovery codes of a user with an active second
// factor.
func (s *Store) ReplaceRecovery(ctx context.Context, by org.Actor, person uuid.UUID, prove account.Prove, recovery [][]byte) error {
	return s.write(ctx, func(t *tx) error {
		if err := t.prove(person, prove); err != nil {
			return err
		}
		if err := t.replaceRecovery(person, recovery); err != nil {
			return err
		}
		return t.personEvent(by, person, "second_factor.codes")
	})
}

func (t *tx) replaceRecovery(person uuid.UUID, recovery [][]byte) error {
	if err := t.Exec(`DELETE FROM recovery_code WHERE person_id = $1`, person); err != nil {
		return err
	}
	for _, digest := range recovery {
		if err := t.Exec(`INSERT INTO recovery_code (person_id, digest) VALUES ($1, $2)`, person, digest); err != nil {
			return err
		}
	}
	return nil
}

// RemoveFactor deletes the active second factor of a user. Without prove it ends
// the user's sessions.
func (s *Store) RemoveFactor(ctx context.Context, by org.Actor, person uuid.UUID, prove account.Prove) error {
	return s.write(ctx, func(t *tx) error {
		if err := t.prove(person, prove); err != nil {
			return err
		}
		if err := t.replaceRecovery(person, nil); err != nil {
			return err
		}
		if err := t.Exec(`DELETE FROM second_factor WHERE person_id = $1`, person); err != nil {
			return err
		}
		if prove == nil {
			if err := t.Exec(`DELETE FROM session WHERE person_id = $1`, person); err != nil {
				return err
			}
		}
		return t.personEvent(by, person, "second_factor.remove")
	})
}

// prove uses up a code of the active second factor of a user, unless prove is nil.
// It returns account.ErrUnknown if there is no such factor.
func (t *tx) prove(person uuid.UUID, prove account.Prove) error {
	f, err := t.factor(person)
	if err == nil && !f.Active() {
		err = account.ErrUnknown
	}
	if err != nil || prove == nil {
		return err
	}
	return t.use(f, prove)
}

// proveSession checks the second factor of a user who signs in.
func (t *tx) proveSession(o account.Opening) error {
	if o.Proven {
		return nil
	}
	f, err := t.factor(o.Person)
	switch {
	case errors.Is(err, account.ErrUnknown), err == nil && !f.Active():
		return nil
	case err == nil && o.Prove == nil:
		return account.ErrFactor
	case err != nil:
		return err
	}
	return t.use(f, o.Prove)
}

// use uses up a code. The conditions refuse a code that was used before.
func (t *tx) use(f account.Factor, prove account.Prove) error {
	proof, err := prove(f)
	if err != nil {
		return err
	}
	if proof.Recovery == nil {
		const use = `UPDATE second_factor SET last_step = $1 WHERE person_id = $2 AND last_step < $1`
		return t.ExecOne(account.ErrWrongCode, use, proof.Step, f.Person)
	}
	const use = `UPDATE recovery_code SET used_at = $1 WHERE person_id = $2 AND digest = $3 AND used_at IS NULL`
	return t.ExecOne(account.ErrWrongCode, use, millis(t.store.now()), f.Person, proof.Recovery)
}

// personEvent writes an entry about the account of a user. If the actor acts for no
// organisation, the entry is written for each organisation of the user, or for the
// installation if the user has none.
func (t *tx) personEvent(by org.Actor, person uuid.UUID, action string) error {
	if !by.Tenant.IsZero() {
		return t.event(by, action, person.String(), nil)
	}
	of, err := t.organisationsOf(person)
	if err != nil {
		return err
	}
	if len(of) == 0 {
		of = append(of, org.Tenant{})
	}
	for _, one := range of {
		by.Tenant = one
		if err := t.event(by, action, person.String(), nil); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) organisationsOf(person uuid.UUID) (of []org.Tenant, err error) {
	rows, err := t.Query(`SELECT org_id FROM membership WHERE person_id = $1 ORDER BY org_id`, person)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id uuid.UUID
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		of = append(of, org.TenantOf(id))
	}
	return of, rows.Err()
}
