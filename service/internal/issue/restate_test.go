package issue_test

import (
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
)

// gross returns a line with a price including VAT.
func gross(price string) issue.FormLine {
	l := line()
	l.Price, l.GrossPrice = dec("0"), dec(price)
	return l
}

// restated returns the requests of every kind of document, by name. The
// originals and advances that they refer to are issued in the shop.
func restated(s *shop) map[string]issue.Request {
	original := s.accepted(note("original"))
	receipt := s.accepted(simplified, note("receipt"))
	advance := s.accepted(kind(386), lines(line(), zero("40")), note("advance"))
	other := s.accepted(kind(386), priced("30"), note("other advance"))
	expected := dec("229.99")
	return map[string]issue.Request{
		"standard":      standard(lines(line(), zero("3")), note("Thank you"), note("Again")),
		"simplified":    standard(simplified, lines(gross("17.25"), gross("9.99"))),
		"with buyer":    standard(simplified, func(r *issue.Request) { r.Buyer = buyerID }),
		"export":        standard(func(r *issue.Request) { r.Transaction = "0100100"; r.FormLines = []issue.FormLine{dates()} }),
		"dollars":       standard(dollars, priced("33.33")),
		"catalogue":     standard(items(paper, "2.5"), items(chairs, "3")),
		"credit terms":  standard(func(r *issue.Request) { r.PaymentMeans, r.Reason = "30", reasonID }),
		"advance":       standard(kind(386), priced("250")),
		"allowances":    standard(lines(line(), zero("50")), discounts),
		"expected":      standard(lines(line(), line()), func(r *issue.Request) { r.ExpectedPayable = &expected }),
		"deduction":     standard(lines(line(), line(), zero("50")), deducts(advance.ID, other.ID)),
		"deducted part": standard(priced("500"), deducts(advance.ID), sets(advance.ID, "12.34")),
		"deducted both": standard(priced("500"), deducts(advance.ID, other.ID), sets(other.ID, "5"), sets(advance.ID, "6")),
		"credit note":   standard(priced("20"), corrects(381, original.ID)),
		"debit note":    standard(corrects(383, original.ID), func(r *issue.Request) { r.PaymentMeans = "30" }),
		"credit line": standard(corrects(381, original.ID), func(r *issue.Request) {
			r.FormLines[0].Original, r.FormLines[0].Price = original.Record.Lines[0].ID, dec("7.77")
		}),
		"credit of a receipt": standard(simplified, priced("1"), corrects(381, receipt.ID)),
		"catalogue credit":    standard(items(paper, "1"), corrects(381, original.ID)),
	}
}

// dates returns a zero-rated line of an export.
func dates() issue.FormLine {
	l := zero("1000")
	l.Name, l.ReasonCode, l.ReasonText = "Dates", "VATEX-SA-32", "Export of goods"
	return l
}

// discounts adds two allowances, one without a reason code.
func discounts(r *issue.Request) {
	r.Allowances = []issue.Allowance{
		{Amount: dec("10"), Reason: "Discount", Category: "S", Rate: dec("15")},
		{Amount: dec("5.5"), ReasonCode: "95", Reason: "Discount", Category: "Z", Rate: dec("0")},
	}
}

// withoutLineIDs returns a record without the ids of its lines, which are new in
// each preview.
func withoutLineIDs(r ledger.Record) ledger.Record {
	r.Lines = append([]ledger.Line(nil), r.Lines...)
	for n := range r.Lines {
		r.Lines[n].ID = uuid.Nil
	}
	return r
}

// The preview of a request made from the record of an invoice has that record,
// whether or not the lines of the catalogue are written out.
func TestRequestOf(t *testing.T) {
	t.Parallel()
	for name := range restated(open(t)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			r := restated(s)[name]
			first, err := s.issuer.Preview(t.Context(), s.by, r)
			if err != nil {
				t.Fatal(err)
			}
			want := withoutLineIDs(first.Record)
			for _, writtenOut := range []bool{false, true} {
				again := issue.RequestOf(first, writtenOut)
				shown, err := s.issuer.Preview(t.Context(), s.by, again)
				if err != nil {
					t.Fatalf("written out %t: %v", writtenOut, err)
				}
				got := withoutLineIDs(shown.Record)
				for n := range got.Lines {
					if writtenOut && got.Lines[n].Item == nil {
						got.Lines[n].Item, got.Lines[n].NameArabic = want.Lines[n].Item, want.Lines[n].NameArabic
					}
				}
				same(t, "record", asJSON(t, got), asJSON(t, want))
				same(t, "head", head(shown), head(first))
			}
			issued := s.create(key(r, "ticket"))
			same(t, "request of the issued invoice", asJSON(t, issue.RequestOf(issued, false)), asJSON(t, issue.RequestOf(first, false)))
			same(t, "its key and lines", issue.RequestOf(issued, true).IdempotencyKey, "")
		})
	}
}

// A record of an earlier version has no rows of its advances. The request then
// sets no amounts for any advance.
func TestRequestOfRecordWithoutRows(t *testing.T) {
	t.Parallel()
	s := open(t)
	shown, err := s.issuer.Preview(t.Context(), s.by, restated(s)["deduction"])
	if err != nil {
		t.Fatal(err)
	}
	same(t, "amounts", len(issue.RequestOf(shown, false).PrepaidAmounts), 3)
	shown.Record.Advances[1].Rows = nil
	r := issue.RequestOf(shown, false)
	same(t, "amounts without rows", len(r.PrepaidAmounts), 0)
	again, err := s.issuer.Preview(t.Context(), s.by, r)
	if err != nil {
		t.Fatal(err)
	}
	amounts(t, "prepaid", again.Record.Totals.Prepaid, shown.Record.Totals.Prepaid.String())
}
