package store_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/uuid"

	"khatm/internal/testtool"
	"khatm/invoice"
	"khatm/money"
	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/payment"
)

// bill is an invoice to the client of a till.
type bill struct {
	kind               invoice.Kind
	simplified         bool
	payable, currency  string
	issued             string
	dueDays            int
	unknown            bool // without a client
	answer             ledger.Status
	original, credited string // of a credit note
}

// bills issues a document and records the answer of the authority.
func (t *till) bills(b bill) uuid.UUID {
	t.s.t.Helper()
	id := t.issue(func(e *issue.Entry) {
		i := &e.Invoice
		i.Kind, i.Transaction, i.Payment, i.IssueDate = b.kind, invoice.Transaction{Simplified: b.simplified}, ledger.Pending, b.issued
		i.Record.Currency, i.Record.Totals.Payable, i.Record.Print = b.currency, decimalOf(b.payable), nil
		i.Record.Buyer.ID = t.client
		if b.dueDays > 0 {
			i.Record.Print = &ledger.Print{DueDays: b.dueDays}
		}
		if b.unknown {
			i.Record.Buyer = nil
		}
		if b.original != "" {
			e.Credits = []issue.Credit{{Original: uuid.MustParse(b.original), Amount: decimalOf(b.credited), Rows: sampleRows}}
		}
	}).ID
	if b.answer != "" {
		ok(t.s.t, t.s.Answer(t.s.ctx, t.by.Tenant, id, b.answer, instantOf(40)))
	}
	return id
}

// told returns statements as texts.
func told(list []payment.Statement) (all []string) {
	for _, s := range list {
		all = append(all, fmt.Sprintf("%s opening %s", s.Currency, s.Opening.Fixed2()))
		for _, l := range s.Lines {
			line := fmt.Sprintf("%s %s %s +%s -%s = %s", l.Date, l.Entry, l.Number, l.Debit.Fixed2(), l.Credit.Fixed2(), l.Balance.Fixed2())
			if l.Due != "" {
				line += " due " + l.Due
			}
			all = append(all, line)
		}
		all = append(all, fmt.Sprintf("%s closing %s", s.Currency, s.Closing.Fixed2()))
	}
	return all
}

func TestStatement_OpeningLinesAndClosing(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		shop, another := s.till(), s.till()
		first := shop.bills(bill{kind: invoice.TaxInvoice, payable: "100", currency: "EUR", issued: "2026-10-01", dueDays: 30, answer: ledger.Cleared})
		shop.bills(bill{kind: invoice.DebitNote, payable: "20", currency: "EUR", issued: "2026-11-13", answer: ledger.Cleared})
		shop.bills(bill{kind: invoice.AdvancePayment, payable: "7", currency: "SAR", issued: "2026-11-13", simplified: true})
		shop.bills(bill{kind: invoice.TaxInvoice, payable: "1000", currency: "EUR", issued: "2026-11-13"})                            // not answered
		shop.bills(bill{kind: invoice.TaxInvoice, payable: "2000", currency: "EUR", issued: "2026-11-13", answer: ledger.NotCleared}) // rejected
		shop.bills(bill{kind: invoice.TaxInvoice, payable: "3000", currency: "EUR", issued: "2026-11-13", simplified: true, answer: ledger.NotReported})
		another.bills(bill{kind: invoice.TaxInvoice, payable: "4000", currency: "EUR", issued: "2026-11-13", answer: ledger.Cleared})
		r := s.pays(shop.client, first, "90") // on 2026-11-14
		note := shop.bills(bill{kind: invoice.CreditNote, payable: "30", currency: "EUR", issued: "2026-11-15", simplified: true, original: first.String(), credited: "30"})
		f := sampleRefund(s.config.NewID(), note)
		f.Amount, f.Date = decimalOf("15"), "2026-11-15"
		refund, err := s.AddRefund(s.ctx, s.by, f, payment.Request{})
		ok(t, err)
		f = sampleRefund(s.config.NewID(), note)
		f.Amount, f.Kept = decimalOf("5"), true
		_, err = s.AddRefund(s.ctx, s.by, f, payment.Request{}) // kept as credit: no line
		ok(t, err)
		_, err = s.ReverseRefund(s.ctx, s.by, refund.ID, "not paid")
		ok(t, err)
		_, err = s.ReverseReceipt(s.ctx, s.by, r.ID, "bounced")
		ok(t, err)

		list, err := s.Statements(s.ctx, s.by.Tenant, shop.client, payment.Period{From: "2026-11-01", To: "2026-11-30"})
		ok(t, err)
		same(t, []string{
			"EUR opening 100.00",
			"2026-11-13 debit_note INV-2026-000002 +20.00 -0.00 = 120.00",
			"2026-11-14 payment RCT-2026-000001 +0.00 -90.00 = 30.00",
			"2026-11-15 credit_note INV-2026-000008 +0.00 -30.00 = 0.00",
			"2026-11-15 payment_reversal RCT-2026-000003 +90.00 -0.00 = 90.00",
			"2026-11-15 refund RFD-2026-000001 +15.00 -0.00 = 105.00",
			"2026-11-15 refund_reversal RFD-2026-000003 +0.00 -15.00 = 90.00",
			"EUR closing 90.00",
			"SAR opening 0.00",
			"2026-11-13 advance_payment INV-2026-000003 +7.00 -0.00 = 7.00",
			"SAR closing 7.00",
		})(told(list), nil)
		if l := list[0].Lines; l[1].ID != r.ID || l[3].ID != r.ID || l[4].ID != refund.ID || l[5].ID != refund.ID || l[2].ID != note {
			t.Errorf("lines %+v, want the ids of the records", l)
		}
		list, err = s.Statements(s.ctx, s.by.Tenant, shop.client, payment.Period{To: "2026-11-13", Currency: "EUR"})
		ok(t, err)
		same(t, []string{
			"EUR opening 0.00",
			"2026-10-01 invoice INV-2026-000001 +100.00 -0.00 = 100.00 due 2026-10-31",
			"2026-11-13 debit_note INV-2026-000002 +20.00 -0.00 = 120.00",
			"EUR closing 120.00",
		})(told(list), nil)
		for _, of := range []org.Tenant{s.other.Tenant, {}} {
			if list, err := s.Statements(s.ctx, of, shop.client, payment.Period{From: "2026-11-01"}); err != nil || len(list) != 0 {
				t.Errorf("another organisation reads %v (%v), want nothing", told(list), err)
			}
		}
	})
}

