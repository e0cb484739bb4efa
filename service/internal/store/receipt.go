package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/payment"
)

// AddReceipt records a payment and the invoices that it pays. The rest is credit
// of the client. A repetition of the request returns the recorded receipt.
func (s *Store) AddReceipt(ctx context.Context, by org.Actor, r payment.Receipt, wishes []payment.Wish, q payment.Request) (recorded payment.Recorded, err error) {
	err = s.pay(ctx, by, func(p *payments) error {
		earlier, err := p.repeated("receipt", q)
		if err != nil {
			return err
		}
		if earlier == uuid.Nil {
			earlier = r.ID
			if err := p.addReceipt(r, wishes, q); err != nil {
				return err
			}
		}
		recorded, err = p.receipt(earlier)
		return err
	})
	return recorded, err
}

func (p *payments) addReceipt(r payment.Receipt, wishes []payment.Wish, q payment.Request) error {
	if err := p.checkClient(r.Client); err != nil {
		return err
	}
	rows, _, err := p.split(r, r.Amount, wishes)
	if err != nil {
		return err
	}
	r.Kind = payment.Payment
	number, err := p.insertReceipt(r, uuid.Nil, "", q)
	if err != nil {
		return err
	}
	if err := p.allocate(rows); err != nil {
		return err
	}
	return p.event(p.by, "receipt.create", r.ID.String(), map[string]any{"number": number, "currency": r.Currency, "amount": r.Amount.Fixed2()})
}

// checkClient returns an error if the client does not exist.
func (p *payments) checkClient(id uuid.UUID) error {
	if id == uuid.Nil {
		return nil
	}
	var known int
	if err := p.QueryRow(`SELECT count(*) FROM client WHERE org_id = $1 AND id = $2`, p.by.Tenant.ID(), id).Scan(&known); err != nil {
		return fmt.Errorf("look for client %s: %w", id, err)
	}
	if known == 0 {
		return fault.Wrong(fault.Problem{
			Path: "buyer", Message: "is not a client of the organisation", MessageAR: "لا يوجد في المنشأة عميل بهذا المعرّف.",
			Fix: "Choose a client from the list of clients.", FixAR: "اختر عميلًا من قائمة العملاء.",
		})
	}
	return nil
}

// split divides what is left of a receipt among the documents of the wishes.
func (p *payments) split(r payment.Receipt, rest money.Decimal, wishes []payment.Wish) ([]payment.Allocation, money.Decimal, error) {
	var ids []uuid.UUID
	for _, w := range wishes {
		ids = append(ids, w.Document)
	}
	all, err := p.accounts(ids)
	if err != nil {
		return nil, rest, err
	}
	documents := map[uuid.UUID]payment.Document{}
	for id, a := range all {
		documents[id] = a.Document
	}
	return r.Split(rest, wishes, documents)
}

// insertReceipt stores a receipt under the next number, which it returns.
func (p *payments) insertReceipt(r payment.Receipt, reverses uuid.UUID, reason string, q payment.Request) (string, error) {
	number, err := p.nextNumber(receiptNumbers)
	if err != nil {
		return "", err
	}
	amount, sar, err := storedAmounts(r.Amount, r.SAR)
	if err != nil {
		return "", err
	}
	key, digest := keyOrNull(q)
	const insert = `
		INSERT INTO receipt (org_id, id, kind, number, client_id, currency, amount, sar, means, received_on, note, reverses, reason, request_key, request_digest,
			created_by, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`
	err = p.Exec(insert, p.by.Tenant.ID(), r.ID, string(r.Kind), number, idOrNull(r.Client), r.Currency, amount, sar, r.Means, r.Date, r.Note, idOrNull(reverses), reason,
		key, digest, p.by.Name, millis(p.store.now()))
	if err != nil {
		return "", fmt.Errorf("store receipt %s: %w", number, err)
	}
	return number, nil
}

// allocate stores allocations and the payment statuses that they change.
func (p *payments) allocate(rows []payment.Allocation) error {
	const insert = `
		INSERT INTO allocation (org_id, id, receipt_id, invoice_id, amount, reverses, cause, created_by, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`
	var changed []uuid.UUID
	for _, a := range rows {
		amount, err := inHundredths(a.Amount)
		if err != nil {
			return err
		}
		err = p.Exec(insert, p.by.Tenant.ID(), p.store.newID(), a.Receipt, a.Document, amount, idOrNull(a.Reverses), string(a.Cause), p.by.Name, millis(p.store.now()))
		if err != nil {
			return fmt.Errorf("allocate to invoice %s: %w", a.Document, err)
		}
		changed = append(changed, a.Document)
	}
	return p.restate(changed)
}

// Allocate pays invoices from what is left of a receipt.
func (s *Store) Allocate(ctx context.Context, by org.Actor, id uuid.UUID, wishes []payment.Wish) (recorded payment.Recorded, err error) {
	err = s.pay(ctx, by, func(p *payments) error {
		r, err := p.receipt(id)
		if err != nil {
			return err
		}
		if r.Undone != nil {
			return fault.New(fault.ReceiptReversed, "Receipt %s is reversed.", r.Number).Arabic("سند القبض %s ملغى بقيد عكسي.", r.Number)
		}
		rows, rest, err := p.split(r.Receipt, r.Unused(), wishes)
		if err != nil {
			return err
		}
		if err := p.allocate(rows); err != nil {
			return err
		}
		if err := p.event(by, "receipt.allocate", id.String(), map[string]any{"number": r.Number, "unused": rest.Fixed2()}); err != nil {
			return err
		}
		recorded, err = p.receipt(id)
		return err
	})
	return recorded, err
}

// ReverseReceipt takes back a receipt and everything that it paid.
func (s *Store) ReverseReceipt(ctx context.Context, by org.Actor, id uuid.UUID, reason string) (recorded payment.Recorded, err error) {
	err = s.pay(ctx, by, func(p *payments) error {
		r, err := p.receipt(id)
		if err != nil {
			return err
		}
		rows, err := r.Reverse(r.Undone != nil, payment.Live(r.Allocations))
		if err != nil {
			return err
		}
		number, err := p.reverseReceipt(r.Receipt, rows, reason)
		if err != nil {
			return err
		}
		if err := p.event(by, "receipt.reverse", id.String(), map[string]any{"number": r.Number, "reversal": number}); err != nil {
			return err
		}
		recorded, err = p.receipt(id)
		return err
	})
	return recorded, err
}

// reverseReceipt stores the reversal of a receipt and returns its number.
func (p *payments) reverseReceipt(r payment.Receipt, rows []payment.Allocation, reason string) (string, error) {
	reverses := r.ID
	r.ID, r.Kind, r.Amount, r.Date, r.Note = p.store.newID(), payment.Reversal, r.Amount.Neg(), p.today(), ""
	r.SAR = negative(r.SAR)
	number, err := p.insertReceipt(r, reverses, reason, payment.Request{})
	if err != nil {
		return "", err
	}
	return number, p.allocate(slices.Clone(rows))
}

func negative(amount *money.Decimal) *money.Decimal {
	if amount == nil {
		return nil
	}
	back := amount.Neg()
	return &back
}
