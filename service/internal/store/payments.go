package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/money"
	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/payment"
)

// payments is a transaction that records payments of one organisation.
type payments struct {
	*tx
	by org.Actor
	rd reader
}

// pay runs do in a transaction that holds the book of the organisation. Credit
// notes, rejections and payments wait for each other, so that no balance changes
// between reading it and recording a payment.
func (s *Store) pay(ctx context.Context, by org.Actor, do func(*payments) error) error {
	return s.write(ctx, func(t *tx) error {
		if err := t.takeBook(by.Tenant); err != nil {
			return err
		}
		return do(t.payments(by))
	})
}

// payments returns the transaction for payments. The book must be locked.
func (t *tx) payments(by org.Actor) *payments {
	return &payments{tx: t, by: by, rd: reader{ctx: t.Context(), db: t, of: by.Tenant}}
}

// repeated returns the id of the row that an earlier request with the same key
// has recorded, or uuid.Nil.
func (p *payments) repeated(table string, q payment.Request) (uuid.UUID, error) {
	var id uuid.UUID
	var digest []byte
	if q.Key == "" {
		return id, nil
	}
	err := p.QueryRow(`SELECT id, request_digest FROM `+table+` WHERE org_id = $1 AND request_key = $2`, p.by.Tenant.ID(), q.Key).Scan(&id, &digest)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return uuid.Nil, nil
	case err != nil:
		return uuid.Nil, fmt.Errorf("look for an earlier request: %w", err)
	case string(digest) != string(q.Digest[:]):
		return uuid.Nil, fault.New(fault.PaymentKeyReused, "The Idempotency-Key was already used with other data.")
	}
	return id, nil
}

// keyOrNull returns the columns request_key and request_digest.
func keyOrNull(q payment.Request) (key, digest any) {
	if q.Key == "" {
		return nil, nil
	}
	return q.Key, q.Digest[:]
}

// Kinds of numbers in receipt_series.
const (
	receiptNumbers = "RCT"
	refundNumbers  = "RFD"
)

// nextNumber returns the next number of a kind, such as RCT-2026-000001. If the
// clock was set back by a year, the numbers of the later year go on.
func (p *payments) nextNumber(kind string) (string, error) {
	const next = `
		INSERT INTO receipt_series (org_id, kind, year, last)
		VALUES ($1, $2, $3, 1)
		ON CONFLICT (org_id, kind) DO UPDATE
		SET last = CASE WHEN receipt_series.year < excluded.year THEN 1 ELSE receipt_series.last + 1 END,
			year = CASE WHEN receipt_series.year < excluded.year THEN excluded.year ELSE receipt_series.year END
		RETURNING year, last`
	var year, last int64
	now := p.store.now().In(invoice.Riyadh()).Year()
	if err := p.QueryRow(next, p.by.Tenant.ID(), kind, now).Scan(&year, &last); err != nil {
		return "", fmt.Errorf("take the next number of %s: %w", kind, err)
	}
	return fmt.Sprintf("%s-%d-%06d", kind, year, last), nil
}

// today returns the date in Riyadh.
func (p *payments) today() string { return p.store.now().In(invoice.Riyadh()).Format("2006-01-02") }

// standing is what is stored with an invoice about its payments.
type standing struct {
	payment ledger.Payment
	sums    ledger.Sums
}

// restate stores the payment statuses and sums of documents, and of the valid credit
// notes on them, after a change of what was recorded for them. Damaged documents
// keep theirs.
func (p *payments) restate(ids []uuid.UUID) error {
	all, err := readAccounts(p.rd, ids)
	if err != nil {
		return err
	}
	var notes []uuid.UUID
	changed := map[uuid.UUID]standing{}
	for id, a := range all {
		if a.CreditNote {
			notes = append(notes, id)
		} else if a.damage == nil {
			changed[id] = standing{a.Status(), ledger.Sums{Received: a.Received, Credited: a.Credited, Refunded: a.Refunded}}
		}
		for _, c := range a.credits {
			notes = append(notes, c.Note)
		}
	}
	if all, err = readAccounts(p.rd, notes); err != nil {
		return err
	}
	for id, a := range all {
		if a.damage != nil {
			continue
		}
		n, err := noteOf(p.rd, a, readAccounts)
		if err != nil {
			return err
		}
		changed[id] = standing{n.Status(), ledger.Sums{RefundDue: n.RefundDue()}}
	}
	return p.setStandings(changed)
}

// setStandings stores what has changed, in the order of the ids, so that two
// transactions cannot deadlock.
func (p *payments) setStandings(changed map[uuid.UUID]standing) error {
	const update = `
		UPDATE invoice
		SET payment = $3, received = $4, credited = $5, refunded = $6, refund_due = $7
		WHERE org_id = $1 AND id = $2`
	for _, id := range slices.SortedFunc(maps.Keys(changed), byValue) {
		c := changed[id]
		args := []any{p.by.Tenant.ID(), id, string(c.payment)}
		for _, amount := range []money.Decimal{c.sums.Received, c.sums.Credited, c.sums.Refunded, c.sums.RefundDue} {
			n, err := inHundredths(amount)
			if err != nil {
				return err
			}
			args = append(args, n)
		}
		if err := p.ExecOne(errNoInvoice(), update, args...); err != nil {
			return fmt.Errorf("store the payments of invoice %s: %w", id, err)
		}
	}
	return nil
}

// originalsOf returns the documents that a credit note reduces.
func originalsOf(rd reader, note uuid.UUID) (originals []uuid.UUID, err error) {
	err = rd.rows(`SELECT original_id FROM credit WHERE org_id = $1 AND note_id = $2`, []any{rd.of.ID(), note}, func(row scanner) error {
		var id uuid.UUID
		err := row.Scan(&id)
		originals = append(originals, id)
		return err
	})
	return originals, err
}

// byValue compares ids.
func byValue(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }

// storedAmounts returns the columns amount and sar.
func storedAmounts(amount money.Decimal, sar *money.Decimal) (inCurrency, inSAR any, err error) {
	if inCurrency, err = inHundredths(amount); err != nil || sar == nil {
		return inCurrency, nil, err
	}
	inSAR, err = inHundredths(*sar)
	return inCurrency, inSAR, err
}

func idOrNull(id uuid.UUID) any {
	if id == uuid.Nil {
		return nil
	}
	return id
}
