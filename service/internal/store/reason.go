package store

import (
	"context"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
)

// AddReason inserts a new reason of the actor's organisation.
func (s *Store) AddReason(ctx context.Context, by org.Actor, r trade.Reason) error {
	return s.write(ctx, func(t *tx) error {
		const insert = `
			INSERT INTO reason (org_id, id, description, active, created_at)
			VALUES ($1, $2, $3, $4, $5)`
		if err := t.Exec(insert, by.Tenant.ID(), r.ID, r.Description, bit(r.Active), millis(r.CreatedAt)); err != nil {
			return err
		}
		return t.event(by, "reason.create", r.ID.String(), map[string]any{"description": r.Description})
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

// Reasons returns an organisation's reasons, oldest first.
func (s *Store) Reasons(ctx context.Context, of org.Tenant) ([]trade.Reason, error) {
	const query = `
		SELECT id, description, active, created_at
		FROM reason
		WHERE org_id = $1
		ORDER BY id`
	return database.All(ctx, s.db, query, []any{of.ID()}, scanReason)
}

func scanReason(row scanner) (trade.Reason, error) {
	var r trade.Reason
	err := row.Scan(&r.ID, &r.Description, &r.Active, instant{&r.CreatedAt})
	return r, err
}

// ActiveReasons returns the active reasons of an organisation, oldest first and
// at most as many as stated.
func (s *Store) ActiveReasons(ctx context.Context, of org.Tenant, most int) ([]trade.Reason, error) {
	const query = `
		SELECT id, description, active, created_at
		FROM reason
		WHERE org_id = $1 AND active = 1
		ORDER BY id
		LIMIT $2`
	return database.All(ctx, s.db, query, []any{of.ID(), most}, scanReason)
}

// Reason returns a reason of an organisation, or a NotFound fault.
func (s *Store) Reason(ctx context.Context, of org.Tenant, id uuid.UUID) (trade.Reason, error) {
	var r trade.Reason
	const query = `SELECT id, description, active, created_at FROM reason WHERE org_id = $1 AND id = $2`
	err := s.db.One(ctx, fault.Missing("Reason"), query, []any{of.ID(), id}, &r.ID, &r.Description, &r.Active, instant{&r.CreatedAt})
	return r, err
}
