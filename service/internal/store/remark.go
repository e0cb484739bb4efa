package store

import (
	"context"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// AddRemark adds a remark to an invoice of the actor's organisation.
func (s *Store) AddRemark(ctx context.Context, by org.Actor, invoice uuid.UUID, r ledger.Remark) error {
	return s.write(ctx, func(t *tx) error {
		var known int
		if err := t.QueryRow(`SELECT count(*) FROM invoice WHERE org_id = $1 AND id = $2`, by.Tenant.ID(), invoice).Scan(&known); err != nil {
			return err
		}
		if known == 0 {
			return errNoInvoice()
		}
		const insert = `
			INSERT INTO remark (org_id, id, invoice_id, title, details, created_at, created_by)
			VALUES ($1, $2, $3, $4, $5, $6, $7)`
		if err := t.Exec(insert, by.Tenant.ID(), r.ID, invoice, r.Title, r.Details, millis(r.CreatedAt), r.CreatedBy); err != nil {
			return err
		}
		return t.event(by, "invoice.remark", invoice.String(), map[string]any{"remark": r.ID})
	})
}

// Remarks returns the first 1,000 remarks on an invoice, oldest first.
func (s *Store) Remarks(ctx context.Context, of org.Tenant, invoice uuid.UUID) ([]ledger.Remark, error) {
	known := 0
	if err := s.db.One(ctx, errNoInvoice(), `SELECT 1 FROM invoice WHERE org_id = $1 AND id = $2`, []any{of.ID(), invoice}, &known); err != nil {
		return nil, err
	}
	const query = `
		SELECT id, title, details, created_at, created_by
		FROM remark
		WHERE org_id = $1 AND invoice_id = $2
		ORDER BY id
		LIMIT 1000`
	return database.All(ctx, s.db, query, []any{of.ID(), invoice}, func(row scanner) (ledger.Remark, error) {
		var r ledger.Remark
		err := row.Scan(&r.ID, &r.Title, &r.Details, instant{&r.CreatedAt}, &r.CreatedBy)
		return r, err
	})
}
