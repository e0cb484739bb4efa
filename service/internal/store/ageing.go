package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/database"
	"khatm/service/internal/org"
	"khatm/service/internal/payment"
)

// openDocument selects documents with a balance, in currency $2 or any. Their
// index has all columns, so that millions of them can be added up.
const openDocument = `org_id = $1 AND ` + owedDocument + ` AND ($2 = '' OR currency = $2) AND ` + balanceOf + ` > 0`

const balanceOf = `(` + hundredthsOf + ` - credited - received + refunded)`

// debtorsBefore selects the clients with open documents and an id below $3, the
// newest first. It looks up one document of each, however many there are.
const debtorsBefore = `
	WITH RECURSIVE debtor (id) AS (
		SELECT (SELECT buyer_id FROM invoice WHERE ` + openDocument + ` AND buyer_id < $3 ORDER BY buyer_id DESC LIMIT 1)
		UNION ALL
		SELECT (SELECT buyer_id FROM invoice WHERE ` + openDocument + ` AND buyer_id < debtor.id ORDER BY buyer_id DESC LIMIT 1)
		FROM debtor
		WHERE debtor.id IS NOT NULL
	)`

const (
	debtorPage = debtorsBefore + `
		SELECT id FROM debtor WHERE id IS NOT NULL LIMIT $4 OFFSET $5`
	debtorCount = debtorsBefore + `
		SELECT count(*) FROM (SELECT id FROM debtor WHERE id IS NOT NULL LIMIT $4) counted`

	// owedByAge adds up the open documents of the clients from $3 to $4.
	owedByAge = `
		SELECT buyer_id, currency,
			CAST(sum(CASE WHEN coalesce(due_date, issue_date) >= $5 THEN ` + balanceOf + ` ELSE 0 END) AS BIGINT) AS b0,
			CAST(sum(CASE WHEN coalesce(due_date, issue_date) >= $6 AND coalesce(due_date, issue_date) < $5 THEN ` + balanceOf + ` ELSE 0 END) AS BIGINT) AS b1,
			CAST(sum(CASE WHEN coalesce(due_date, issue_date) >= $7 AND coalesce(due_date, issue_date) < $6 THEN ` + balanceOf + ` ELSE 0 END) AS BIGINT) AS b2,
			CAST(sum(CASE WHEN coalesce(due_date, issue_date) >= $8 AND coalesce(due_date, issue_date) < $7 THEN ` + balanceOf + ` ELSE 0 END) AS BIGINT) AS b3,
			CAST(sum(CASE WHEN coalesce(due_date, issue_date) < $8 THEN ` + balanceOf + ` ELSE 0 END) AS BIGINT) AS b4
		FROM invoice
		WHERE ` + openDocument + ` AND buyer_id >= $3 AND buyer_id <= $4
		GROUP BY buyer_id, currency`
	owedInTotal = `
		SELECT currency, CAST(sum(b0) AS BIGINT), CAST(sum(b1) AS BIGINT), CAST(sum(b2) AS BIGINT), CAST(sum(b3) AS BIGINT), CAST(sum(b4) AS BIGINT)
		FROM (` + owedByAge + `) o
		GROUP BY currency
		ORDER BY currency`
)

// Debtors returns a page of the clients that owe something, with what they owe by
// age on a date, the newest client first. An empty currency means any.
func (s *Store) Debtors(ctx context.Context, of org.Tenant, currency, today string, page org.Page) (org.List[payment.Debtor], error) {
	list, err := s.debtorPage(ctx, of, currency, today, page)
	if err != nil {
		return list, err
	}
	err = s.db.One(ctx, nil, debtorCount, []any{of.ID(), currency, uuid.Max, org.Counted + 1}, &list.Total)
	if list.Total > org.Counted {
		list.Total, list.Capped = org.Counted, true
	}
	return list, err
}

// debtorPage returns a page without the number of clients.
func (s *Store) debtorPage(ctx context.Context, of org.Tenant, currency, today string, page org.Page) (list org.List[payment.Debtor], err error) {
	ids, err := database.All(ctx, s.db, debtorPage, []any{of.ID(), currency, before(page), page.Size + 1, page.Skip()}, scanID)
	if err != nil {
		return list, fmt.Errorf("list the clients that owe something: %w", err)
	}
	found := listOf(ids, page, func(id uuid.UUID) uuid.UUID { return id })
	list.Next = found.Next
	if list.Rows, err = s.debtors(ctx, of, currency, today, found.Rows); err != nil {
		return list, fmt.Errorf("read what clients owe: %w", err)
	}
	return list, nil
}

// WalkDebtors calls see with all clients that owe something, the newest first. It
// reads them in chunks, so that other calls are not held up.
func (s *Store) WalkDebtors(ctx context.Context, of org.Tenant, currency, today string, see func(payment.Debtor) error) error {
	page := org.Page{Size: 200, Number: 1}
	for {
		list, err := s.debtorPage(ctx, of, currency, today, page)
		if err != nil {
			return err
		}
		for _, d := range list.Rows {
			if err := see(d); err != nil {
				return err
			}
		}
		if list.Next == uuid.Nil {
			return nil
		}
		page.After = list.Next
	}
}

