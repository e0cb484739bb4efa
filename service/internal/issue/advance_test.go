package issue_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/ubl"
)

// An invoice deducts advances, and nothing is left of those that it deducts in
// full.
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
	same(t, "advances that are written", len(s.book.entries[2].Deductions), 2)
	same(t, "again", refusalOf(s.refused(standard(deducts(advance.ID), note("again")))), "advance spent")
	doc, err := ubl.Read(s.book.entries[2].XML)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "prepaid in the document", doc.MonetaryTotal.PrepaidAmount.Value, "57.50")
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
	got := s.create(standard(deducts(advance.ID), lines(line(), lineOf("100", "1", "5"))))
	amounts(t, "deducted", got.Record.Advances[0].Amount, "185.5") // 80.50 at 15 percent, 105.00 at 5 percent
}

// If what is left of an advance changes while an invoice is computed, the
// invoice is computed again under the lock.
func TestAdvanceThatChanges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		credited string // between reading and appending
		payable  string
		refusal  string
	}{{"0", "23", ""}, {"10", "34.5", ""}, {"20", "46", ""}, {"80", "", "advance spent"}} {
		t.Run(c.credited, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			advance := s.accepted(kind(386), priced("80"))
			changed := dec(c.credited).IsZero()
			s.book.finding = func() { // after reading; the lock is held
				if changed {
					return
				}
				changed = true
				e := s.book.earlier[advance.ID]
				row := e.Breakdown[0]
				row.Taxable = dec(c.credited)
				row.VAT = row.Taxable.Percent(row.Rate)
				e.Credited, e.CreditedRows = row.Taxable.Add(row.VAT), []ledger.Subtotal{row}
				s.book.earlier[advance.ID] = e
			}
			got, err := s.issuer.Create(t.Context(), s.by, standard(deducts(advance.ID)))
			if c.refusal != "" {
				same(t, "refusal", refusalOf(err), c.refusal)
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

// The callback of CreateIf also decides on the invoice as computed again under
// the lock.
func TestCreateIfAnAdvanceChanges(t *testing.T) {
	t.Parallel()
	s := open(t)
	advance := s.accepted(kind(386), priced("80"))
	s.book.taking = func() {
		s.book.change(advance.ID, func(e *issue.Earlier) {
			row := e.Breakdown[0]
			row.Taxable, row.VAT = dec("10"), dec("1.5")
			e.CreditedRows = []ledger.Subtotal{row}
		})
	}
	var seen []string
	_, err := s.issuer.CreateIf(t.Context(), s.by, standard(deducts(advance.ID)), func(r ledger.Record) error {
		seen = append(seen, r.Totals.Payable.Fixed2())
		if len(seen) > 1 {
			return fault.New(fault.StateConflict, "changed")
		}
		return nil
	})
	same(t, "kind", fault.KindOf(err), fault.Conflict)
	same(t, "payable amounts", fmt.Sprint(seen), "[23.00 34.50]")
	same(t, "documents", len(s.book.entries), 1)
}