// TestStatement_ClosingEqualsBalances compares statements after random payments,
// notes, refunds, verdicts and reversals with the balances of the documents less
// what the client is to get back, for each currency.
func TestStatement_ClosingEqualsBalances(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		for seed := range uint64(testtool.Scale(1, 6, 6)) {
			r := rand.New(rand.NewPCG(seed, 22))
			a := &accountant{till: s.till(), r: r}
			for range 40 {
				a.act()
			}
			a.settle()
			a.compare(seed)
		}
	})
}

// accountant records random events of one client.
type accountant struct {
	*till
	r        *rand.Rand
	docs     []uuid.UUID
	currency map[uuid.UUID]string
	waiting  []uuid.UUID
	notes    []uuid.UUID
	receipts []payment.Recorded
	refunds  []payment.RecordedRefund
}

func (a *accountant) act() {
	s := a.s
	amount := fmt.Sprintf("%d.%02d", 1+a.r.IntN(90), a.r.IntN(100))
	day := fmt.Sprintf("2026-11-%02d", 1+a.r.IntN(15))
	switch kind := a.r.IntN(9); {
	case kind < 2 || len(a.docs) == 0:
		b := bill{kind: invoice.TaxInvoice, payable: amount, currency: []string{"SAR", "USD"}[a.r.IntN(2)], issued: day, simplified: a.r.IntN(2) == 0}
		id := a.bills(b)
		if a.currency == nil {
			a.currency = map[uuid.UUID]string{}
		}
		a.docs, a.currency[id] = append(a.docs, id), b.currency
		a.waiting = append(a.waiting, id)
	case kind < 5: // a payment, of which a part may be left
		id := a.docs[a.r.IntN(len(a.docs))]
		receipt := sampleReceipt(s.config.NewID(), a.client)
		receipt.Amount, receipt.Currency, receipt.Date = decimalOf(amount), a.currency[id], day
		recorded, err := s.AddReceipt(s.ctx, a.by, receipt, []payment.Wish{{Document: id, Amount: decimalOf("1.01")}}, payment.Request{})
		if a.allowed(err) {
			a.receipts = append(a.receipts, recorded)
			_, err = s.Allocate(s.ctx, a.by, recorded.ID, []payment.Wish{{Document: id, Amount: recorded.Unused()}})
			a.allowed(err)
		}
	case kind == 5:
		id := a.docs[a.r.IntN(len(a.docs))]
		note := a.bills(bill{
			kind: invoice.CreditNote, payable: amount, currency: a.currency[id], issued: day, simplified: a.r.IntN(2) == 0, original: id.String(), credited: amount,
		})
		a.notes, a.waiting = append(a.notes, note), append(a.waiting, note)
	case kind == 6 && len(a.notes) > 0:
		f := sampleRefund(s.config.NewID(), a.notes[a.r.IntN(len(a.notes))])
		f.Amount, f.Kept, f.Date = decimalOf("1.37"), a.r.IntN(2) == 0, day
		recorded, err := s.AddRefund(s.ctx, a.by, f, payment.Request{})
		if a.allowed(err) {
			a.refunds = append(a.refunds, recorded)
		}
	case kind == 7 && len(a.receipts) > 0:
		_, err := s.ReverseReceipt(s.ctx, a.by, a.receipts[a.r.IntN(len(a.receipts))].ID, "bounced")
		a.allowed(err)
	case kind == 8 && len(a.refunds) > 0:
		_, err := s.ReverseRefund(s.ctx, a.by, a.refunds[a.r.IntN(len(a.refunds))].ID, "not paid")
		a.allowed(err)
	case len(a.waiting) > 0:
		a.answer(a.r.IntN(len(a.waiting)))
	}
}

