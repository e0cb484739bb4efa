package store

import (
	"context"
	"database/sql"
	"slices"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/money"
	"khatm/service/internal/database"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/payment"
)

// owing is a document with what was recorded for it.
type owing struct {
	payment.Document
	valid   bool             // may be shown to the buyer
	credits []payment.Credit // valid credit notes on it
	damage  *ledger.Damage   // if not nil, only the id is known
}

// accounts reads documents with their sums. Documents that do not exist are left
// out. It returns an error if one is damaged.
func (p *payments) accounts(ids []uuid.UUID) (map[uuid.UUID]owing, error) {
	return p.store.accountsOf(p.rd, ids)
}

func (s *Store) accountsOf(rd reader, ids []uuid.UUID) (map[uuid.UUID]owing, error) {
	all, err := readAccounts(rd, ids)
	for _, a := range all {
		if a.damage != nil {
			return nil, s.damaged(rd.of, a.damage)
		}
	}
	return all, err
}

// readAccounts reads documents with their sums. It also returns damaged ones.
func readAccounts(rd reader, ids []uuid.UUID) (map[uuid.UUID]owing, error) {
	all := map[uuid.UUID]owing{}
	ids = slices.Clone(ids)
	slices.SortFunc(ids, byValue)
	ids = slices.Compact(ids)
	for _, read := range []func(reader, []uuid.UUID, map[uuid.UUID]owing) error{paidDocuments, creditsOn, allocatedTo, refundedFor} {
		if err := read(rd, ids, all); err != nil {
			return nil, err
		}
	}
	for id, a := range all {
		for _, c := range a.credits {
			a.Credited = a.Credited.Add(c.Amount)
		}
		all[id] = a
	}
	return all, nil
}

// paidDocuments reads the documents themselves.
func paidDocuments(rd reader, ids []uuid.UUID, all map[uuid.UUID]owing) error {
	return rd.among(ids, func(places string, args []any) error {
		query := `SELECT ` + storedColumns + ` FROM ` + storedTables + ` WHERE i.org_id = $1 AND i.id IN (` + places + `)`
		return rd.rows(query, args, func(row scanner) error {
			var r stored
			damage, err := scanStored(row, &r)
			if err != nil {
				return err
			}
			if damage != nil {
				all[damage.Invoice] = owing{damage: damage}
				return nil
			}
			i, err := r.head()
			if err != nil {
				return err
			}
			a := owing{valid: i.Printable(), Document: payment.Document{
				ID: i.ID, Number: i.Number, CreditNote: i.Kind == invoice.CreditNote, Client: r.buyer.UUID, Currency: r.currency, Due: i.IssueDate,
				Place: int64(slices.Index(ids, i.ID)),
			}}
			a.Rejected = i.Status.Final() && !i.Status.Accepted()
			a.Payable, err = money.Parse(r.total)
			all[i.ID] = a
			return err
		})
	})
}

// creditsOn adds the valid credit notes.
func creditsOn(rd reader, ids []uuid.UUID, all map[uuid.UUID]owing) error {
	return rd.among(ids, func(places string, args []any) error {
		query := `
			SELECT c.original_id, c.note_id, c.amount, n.transaction_code, n.status
			FROM credit c
			JOIN invoice n ON n.org_id = c.org_id AND n.id = c.note_id
			WHERE c.org_id = $1 AND c.released = 0 AND c.original_id IN (` + places + `)
			ORDER BY c.note_id`
		return rd.rows(query, args, func(row scanner) error {
			var original uuid.UUID
			var c payment.Credit
			var note ledger.Invoice
			var transaction string
			var status sql.NullString
			err := row.Scan(&original, &c.Note, decimal{&c.Amount}, &transaction, &status)
			if err != nil {
				return err
			}
			if note.Transaction, err = invoice.ParseTransaction(transaction); err != nil {
				return err
			}
			note.Status = ledger.Status(status.String)
			if a, known := all[original]; known && note.Printable() {
				c.Place = int64(len(a.credits))
				a.credits = append(a.credits, c)
				all[original] = a
			}
			return nil
		})
	})
}

