package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"strconv"

	"github.com/google/uuid"

	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/share"
)

// ChangeDraft locks a draft of the actor's organisation, calls change with it
// and writes the result. See share.Keeper.
func (s *Store) ChangeDraft(ctx context.Context, by org.Actor, id uuid.UUID, change func(*share.Folder) error) (share.Draft, error) {
	var f share.Folder
	err := s.write(ctx, func(t *tx) (err error) {
		if f, err = t.folder(by.Tenant, id); err != nil {
			return err
		}
		was, err := draftValues(f.Draft)
		if err != nil {
			return err
		}
		link := f.Share
		if err := change(&f); err != nil {
			return err
		}
		f.ID = id
		if f.Removed {
			err = t.empty(by, &f)
		} else {
			err = t.file(by, was, &f)
		}
		if err != nil {
			return err
		}
		return t.attach(by, link, &f)
	})
	if err != nil {
		return share.Draft{}, err
	}
	return f.Draft, nil
}

// folder locks a draft and reads it with its link, the last code of the link,
// and whether its organisation is inactive. The lock on the draft's row
// protects all of these.
//
// After this lock only the row of the organisation may be locked, to count its
// e-mails; a transaction that has locked that row waits for no other lock. The
// book, devices and items must not be locked: Append locks them before it waits
// for the drafts that it issues.
func (t *tx) folder(of org.Tenant, id uuid.UUID) (f share.Folder, err error) {
	const lock = `
		SELECT (SELECT status <> 'active' FROM organisation WHERE organisation.id = draft.org_id)
		FROM draft
		WHERE org_id = $1 AND id = $2 AND removed = 0`
	if err := t.QueryRow(lock+t.store.dialect.LockRow, of.ID(), id).Scan(&f.Inactive); err != nil {
		return f, missingIf(err, "Draft")
	}
	const read = `SELECT ` + draftColumns + `, d.xml FROM ` + draftTables + ` WHERE d.org_id = $1 AND d.id = $3`
	if f.Draft, err = scanWhole(t.QueryRow(read, of.ID(), millis(t.store.now()), id)); err != nil {
		return f, fmt.Errorf("read draft %s: %w", id, err)
	}
	if f.Share == nil {
		return f, nil
	}
	c := &f.Code
	const code = `SELECT made, sealed, version, made_at, expires_at, tries FROM draft_code WHERE org_id = $1 AND digest = $2`
	err = t.QueryRow(code, of.ID(), f.Share.Digest).Scan(&c.Made, &c.Sealed, &c.Version, instant{&c.At}, instant{&c.Expires}, &c.Tries)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return f, fmt.Errorf("read the code of draft %s: %w", id, err)
	}
	return f, nil
}

// file writes only the columns that have changed, so that approved contents
// stay as written, possibly by an older program.
func (t *tx) file(by org.Actor, was []any, f *share.Folder) error {
	values, err := draftValues(f.Draft)
	if err != nil {
		return err
	}
	args := []any{by.Tenant.ID(), f.ID}
	set := "removed = 0"
	for n, column := range draftChanging {
		if !reflect.DeepEqual(was[n], values[n]) {
			args = append(args, values[n])
			set += ", " + column + " = $" + strconv.Itoa(len(args))
		}
	}
	if err := t.ExecOne(errNoDraft(), `UPDATE draft SET `+set+` WHERE org_id = $1 AND id = $2`, args...); err != nil {
		return fmt.Errorf("change draft %s: %w", f.ID, err)
	}
	return nil
}

// empty removes a draft and deletes its contents and recipient.
func (t *tx) empty(by org.Actor, f *share.Folder) error {
	const remove = `
		UPDATE draft
		SET removed = 1, request = '{}', recipient = '{}', shown = NULL, xml = NULL, approval = NULL, decline = NULL, issuing = NULL, summary = NULL, folded = NULL, changed_at = $3
		WHERE org_id = $1 AND id = $2`
	if err := t.ExecOne(errNoDraft(), remove, by.Tenant.ID(), f.ID, millis(f.ChangedAt)); err != nil {
		return fmt.Errorf("remove draft %s: %w", f.ID, err)
	}
	return nil
}

// attach writes the objects that belong to a draft: its link if it has changed,
// the code, the e-mails and the entry of the audit trail. It ends obsolete
// e-mails before it queues new ones.
func (t *tx) attach(by org.Actor, had *ledger.Share, f *share.Folder) error {
	relinked := !sameLink(had, f.Share)
	if relinked {
		if err := t.relink(by.Tenant, f); err != nil {
			return err
		}
	}
	if err := t.endLetters(by.Tenant, f, relinked); err != nil {
		return err
	}
	if err := t.putCode(by.Tenant, f); err != nil {
		return err
	}
	for _, l := range f.Letters {
		if err := t.queue(l, f.ID); err != nil {
			return err
		}
	}
	if f.Action == "" {
		return nil
	}
	return t.event(by, f.Action, f.ID.String(), f.Details)
}

func sameLink(a, b *ledger.Share) bool {
	return (a == nil) == (b == nil) && (a == nil || bytes.Equal(a.Digest, b.Digest))
}

// relink revokes the link of a draft and inserts the new one, if any.
func (t *tx) relink(of org.Tenant, f *share.Folder) error {
	const revoke = `UPDATE draft_link SET revoked = 1 WHERE org_id = $1 AND draft_id = $2 AND revoked = 0`
	if err := t.Exec(revoke, of.ID(), f.ID); err != nil {
		return fmt.Errorf("revoke the link of draft %s: %w", f.ID, err)
	}
	if f.Share == nil {
		return nil
	}
	const insert = `
		INSERT INTO draft_link (digest, org_id, draft_id, sealed, expires_at, revoked)
		VALUES ($1, $2, $3, $4, $5, 0)`
	if err := t.Exec(insert, f.Share.Digest, of.ID(), f.ID, f.Share.Sealed, millis(f.Share.Expires)); err != nil {
		return fmt.Errorf("write the link of draft %s: %w", f.ID, err)
	}
	return nil
}

// putCode writes the last code of a link.
func (t *tx) putCode(of org.Tenant, f *share.Folder) error {
	if f.Share == nil || f.Code.Made == 0 {
		return nil
	}
	const put = `
		INSERT INTO draft_code (digest, org_id, made, sealed, version, made_at, expires_at, tries)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (digest) DO UPDATE SET made = excluded.made, sealed = excluded.sealed, version = excluded.version,
			made_at = excluded.made_at, expires_at = excluded.expires_at, tries = excluded.tries`
	c := f.Code
	if err := t.Exec(put, f.Share.Digest, of.ID(), c.Made, c.Sealed, c.Version, millis(c.At), millis(c.Expires), c.Tries); err != nil {
		return fmt.Errorf("write the code of draft %s: %w", f.ID, err)
	}
	return nil
}
