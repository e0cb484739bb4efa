package store

import (
	"context"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
)

const reasonColumns = `id, description, active, due_days, created_at`

// AddReason inserts a new reason of the actor's organisation.
func (s *Store) AddReason(ctx context.Context, by org.Actor, r trade.Reason) error {
	return s.write(ctx, func(t *tx) error {
		const insert = `
			INSERT INTO reason (org_id, ` + reasonColumns + `)
			VALUES ($1, $2, $3, $4, $5, $6)`
		if err := t.Exec(insert, by.Tenant.ID(), r.ID, r.Description, bit(r.Active), r.DueDays, millis(r.CreatedAt)); err != nil {
			return err
		}
		details := map[string]any{"description": r.Description}
		if r.DueDays != nil {
			details["due_days"] = *r.DueDays
		}
		return t.event(by, "reason.create", r.ID.String(), details)
	})
}

// SetReason activates or deactivates a reason of the actor's organisation.
func (s *Store) SetReason(ctx context.Context, by org.Actor, id uuid.UUID, active bool) error {
	return s.write(ctx, func(t *tx) error {
		const update = `UPDATE reason SET active = $1 WHERE org_id = $2 AND id = $3`
		if err := t.ExecOne(fault.Missing("Reason"), update, bit(active), by.Tenant.ID(), id); err != nil {
			return err
		}
		return t.event(by, "reason.set", id.String(), map[string]any{"active": active})
	})
}

// ChangeReason changes a reason of the actor's organisation and returns it.
// Documents that were issued with it have a copy and do not change.
func (s *Store) ChangeReason(ctx context.Context, by org.Actor, id uuid.UUID, change func(*trade.Reason) error) (trade.Reason, error) {
	var r trade.Reason
	err := s.write(ctx, func(t *tx) error {
		var err error
		r, err = scanReason(t.QueryRow(`SELECT `+reasonColumns+` FROM reason WHERE org_id = $1 AND id = $2`+s.dialect.LockRow, by.Tenant.ID(), id))
		if err != nil {
			return missingIf(err, "Reason")
		}
		if err := change(&r); err != nil {
			return err
		}
		const update = `UPDATE reason SET description = $1, active = $2, due_days = $3 WHERE org_id = $4 AND id = $5`
		if err := t.Exec(update, r.Description, bit(r.Active), r.DueDays, by.Tenant.ID(), id); err != nil {
			return err
		}
		return t.event(by, "reason.change", id.String(), map[string]any{"description": r.Description, "active": r.Active, "due_days": r.DueDays})
	})
	return r, err
}

// ReasonPage returns a page of an organisation's reasons, newest first.
func (s *Store) ReasonPage(ctx context.Context, of org.Tenant, page org.Page) (org.List[trade.Reason], error) {
	const query = `
		SELECT ` + reasonColumns + `
		FROM reason
		WHERE org_id = $1 AND id < $2
		ORDER BY id DESC
		LIMIT $3 OFFSET $4`
	rows, err := database.All(ctx, s.db, query, []any{of.ID(), before(page), page.Size + 1, page.Skip()}, scanReason)
	if err != nil {
		return org.List[trade.Reason]{}, err
	}
	list := listOf(rows, page, func(r trade.Reason) uuid.UUID { return r.ID })
	err = s.db.One(ctx, nil, `SELECT count(*) FROM reason WHERE org_id = $1`, []any{of.ID()}, &list.Total)
	return list, err
}

// Reasons returns an organisation's reasons, oldest first.
func (s *Store) Reasons(ctx context.Context, of org.Tenant) ([]trade.Reason, error) {
	const query = `
		SELECT ` + reasonColumns + `
		FROM reason
		WHERE org_id = $1
		ORDER BY id`
	return database.All(ctx, s.db, query, []any{of.ID()}, scanReason)
}

func scanReason(row scanner) (trade.Reason, error) {
	var r trade.Reason
	err := row.Scan(&r.ID, &r.Description, &r.Active, &r.DueDays, instant{&r.CreatedAt})
	return r, err
}

// ActiveReasons returns the active reasons of an organisation, oldest first and
// at most as many as stated.
func (s *Store) ActiveReasons(ctx context.Context, of org.Tenant, most int) ([]trade.Reason, error) {
	const query = `
		SELECT ` + reasonColumns + `
		FROM reason
		WHERE org_id = $1 AND active = 1
		ORDER BY id
		LIMIT $2`
	return database.All(ctx, s.db, query, []any{of.ID(), most}, scanReason)
}

// Reason returns a reason of an organisation, or a NotFound fault.
func (s *Store) Reason(ctx context.Context, of org.Tenant, id uuid.UUID) (trade.Reason, error) {
	var r trade.Reason
	const query = `SELECT ` + reasonColumns + ` FROM reason WHERE org_id = $1 AND id = $2`
	err := s.db.One(ctx, fault.Missing("Reason"), query, []any{of.ID(), id}, &r.ID, &r.Description, &r.Active, &r.DueDays, instant{&r.CreatedAt})
	return r, err
}