// allocatedTo adds what receipts have paid.
func allocatedTo(rd reader, ids []uuid.UUID, all map[uuid.UUID]owing) error {
	return rd.among(ids, func(places string, args []any) error {
		query := `
			SELECT invoice_id, CAST(sum(amount) AS BIGINT)
			FROM allocation
			WHERE org_id = $1 AND invoice_id IN (` + places + `)
			GROUP BY invoice_id`
		return rd.rows(query, args, func(row scanner) error {
			var id uuid.UUID
			var sum money.Decimal
			err := row.Scan(&id, hundredths{&sum})
			if a, known := all[id]; known {
				a.Received = sum
				all[id] = a
			}
			return err
		})
	})
}

// refundedFor adds the refunds, in total and of each valid credit note.
func refundedFor(rd reader, ids []uuid.UUID, all map[uuid.UUID]owing) error {
	return rd.among(ids, func(places string, args []any) error {
		query := `
			SELECT p.original_id, r.note_id, CAST(sum(p.amount) AS BIGINT)
			FROM refund_part p
			JOIN refund r ON r.org_id = p.org_id AND r.id = p.refund_id
			WHERE p.org_id = $1 AND p.original_id IN (` + places + `)
			GROUP BY p.original_id, r.note_id`
		return rd.rows(query, args, func(row scanner) error {
			var id, note uuid.UUID
			var sum money.Decimal
			err := row.Scan(&id, &note, hundredths{&sum})
			a, known := all[id]
			if !known {
				return err
			}
			a.Refunded = a.Refunded.Add(sum)
			for n := range a.credits {
				if a.credits[n].Note == note {
					a.credits[n].Refunded = sum
				}
			}
			all[id] = a
			return err
		})
	})
}

// noteOf returns a credit note with its originals that the organisation has
// issued here. Originals of an older system have no balance. read is accountsOf, or
// readAccounts to leave out damaged originals.
func noteOf(rd reader, a owing, read func(reader, []uuid.UUID) (map[uuid.UUID]owing, error)) (payment.Note, error) {
	n := payment.Note{ID: a.ID, Number: a.Number, Client: a.Client, Currency: a.Currency, Valid: a.valid}
	originals, err := originalsOf(rd, a.ID)
	if err != nil {
		return n, err
	}
	err = rd.rows(`SELECT CAST(coalesce(sum(amount), 0) AS BIGINT) FROM refund WHERE org_id = $1 AND note_id = $2`, []any{rd.of.ID(), a.ID}, func(row scanner) error {
		return row.Scan(hundredths{&n.Refunded})
	})
	if err != nil {
		return n, err
	}
	all, err := read(rd, originals)
	for _, o := range all {
		if o.damage != nil {
			continue
		}
		n.Originals = append(n.Originals, payment.Original{ID: o.ID, Place: o.Place, Credits: o.credits, Standing: o.Standing})
	}
	return n, err
}

// Accounts returns what is owed for documents. Documents that do not exist are
// left out.
func (s *Store) Accounts(ctx context.Context, of org.Tenant, ids []uuid.UUID) (map[uuid.UUID]payment.Account, error) {
	ctx, end, err := s.db.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	rd := reader{ctx: ctx, db: s.db, of: of}
	all, err := s.accountsOf(rd, ids)
	if err != nil {
		return nil, database.Outage(err)
	}
	found := map[uuid.UUID]payment.Account{}
	for id, a := range all {
		if a.CreditNote {
			n, err := noteOf(rd, a, s.accountsOf)
			if err != nil {
				return nil, database.Outage(err)
			}
			found[id] = payment.Account{RefundDue: n.RefundDue()}
			continue
		}
		_, held := a.RefundsDue(a.credits)
		found[id] = payment.Account{Balance: a.Balance(), SettledByCredit: a.SettledByCredit(), Held: held}
	}
	return found, nil
}
