package store

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/payment"
)

// AddRefund records a refund on a credit note, in the currency of the note. A
// repetition of the request returns the recorded refund.
func (s *Store) AddRefund(ctx context.Context, by org.Actor, f payment.Refund, q payment.Request) (recorded payment.RecordedRefund, err error) {
	err = s.pay(ctx, by, func(p *payments) error {
		earlier, err := p.repeated("refund", q)
		if err != nil {
			return err
		}
		if earlier == uuid.Nil {
			earlier = f.ID
			if err := p.addRefund(f, q); err != nil {
				return err
			}
		}
		recorded, err = readRefund(p.rd, earlier)
		return err
	})
	return recorded, err
}

func (p *payments) addRefund(f payment.Refund, q payment.Request) error {
	n, err := p.note(f.Note)
	if err != nil {
		return err
	}
	if f.Parts, err = n.Refund(f.Amount, f.Kept); err != nil {
		return err
	}
	f.Currency = n.Currency
	kept := uuid.Nil
	if f.Kept {
		kept, f.Means = p.store.newID(), ""
		r := payment.Receipt{ID: kept, Kind: payment.Kept, Client: n.Client, Currency: n.Currency, Amount: f.Amount, Details: f.Details}
		if _, err := p.insertReceipt(r, uuid.Nil, "", payment.Request{}); err != nil {
			return err
		}
	}
	number, err := p.insertRefund(f, kept, uuid.Nil, "", q)
	if err != nil {
		return err
	}
	return p.event(p.by, "refund.create", f.ID.String(), map[string]any{"number": number, "invoice": f.Note, "currency": f.Currency, "amount": f.Amount.Fixed2()})
}

// note reads a credit note.
func (p *payments) note(id uuid.UUID) (payment.Note, error) {
	all, err := p.accounts([]uuid.UUID{id})
	if err != nil {
		return payment.Note{}, err
	}
	a, known := all[id]
	if !known {
		return payment.Note{}, errNoInvoice()
	}
	if !a.CreditNote {
		refusal := fault.New(fault.RefundOnInvoice, "%s is not a credit note.", a.Number)
		refusal.Path = "invoice"
		return payment.Note{}, refusal
	}
	return noteOf(p.rd, a, p.store.accountsOf)
}

// insertRefund stores a refund under the next number, which it returns, and the
// payment statuses that it changes.
func (p *payments) insertRefund(f payment.Refund, kept, reverses uuid.UUID, reason string, q payment.Request) (string, error) {
	number, err := p.nextNumber(refundNumbers)
	if err != nil {
		return "", err
	}
	amount, sar, err := storedAmounts(f.Amount, f.SAR)
	if err != nil {
		return "", err
	}
	key, digest := keyOrNull(q)
	const insert = `
		INSERT INTO refund (org_id, id, number, note_id, currency, amount, sar, means, paid_on, note, receipt_id, reverses, reason, request_key, request_digest,
			created_by, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`
	err = p.Exec(insert, p.by.Tenant.ID(), f.ID, number, f.Note, f.Currency, amount, sar, f.Means, f.Date, f.Details.Note, idOrNull(kept), idOrNull(reverses), reason,
		key, digest, p.by.Name, millis(p.store.now()))
	if err != nil {
		return "", fmt.Errorf("store refund %s: %w", number, err)
	}
	originals := make([]uuid.UUID, 0, len(f.Parts))
	for _, part := range f.Parts {
		amount, err := inHundredths(part.Amount)
		if err != nil {
			return "", err
		}
		const insert = `INSERT INTO refund_part (org_id, refund_id, original_id, amount) VALUES ($1, $2, $3, $4)`
		if err := p.Exec(insert, p.by.Tenant.ID(), f.ID, part.Original, amount); err != nil {
			return "", fmt.Errorf("store a part of refund %s: %w", number, err)
		}
		originals = append(originals, part.Original)
	}
	return number, p.restate(append(originals, f.Note))
}

// ReverseRefund takes back a refund. If the client kept it, everything that the
// credit paid is taken back as well.
func (s *Store) ReverseRefund(ctx context.Context, by org.Actor, id uuid.UUID, reason string) (recorded payment.RecordedRefund, err error) {
	err = s.pay(ctx, by, func(p *payments) error {
		f, err := readRefund(p.rd, id)
		if err != nil {
			return err
		}
		number, err := p.reverseRefund(f, reason)
		if err != nil {
			return err
		}
		if err := p.event(by, "refund.reverse", id.String(), map[string]any{"number": f.Number, "reversal": number}); err != nil {
			return err
		}
		recorded, err = readRefund(p.rd, id)
		return err
	})
	return recorded, err
}

func (p *payments) reverseRefund(f payment.RecordedRefund, reason string) (number string, err error) {
	var kept payment.Recorded
	if f.Kept {
		if kept, err = p.receipt(f.Receipt); err != nil {
			return "", err
		}
	}
	parts, rows, err := f.Reverse(f.Undone != nil, payment.Live(kept.Allocations))
	if err != nil {
		return "", err
	}
	if f.Kept {
		if _, err := p.reverseReceipt(kept.Receipt, rows, reason); err != nil {
			return "", err
		}
	}
	back := f.Refund
	back.ID, back.Parts, back.Amount, back.SAR = p.store.newID(), parts, f.Amount.Neg(), negative(f.SAR)
	back.Date, back.Details.Note = p.today(), ""
	return p.insertRefund(back, f.Receipt, f.ID, reason, payment.Request{})
}

