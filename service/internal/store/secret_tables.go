package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"khatm/service/internal/account"
	"khatm/service/internal/database"
	"khatm/service/internal/issue"
	"khatm/service/internal/mail"
	"khatm/service/internal/org"
	"khatm/service/internal/share"
)

// sealedTable is a table with a column of sealed secrets. Its rows are read in
// the order of a key, as long as they have not expired.
type sealedTable struct {
	first  any    // value before the first key
	rows   string // query for key, organisation, owner if it is a column, and secret; key after $1, unexpired at $2, at most $3 rows
	update string // sets the secret to $1 where the key is $2 and the secret still $3
	scan   func(scanner) (key any, one Secret, err error)
}

var sealedTables = []sealedTable{
	{
		first: []byte{},
		rows: `
			SELECT digest, org_id, invoice_id, sealed
			FROM share
			WHERE digest > $1 AND revoked = 0 AND expires_at > $2
			ORDER BY digest
			LIMIT $3`,
		update: `UPDATE share SET sealed = $1 WHERE digest = $2 AND sealed = $3`,
		scan:   scanToken,
	},
	{
		first: []byte{},
		rows: `
			SELECT digest, org_id, draft_id, sealed
			FROM draft_link
			WHERE digest > $1 AND revoked = 0 AND expires_at > $2
			ORDER BY digest
			LIMIT $3`,
		update: `UPDATE draft_link SET sealed = $1 WHERE digest = $2 AND sealed = $3`,
		scan:   scanToken,
	},
	{
		first: []byte{},
		rows: `
			SELECT digest, org_id, sealed
			FROM draft_code
			WHERE digest > $1 AND expires_at > $2
			ORDER BY digest
			LIMIT $3`,
		update: `UPDATE draft_code SET sealed = $1 WHERE digest = $2 AND sealed = $3`,
		scan: func(row scanner) (any, Secret, error) {
			var digest []byte
			var organisation uuid.UUID
			one := Secret{Purpose: share.CodePurpose}
			err := row.Scan(&digest, &organisation, &one.Sealed)
			one.Tenant, one.Owner = org.TenantOf(organisation), share.CodeOwner(digest)
			return digest, one, err
		},
	},
	{
		first: uuid.Nil,
		rows: `
			SELECT id, org_id, sealed
			FROM letter
			WHERE id > $1 AND state = 'queued' AND expires_at > $2
			ORDER BY id
			LIMIT $3`,
		update: `UPDATE letter SET sealed = $1 WHERE id = $2 AND sealed = $3`,
		scan: func(row scanner) (any, Secret, error) {
			var id uuid.UUID
			var organisation uuid.NullUUID
			one := Secret{Purpose: mail.Purpose}
			err := row.Scan(&id, &organisation, &one.Sealed)
			if one.Owner = id.String(); organisation.Valid {
				one.Tenant = org.TenantOf(organisation.UUID)
			}
			return id, one, err
		},
	},
	{
		first: uuid.Nil,
		rows: `
			SELECT person_id, sealed
			FROM second_factor
			WHERE person_id > $1 AND (expires_at IS NULL OR expires_at > $2)
			ORDER BY person_id
			LIMIT $3`,
		update: `UPDATE second_factor SET sealed = $1 WHERE person_id = $2 AND sealed = $3`,
		scan: func(row scanner) (any, Secret, error) {
			var person uuid.UUID
			one := Secret{Purpose: account.FactorPurpose}
			err := row.Scan(&person, &one.Sealed)
			one.Owner = person.String()
			return person, one, err
		},
	},
}

// scanToken reads the token of a link, which is sealed for the link's target.
func scanToken(row scanner) (any, Secret, error) {
	var digest []byte
	var organisation, owner uuid.UUID
	one := Secret{Purpose: issue.SharePurpose}
	err := row.Scan(&digest, &organisation, &owner, &one.Sealed)
	one.Tenant, one.Owner = org.TenantOf(organisation), owner.String()
	return digest, one, err
}

// sealedRow is a secret with the key of its row.
type sealedRow struct {
	key any
	Secret
}

// rewrapIn rewraps the secrets of a table, one chunk in each transaction.
func (s *Store) rewrapIn(ctx context.Context, in sealedTable, rewrap func(Secret) ([]byte, bool, error)) (seen, changed int, err error) {
	after := in.first
	for {
		found, err := database.All(ctx, s.db, in.rows, []any{after, millis(s.now()), rewrapChunkSize}, func(row scanner) (k sealedRow, err error) {
			k.key, k.Secret, err = in.scan(row)
			return k, err
		})
		if err != nil || len(found) == 0 {
			return seen, changed, err
		}
		n := 0
		err = s.write(ctx, func(t *tx) (err error) {
			n, err = t.rewrap(in, found, rewrap)
			return err
		})
		if err != nil {
			return seen, changed, err
		}
		seen, changed = seen+len(found), changed+n
		after = found[len(found)-1].key
	}
}

func (t *tx) rewrap(in sealedTable, found []sealedRow, rewrap func(Secret) ([]byte, bool, error)) (changed int, err error) {
	for _, k := range found {
		sealed, other, err := rewrap(k.Secret)
		if err != nil {
			return 0, fmt.Errorf("rewrap secret %s of %s: %w", k.Purpose, k.Owner, err)
		}
		if !other {
			continue
		}
		// A secret that was replaced or deleted meanwhile does not need the old
		// key.
		switch err := t.ExecOne(errReplaced, in.update, sealed, k.key, k.Sealed); {
		case err == nil:
			changed++
		case !errors.Is(err, errReplaced):
			return 0, err
		}
	}
	return changed, nil
}
