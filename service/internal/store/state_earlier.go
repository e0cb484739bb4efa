package store

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/money"
	"khatm/service/internal/database"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// Earlier returns documents to which a new document refers, by their ids.
// Documents that do not exist are left out.
func (s *Store) Earlier(ctx context.Context, of org.Tenant, ids []uuid.UUID) (map[uuid.UUID]issue.Earlier, error) {
	ctx, end, err := s.db.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	rd := reader{ctx: ctx, db: s.db, of: of, into: &issue.State{Earlier: map[uuid.UUID]issue.Earlier{}}}
	err = rd.earlier(issue.Wants{Earlier: ids})
	s.noteAll(of, rd.into)
	return rd.into.Earlier, database.Outage(err)
}

// earlier reads the documents that are referred to, with the amounts already
// credited and deducted.
func (rd reader) earlier(w issue.Wants) error {
	err := rd.among(w.Earlier, rd.issuedEarlier)
	if database.IsUnreadable(err) {
		err = rd.eachEarlier(w.Earlier)
	}
	if err != nil {
		return err
	}
	if err := rd.among(w.Earlier, rd.importedEarlier); err != nil {
		return err
	}
	unknown := slices.DeleteFunc(slices.Clone(w.Earlier), func(id uuid.UUID) bool {
		_, known := rd.into.Earlier[id]
		return known
	})
	if err := rd.among(unknown, rd.lostEarlier); err != nil {
		return err
	}
	if err := rd.among(w.Earlier, rd.takenOf); err != nil {
		return err
	}
	return rd.among(w.Earlier, rd.deductedOf)
}

// eachEarlier reads the documents one by one, because the database could not
// read one of them.
func (rd reader) eachEarlier(ids []uuid.UUID) error {
	for _, id := range ids {
		err := rd.among([]uuid.UUID{id}, rd.issuedEarlier)
		switch {
		case database.IsUnreadable(err):
			rd.into.Earlier[id] = issue.Earlier{ID: id, Damage: &ledger.Damage{Invoice: id, What: err.Error()}}
		case err != nil:
			return err
		}
	}
	return nil
}

func (rd reader) issuedEarlier(places string, args []any) error {
	return rd.rows(`
		SELECT `+storedColumns+`
		FROM `+storedTables+`
		WHERE i.org_id = $1 AND i.id IN (`+places+`)`, args, func(row scanner) error {
		var r stored
		damage, err := scanStored(row, &r)
		if err != nil {
			return err
		}
		if damage != nil {
			rd.into.Earlier[damage.Invoice] = issue.Earlier{ID: damage.Invoice, Damage: damage}
			return nil
		}
		i, err := r.invoice()
		if err != nil {
			return err
		}
		e := issue.Earlier{
			ID: i.ID, Number: i.Number, IssueDate: i.IssueDate, IssueTime: i.IssueTime, Kind: i.Kind, Simple: i.Transaction.Simplified,
			Buyer: r.buyer.UUID, Currency: r.currency, Status: i.Status, Breakdown: i.Record.Breakdown, Lines: map[uuid.UUID]bool{},
		}
		if e.WithVAT, err = money.Parse(r.withVAT); err != nil {
			return err
		}
		e.Rounding = i.Record.Totals.Rounding
		for _, l := range i.Record.Lines {
			e.Lines[l.ID] = true
		}
		rd.into.Earlier[e.ID] = e
		return nil
	})
}

func (rd reader) importedEarlier(places string, args []any) error {
	return rd.rows(`
		SELECT id, number, issue_date, simplified, buyer_id, currency, with_vat, vat_rows
		FROM earlier_invoice
		WHERE org_id = $1 AND id IN (`+places+`)`, args, func(row scanner) error {
		e := issue.Earlier{Imported: true, Kind: invoice.TaxInvoice}
		var buyer uuid.NullUUID
		err := row.Scan(&e.ID, &e.Number, &e.IssueDate, &e.Simple, &buyer, &e.Currency, decimal{&e.WithVAT}, document{&e.Breakdown})
		e.Buyer = buyer.UUID
		rd.into.Earlier[e.ID] = e
		return err
	})
}

// lostEarlier adds documents whose invoice row does not exist, as damaged.
func (rd reader) lostEarlier(places string, args []any) error {
	return rd.rows(`SELECT invoice_id FROM document WHERE org_id = $1 AND invoice_id IN (`+places+`)`, args, func(row scanner) error {
		var id uuid.UUID
		err := row.Scan(&id)
		rd.into.Earlier[id] = issue.Earlier{ID: id, Damage: lost(id)}
		return err
	})
}

// takenOf adds the amounts of credit notes that were not rejected.
func (rd reader) takenOf(places string, args []any) error {
	return rd.rows(`
		SELECT original_id, amount, vat_rows
		FROM credit
		WHERE org_id = $1 AND released = 0 AND original_id IN (`+places+`)`, args, func(row scanner) error {
		var id uuid.UUID
		var amount money.Decimal
		var rows []ledger.Subtotal
		if err := row.Scan(&id, decimal{&amount}, document{&rows}); err != nil {
			return err
		}
		e := rd.into.Earlier[id]
		e.Credited = e.Credited.Add(amount)
		e.CreditedRows = append(e.CreditedRows, rows...)
		rd.into.Earlier[id] = e
		return nil
	})
}

// deductedOf adds the amounts that invoices which were not rejected deduct from
// advances. Deductions of earlier versions have no amounts: they took all that
// was left.
func (rd reader) deductedOf(places string, args []any) error {
	return rd.rows(`
		SELECT advance_id, coalesce(vat_rows, 'null')
		FROM deduction
		WHERE org_id = $1 AND released = 0 AND advance_id IN (`+places+`)`, args, func(row scanner) error {
		var id uuid.UUID
		var rows []ledger.Subtotal
		if err := row.Scan(&id, document{&rows}); err != nil {
			return err
		}
		e := rd.into.Earlier[id]
		e.DeductedRows = append(e.DeductedRows, rows...)
		e.Spent = e.Spent || rows == nil
		rd.into.Earlier[id] = e
		return nil
	})
}