// allowed reports whether something was recorded.
func (a *accountant) allowed(err error) bool {
	a.s.t.Helper()
	if err != nil && fault.CodeOf(err) == fault.InternalError {
		a.s.t.Fatal(err)
	}
	return err == nil
}

// answer records an answer for a waiting document: one in four is rejected.
func (a *accountant) answer(n int) {
	i, err := a.s.Invoice(a.s.ctx, a.by.Tenant, a.waiting[n])
	ok(a.s.t, err)
	status := map[bool][2]ledger.Status{false: {ledger.Cleared, ledger.NotCleared}, true: {ledger.Reported, ledger.NotReported}}[i.Transaction.Simplified]
	rejected := 0
	if a.r.IntN(4) == 0 {
		rejected = 1
	}
	ok(a.s.t, a.s.Answer(a.s.ctx, a.by.Tenant, i.ID, status[rejected], instantOf(40)))
	a.waiting = append(a.waiting[:n], a.waiting[n+1:]...)
}

// settle answers what is still waiting.
func (a *accountant) settle() {
	for len(a.waiting) > 0 {
		a.answer(0)
	}
}

// compare compares the closing balances with the sums of what is owed.
func (a *accountant) compare(seed uint64) {
	t := a.s.t
	want := map[string]money.Decimal{}
	all, err := a.s.Accounts(a.s.ctx, a.by.Tenant, append(a.docs, a.notes...))
	ok(t, err)
	for id, one := range all {
		i, err := a.s.Invoice(a.s.ctx, a.by.Tenant, id)
		ok(t, err)
		sum := want[i.Record.Currency]
		want[i.Record.Currency] = sum.Add(one.Balance).Sub(one.RefundDue).Sub(one.Held)
	}
	credit, err := a.s.ClientCredit(a.s.ctx, a.by.Tenant, a.client)
	ok(t, err)
	for currency, amount := range credit {
		want[currency] = want[currency].Sub(amount)
	}
	for _, from := range []string{"", "2026-11-08"} {
		list, err := a.s.Statements(a.s.ctx, a.by.Tenant, a.client, payment.Period{From: from})
		ok(t, err)
		got := map[string]money.Decimal{}
		for _, one := range list {
			got[one.Currency] = one.Closing
		}
		for currency := range want {
			if got[currency].Fixed2() != want[currency].Fixed2() {
				t.Errorf("seed %d: closing %s %s, want %s:\n%v", seed, currency, got[currency].Fixed2(), want[currency].Fixed2(), told(list))
			}
		}
	}
}

func TestStatement_TooManyLines(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		shop := s.till()
		r := s.pays(shop.client, shop.sells("1"), "1")
		s.execute(`
			INSERT INTO receipt (org_id, id, kind, number, client_id, currency, amount, means, received_on, note, reason, created_by, created_at)
			WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
			SELECT r.org_id, `+map[bool]string{true: `printf('00000000-0000-0000-0000-%012d', i)`, false: `CAST('00000000-0000-0000-0000-' || lpad(CAST(i AS text), 12, '0') AS uuid)`}[s.config.URL == ""]+`,
				'payment', 'R-' || CAST(i AS TEXT), r.client_id, r.currency, 1, '10', '2026-01-31', '', '', '', 0
			FROM n, receipt r
			WHERE r.id = $1`, r.ID)
		_, err := s.Statements(s.ctx, s.by.Tenant, shop.client, payment.Period{})
		hasCode(t, err, fault.ExportTooLarge)
		list, err := s.Statements(s.ctx, s.by.Tenant, shop.client, payment.Period{From: "2026-02-01"})
		ok(t, err)
		same(t, []string{"EUR opening -100.00", "2026-11-14 payment RCT-2026-000001 +0.00 -1.00 = -101.00", "EUR closing -101.00"})(told(list), nil)
		list, err = s.Statements(s.ctx, s.by.Tenant, shop.client, payment.Period{To: "2026-01-31"})
		ok(t, err)
		if n := len(list[0].Lines); n != payment.MaxLines {
			t.Errorf("%d lines, want %d", n, payment.MaxLines)
		}
	})
}
