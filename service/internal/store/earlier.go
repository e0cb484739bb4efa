package store

import (
	"context"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/org"
)

// AddEarlier registers an invoice of a previous system, so that notes can refer
// to it. It is never issued, counted or sent.
func (s *Store) AddEarlier(ctx context.Context, by org.Actor, e issue.Earlier) error {
	rows, err := documentOf(e.Breakdown)
	if err != nil {
		return err
	}
	err = s.write(ctx, func(t *tx) error {
		const insert = `
			INSERT INTO earlier_invoice (org_id, id, number, issue_date, simplified, buyer_id, currency, with_vat, vat_rows, created_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
		buyer := uuid.NullUUID{UUID: e.Buyer, Valid: e.Buyer != uuid.Nil}
		if err := t.Exec(insert, by.Tenant.ID(), e.ID, e.Number, e.IssueDate, bit(e.Simple), buyer, e.Currency, e.WithVAT.Fixed2(), rows, millis(s.now())); err != nil {
			return err
		}
		return t.event(by, "earlier.create", e.ID.String(), map[string]any{"number": e.Number})
	})
	if database.IsDuplicate(err) {
		return fault.New(fault.AlreadyExists, "An earlier invoice with this number is already registered.")
	}
	return err
}
