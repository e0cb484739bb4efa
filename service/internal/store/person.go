package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/account"
	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

const personColumns = `id, email, name, disabled, created_at`

func personInto(p *org.Person) []any {
	return []any{&p.ID, &p.Email, &p.Name, &p.Disabled, instant{&p.CreatedAt}}
}

// AddPerson inserts a user. password is the hash of the password.
func (s *Store) AddPerson(ctx context.Context, by org.Actor, p org.Person, password string) error {
	return s.write(ctx, func(t *tx) error { return t.addPerson(by, p, password) })
}

// AddMember inserts a user and makes them a member of the actor's organisation,
// in one transaction.
func (s *Store) AddMember(ctx context.Context, by org.Actor, p org.Person, password string, role org.Role) error {
	return s.write(ctx, func(t *tx) error {
		if err := t.addPerson(by, p, password); err != nil {
			return err
		}
		return t.addMembership(by, p.ID, role)
	})
}

func (t *tx) addPerson(by org.Actor, p org.Person, password string) error {
	const insert = `
		INSERT INTO person (` + personColumns + `, password)
		VALUES ($1, $2, $3, $4, $5, $6)`
	err := t.Exec(insert, p.ID, p.Email, p.Name, bit(p.Disabled), millis(p.CreatedAt), password)
	if database.IsDuplicate(err) {
		return fault.New(fault.AlreadyExists, "An account with this e-mail address already exists.").Arabic("يوجد حساب بهذا البريد الإلكتروني.").
			Advise("Use another e-mail address, or sign in.", "استخدم بريدًا إلكترونيًا آخر، أو سجّل الدخول.")
	}
	if err != nil {
		return err
	}
	return t.event(by, "person.create", p.ID.String(), nil)
}

// SetPassword changes the password hash of a user and ends all their sessions.
func (s *Store) SetPassword(ctx context.Context, by org.Actor, person uuid.UUID, password string) error {
	return s.write(ctx, func(t *tx) error {
		if err := t.ExecOne(fault.Missing("Person"), `UPDATE person SET password = $1 WHERE id = $2`, password, person); err != nil {
			return err
		}
		return t.passwordChanged(by, person)
	})
}

// ReplacePassword is SetPassword if the hash of the password is from; otherwise it
// returns account.ErrUnknown.
func (s *Store) ReplacePassword(ctx context.Context, by org.Actor, person uuid.UUID, from, to string) error {
	return s.write(ctx, func(t *tx) error {
		const update = `UPDATE person SET password = $1 WHERE id = $2 AND password = $3 AND disabled = 0`
		if err := t.ExecOne(account.ErrUnknown, update, to, person, from); err != nil {
			return err
		}
		return t.passwordChanged(by, person)
	})
}

// passwordChanged ends all sessions and links of a user whose password has
// changed.
func (t *tx) passwordChanged(by org.Actor, person uuid.UUID) error {
	if err := t.signOut(person); err != nil {
		return err
	}
	return t.event(by, "person.password", person.String(), nil)
}

// signOut ends the sessions of a user and revokes the links that work for them.
func (t *tx) signOut(person uuid.UUID) error {
	if err := t.Exec(`DELETE FROM session WHERE person_id = $1`, person); err != nil {
		return err
	}
	return t.revokeLinks(person)
}

// RenamePerson changes the name of a user.
func (s *Store) RenamePerson(ctx context.Context, by org.Actor, person uuid.UUID, name string) (p org.Person, err error) {
	err = s.write(ctx, func(t *tx) error {
		const update = `UPDATE person SET name = $1 WHERE id = $2 RETURNING ` + personColumns
		if err := t.QueryRow(update, name, person).Scan(personInto(&p)...); err != nil {
			return missingIf(err, "Person")
		}
		return t.event(by, "person.rename", person.String(), nil)
	})
	return p, err
}

// DisablePerson disables or enables a user and ends their sessions.
func (s *Store) DisablePerson(ctx context.Context, by org.Actor, person uuid.UUID, disabled bool) error {
	return s.write(ctx, func(t *tx) error {
		if err := t.ExecOne(fault.Missing("Person"), `UPDATE person SET disabled = $1 WHERE id = $2`, bit(disabled), person); err != nil {
			return err
		}
		if err := t.signOut(person); err != nil {
			return err
		}
		if err := t.Exec(`DELETE FROM known_network WHERE person_id = $1`, person); err != nil {
			return err
		}
		return t.event(by, "person.disable", person.String(), map[string]any{"disabled": disabled})
	})
}

// PersonByEmail returns a user and the hash of their password, or
// account.ErrUnknown.
func (s *Store) PersonByEmail(ctx context.Context, email string) (org.Person, string, error) {
	var p org.Person
	var password string
	const query = `SELECT ` + personColumns + `, password FROM person WHERE email = $1`
	err := s.db.One(ctx, account.ErrUnknown, query, []any{email}, append(personInto(&p), &password)...)
	return p, password, err
}

