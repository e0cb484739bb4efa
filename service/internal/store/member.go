package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/account"
	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// AddMembership makes a user a member of the actor's organisation, or changes
// the role of a member. It returns a LastAdmin fault if no Admin would be left.
func (s *Store) AddMembership(ctx context.Context, by org.Actor, person uuid.UUID, role org.Role) error {
	return s.write(ctx, func(t *tx) error { return t.addMembership(by, person, role) })
}

func (t *tx) addMembership(by org.Actor, person uuid.UUID, role org.Role) error {
	if err := t.lockOrganisation(by.Tenant); err != nil {
		return err
	}
	if role != org.Admin {
		if err := t.keepAdmin(by.Tenant, person); err != nil {
			return err
		}
	}
	const insert = `
		INSERT INTO membership (org_id, person_id, role)
		VALUES ($1, $2, $3)
		ON CONFLICT (org_id, person_id) DO UPDATE SET role = excluded.role`
	if err := t.Exec(insert, by.Tenant.ID(), person, string(role)); err != nil {
		return err
	}
	return t.event(by, "member.add", person.String(), map[string]any{"role": role})
}

// lockOrganisation makes other transactions that change the members of the
// organisation wait. It is taken before locks on people and links.
func (t *tx) lockOrganisation(of org.Tenant) error {
	var id uuid.UUID
	if err := t.QueryRow(`SELECT id FROM organisation WHERE id = $1`+t.store.dialect.LockRow, of.ID()).Scan(&id); err != nil {
		return missingIf(err, "Organisation")
	}
	return nil
}

// lockManaged locks the actor's organisation and checks that the actor may still
// manage its members.
func (t *tx) lockManaged(by org.Actor) error {
	if err := t.lockOrganisation(by.Tenant); err != nil {
		return err
	}
	return t.lockAdmin(by)
}

// keepAdmin returns a LastAdmin fault if a user is the only Admin of an organisation
// whose account is not disabled. The organisation must be locked.
func (t *tx) keepAdmin(of org.Tenant, person uuid.UUID) error {
	const query = `
		SELECT count(CASE WHEN m.person_id = $2 THEN 1 END), count(CASE WHEN m.person_id <> $2 AND q.disabled = 0 THEN 1 END)
		FROM membership m
		JOIN person q ON q.id = m.person_id
		WHERE m.org_id = $1 AND m.role = 'Admin'`
	var own, others int
	if err := t.QueryRow(query, of.ID(), person).Scan(&own, &others); err != nil {
		return fmt.Errorf("count the Admins: %w", err)
	}
	if own > 0 && others == 0 {
		return fault.New(fault.LastAdmin, "The organisation needs an Admin. Make another member Admin first.")
	}
	return nil
}

// lockAdmin locks the membership of a person, so that the person is not removed
// before the transaction ends. It returns a PermissionDenied fault if the person is
// no longer Admin. Other actors need no membership.
func (t *tx) lockAdmin(by org.Actor) error {
	if by.Kind != org.PersonActor {
		return nil
	}
	const query = `SELECT person_id FROM membership WHERE org_id = $1 AND person_id = $2 AND role = 'Admin'`
	var id uuid.UUID
	err := t.QueryRow(query+t.store.dialect.LockRow, by.Tenant.ID(), by.ID).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return fault.New(fault.PermissionDenied, "You are no longer an Admin of the organisation.").Arabic("لم تعد مدير النظام في المنشأة.").
			Advise("Ask an Admin of the organisation.", "اطلب ذلك من مدير النظام في المنشأة.")
	}
	return err
}

// Member is a user with a role in an organisation.
type Member = org.Member

const memberQuery = `
	SELECT q.id, q.email, q.name, q.disabled, q.created_at, m.role,
		(SELECT count(*) FROM api_key k WHERE k.org_id = m.org_id AND k.created_by = q.email AND k.revoked_at IS NULL),
		EXISTS (SELECT 1 FROM second_factor f WHERE f.person_id = q.id AND f.active_at IS NOT NULL),
		(SELECT max(n.seen_at) FROM known_network n WHERE n.person_id = q.id)
	FROM membership m
	JOIN person q ON q.id = m.person_id
	WHERE m.org_id = $1`

func scanMember(row scanner) (Member, error) {
	var m Member
	var seen sql.NullInt64
	err := row.Scan(append(personInto(&m.Person), &m.Role, &m.Keys, &m.SecondFactor, &seen)...)
	m.LastSignIn = timeOrNil(seen)
	return m, err
}

// Members returns the members of an organisation.
func (s *Store) Members(ctx context.Context, of org.Tenant) ([]Member, error) {
	return database.All(ctx, s.db, memberQuery+` ORDER BY q.id`, []any{of.ID()}, scanMember)
}

// MemberPage returns a page of the members of an organisation, newest account first.
func (s *Store) MemberPage(ctx context.Context, of org.Tenant, page org.Page) (org.List[Member], error) {
	rows, err := database.All(ctx, s.db, memberQuery+` AND q.id < $2 ORDER BY q.id DESC LIMIT $3 OFFSET $4`,
		[]any{of.ID(), before(page), page.Size + 1, page.Skip()}, scanMember)
	if err != nil {
		return org.List[Member]{}, err
	}
	list := listOf(rows, page, func(m Member) uuid.UUID { return m.ID })
	err = s.db.One(ctx, nil, `SELECT count(*) FROM membership WHERE org_id = $1`, []any{of.ID()}, &list.Total)
	return list, err
}

