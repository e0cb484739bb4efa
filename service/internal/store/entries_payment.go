package store

import (
	"database/sql"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"khatm/service/internal/issue"
	"khatm/service/internal/payment"
)

// settle records the payments of documents that were issued from drafts: it moves
// what was received for a rejected document to its replacement, then writes the
// receipts of documents that are paid on issue. It does nothing for other
// documents.
func (t *tx) settle(all []entering) error {
	settled := false
	for _, b := range all {
		for _, one := range b.Invoices {
			if one.Draft == uuid.Nil {
				continue
			}
			settled = true
			if err := t.SendBatch(); err != nil {
				return fmt.Errorf("write the batch: %w", err)
			}
			by := one.By
			by.Tenant = b.of
			if err := t.payments(by).settle(one); err != nil {
				return fmt.Errorf("settle invoice %s: %w", one.Invoice.Number, err)
			}
		}
	}
	if !settled {
		return nil
	}
	return t.store.db.Point("receipts written")
}

func (p *payments) settle(one issue.Entry) error {
	if err := p.replace(one.Draft, one.Invoice.ID); err != nil {
		return err
	}
	if !one.Paid {
		return nil
	}
	all, err := p.accounts([]uuid.UUID{one.Invoice.ID})
	if err != nil {
		return err
	}
	d := all[one.Invoice.ID]
	open := d.Balance()
	if open.Sign() <= 0 {
		return nil
	}
	r := payment.Receipt{
		ID: p.store.newID(), Client: d.Client, Currency: d.Currency, Amount: open,
		Details: payment.Details{Means: one.Invoice.Record.PaymentMeans, Date: one.Invoice.IssueDate},
	}
	return p.addReceipt(r, []payment.Wish{{Document: d.ID, Amount: open}}, payment.Request{})
}

// replace moves what was received for the rejected document that a draft corrects
// to the document issued from the draft. Payments of a damaged document stay.
func (p *payments) replace(draft, replacement uuid.UUID) error {
	var corrects uuid.NullUUID
	err := p.QueryRow(`SELECT corrects FROM draft WHERE org_id = $1 AND id = $2`, p.by.Tenant.ID(), draft).Scan(&corrects)
	if errors.Is(err, sql.ErrNoRows) || err == nil && !corrects.Valid {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read draft %s: %w", draft, err)
	}
	live, err := p.allocationsTo(corrects.UUID)
	if err != nil || len(live) == 0 {
		return err
	}
	all, err := readAccounts(p.rd, []uuid.UUID{corrects.UUID, replacement})
	if err != nil {
		return err
	}
	from, to := all[corrects.UUID], all[replacement]
	if from.damage != nil || to.damage != nil || to.CreditNote {
		return nil
	}
	rows := payment.Move(from.Document, to.Document, live)
	if len(rows) == 0 {
		return nil
	}
	if err := p.allocate(rows); err != nil {
		return err
	}
	return p.event(p.by, "receipt.move", replacement.String(), map[string]any{"from": corrects.UUID, "number": from.Number})
}

// allocationsTo returns the allocations to a document that were not taken back, in
// their order.
func (p *payments) allocationsTo(id uuid.UUID) ([]payment.Allocation, error) {
	const query = `
		SELECT id, receipt_id, invoice_id, amount, reverses, cause
		FROM allocation
		WHERE org_id = $1 AND invoice_id = $2
		ORDER BY id`
	var all []payment.Allocation
	err := p.rd.rows(query, []any{p.by.Tenant.ID(), id}, func(row scanner) error {
		a, err := scanAllocation(row)
		all = append(all, a)
		return err
	})
	return payment.Live(all), err
}
