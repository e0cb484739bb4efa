package store

import (
	"context"
	"database/sql"
	"fmt"

	"khatm/money"
	"khatm/service/internal/database"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// dayOf is the expression of the index of documents by day.
const dayOf = `substr(i.issue_date, 1, 10)`

// ofDays selects the documents from day $2 to day $3.
const ofDays = `i.org_id = $1 AND ` + dayOf + ` >= $2 AND ` + dayOf + ` <= $3`

// counted is how a document counts in sums: rejected ones do not, and credit
// notes are subtracted.
const counted = `CASE WHEN i.status IN ('NOT_CLEARED', 'NOT_REPORTED') THEN 0 WHEN i.type_code = 381 THEN -1 ELSE 1 END`

// Sums of days. A document in another currency than SAR counts with what is stored
// for each of its VAT categories in SAR. The VAT of each is rounded, while the
// document has the rounded sum, which differs if several categories have VAT.
const (
	daySums = `
		SELECT ` + dayOf + `, count(*),
			CAST(sum(CASE WHEN i.status IN ('CLEARED', 'REPORTED') THEN 1 ELSE 0 END) AS BIGINT),
			CAST(sum(CASE WHEN i.status IN ('NOT_CLEARED', 'NOT_REPORTED') THEN 1 ELSE 0 END) AS BIGINT),
			CAST(sum(CASE WHEN i.currency = 'SAR' THEN 0 ELSE 1 END) AS BIGINT),
			CAST(sum(CASE WHEN i.currency = 'SAR' THEN ` + counted + ` * CAST(replace(i.vat, '.', '') AS BIGINT) ELSE 0 END) AS BIGINT),
			CAST(sum(CASE WHEN i.currency = 'SAR' THEN ` + counted + ` * CAST(replace(i.with_vat, '.', '') AS BIGINT) ELSE 0 END) AS BIGINT)
		FROM invoice i
		WHERE ` + ofDays + `
		GROUP BY ` + dayOf + `
		ORDER BY ` + dayOf
	foreignSums = `
		SELECT ` + dayOf + `,
			CAST(sum(CASE WHEN v.position > 1 AND v.vat_sar <> '0.00' THEN 1 ELSE 0 END) AS BIGINT),
			CAST(sum(` + counted + ` * CAST(replace(v.vat_sar, '.', '') AS BIGINT)) AS BIGINT),
			CAST(sum(` + counted + ` * (CAST(replace(v.taxable_sar, '.', '') AS BIGINT) + CAST(replace(v.vat_sar, '.', '') AS BIGINT))) AS BIGINT)
		FROM invoice i
		JOIN vat_row v ON v.org_id = i.org_id AND v.invoice_id = i.id
		WHERE ` + ofDays + ` AND i.currency <> 'SAR'
		GROUP BY ` + dayOf
	foreignMixed = `
		SELECT ` + dayOf + `, ` + counted + `, d.record
		FROM invoice i
		JOIN document d ON d.org_id = i.org_id AND d.invoice_id = i.id
		WHERE ` + ofDays + ` AND i.currency <> 'SAR'
			AND (SELECT count(*) FROM vat_row v WHERE v.org_id = i.org_id AND v.invoice_id = i.id AND v.vat_sar <> '0.00') > 1`
	deductedRows = `
		SELECT ` + dayOf + `, d.vat_rows, CASE WHEN i.currency = 'SAR' THEN NULL ELSE a.record END
		FROM invoice i
		JOIN deduction d ON d.org_id = i.org_id AND d.invoice_id = i.id
		JOIN document a ON a.org_id = d.org_id AND a.invoice_id = d.advance_id
		WHERE ` + ofDays + ` AND d.released = 0 AND d.vat_rows IS NOT NULL`
)

// Days returns the sums of an organisation's documents for each day of a period
// that has documents, in the order of the days.
func (s *Store) Days(ctx context.Context, of org.Tenant, from, to string) ([]ledger.Day, error) {
	args := []any{of.ID(), from, to}
	foreign := 0
	days, err := database.All(ctx, s.db, daySums, args, func(row scanner) (d ledger.Day, err error) {
		n := 0
		err = row.Scan(&d.Date, &d.Issued, &d.Accepted, &d.Rejected, &n, hundredths{&d.VAT}, hundredths{&d.WithVAT})
		foreign += n
		return d, err
	})
	if err != nil {
		return nil, fmt.Errorf("add up documents: %w", err)
	}
	at := make(map[string]*ledger.Day, len(days))
	for i := range days {
		at[days[i].Date] = &days[i]
	}
	add := func(day string, vat, withVAT money.Decimal) {
		if d := at[day]; d != nil { // else its documents were issued after daySums was read
			d.VAT, d.WithVAT = d.VAT.Add(vat), d.WithVAT.Add(withVAT)
		}
	}
	if foreign > 0 {
		if err := s.addForeign(ctx, args, add); err != nil {
			return nil, fmt.Errorf("add up documents in other currencies: %w", err)
		}
	}
	if err := s.subtractDeducted(ctx, args, add); err != nil {
		return nil, fmt.Errorf("subtract deducted advances: %w", err)
	}
	return days, nil
}

// addForeign adds the documents of the days in other currencies than SAR.
func (s *Store) addForeign(ctx context.Context, days []any, add func(day string, vat, withVAT money.Decimal)) error {
	several := 0 // rows with VAT that are not the first of their document
	_, err := database.All(ctx, s.db, foreignSums, days, func(row scanner) (none struct{}, err error) {
		var day string
		var vat, withVAT money.Decimal
		n := 0
		err = row.Scan(&day, &n, hundredths{&vat}, hundredths{&withVAT})
		several += n
		add(day, vat, withVAT)
		return none, err
	})
	if err != nil || several == 0 {
		return err
	}
	_, err = database.All(ctx, s.db, foreignMixed, days, func(row scanner) (none struct{}, err error) {
		var day, record string
		var sign int64
		if err := row.Scan(&day, &sign, &record); err != nil {
			return none, err
		}
		r, _, err := ledger.ParseRecord(record)
		if err != nil {
			return none, err
		}
		rest := r.Totals.VATInSAR
		for _, v := range r.Breakdown {
			rest = rest.Sub(v.VAT.Mul(r.ExchangeRate).Round2())
		}
		rest = rest.Mul(money.FromInt(sign))
		add(day, rest, rest)
		return none, nil
	})
	return err
}

// subtractDeducted subtracts what documents of the days deduct from advances, which
// have counted on their own days, with the exchange rate of the advance. Deductions
// of earlier versions, which were stored without amounts, are left out.
func (s *Store) subtractDeducted(ctx context.Context, days []any, add func(day string, vat, withVAT money.Decimal)) error {
	_, err := database.All(ctx, s.db, deductedRows, days, func(row scanner) (none struct{}, err error) {
		var day string
		var rows []ledger.Subtotal
		var record sql.NullString // of the advance, if it is not in SAR
		if err := row.Scan(&day, document{&rows}, &record); err != nil {
			return none, err
		}
		rate := money.FromInt(1)
		if record.Valid {
			r, _, err := ledger.ParseRecord(record.String)
			if err != nil {
				return none, err
			}
			rate = r.ExchangeRate
		}
		for _, one := range rows {
			vat := one.VAT.Mul(rate).Round2()
			add(day, vat.Neg(), one.Taxable.Mul(rate).Round2().Add(vat).Neg())
		}
		return none, nil
	})
	return err
}
