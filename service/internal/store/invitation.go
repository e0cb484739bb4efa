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
	"khatm/service/internal/mail"
	"khatm/service/internal/org"
)

// AddInvitation inserts an invitation to the actor's organisation, revokes the
// previous one of the address and queues the e-mail. It returns an AlreadyMember
// fault if the address belongs to a member.
func (s *Store) AddInvitation(ctx context.Context, by org.Actor, l account.AccessLink, letter mail.Letter) error {
	return s.write(ctx, func(t *tx) error {
		if err := t.checkLetterLimit(letter); err != nil { // locks the organisation
			return err
		}
		if err := t.lockAdmin(by); err != nil {
			return err
		}
		const member = `SELECT count(*) FROM membership m JOIN person q ON q.id = m.person_id WHERE m.org_id = $1 AND q.email = $2`
		var there int
		if err := t.QueryRow(member, by.Tenant.ID(), l.Email).Scan(&there); err != nil {
			return err
		}
		if there > 0 {
			return fault.New(fault.AlreadyMember, "The e-mail address belongs to a member of the organisation.")
		}
		if _, err := t.endInvitation(by.Tenant, `email = $3`, l.Email, l.CreatedAt); err != nil {
			return err
		}
		if err := t.addLink(l); err != nil {
			return err
		}
		if err := t.queueLink(letter, l.ID); err != nil {
			return err
		}
		return t.event(by, "invitation.create", l.ID.String(), map[string]any{"email": l.Email, "role": l.Role})
	})
}

// openInvitation is the condition on invitations of the organisation $1 that were neither
// accepted nor revoked. They may have expired.
const openInvitation = `org_id = $1 AND purpose = 'invitation' AND used_at IS NULL AND revoked_at IS NULL`

// endInvitation revokes the open invitation of an organisation that meets a
// condition on $3, and ends its e-mail. It reports whether there is one.
func (t *tx) endInvitation(of org.Tenant, where string, value any, at time.Time) (bool, error) {
	var id uuid.UUID
	err := t.QueryRow(`UPDATE access_link SET revoked_at = $2 WHERE `+openInvitation+` AND `+where+` RETURNING id`, of.ID(), millis(at), value).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	const end = `UPDATE letter SET state = 'expired', sealed = NULL, lease_until = NULL WHERE org_id = $1 AND link_id = $2 AND state = 'queued'`
	return true, t.Exec(end, of.ID(), id)
}

// InvitationPage returns a page of the invitations of an organisation that can be
// accepted, newest first.
func (s *Store) InvitationPage(ctx context.Context, of org.Tenant, page org.Page, now time.Time) (org.List[account.AccessLink], error) {
	const query = `
		SELECT ` + accessLinkColumns + `
		FROM access_link
		WHERE ` + openInvitation + ` AND expires_at > $2 AND id < $3
		ORDER BY id DESC
		LIMIT $4 OFFSET $5`
	rows, err := database.All(ctx, s.db, query, []any{of.ID(), millis(now), before(page), page.Size + 1, page.Skip()}, scanAccessLink)
	if err != nil {
		return org.List[account.AccessLink]{}, err
	}
	list := listOf(rows, page, func(l account.AccessLink) uuid.UUID { return l.ID })
	err = s.db.One(ctx, nil, `SELECT count(*) FROM access_link WHERE `+openInvitation+` AND expires_at > $2`, []any{of.ID(), millis(now)}, &list.Total)
	return list, err
}

// RevokeInvitation revokes an invitation of the actor's organisation and ends its
// e-mail.
func (s *Store) RevokeInvitation(ctx context.Context, by org.Actor, id uuid.UUID, at time.Time) error {
	return s.write(ctx, func(t *tx) error {
		there, err := t.endInvitation(by.Tenant, `id = $3`, id, at)
		if err != nil {
			return err
		}
		if !there {
			return fault.Missing("Invitation")
		}
		return t.event(by, "invitation.revoke", id.String(), nil)
	})
}

// AcceptInvitation uses an invitation and makes the person a member, unless they
// already have the same or a higher role. It inserts the person if a password is
// given. It returns account.ErrUnknown if the link does not work.
func (s *Store) AcceptInvitation(ctx context.Context, by org.Actor, a account.Acceptance) error {
	return s.write(ctx, func(t *tx) error {
		var of uuid.UUID
		const query = `SELECT org_id FROM access_link WHERE ` + works
		err := t.QueryRow(query, a.Digest, string(account.InvitationLink), millis(a.At)).Scan(&of)
		if errors.Is(err, sql.ErrNoRows) {
			return account.ErrUnknown
		}
		if err != nil {
			return err
		}
		by.Tenant = org.TenantOf(of)
		if err := t.lockOrganisation(by.Tenant); err != nil {
			return err
		}
		if a.Password != "" {
			err = t.addPerson(by, a.Person, a.Password)
		} else {
			err = t.lockPerson(a.Person.ID)
		}
		if err != nil {
			return err
		}
		link, err := t.useLink(a.Digest, account.InvitationLink, a.At)
		if err != nil {
			return err
		}
		if link.Email != a.Person.Email {
			return account.ErrUnknown
		}
		if err := t.endLinkLetter(link.ID, a.At); err != nil {
			return err
		}
		if err := t.joinInvited(by, a.Person.ID, link.Role); err != nil {
			return err
		}
		return t.event(by, "invitation.accept", link.ID.String(), map[string]any{"person": a.Person.ID.String()})
	})
}

// joinInvited makes a person a member, unless they already have the same or a higher
// role.
func (t *tx) joinInvited(by org.Actor, person uuid.UUID, role org.Role) error {
	var has org.Role
	err := t.QueryRow(`SELECT role FROM membership WHERE org_id = $1 AND person_id = $2`, by.Tenant.ID(), person).Scan(&has)
	if err == nil && has.Includes(role) {
		return nil
	}
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	return t.addMembership(by, person, role)
}
