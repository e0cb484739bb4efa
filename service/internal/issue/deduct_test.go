package issue_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/ubl"
)

// rowsOf returns what an invoice deducts from its advances, as texts.
func rowsOf(i ledger.Invoice) string {
	var rows []string
	for _, a := range i.Record.Advances {
		for _, r := range a.Rows {
			rows = append(rows, fmt.Sprintf("%s %s%s %s+%s", a.Number[9:], r.Category, r.Rate, r.Taxable.Fixed2(), r.VAT.Fixed2()))
		}
	}
	return fmt.Sprint(rows)
}

// An invoice below an advance deducts a part of it, and later invoices deduct
// the rest.
func TestAdvanceIsDeductedInParts(t *testing.T) {
	t.Parallel()
	s := open(t)
	advance := s.accepted(kind(386), priced("250"))
	for n, want := range []struct{ rows, payable string }{
		{"[000001 S15 100.00+15.00]", "0"}, {"[000001 S15 100.00+15.00]", "0"}, {"[000001 S15 50.00+7.50]", "57.5"},
	} {
		r := standard(deducts(advance.ID), note(fmt.Sprint(n)))
		shown, err := s.issuer.Preview(t.Context(), s.by, r)
		if err != nil {
			t.Fatal(err)
		}
		got := s.create(r)
		same(t, "deducted", rowsOf(got), want.rows)
		same(t, "deducted in the preview", rowsOf(shown), want.rows)
		amounts(t, "payable", got.Record.Totals.Payable, want.payable)
	}
	same(t, "afterwards", refusalOf(s.refused(standard(deducts(advance.ID)))), "advance spent")
}

// Several advances are deducted in the order of the request.
func TestAdvancesInOrder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		order []int
		want  string
	}{
		{"small first", []int{0, 1}, "[000001 S15 40.00+6.00 000002 S15 60.00+9.00]"},
		{"large first", []int{1, 0}, "[000002 S15 90.00+13.50 000001 S15 10.00+1.50]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			all := []ledger.Invoice{s.accepted(kind(386), priced("40")), s.accepted(kind(386), priced("90"))}
			got := s.create(standard(deducts(all[c.order[0]].ID, all[c.order[1]].ID)))
			same(t, "deducted", rowsOf(got), c.want)
			amounts(t, "payable", got.Record.Totals.Payable, "0")
		})
	}
}

// Each VAT category and rate is deducted on its own. The exemption reasons of
// the advance and of the invoice may differ.
func TestAdvanceByCategory(t *testing.T) {
	t.Parallel()
	s := open(t)
	military := zero("20")
	military.ReasonCode, military.ReasonText = "VATEX-SA-36", "Military goods"
	advance := s.accepted(kind(386), lines(lineOf("60", "1", "15"), lineOf("80", "1", "5"), zero("30"), military))
	first := s.create(standard(deducts(advance.ID), lines(line(), zero("40"))))
	same(t, "first", rowsOf(first), "[000001 S15 60.00+9.00 000001 Z0 30.00+0.00 000001 Z0 10.00+0.00]")
	amounts(t, "payable", first.Record.Totals.Payable, "46")
	second := s.create(standard(deducts(advance.ID), lines(line(), lineOf("100", "1", "5"), zero("1"))))
	same(t, "second", rowsOf(second), "[000001 S5 80.00+4.00 000001 Z0 1.00+0.00]")
	same(t, "reason", second.Record.Advances[0].Rows[1].ReasonCode, "VATEX-SA-36")
	same(t, "third", refusalOf(s.refused(standard(deducts(advance.ID)))), "advance not needed")
}

// prepaid_amounts sets what is deducted.
func TestAmountsOfAdvances(t *testing.T) {
	t.Parallel()
	s := open(t)
	one, two := s.accepted(kind(386), lines(line(), zero("50"))), s.accepted(kind(386), note("two"))
	zeros := func(r *issue.Request) {
		r.PrepaidAmounts = append(r.PrepaidAmounts, issue.PrepaidAmount{Advance: one.ID, Category: "Z", Rate: dec("0.0"), Amount: dec("5")})
	}
	got := s.create(standard(deducts(one.ID, two.ID), lines(line(), zero("50")), sets(two.ID, "70.01"), sets(one.ID, "29.99"), zeros))
	same(t, "deducted", rowsOf(got), "[000001 S15 29.99+4.50 000001 Z0 5.00+0.00 000002 S15 70.01+10.50]")
	amounts(t, "payable", got.Record.Totals.Payable, "45")
	rest := s.create(standard(deducts(one.ID, two.ID), lines(line(), zero("50"))))
	same(t, "the rest", rowsOf(rest), "[000001 S15 70.01+10.50 000001 Z0 45.00+0.00 000002 S15 29.99+4.50]")
}