// member returns a member and locks the membership.
func (t *tx) member(of org.Tenant, person uuid.UUID) (Member, error) {
	const lock = `SELECT person_id FROM membership WHERE org_id = $1 AND person_id = $2`
	if err := t.QueryRow(lock+t.store.dialect.LockRow, of.ID(), person).Scan(&person); err != nil {
		return Member{}, missingIf(err, "Member")
	}
	return scanMember(t.QueryRow(memberQuery+` AND q.id = $2`, of.ID(), person))
}

// ChangeRole changes the role of a member of the actor's organisation. It returns a
// LastAdmin fault if no Admin would be left.
func (s *Store) ChangeRole(ctx context.Context, by org.Actor, person uuid.UUID, role org.Role) (m Member, err error) {
	err = s.write(ctx, func(t *tx) error {
		if err := t.lockManaged(by); err != nil {
			return err
		}
		if m, err = t.member(by.Tenant, person); err != nil {
			return err
		}
		if role != org.Admin {
			if err := t.keepAdmin(by.Tenant, person); err != nil {
				return err
			}
		}
		if err := t.Exec(`UPDATE membership SET role = $1 WHERE org_id = $2 AND person_id = $3`, string(role), by.Tenant.ID(), person); err != nil {
			return err
		}
		m.Role = role
		return t.event(by, "member.role", person.String(), map[string]any{"role": role})
	})
	return m, err
}

// activeKeys are the keys of an organisation that a user has created and that are
// not revoked.
const activeKeys = `
	SELECT ` + keyColumns + `
	FROM api_key
	WHERE org_id = $1 AND created_by = $2 AND revoked_at IS NULL
	ORDER BY id DESC`

// MemberKeys returns the active keys that a member has created, newest first.
func (s *Store) MemberKeys(ctx context.Context, of org.Tenant, person uuid.UUID) ([]org.Key, error) {
	m, err := database.First(ctx, s.db, fault.Missing("Member"), memberQuery+` AND q.id = $2`, []any{of.ID(), person}, scanMember)
	if err != nil {
		return nil, err
	}
	return database.All(ctx, s.db, activeKeys, []any{of.ID(), m.Email}, scanKey)
}

// RemoveMember removes a member of the actor's organisation, ends all their sessions
// and returns the active keys they have created, which it revokes if keys says so.
// It returns a LastAdmin fault if no Admin would be left, and a MemberHasKeys fault
// if there are keys and their fate is not given.
func (s *Store) RemoveMember(ctx context.Context, by org.Actor, person uuid.UUID, keys account.FateOfKeys, at time.Time) (created []org.Key, err error) {
	err = s.write(ctx, func(t *tx) error {
		if err := t.lockManaged(by); err != nil {
			return err
		}
		m, err := t.member(by.Tenant, person)
		if err != nil {
			return err
		}
		if err := t.keepAdmin(by.Tenant, person); err != nil {
			return err
		}
		rows, err := t.Query(activeKeys, by.Tenant.ID(), m.Email)
		if created, err = database.Collect(rows, err, scanKey); err != nil {
			return err
		}
		if len(created) > 0 && keys == "" {
			return errMemberHasKeys(created)
		}
		if err := t.Exec(`DELETE FROM membership WHERE org_id = $1 AND person_id = $2`, by.Tenant.ID(), person); err != nil {
			return err
		}
		if err := t.Exec(`DELETE FROM session WHERE person_id = $1`, person); err != nil {
			return err
		}
		if keys == account.RevokeKeys {
			if err := t.revokeKeys(by, created, at); err != nil {
				return err
			}
		}
		return t.event(by, "member.remove", person.String(), map[string]any{"email": m.Email, "keys": keys})
	})
	return created, err
}

func errMemberHasKeys(keys []org.Key) error {
	names := make([]string, len(keys))
	for n, k := range keys {
		names[n] = k.Name
	}
	return fault.New(fault.MemberHasKeys, "The member has created API keys that are active: %s. Send keys=revoke or keys=keep.", strings.Join(names, ", ")).
		Arabic("أنشأ هذا العضو مفاتيح للربط البرمجي (API) ما زالت نشطة: %s.", strings.Join(names, "، "))
}

// revokeKeys revokes keys of the actor's organisation.
func (t *tx) revokeKeys(by org.Actor, keys []org.Key, at time.Time) error {
	for n, k := range keys {
		const update = `UPDATE api_key SET revoked_at = $1 WHERE org_id = $2 AND name = $3 AND revoked_at IS NULL`
		if err := t.Exec(update, millis(at), by.Tenant.ID(), k.Name); err != nil {
			return err
		}
		keys[n].RevokedAt = &at
		if err := t.event(by, "key.revoke", k.Name, nil); err != nil {
			return err
		}
	}
	return nil
}
