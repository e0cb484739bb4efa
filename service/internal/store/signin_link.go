package store

import (
	"context"

	"khatm/service/internal/account"
	"khatm/service/internal/org"
)

// AddSignInLink inserts a link that signs a user in, and revokes the previous one.
// It returns account.ErrUnknown if the user is disabled, and account.ErrFactor if
// the user has a second factor.
func (s *Store) AddSignInLink(ctx context.Context, by org.Actor, l account.AccessLink) error {
	return s.write(ctx, func(t *tx) error {
		if err := t.lockPerson(l.Person); err != nil {
			return err
		}
		if err := t.proveSession(account.Opening{Person: l.Person}); err != nil {
			return err
		}
		const revoke = `UPDATE access_link SET revoked_at = $1 WHERE person_id = $2 AND purpose = 'sign_in' AND used_at IS NULL AND revoked_at IS NULL`
		if err := t.Exec(revoke, millis(l.CreatedAt), l.Person); err != nil {
			return err
		}
		if err := t.addLink(l); err != nil {
			return err
		}
		return t.event(by, "sign_in.link", l.Person.String(), nil)
	})
}

// UseSignInLink uses a link and inserts a session of its user. It returns
// account.ErrUnknown if the link does not work or the user is disabled, and
// account.ErrFactor if the user has a second factor.
func (s *Store) UseSignInLink(ctx context.Context, by org.Actor, digest []byte, o account.Opening) error {
	return s.write(ctx, func(t *tx) error {
		// The user is locked before the link, as in ResetPassword.
		if err := t.lockPerson(o.Person); err != nil {
			return err
		}
		link, err := t.useLink(digest, account.SignInLink, o.From)
		if err != nil {
			return err
		}
		if link.Person != o.Person {
			return account.ErrUnknown
		}
		if err := t.proveSession(o); err != nil {
			return err
		}
		if err := t.addSession(o); err != nil {
			return err
		}
		return t.event(by, "sign_in.used", link.Person.String(), nil)
	})
}
