package store

import (
	"context"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

const branchColumns = `id, name, id_type, id_value, ` + addressColumns + `, active, created_at`

func scanBranch(row scanner) (org.Branch, error) {
	var b org.Branch
	into := []any{&b.ID, &b.Name, &b.Identification.Type, &b.Identification.Value}
	into = append(into, addressInto(&b.Address)...)
	into = append(into, &b.Active, instant{&b.CreatedAt})
	err := row.Scan(into...)
	return b, err
}

// AddBranch inserts a new branch of the actor's organisation.
func (s *Store) AddBranch(ctx context.Context, by org.Actor, b org.Branch) error {
	return s.write(ctx, func(t *tx) error {
		const insert = `
			INSERT INTO branch (org_id, ` + branchColumns + `)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)`
		values := []any{by.Tenant.ID(), b.ID, b.Name, b.Identification.Type, b.Identification.Value}
		values = append(values, addressValues(b.Address)...)
		values = append(values, bit(b.Active), millis(b.CreatedAt))
		if err := t.Exec(insert, values...); err != nil {
			return err
		}
		return t.event(by, "branch.create", b.ID.String(), map[string]any{"name": b.Name})
	})
}

// ChangeBranch changes a branch of the actor's organisation and returns it.
// Documents that were already issued keep the earlier record.
func (s *Store) ChangeBranch(ctx context.Context, by org.Actor, id uuid.UUID, change func(*org.Branch) error) (org.Branch, error) {
	var b org.Branch
	err := s.write(ctx, func(t *tx) (err error) {
		const read = `SELECT ` + branchColumns + ` FROM branch WHERE org_id = $1 AND id = $2`
		if b, err = scanBranch(t.QueryRow(read+s.dialect.LockRow, by.Tenant.ID(), id)); err != nil {
			return missingIf(err, "Branch")
		}
		if err := change(&b); err != nil {
			return err
		}
		b.ID = id
		const update = `
			UPDATE branch
			SET name = $3, id_type = $4, id_value = $5,
				street = $6, additional_street = $7, building_number = $8, plot_identification = $9, district = $10,
				city = $11, province_state = $12, postal_code = $13, country_code = $14,
				street_arabic = $15, additional_street_arabic = $16, district_arabic = $17, city_arabic = $18, province_state_arabic = $19,
				active = $20
			WHERE org_id = $1 AND id = $2`
		values := []any{by.Tenant.ID(), id, b.Name, b.Identification.Type, b.Identification.Value}
		values = append(values, addressValues(b.Address)...)
		values = append(values, bit(b.Active))
		if err := t.Exec(update, values...); err != nil {
			return err
		}
		return t.event(by, "branch.change", id.String(), map[string]any{"name": b.Name, "active": b.Active})
	})
	return b, err
}

// BranchPage returns a page of an organisation's branches, newest first.
func (s *Store) BranchPage(ctx context.Context, of org.Tenant, page org.Page) (org.List[org.Branch], error) {
	const query = `
		SELECT ` + branchColumns + `
		FROM branch
		WHERE org_id = $1 AND id < $2
		ORDER BY id DESC
		LIMIT $3 OFFSET $4`
	rows, err := database.All(ctx, s.db, query, []any{of.ID(), before(page), page.Size + 1, page.Skip()}, scanBranch)
	if err != nil {
		return org.List[org.Branch]{}, err
	}
	list := listOf(rows, page, func(b org.Branch) uuid.UUID { return b.ID })
	err = s.db.One(ctx, nil, `SELECT count(*) FROM branch WHERE org_id = $1`, []any{of.ID()}, &list.Total)
	return list, err
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
