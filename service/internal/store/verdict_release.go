package store

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/money"
	"khatm/service/internal/ledger"
)

// giveBack releases what a rejected document has used: stock, the credit on its
// originals, and the advances that it deducted.
func (r *recording) giveBack(id uuid.UUID, kind invoice.Kind) error {
	for _, release := range []string{
		`UPDATE credit SET released = 1 WHERE org_id = $1 AND note_id = $2`,
		`UPDATE deduction SET released = 1 WHERE org_id = $1 AND invoice_id = $2`,
	} {
		if err := r.Exec(release, r.of.ID(), id); err != nil {
			return fmt.Errorf("release credits and deductions of invoice %s: %w", id, err)
		}
	}
	record, err := r.recordOf(id)
	if err != nil {
		return fmt.Errorf("read the lines of invoice %s: %w", id, err)
	}
	moved := map[uuid.UUID]money.Decimal{}
	for _, l := range record.Lines {
		if l.Item == nil {
			continue
		}
		switch kind {
		case invoice.TaxInvoice, invoice.DebitNote:
			moved[*l.Item] = moved[*l.Item].Add(l.Quantity)
		case invoice.CreditNote: // it had added the quantity to the stock
			moved[*l.Item] = moved[*l.Item].Sub(l.Quantity)
		case invoice.AdvancePayment:
		}
	}
	return r.restock(moved)
}

// recordOf returns the record of an invoice. It is empty if the invoice is
// damaged: the verdict must be stored anyway, and the stock used is not known.
func (r *recording) recordOf(id uuid.UUID) (record ledger.Record, err error) {
	var row stored
	rd := reader{ctx: r.Context(), db: r.tx, of: r.of}
	const query = `SELECT ` + storedColumns + ` FROM ` + storedTables + ` WHERE i.org_id = $1 AND i.id = $2`
	err = rd.rows(query, []any{r.of.ID(), id}, func(found scanner) error {
		damage, err := scanStored(found, &row)
		if damage != nil {
			r.store.note(r.of, damage)
		}
		if err != nil || damage != nil {
			return err
		}
		i, err := row.invoice()
		record = i.Record
		return err
	})
	return record, err
}

// restock changes the stock of items, locked in the order of their ids. The
// stock never becomes negative, even if the items were sold meanwhile.
func (r *recording) restock(moved map[uuid.UUID]money.Decimal) error {
	stock := map[uuid.UUID]money.Decimal{}
	rd := reader{ctx: r.Context(), db: r.tx, of: r.of}
	err := rd.among(slices.Collect(maps.Keys(moved)), func(places string, args []any) error {
		query := `SELECT id, stock FROM item WHERE org_id = $1 AND id IN (` + places + `) AND stock IS NOT NULL ORDER BY id`
		return rd.rows(query+r.store.dialect.LockRow, args, func(row scanner) error {
			var id uuid.UUID
			var left money.Decimal
			err := row.Scan(&id, decimal{&left})
			stock[id] = left
			return err
		})
	})
	if err != nil {
		return fmt.Errorf("read the stock: %w", err)
	}
	for id, left := range stock {
		left = left.Add(moved[id])
		if left.Less(money.Decimal{}) {
			left = money.Decimal{}
		}
		if err := r.ExecOne(errors.New("the item does not exist"), `UPDATE item SET stock = $1 WHERE org_id = $2 AND id = $3`, left.String(), r.of.ID(), id); err != nil {
			return fmt.Errorf("change the stock of item %s: %w", id, err)
		}
	}
	return nil
}