// A request without prepaid_amounts has the same JSON as before the field
// existed, so that digests of earlier requests stay valid.
func TestRequestWithoutAmounts(t *testing.T) {
	t.Parallel()
	for want, r := range map[bool]issue.Request{true: standard(sets(unknownID, "1")), false: standard()} {
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "contains the amounts", strings.Contains(string(text), "PrepaidAmounts"), want)
	}
}

// The VAT of all deductions adds up to the VAT of the advance, although each is
// rounded, and is within a cent of the rounded VAT of its amount (BR-KSA-79).
func TestVATOfManyDeductions(t *testing.T) {
	t.Parallel()
	s := open(t)
	advance := s.accepted(kind(386), priced("100.03")) // 15.00 of VAT
	vat := dec("0")
	for n := range 30 {
		got := s.create(standard(deducts(advance.ID), priced("1000"), sets(advance.ID, "3.33"), note(fmt.Sprint(n)))) // 0.4995 of VAT
		row := got.Record.Advances[0].Rows[0]
		if off := row.VAT.Sub(dec("0.50")).Abs(); dec("0.01").Less(off) {
			t.Errorf("deduction %d: VAT of 3.33 is %s, want 0.49 to 0.51", n, row.VAT)
		}
		vat = vat.Add(row.VAT)
	}
	got := s.create(standard(deducts(advance.ID)))
	same(t, "the last deduction", rowsOf(got), "[000001 S15 0.13+0.02]")
	amounts(t, "VAT of all deductions", vat.Add(got.Record.Advances[0].Rows[0].VAT), "15.00")
}

// Advances whose VAT was rounded up can cover an invoice whose VAT was not: the
// payable amount does not become negative.
func TestVATOfManyAdvances(t *testing.T) {
	t.Parallel()
	s := open(t)
	var ids []uuid.UUID
	for n := range 4 {
		ids = append(ids, s.accepted(kind(386), priced("0.10"), note(fmt.Sprint(n))).ID) // 0.02 of VAT each
	}
	got := s.create(standard(deducts(ids...), priced("0.40"))) // 0.06 of VAT
	same(t, "deducted", rowsOf(got), "[000001 S15 0.10+0.02 000002 S15 0.10+0.02 000003 S15 0.10+0.01 000004 S15 0.10+0.01]")
	amounts(t, "payable", got.Record.Totals.Payable, "0")
}

// A rejected invoice gives back what it deducted, and a rejected credit note
// what it credited.
func TestRejectionFreesAnAdvance(t *testing.T) {
	t.Parallel()
	s := open(t)
	advance := s.accepted(kind(386))
	first := s.create(standard(deducts(advance.ID), priced("70")))
	same(t, "first", rowsOf(first), "[000001 S15 70.00+10.50]")
	credit := s.create(standard(corrects(381, advance.ID), priced("20")))
	same(t, "credit", refusalOf(s.refused(standard(corrects(381, advance.ID), priced("10.01")))), "credit of an advance by category")
	s.book.reject(first.ID)
	same(t, "after the rejection", rowsOf(s.create(standard(deducts(advance.ID), priced("75")))), "[000001 S15 75.00+11.25]")
	s.book.reject(credit.ID)
	same(t, "the rest", rowsOf(s.create(standard(deducts(advance.ID)))), "[000001 S15 25.00+3.75]")
}