// Refund returns a refund.
func (s *Store) Refund(ctx context.Context, of org.Tenant, id uuid.UUID) (payment.RecordedRefund, error) {
	ctx, end, err := s.db.Begin(ctx)
	if err != nil {
		return payment.RecordedRefund{}, err
	}
	defer end()
	f, err := readRefund(reader{ctx: ctx, db: s.db, of: of}, id)
	return f, database.Outage(err)
}

// refundTables contains each refund with its reversal.
const refundTables = `
	refund f
	LEFT JOIN refund v ON v.org_id = f.org_id AND v.reverses = f.id`

const refundColumns = `
	f.id, f.number, f.note_id, f.currency, f.amount, f.sar, f.means, f.paid_on, f.note, f.receipt_id, f.created_by, f.created_at,
	v.number, v.reason, v.created_by, v.created_at`

func scanRefund(row scanner) (payment.RecordedRefund, error) {
	var f payment.RecordedRefund
	var sar sql.NullInt64
	var kept uuid.NullUUID
	var u undoColumns
	err := row.Scan(append([]any{
		&f.ID, &f.Number, &f.Refund.Note, &f.Currency, hundredths{&f.Amount}, &sar, &f.Means, &f.Date, &f.Details.Note, &kept, &f.By, instant{&f.At},
	}, u.into()...)...)
	f.SAR, f.Receipt, f.Kept, f.Undone = hundredthsOrNil(sar), kept.UUID, kept.Valid, u.undo()
	return f, err
}

// readRefund reads a refund that is not a reversal.
func readRefund(rd reader, id uuid.UUID) (payment.RecordedRefund, error) {
	const query = `SELECT ` + refundColumns + ` FROM ` + refundTables + ` WHERE f.org_id = $1 AND f.id = $2 AND f.reverses IS NULL`
	var found []payment.RecordedRefund
	err := rd.rows(query, []any{rd.of.ID(), id}, func(row scanner) error {
		f, err := scanRefund(row)
		found = append(found, f)
		return err
	})
	if err != nil {
		return payment.RecordedRefund{}, fmt.Errorf("read refund %s: %w", id, err)
	}
	if len(found) == 0 {
		return payment.RecordedRefund{}, fault.Missing("Refund")
	}
	err = rd.refundParts(found)
	return found[0], err
}

// refundParts adds the parts of refunds.
func (rd reader) refundParts(refunds []payment.RecordedRefund) error {
	at := map[uuid.UUID]*payment.RecordedRefund{}
	var ids []uuid.UUID
	for n := range refunds {
		at[refunds[n].ID] = &refunds[n]
		ids = append(ids, refunds[n].ID)
	}
	return rd.among(ids, func(places string, args []any) error {
		query := `SELECT refund_id, original_id, amount FROM refund_part WHERE org_id = $1 AND refund_id IN (` + places + `) ORDER BY refund_id, original_id`
		return rd.rows(query, args, func(row scanner) error {
			var id uuid.UUID
			var part payment.Part
			err := row.Scan(&id, &part.Original, hundredths{&part.Amount})
			if f := at[id]; f != nil {
				f.Parts = append(f.Parts, part)
			}
			return err
		})
	})
}

// Refunds returns a page of the refunds on a credit note, or of all for uuid.Nil,
// newest first. Reversals are part of the refunds that they take back.
func (s *Store) Refunds(ctx context.Context, of org.Tenant, note uuid.UUID, page org.Page) (list org.List[payment.RecordedRefund], err error) {
	c := &condition{args: []any{of.ID()}}
	c.add("f.reverses IS NULL")
	if note != uuid.Nil {
		c.add("f.note_id = ?", note)
	}
	ctx, end, err := s.db.Begin(ctx)
	if err != nil {
		return list, err
	}
	defer end()
	rd := reader{ctx: ctx, db: s.db, of: of}
	total := 0
	count := `SELECT count(*) FROM (SELECT 1 FROM refund f WHERE f.org_id = $1 AND ` + c.text() + ` LIMIT ` + strconv.Itoa(org.Counted+1) + `) counted`
	if err := rd.rows(count, c.args, func(row scanner) error { return row.Scan(&total) }); err != nil {
		return list, database.Outage(err)
	}
	c.add("f.id < ?", before(page))
	n := len(c.args)
	query := `
		SELECT ` + refundColumns + `
		FROM ` + refundTables + `
		WHERE f.org_id = $1 AND ` + c.text() + `
		ORDER BY f.id DESC
		LIMIT $` + strconv.Itoa(n+1) + ` OFFSET $` + strconv.Itoa(n+2)
	var rows []payment.RecordedRefund
	err = rd.rows(query, append(c.args, page.Size+1, page.Skip()), func(row scanner) error {
		f, err := scanRefund(row)
		rows = append(rows, f)
		return err
	})
	if err == nil {
		err = rd.refundParts(rows)
	}
	list = listOf(rows, page, func(f payment.RecordedRefund) uuid.UUID { return f.ID })
	list.Total, list.Capped = min(total, org.Counted), total > org.Counted
	return list, database.Outage(err)
}
