package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/account"
	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

const accessLinkColumns = `id, digest, purpose, org_id, person_id, email, role, created_by, created_at, expires_at`

// works is the condition on a link with digest $1 and purpose $2 that works at $3.
const works = `digest = $1 AND purpose = $2 AND used_at IS NULL AND revoked_at IS NULL AND expires_at > $3`

func scanAccessLink(row scanner) (account.AccessLink, error) {
	var l account.AccessLink
	var organisation, person uuid.NullUUID
	err := row.Scan(&l.ID, &l.Digest, &l.Purpose, &organisation, &person, &l.Email, &l.Role, &l.CreatedBy, instant{&l.CreatedAt}, instant{&l.Expires})
	l.Person = person.UUID
	if organisation.Valid {
		l.Of = org.TenantOf(organisation.UUID)
	}
	return l, err
}

// AccessLink returns a link that works at the given time, or account.ErrUnknown.
func (s *Store) AccessLink(ctx context.Context, digest []byte, purpose account.LinkPurpose, now time.Time) (account.AccessLink, error) {
	const query = `SELECT ` + accessLinkColumns + ` FROM access_link WHERE ` + works
	return database.First(ctx, s.db, account.ErrUnknown, query, []any{digest, string(purpose), millis(now)}, scanAccessLink)
}

// useLink marks a link as used. It locks the link, so that of several transactions
// that use it only one succeeds; the others return account.ErrUnknown.
func (t *tx) useLink(digest []byte, purpose account.LinkPurpose, now time.Time) (account.AccessLink, error) {
	const query = `SELECT ` + accessLinkColumns + ` FROM access_link WHERE ` + works
	link, err := scanAccessLink(t.QueryRow(query+t.store.dialect.LockRow, digest, string(purpose), millis(now)))
	if errors.Is(err, sql.ErrNoRows) {
		return link, account.ErrUnknown
	}
	if err != nil {
		return link, err
	}
	const use = `UPDATE access_link SET used_at = $1 WHERE digest = $2 AND used_at IS NULL AND revoked_at IS NULL`
	return link, t.ExecOne(account.ErrUnknown, use, millis(now), digest)
}

func (t *tx) addLink(l account.AccessLink) error {
	const insert = `
		INSERT INTO access_link (` + accessLinkColumns + `)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
	person := uuid.NullUUID{UUID: l.Person, Valid: l.Person != uuid.Nil}
	err := t.Exec(insert, l.ID, l.Digest, string(l.Purpose), tenantOrNull(l.Of), person, l.Email, string(l.Role), l.CreatedBy, millis(l.CreatedAt), millis(l.Expires))
	if err != nil {
		return fmt.Errorf("store access link %s: %w", l.ID, err)
	}
	return nil
}

// AddSetUpLink inserts a set-up link and revokes the previous one. It returns a
// SetUpDone fault if the installation has an organisation.
func (s *Store) AddSetUpLink(ctx context.Context, by org.Actor, l account.AccessLink) error {
	return s.write(ctx, func(t *tx) error {
		if err := t.lockUnused(); err != nil {
			return err
		}
		const revoke = `UPDATE access_link SET revoked_at = $1 WHERE purpose = 'setup' AND used_at IS NULL AND revoked_at IS NULL`
		if err := t.Exec(revoke, millis(l.CreatedAt)); err != nil {
			return err
		}
		if err := t.addLink(l); err != nil {
			return err
		}
		return t.event(by, "setup.link", l.ID.String(), nil)
	})
}

// lockUnused locks the installation and returns a SetUpDone fault if it has an
// organisation.
func (t *tx) lockUnused() error {
	if err := t.lockInstallation(); err != nil {
		return err
	}
	var there int
	if err := t.QueryRow(`SELECT count(*) FROM (SELECT 1 FROM organisation LIMIT 1) counted`).Scan(&there); err != nil {
		return err
	}
	if there > 0 {
		return fault.New(fault.SetUpDone, "This installation is already set up. Sign in, or ask an administrator for an account.")
	}
	return nil
}

// Found uses a set-up link, inserts the first organisation and its Admin, and
// chooses the environment if one is given. It returns account.ErrUnknown if the link
// does not work, and an EnvironmentFixed fault if the database belongs to another
// environment.
func (s *Store) Found(ctx context.Context, by org.Actor, f account.Founding) error {
	return s.write(ctx, func(t *tx) error {
		// The lock is taken before that on the link, as in AddSetUpLink.
		done := t.lockUnused()
		if done != nil && fault.KindOf(done) != fault.Conflict {
			return done
		}
		link, err := t.useLink(f.Digest, account.SetUpLink, f.At)
		if err != nil {
			return err
		}
		if done != nil {
			return done
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
		if f.Environment != "" {
			if err := t.chooseEnvironment(by, f.Environment); err != nil {
				return err
			}
		}
		return t.event(by, "setup.used", link.ID.String(), nil)
	})
}
