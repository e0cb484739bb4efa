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
		return do(&payments{tx: t, by: by, rd: reader{ctx: t.Context(), db: t, of: by.Tenant}})
	})
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

// restate stores the payment statuses of invoices.
func (p *payments) restate(ids []uuid.UUID) error {
	all, err := p.accounts(ids)
	if err != nil {
		return err
	}
	statuses := map[uuid.UUID]ledger.Payment{}
	for id, a := range all {
		statuses[id] = a.Status()
	}
	return p.setStatuses(statuses)
}

// setStatuses stores payment statuses, in the order of the ids, so that two
// transactions cannot deadlock.
func (p *payments) setStatuses(statuses map[uuid.UUID]ledger.Payment) error {
	const update = `UPDATE invoice SET payment = $1 WHERE org_id = $2 AND id = $3`
	for _, id := range slices.SortedFunc(maps.Keys(statuses), byValue) {
		if err := p.ExecOne(errNoInvoice(), update, string(statuses[id]), p.by.Tenant.ID(), id); err != nil {
			return fmt.Errorf("store the payment status of invoice %s: %w", id, err)
		}
	}
	return nil
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
