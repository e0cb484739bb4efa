package issue_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/ubl"
)

// An advance is deducted in full, and only once.
func TestAdvanceIsDeducted(t *testing.T) {
	t.Parallel()
	s := open(t)
	advance := s.accepted(kind(386), priced("40")) // 46.00
	second := s.accepted(kind(386), priced("10"))  // 11.50
	got := s.create(standard(deducts(advance.ID, second.ID)))
	amounts(t, "prepaid", got.Record.Totals.Prepaid, "57.5")
	amounts(t, "payable", got.Record.Totals.Payable, "57.5")
	amounts(t, "with VAT", got.Record.Totals.WithVAT, "115")
	for n, want := range []string{"46", "11.5"} {
		amounts(t, "deducted", got.Record.Advances[n].Amount, want)
		same(t, "number", got.Record.Advances[n].Number, fmt.Sprintf("ADV-2026-%06d", n+1))
		same(t, "id", got.Record.Advances[n].ID, []uuid.UUID{advance.ID, second.ID}[n])
	}
	same(t, "advances that are written", len(s.book.entries[2].Advances), 2)
	same(t, "again", refusalOf(s.refused(standard(deducts(advance.ID), note("again")))), "advance spent")
	doc, err := ubl.Read(s.book.entries[2].XML)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "prepaid in the document", doc.MonetaryTotal.PrepaidAmount.Value, "57.50")
}

// Advances cannot exceed the total of the invoice.
func TestAdvanceAboveTheInvoice(t *testing.T) {
	t.Parallel()
	s := open(t)
	whole := s.accepted(kind(386), priced("100"))
	over := s.accepted(kind(386), priced("100.01"))
	e := s.refused(standard(deducts(over.ID)))
	same(t, "path", e.Problems[0].Path, "invoice_schema_data.prepaid_invoices")
	amounts(t, "payable", s.create(standard(deducts(whole.ID))).Record.Totals.Payable, "0")
}

// Credit notes on an advance reduce what can be deducted, by VAT category.
func TestCreditedAdvance(t *testing.T) {
	t.Parallel()
	s := open(t)
	advance := s.accepted(kind(386), lines(line(), zero("50"))) // S 100 + 15, Z 50
	credit := s.create(standard(corrects(381, advance.ID), priced("30")))
	rows := s.book.entries[1].Credits[0].Rows
	if len(rows) != 1 || rows[0].Category != "S" || !rows[0].Taxable.Equal(dec("30")) || !rows[0].VAT.Equal(dec("4.5")) {
		t.Errorf("%s credits %+v, want category S with 30 and 4.50 VAT", credit.Number, rows)
	}
	for _, c := range []struct {
		name   string
		change change
		ok     bool
	}{
		{"more of a category than is left", priced("70.01"), false},
		{"another rate", lines(func() issue.FormLine { l := line(); l.Price, l.Rate = dec("1"), dec("5"); return l }()), false},
		{"another reason", lines(func() issue.FormLine {
			l := zero("1")
			l.ReasonCode, l.ReasonText = "VATEX-SA-36", "Military goods"
			return l
		}()), false},
		{"another text", lines(func() issue.FormLine { l := zero("1"); l.ReasonText = "Other medicines"; return l }()), false},
		{"one category above the remainder, one within", lines(zero("1"), func() issue.FormLine { l := line(); l.Price = dec("71"); return l }()), false},
		{"all that is left of a category", lines(zero("50")), true},
	} {
		r := standard(corrects(381, advance.ID), c.change)
		if !c.ok {
			same(t, c.name, refusalOf(s.refused(r)), "credit of an advance by category")
			continue
		}
		s.create(r)
	}
	got := s.create(standard(deducts(advance.ID)))
	amounts(t, "deducted", got.Record.Advances[0].Amount, "80.5") // 70 plus VAT; nothing is left of Z
	amounts(t, "payable", got.Record.Totals.Payable, "34.5")
}

// A credit at one rate reduces the remainder at that rate only.
func TestCreditedAdvanceOfTwoRates(t *testing.T) {
	t.Parallel()
	s := open(t)
	advance := s.accepted(kind(386), lines(line(), lineOf("100", "1", "5")))
	s.create(standard(corrects(381, advance.ID), priced("30")))
	got := s.create(standard(deducts(advance.ID), priced("1000")))
	amounts(t, "deducted", got.Record.Advances[0].Amount, "185.5") // 80.50 at 15 percent, 105.00 at 5 percent
}

// If an advance is credited while an invoice is computed, the invoice is
// computed again, at most three times in total.
func TestAdvanceThatChanges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		credits int // between reading and appending
		payable string
	}{{0, "23"}, {1, "34.5"}, {2, "46"}, {3, ""}} {
		t.Run(fmt.Sprint(c.credits), func(t *testing.T) {
			t.Parallel()
			s := open(t)
			advance := s.accepted(kind(386), priced("80"))
			left := c.credits
			s.book.finding = func() { // after reading; the lock is held
				if left > 0 {
					left--
					e := s.book.earlier[advance.ID]
					row := e.Breakdown[0]
					row.Taxable, row.VAT = dec("10"), dec("1.5")
					e.Credited, e.CreditedRows = e.Credited.Add(dec("11.5")), append(e.CreditedRows, row)
					s.book.earlier[advance.ID] = e
				}
			}
			r := standard(deducts(advance.ID))
			got, err := s.issuer.Create(t.Context(), s.by, r)
			if c.payable == "" {
				same(t, "kind", fault.KindOf(err), fault.Unavailable)
				left = c.credits
				_, err = s.issuer.Preview(t.Context(), s.by, r)
				same(t, "kind of the preview", fault.KindOf(err), fault.Unavailable)
				same(t, "documents", len(s.book.entries), 1)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			amounts(t, "payable", got.Record.Totals.Payable, c.payable)
		})
	}
}
