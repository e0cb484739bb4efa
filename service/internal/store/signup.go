package store

import (
	"context"
	"fmt"
	"time"

	"khatm/service/internal/account"
	"khatm/service/internal/mail"
	"khatm/service/internal/org"
)

// AddSignUpLink inserts a sign-up link and queues its e-mail, unless the address was
// sent account.DaySignUps of them in the last 24 hours. It revokes the previous link
// of the address.
func (s *Store) AddSignUpLink(ctx context.Context, by org.Actor, l account.AccessLink, letter mail.Letter) error {
	return s.write(ctx, func(t *tx) error {
		if err := t.lockInstallation(); err != nil {
			return err
		}
		const count = `SELECT count(*) FROM letter WHERE org_id IS NULL AND id >= $1 AND created_at > $2 AND about = $3 AND recipient = $4`
		since := l.CreatedAt.Add(-24 * time.Hour)
		var sent int
		if err := t.QueryRow(count, firstID(since), millis(since), account.AboutSignUp, letter.To).Scan(&sent); err != nil {
			return fmt.Errorf("count the e-mails of a day: %w", err)
		}
		if sent >= account.DaySignUps {
			return nil
		}
		const letters = `
			UPDATE letter
			SET state = 'expired', sealed = NULL, lease_until = NULL
			WHERE state = 'queued' AND link_id IN (
				SELECT id FROM access_link WHERE email = $1 AND purpose = 'signup' AND used_at IS NULL AND revoked_at IS NULL
			)`
		if err := t.Exec(letters, l.Email); err != nil {
			return err
		}
		const links = `UPDATE access_link SET revoked_at = $1 WHERE email = $2 AND purpose = 'signup' AND used_at IS NULL AND revoked_at IS NULL`
		if err := t.Exec(links, millis(l.CreatedAt), l.Email); err != nil {
			return err
		}
		if err := t.addLink(l); err != nil {
			return err
		}
		if err := t.queueLink(letter, l.ID); err != nil {
			return err
		}
		return t.event(by, "signup.link", l.ID.String(), nil)
	})
}

// FoundAnother uses a sign-up link, and inserts an organisation and its Admin. It
// returns account.ErrUnknown if the link does not work.
func (s *Store) FoundAnother(ctx context.Context, by org.Actor, f account.Founding) error {
	return s.write(ctx, func(t *tx) error {
		// The lock is taken before that on the link, as in AddSignUpLink.
		if err := t.lockInstallation(); err != nil {
			return err
		}
		link, err := t.useLink(f.Digest, account.SignUpLink, f.At)
		if err != nil {
			return err
		}
		if err := t.endLinkLetter(link.ID, f.At); err != nil {
			return err
		}
		if err := t.addOrganisation(by, f.Organisation); err != nil {
			return err
		}
		by.Tenant = org.TenantOf(f.Organisation.ID)
		if err := t.addPerson(by, f.Person, f.Password); err != nil {
			return err
		}
		if err := t.addMembership(by, f.Person.ID, org.Admin); err != nil {
			return err
		}
		return t.event(by, "signup.used", link.ID.String(), nil)
	})
}