// A credit note on an advance cannot credit what invoices have deducted.
func TestCreditOfADeductedAdvance(t *testing.T) {
	t.Parallel()
	s := open(t)
	advance := s.accepted(kind(386))
	s.create(standard(deducts(advance.ID), priced("33.33")))
	e := s.refused(standard(corrects(381, advance.ID), priced("66.68")))
	same(t, "message", e.Message, "The credit of 66.68 in category S at 15 percent is more than the 66.67 that is left of the advance payment invoice ADV-2026-000001.")
	s.create(standard(corrects(381, advance.ID), priced("66.67")))
	same(t, "nothing left", refusalOf(s.refused(standard(corrects(381, advance.ID), priced("0.01")))), "credit of an advance by category")
	same(t, "spent", refusalOf(s.refused(standard(deducts(advance.ID)))), "advance spent")
}

// An advance that an earlier version has deducted is spent.
func TestAdvanceOfAnEarlierVersion(t *testing.T) {
	t.Parallel()
	s := open(t)
	advance := s.accepted(kind(386))
	s.book.change(advance.ID, func(e *issue.Earlier) { e.Spent = true })
	same(t, "deducted", refusalOf(s.refused(standard(deducts(advance.ID)))), "advance spent")
	same(t, "credited", refusalOf(s.refused(standard(corrects(381, advance.ID), priced("1")))), "credit of an advance by category")
}

// The document contains one line for each advance, with the deducted amounts.
func TestLinesOfDeductedAdvances(t *testing.T) {
	t.Parallel()
	s := open(t)
	advance := s.accepted(kind(386), lines(line(), zero("50")))
	payable := dec("73.99")
	s.create(standard(deducts(advance.ID), lines(lineOf("60", "1", "15"), lineOf("40", "1", "15"), zero("9")), sets(advance.ID, "43.49"),
		func(r *issue.Request) { r.ExpectedPayable = &payable }))
	doc, err := ubl.Read(s.book.entries[1].XML)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "lines", len(doc.Lines), 4)
	total := doc.Lines[3].TaxTotals[0]
	same(t, "subtotals", len(total.Subtotals), 1)
	same(t, "taxable", total.Subtotals[0].TaxableAmount.Value, "43.49")
	same(t, "VAT", total.Subtotals[0].TaxAmount.Value, "6.52")
	same(t, "prepaid", doc.MonetaryTotal.PrepaidAmount.Value, "50.01")
	same(t, "payable", doc.MonetaryTotal.PayableAmount.Value, "73.99")
}

// Concurrent invoices that are decided again, because the database retries the
// transaction or the batch cannot be written, deduct the advance once.
func TestAdvanceIsDeductedOnceIfDecidedAgain(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(*shop){
		"the transaction is retried":    func(s *shop) { s.book.twice = true },
		"the batch is not written once": func(s *shop) { s.book.commit, s.book.lost = failing(nil, errors.New("constraint")), true },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := open(t)
				advance := s.accepted(kind(386)).ID
				prepare(s)
				got := s.together(standard(deducts(advance)), standard(deducts(advance), note("again")))
				if rows := rowsOf(got[0].Invoice); got[0].err != nil || rows != "[000001 S15 100.00+15.00]" {
					t.Errorf("first: %s %v, want all of the advance", rows, got[0].err)
				}
				if fault.CodeOf(got[1].err) != fault.AdvanceSpent {
					t.Errorf("second: %s %v, want that nothing is left", rowsOf(got[1].Invoice), got[1].err)
				}
			})
		})
	}
}

// A record that the caller refuses is not issued when it is decided again.
func TestRefusedDeductionIsNotIssued(t *testing.T) {
	t.Parallel()
	s := open(t)
	advance := s.accepted(kind(386), priced("100")).ID
	s.book.twice = true
	s.book.onState = func(state *issue.State) { // another invoice has deducted 60.00
		e := state.Earlier[advance]
		row := e.Breakdown[0]
		row.Taxable, row.VAT = dec("60"), dec("9")
		e.DeductedRows = []ledger.Subtotal{row}
		state.Earlier[advance] = e
	}
	differs := errors.New("the payable amount differs")
	got, err := s.issuer.CreateIf(t.Context(), s.by, standard(deducts(advance)), func(r ledger.Record) error {
		if !r.Totals.Payable.IsZero() {
			return differs
		}
		return nil
	})
	if !errors.Is(err, differs) {
		t.Errorf("issued %s, %v; want it refused", rowsOf(got), err)
	}
}
