package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/account"
	"khatm/service/internal/mail"
	"khatm/service/internal/org"
)

// AddPasswordLink inserts a link that sets a new password and queues its e-mail,
// unless the person was sent account.DayResets of them in the last 24 hours. It
// revokes the previous link and deletes the request. It does nothing if another
// server has answered the request, and returns account.ErrUnknown if the user is
// disabled.
func (s *Store) AddPasswordLink(ctx context.Context, by org.Actor, l account.AccessLink, letter mail.Letter) error {
	err := s.write(ctx, func(t *tx) error {
		if err := t.lockPerson(l.Person); err != nil {
			return err
		}
		if err := t.ExecOne(errAnswered, `DELETE FROM reset_request WHERE id = $1`, l.Request); err != nil {
			return err
		}
		const count = `SELECT count(*) FROM letter WHERE org_id IS NULL AND id >= $1 AND created_at > $2 AND about = $3 AND recipient = $4`
		since := l.CreatedAt.Add(-24 * time.Hour)
		var sent int
		if err := t.QueryRow(count, firstID(since), millis(since), account.AboutPassword, letter.To).Scan(&sent); err != nil {
			return fmt.Errorf("count the e-mails of a day: %w", err)
		}
		if sent >= account.DayResets {
			return nil
		}
		if err := t.revokeLinks(l.Person); err != nil {
			return err
		}
		if err := t.addLink(l); err != nil {
			return err
		}
		if err := t.queueLink(letter, l.ID); err != nil {
			return err
		}
		return t.event(by, "password.link", l.Person.String(), nil)
	})
	if errors.Is(err, errAnswered) {
		return nil
	}
	return err
}

// errAnswered means that the request for a new password was answered before.
var errAnswered = errors.New("the request was answered")

// lockPerson locks a user. It returns account.ErrUnknown if the user is disabled.
// It is called before a link of the user is locked.
func (t *tx) lockPerson(id uuid.UUID) error {
	err := t.QueryRow(`SELECT id FROM person WHERE id = $1 AND disabled = 0`+t.store.dialect.LockRow, id).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return account.ErrUnknown
	}
	return err
}

// ResetPassword uses a link that sets a new password, and ends all sessions of the
// user. It returns account.ErrUnknown if the link does not work.
func (s *Store) ResetPassword(ctx context.Context, by org.Actor, digest []byte, password string, at time.Time) error {
	return s.write(ctx, func(t *tx) error {
		var person uuid.NullUUID
		const query = `SELECT person_id FROM access_link WHERE ` + works
		err := t.QueryRow(query, digest, string(account.PasswordLink), millis(at)).Scan(&person)
		if errors.Is(err, sql.ErrNoRows) {
			return account.ErrUnknown
		}
		if err != nil {
			return err
		}
		if err := t.lockPerson(person.UUID); err != nil {
			return err
		}
		link, err := t.useLink(digest, account.PasswordLink, at)
		if err != nil {
			return err
		}
		if err := t.endLinkLetter(link.ID, at); err != nil {
			return err
		}
		if err := t.Exec(`UPDATE person SET password = $1 WHERE id = $2`, password, link.Person); err != nil {
			return err
		}
		return t.passwordChanged(by, link.Person)
	})
}

// queueLink inserts an e-mail with an access link.
func (t *tx) queueLink(l mail.Letter, link uuid.UUID) error {
	const insert = `
		INSERT INTO letter (id, org_id, link_id, recipient, language, about, sealed, created_at, expires_at, state, attempts, next_at, problem)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'queued', 0, $10, '')`
	err := t.Exec(insert, l.ID, tenantOrNull(l.Of), link, l.To, l.Language, l.About, l.Sealed, millis(l.CreatedAt), millis(l.Expires), millis(l.NextAt))
	if err != nil {
		return fmt.Errorf("queue e-mail %s: %w", l.ID, err)
	}
	return nil
}

// endLinkLetter ends the queued e-mail with a link that was used, and deletes its
// contents. If it is being sent, it has arrived; the sender records that.
func (t *tx) endLinkLetter(link uuid.UUID, at time.Time) error {
	const end = `
		UPDATE letter
		SET state = 'expired', sealed = NULL, lease_until = NULL
		WHERE link_id = $1 AND state = 'queued' AND (lease_until IS NULL OR lease_until <= $2)`
	return t.Exec(end, link, millis(at))
}

// revokeLinks revokes the links of a user that were not used, and ends their
// e-mails. An e-mail that is being sent may still arrive, but it is not tried again.
func (t *tx) revokeLinks(person uuid.UUID) error {
	const letters = `
		UPDATE letter
		SET state = 'expired', sealed = NULL, lease_until = NULL
		WHERE state = 'queued' AND link_id IN (SELECT id FROM access_link WHERE person_id = $1 AND used_at IS NULL AND revoked_at IS NULL)`
	if err := t.Exec(letters, person); err != nil {
		return err
	}
	const links = `UPDATE access_link SET revoked_at = $1 WHERE person_id = $2 AND used_at IS NULL AND revoked_at IS NULL`
	return t.Exec(links, millis(t.store.now()), person)
}
