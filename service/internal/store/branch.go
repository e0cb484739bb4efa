package store

import (
	"context"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

const branchColumns = `id, name, id_type, id_value, ` + addressColumns + `, created_at`

func scanBranch(row scanner) (org.Branch, error) {
	var b org.Branch
	into := []any{&b.ID, &b.Name, &b.Identification.Type, &b.Identification.Value}
	into = append(into, addressInto(&b.Address)...)
	into = append(into, instant{&b.CreatedAt})
	err := row.Scan(into...)
	return b, err
}

// AddBranch inserts a new branch of the actor's organisation.
func (s *Store) AddBranch(ctx context.Context, by org.Actor, b org.Branch) error {
	return s.write(ctx, func(t *tx) error {
		const insert = `
			INSERT INTO branch (org_id, ` + branchColumns + `)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)`
		values := []any{by.Tenant.ID(), b.ID, b.Name, b.Identification.Type, b.Identification.Value}
		values = append(values, addressValues(b.Address)...)
		values = append(values, millis(b.CreatedAt))
		if err := t.Exec(insert, values...); err != nil {
			return err
		}
		return t.event(by, "branch.create", b.ID.String(), map[string]any{"name": b.Name})
	})
}

// Branches returns an organisation's branches, oldest first.
func (s *Store) Branches(ctx context.Context, of org.Tenant) ([]org.Branch, error) {
	const query = `
		SELECT ` + branchColumns + `
		FROM branch
		WHERE org_id = $1
		ORDER BY id`
	return database.All(ctx, s.db, query, []any{of.ID()}, scanBranch)
}

// Branch returns a branch of an organisation, or a NotFound fault.
func (s *Store) Branch(ctx context.Context, of org.Tenant, id uuid.UUID) (org.Branch, error) {
	const query = `SELECT ` + branchColumns + ` FROM branch WHERE org_id = $1 AND id = $2`
	return database.First(ctx, s.db, fault.Missing("Branch"), query, []any{of.ID(), id}, scanBranch)
}