// debtors returns what clients owe and are owed. The ids are in descending order.
func (s *Store) debtors(ctx context.Context, of org.Tenant, currency, today string, ids []uuid.UUID) ([]payment.Debtor, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	since, err := payment.Since(today)
	if err != nil {
		return nil, err
	}
	args := []any{of.ID(), currency, ids[len(ids)-1], ids[0], since[0], since[1], since[2], since[3]}
	rows, err := database.All(ctx, s.db, owedByAge, args, func(row scanner) (payment.Aged, error) {
		var a payment.Aged
		err := row.Scan(append([]any{&a.Client, &a.Currency}, owedInto(&a)...)...)
		a.Total = money.Sum(a.Owed[:]...)
		return a, err
	})
	if err != nil {
		return nil, err
	}
	ctx, end, err := s.db.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	rd := reader{ctx: ctx, db: s.db, of: of}
	at := map[uuid.UUID]*payment.Debtor{}
	list := make([]payment.Debtor, len(ids))
	for n, id := range ids {
		list[n].ID = id
		at[id] = &list[n]
	}
	for _, a := range rows {
		if d := at[a.Client]; d != nil {
			d.Owes = append(d.Owes, a)
		}
	}
	for _, add := range []func(reader, []uuid.UUID, map[uuid.UUID]*payment.Debtor) error{debtorNames, creditOfDebtors, refundsOfDebtors} {
		if err := add(rd, ids, at); err != nil {
			return nil, database.Outage(err)
		}
	}
	for n := range list {
		slices.SortFunc(list[n].Owes, byCurrency)
	}
	return list, nil
}

func byCurrency(a, b payment.Aged) int {
	if a.Currency < b.Currency {
		return -1
	}
	return 1
}

func owedInto(a *payment.Aged) []any {
	into := make([]any, len(a.Owed))
	for b := range a.Owed {
		into[b] = hundredths{&a.Owed[b]}
	}
	return into
}

func debtorNames(rd reader, ids []uuid.UUID, at map[uuid.UUID]*payment.Debtor) error {
	return rd.among(ids, func(places string, args []any) error {
		return rd.rows(`SELECT id, name, name_arabic FROM client WHERE org_id = $1 AND id IN (`+places+`)`, args, func(row scanner) error {
			var d payment.Debtor
			err := row.Scan(&d.ID, &d.Name, &d.NameArabic)
			if to := at[d.ID]; to != nil {
				to.Name, to.NameArabic = d.Name, d.NameArabic
			}
			return err
		})
	})
}

// creditOfDebtors adds what clients have paid and no invoice uses.
func creditOfDebtors(rd reader, ids []uuid.UUID, at map[uuid.UUID]*payment.Debtor) error {
	return rd.among(ids, func(places string, args []any) error {
		return rd.owing(`
			SELECT r.client_id, r.currency, CAST(sum(r.amount - coalesce((
				SELECT sum(a.amount) FROM allocation a WHERE a.org_id = r.org_id AND a.receipt_id = r.id), 0)) AS BIGINT)
			FROM receipt r
			WHERE r.org_id = $1 AND r.client_id IN (`+places+`)
			GROUP BY r.client_id, r.currency`, args, at)
	})
}

// refundsOfDebtors adds the refunds that are due.
func refundsOfDebtors(rd reader, ids []uuid.UUID, at map[uuid.UUID]*payment.Debtor) error {
	return rd.among(ids, func(places string, args []any) error {
		return rd.owing(`
			SELECT buyer_id, currency, CAST(sum(refund_due) AS BIGINT)
			FROM invoice
			WHERE org_id = $1 AND refund_due > 0 AND buyer_id IN (`+places+`)
			GROUP BY buyer_id, currency`, args, at)
	})
}

// owing adds amounts that the organisation owes its clients.
func (rd reader) owing(query string, args []any, at map[uuid.UUID]*payment.Debtor) error {
	return rd.rows(query, args, func(row scanner) error {
		var client uuid.UUID
		var currency string
		var amount money.Decimal
		if err := row.Scan(&client, &currency, hundredths{&amount}); err != nil {
			return err
		}
		if d := at[client]; d != nil {
			for n := range d.Owes {
				if d.Owes[n].Currency == currency {
					d.Owes[n].Credit = d.Owes[n].Credit.Add(amount)
				}
			}
		}
		return nil
	})
}

// OwedTotals returns what all clients owe by age on a date, one sum for each
// currency. It reads all open documents.
func (s *Store) OwedTotals(ctx context.Context, of org.Tenant, currency, today string) ([]payment.Aged, error) {
	since, err := payment.Since(today)
	if err != nil {
		return nil, err
	}
	args := []any{of.ID(), currency, uuid.Nil, uuid.Max, since[0], since[1], since[2], since[3]}
	return database.All(ctx, s.db, owedInTotal, args, func(row scanner) (payment.Aged, error) {
		var a payment.Aged
		err := row.Scan(append([]any{&a.Currency}, owedInto(&a)...)...)
		a.Total = money.Sum(a.Owed[:]...)
		return a, err
	})
}
