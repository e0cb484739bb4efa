package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// Secret is a stored secret, sealed by the vault for a purpose and an owner.
type Secret struct {
	Tenant  org.Tenant
	Purpose string
	Owner   string
	Sealed  []byte
}

// PutSecret stores a sealed secret of the actor's organisation and replaces an
// older one with the same purpose and owner.
func (s *Store) PutSecret(ctx context.Context, by org.Actor, purpose, owner string, sealed []byte) error {
	return s.write(ctx, func(t *tx) error {
		const put = `
			INSERT INTO secret (org_id, purpose, owner, sealed)
			VALUES ($1, $2, $3, $4)
			ON CONFLICT (org_id, purpose, owner) DO UPDATE SET sealed = excluded.sealed`
		if err := t.Exec(put, by.Tenant.ID(), purpose, owner, sealed); err != nil {
			return fmt.Errorf("store secret %s of %s: %w", purpose, owner, err)
		}
		return t.event(by, "secret.put", owner, map[string]any{"purpose": purpose})
	})
}

// Secret returns a sealed secret, or a NotFound fault.
func (s *Store) Secret(ctx context.Context, of org.Tenant, purpose, owner string) ([]byte, error) {
	var sealed []byte
	const query = `SELECT sealed FROM secret WHERE org_id = $1 AND purpose = $2 AND owner = $3`
	err := s.db.One(ctx, fault.Missing("Secret"), query, []any{of.ID(), purpose, owner}, &sealed)
	return sealed, err
}

// RewrapSecrets calls rewrap with every sealed secret of the installation and
// stores the result if it has changed, to rotate the master key. It can be
// interrupted and run again. It returns how many secrets there are and how many
// were changed. Expired links, codes and e-mails are left out, because they are
// never opened again.
func (s *Store) RewrapSecrets(ctx context.Context, rewrap func(Secret) ([]byte, bool, error)) (seen, changed int, err error) {
	seen, changed, err = s.rewrapKept(ctx, rewrap)
	for _, in := range sealedTables {
		if err != nil {
			break
		}
		var n, m int
		n, m, err = s.rewrapIn(ctx, in, rewrap)
		seen, changed = seen+n, changed+m
	}
	return seen, changed, err
}

// rewrapChunkSize is the number of secrets rewrapped in one transaction.
const rewrapChunkSize = 200

// rewrapKept rewraps the secrets stored by PutSecret.
func (s *Store) rewrapKept(ctx context.Context, rewrap func(Secret) ([]byte, bool, error)) (seen, changed int, err error) {
	after := Secret{}
	for {
		secrets, err := s.secretsAfter(ctx, after, rewrapChunkSize)
		if err != nil || len(secrets) == 0 {
			return seen, changed, err
		}
		n, err := s.rewrapChunk(ctx, secrets, rewrap)
		if err != nil {
			return seen, changed, err
		}
		changed += n
		seen += len(secrets)
		after = secrets[len(secrets)-1]
	}
}

func (s *Store) secretsAfter(ctx context.Context, after Secret, most int) ([]Secret, error) {
	const query = `
		SELECT org_id, purpose, owner, sealed
		FROM secret
		WHERE (org_id, purpose, owner) > ($1, $2, $3)
		ORDER BY org_id, purpose, owner
		LIMIT $4`
	return database.All(ctx, s.db, query, []any{after.Tenant.ID(), after.Purpose, after.Owner, most}, func(row scanner) (Secret, error) {
		var one Secret
		var organisation uuid.UUID
		err := row.Scan(&organisation, &one.Purpose, &one.Owner, &one.Sealed)
		one.Tenant = org.TenantOf(organisation)
		return one, err
	})
}

func (s *Store) rewrapChunk(ctx context.Context, secrets []Secret, rewrap func(Secret) ([]byte, bool, error)) (changed int, err error) {
	err = s.write(ctx, func(t *tx) error {
		changed = 0
		for _, one := range secrets {
			sealed, other, err := rewrap(one)
			if err != nil {
				return fmt.Errorf("rewrap secret %s of %s: %w", one.Purpose, one.Owner, err)
			}
			if !other {
				continue
			}
			// A secret that was replaced meanwhile is already sealed with the
			// new key.
			const update = `UPDATE secret SET sealed = $1 WHERE org_id = $2 AND purpose = $3 AND owner = $4 AND sealed = $5`
			switch err := t.ExecOne(errReplaced, update, sealed, one.Tenant.ID(), one.Purpose, one.Owner, one.Sealed); {
			case err == nil:
				changed++
			case !errors.Is(err, errReplaced):
				return err
			}
		}
		return nil
	})
	return changed, err
}

var errReplaced = errors.New("the secret was replaced")