// AddSession inserts a session. It stores the digest of the token, never the
// token itself. If a password is given, AddSession returns account.ErrUnknown
// if the user's password hash has changed or the user is disabled. The row is
// locked, so that neither can happen before the session is written. A code of a
// second factor is used up with the session.
func (s *Store) AddSession(ctx context.Context, o account.Opening) error {
	return s.write(ctx, func(t *tx) error {
		if o.Password != "" {
			const holds = `SELECT id FROM person WHERE id = $1 AND password = $2 AND disabled = 0`
			err := t.QueryRow(holds+t.store.dialect.LockRow, o.Person, o.Password).Scan(&o.Person)
			if errors.Is(err, sql.ErrNoRows) {
				return account.ErrUnknown
			}
			if err != nil {
				return err
			}
		}
		if err := t.proveSession(o); err != nil {
			return err
		}
		return t.addSession(o)
	})
}

func (t *tx) addSession(o account.Opening) error {
	if err := t.Exec(`DELETE FROM session WHERE expires_at <= $1`, millis(o.From)); err != nil {
		return err
	}
	const insert = `INSERT INTO session (digest, person_id, created_at, expires_at) VALUES ($1, $2, $3, $4)`
	if err := t.Exec(insert, o.Digest, o.Person, millis(o.From), millis(o.Until)); err != nil {
		return err
	}
	return t.addNetwork(o)
}

// addNetwork stores the network of a sign-in, if it has one, and deletes networks
// that are no longer known.
func (t *tx) addNetwork(o account.Opening) error {
	if o.Network == nil {
		return nil
	}
	if err := t.Exec(`DELETE FROM known_network WHERE seen_at <= $1`, millis(o.Forget)); err != nil {
		return err
	}
	const insert = `
		INSERT INTO known_network (digest, person_id, seen_at)
		VALUES ($1, $2, $3)
		ON CONFLICT (digest) DO UPDATE SET seen_at = excluded.seen_at`
	if err := t.Exec(insert, o.Network, o.Person, millis(o.From)); err != nil {
		return err
	}
	const oldest = `
		DELETE FROM known_network
		WHERE person_id = $1 AND digest NOT IN (
			SELECT digest FROM known_network
			WHERE person_id = $1
			ORDER BY seen_at DESC, digest
			LIMIT $2
		)`
	return t.Exec(oldest, o.Person, o.Networks)
}

// KnowsNetwork reports whether a network was stored with a session after the given
// time.
func (s *Store) KnowsNetwork(ctx context.Context, digest []byte, after time.Time) (bool, error) {
	var known int
	const query = `SELECT count(*) FROM known_network WHERE digest = $1 AND seen_at > $2`
	err := s.db.One(ctx, account.ErrUnknown, query, []any{digest, millis(after)}, &known)
	return known > 0, err
}

// EndSession ends a session.
func (s *Store) EndSession(ctx context.Context, digest []byte) error {
	return s.write(ctx, func(t *tx) error { return t.Exec(`DELETE FROM session WHERE digest = $1`, digest) })
}

// EndSessions ends all sessions of a user.
func (s *Store) EndSessions(ctx context.Context, person uuid.UUID) error {
	return s.write(ctx, func(t *tx) error { return t.Exec(`DELETE FROM session WHERE person_id = $1`, person) })
}

// Visitor returns the user of a session and their organisations that are not
// deactivated. It returns account.ErrUnknown if the session does not exist or
// has expired, or if the user is disabled.
func (s *Store) Visitor(ctx context.Context, digest []byte, now time.Time) (org.Visitor, error) {
	var v org.Visitor
	const person = `
		SELECT q.id, q.email, q.name, q.disabled, q.created_at, s.expires_at
		FROM session s
		JOIN person q ON q.id = s.person_id
		WHERE s.digest = $1 AND s.expires_at > $2 AND q.disabled = 0`
	if err := s.db.One(ctx, account.ErrUnknown, person, []any{digest, millis(now)}, append(personInto(&v.Person), instant{&v.Until})...); err != nil {
		return v, err
	}
	const memberships = `
		SELECT o.id, o.name, o.name_arabic, o.status, m.role, ` + planColumns + `
		FROM membership m
		JOIN organisation o ON o.id = m.org_id
		JOIN plan p ON p.slug = o.plan
		WHERE m.person_id = $1 AND o.status <> 'deactivated'
		ORDER BY o.id`
	var err error
	v.Memberships, err = database.All(ctx, s.db, memberships, []any{v.Person.ID}, func(row scanner) (org.Membership, error) {
		var m org.Membership
		err := row.Scan(append([]any{&m.Organisation, &m.OrganisationName, &m.ArabicName, &m.Status, &m.Role}, planInto(&m.Plan)...)...)
		return m, err
	})
	return v, err
}
