package store_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/ledger"
	"khatm/service/internal/payment"
)

// compare returns an error if the store differs from the oracle.
func (q *sequence) compare() error {
	accounts, err := q.s.Accounts(q.s.ctx, q.by.Tenant, slices.Concat(q.docs, q.notes))
	if err != nil {
		return err
	}
	check := func(what string, id uuid.UUID, want string, text func(payment.Account, ledger.Payment) string) error {
		i, err := q.s.Invoice(q.s.ctx, q.by.Tenant, id)
		if err != nil {
			return err
		}
		stored := payment.Of(i)
		stored.Held = accounts[id].Held // not stored
		for _, a := range []payment.Account{accounts[id], stored} {
			if got := text(a, i.Payment); got != want {
				return fmt.Errorf("%s: %s, want %s", what, got, want)
			}
		}
		return nil
	}
	for n, id := range q.docs {
		err := check(fmt.Sprint("document ", n), id, q.o.document(n)+" 0.00", func(a payment.Account, status ledger.Payment) string {
			return strings.Join([]string{a.Balance.Fixed2(), a.SettledByCredit.Fixed2(), a.Held.Fixed2(), string(status), a.RefundDue.Fixed2()}, " ")
		})
		if err != nil {
			return err
		}
	}
	for n, id := range q.notes {
		err := check(fmt.Sprint("note ", n), id, q.o.note(n)+" 0.00", func(a payment.Account, status ledger.Payment) string {
			return strings.Join([]string{a.RefundDue.Fixed2(), string(status), a.Balance.Fixed2()}, " ")
		})
		if err != nil {
			return err
		}
	}
	return q.compareCredit()
}

// compareCredit compares the credit of clients and the rests of receipts.
func (q *sequence) compareCredit() error {
	for n, client := range q.clients {
		if client == uuid.Nil {
			continue
		}
		credit, err := q.s.ClientCredit(q.s.ctx, q.by.Tenant, client)
		if err != nil {
			return err
		}
		for c, currency := range currencies {
			if got, want := credit[currency].Fixed2(), inText(q.o.credit(n, c)); got != want {
				return fmt.Errorf("credit of client %d: %s %s, want %s", n, got, currency, want)
			}
		}
	}
	for n, id := range q.receipts {
		r, err := q.s.Receipt(q.s.ctx, q.by.Tenant, id)
		if err != nil {
			return err
		}
		if got, want := r.Unused(), decimalOf(inText(q.o.rest(n))); !got.Equal(want) || got.Less(money.Decimal{}) {
			return fmt.Errorf("rest of receipt %d: %s, want %s", n, got, want)
		}
	}
	return nil
}
