package store

import (
	"context"
	"database/sql"
	"strings"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/money"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// Earlier reads documents that a new one refers to.
func (s *Store) Earlier(ctx context.Context, of org.Tenant, ids []uuid.UUID) (map[uuid.UUID]issue.Earlier, error) {
	ctx, cancel := s.reading(ctx)
	defer cancel()
	d := desk{ctx: ctx, ask: s.readers, of: of, into: &issue.Desk{Earlier: map[uuid.UUID]issue.Earlier{}}}
	err := d.earlier(issue.Wants{Earlier: ids})
	return d.into.Earlier, s.outage(err)
}

// earlier reads the documents that are referred to, with what was taken of
// them so far.
func (d desk) earlier(w issue.Wants) error {
	for _, ask := range []func(string, []any) error{d.issuedEarlier, d.importedEarlier, d.takenOf} {
		if err := d.among(w.Earlier, ask); err != nil {
			return err
		}
	}
	return nil
}

func (d desk) issuedEarlier(places string, args []any) error {
	return d.rows(`
		SELECT i.id, i.ref_num, i.issue_date, i.issue_time, i.type_code, i.transaction_code, i.buyer_id, i.currency, i.status, i.with_vat, d.record,
			(SELECT count(*) FROM deduction x WHERE x.org_id = i.org_id AND x.advance_id = i.id AND x.released = 0)
		FROM invoice i
		JOIN document d ON d.org_id = i.org_id AND d.invoice_id = i.id
		WHERE i.org_id = $1 AND i.id IN (`+places+`)`, args, func(row scanner) error {
		e := issue.Earlier{Lines: map[uuid.UUID]bool{}}
		var transaction string
		var buyer uuid.NullUUID
		var status sql.NullString
		var record ledger.Record
		var deducted int
		if err := row.Scan(&e.ID, &e.Number, &e.IssueDate, &e.IssueTime, &e.Kind, &transaction, &buyer, &e.Currency, &status,
			decimal{&e.WithVAT}, document{&record}, &deducted); err != nil {
			return err
		}
		e.Simple = strings.HasPrefix(transaction, "02")
		e.Buyer, e.Status, e.Breakdown, e.Deducted = buyer.UUID, ledger.Status(status.String), record.Breakdown, deducted > 0
		for _, l := range record.Lines {
			e.Lines[l.ID] = true
		}
		d.into.Earlier[e.ID] = e
		return nil
	})
}

func (d desk) importedEarlier(places string, args []any) error {
	return d.rows(`
		SELECT id, number, issue_date, simplified, buyer_id, currency, with_vat, vat_rows
		FROM earlier_invoice
		WHERE org_id = $1 AND id IN (`+places+`)`, args, func(row scanner) error {
		e := issue.Earlier{Imported: true, Kind: invoice.TaxInvoice}
		var buyer uuid.NullUUID
		err := row.Scan(&e.ID, &e.Number, &e.IssueDate, &e.Simple, &buyer, &e.Currency, decimal{&e.WithVAT}, document{&e.Breakdown})
		e.Buyer = buyer.UUID
		d.into.Earlier[e.ID] = e
		return err
	})
}

// takenOf adds up what credit notes that were not rejected have taken.
func (d desk) takenOf(places string, args []any) error {
	return d.rows(`
		SELECT original_id, amount, vat_rows
		FROM credit
		WHERE org_id = $1 AND released = 0 AND original_id IN (`+places+`)`, args, func(row scanner) error {
		var id uuid.UUID
		var amount money.Decimal
		var rows []ledger.Subtotal
		if err := row.Scan(&id, decimal{&amount}, document{&rows}); err != nil {
			return err
		}
		e := d.into.Earlier[id]
		e.Credited = e.Credited.Add(amount)
		e.CreditedRows = append(e.CreditedRows, rows...)
		d.into.Earlier[id] = e
		return nil
	})
}
