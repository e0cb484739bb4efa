package issue_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/ubl"
)

// Credit notes can credit the whole remainder of their originals, and no more.
// Debit notes have no limit.
func TestCreditsOfAnOriginal(t *testing.T) {
	t.Parallel()
	s := open(t)
	sale := s.accepted(priced("100")) // 115.00
	s.create(standard(corrects(381, sale.ID), priced("60.00")))
	s.create(standard(corrects(383, sale.ID), priced("500"))) // does not increase what can be credited
	amounts(t, "left", s.book.earlier[sale.ID].Left(), "46")
	e := s.refused(standard(corrects(381, sale.ID), priced("40.01")))
	same(t, "refusal", refusalOf(e), "credit above the original")
	for _, text := range []string{"46.01", "46.00"} {
		if !strings.Contains(e.Message, text) {
			t.Errorf("message %q does not contain %s", e.Message, text)
		}
	}
	s.create(standard(corrects(381, sale.ID), priced("40.00")))
	amounts(t, "left", s.book.earlier[sale.ID].Left(), "0")
	same(t, "refusal", refusalOf(s.refused(standard(corrects(381, sale.ID), priced("0.01")))), "credit above the original")
}

// A credit note on several originals is distributed over them in order.
func TestCreditOverSeveralOriginals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		price string
		want  string // amount credited to each original
	}{
		{"10", "11.5 0 0"},
		{"100", "115 0 0"},
		{"100.01", "115 0.01 0"},
		{"150", "115 57.5 0"},
		{"260", "115 115 69"},
		{"300", "115 115 115"},
	} {
		t.Run(c.price, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			var originals []uuid.UUID
			for n := range 3 {
				originals = append(originals, s.accepted(note(fmt.Sprint(n))).ID)
			}
			s.create(standard(corrects(381, originals...), priced(c.price)))
			entry := s.book.entries[3]
			var got []string
			for n, credit := range entry.Credits {
				same(t, "original", credit.Original, originals[n])
				same(t, "rows", len(credit.Rows), 0)
				got = append(got, credit.Amount.String())
			}
			same(t, "amounts", strings.Join(got, " "), c.want)
			for n, o := range entry.Invoice.Record.Originals {
				same(t, "number", o, ledger.Original{ID: originals[n], Number: fmt.Sprintf("INV-2026-%06d", n+1), IssueDate: "2026-11-15"})
			}
		})
	}
}

// A debit note does not reduce what can be credited of its original.
func TestOnlyCreditNotesCredit(t *testing.T) {
	t.Parallel()
	s := open(t)
	sale := s.accepted()
	s.create(standard(corrects(383, sale.ID)))
	same(t, "credits", len(s.book.entries[0].Credits)+len(s.book.entries[1].Credits), 0)
	amounts(t, "left", s.book.earlier[sale.ID].Left(), "115")
}

// A line reference of a note must be a line of its originals.
func TestLinesThatANoteCorrects(t *testing.T) {
	t.Parallel()
	s := open(t)
	first, second := s.accepted(), s.accepted(note("second"))
	catalogue := s.accepted(items(paper, "2"))
	of := func(i ledger.Invoice) uuid.UUID { return i.Record.Lines[0].ID }
	for n, c := range []struct {
		request issue.Request
		ok      bool
	}{
		{standard(corrects(381, first.ID), priced("1"), original(of(first))), true},
		{standard(corrects(381, first.ID), priced("2"), original(of(second))), false},
		{standard(corrects(381, first.ID, second.ID), priced("3"), original(of(second))), true},
		{standard(corrects(381, first.ID, second.ID), priced("3.5"), original(of(first))), true},
		{standard(corrects(383, first.ID), original(of(first))), true},
		{standard(corrects(381, catalogue.ID), items(paper, "1"), func(r *issue.Request) { r.Lines[0].Original = of(catalogue) }), true},
		{standard(corrects(381, catalogue.ID), items(paper, "1"), func(r *issue.Request) { r.Lines[0].Original = of(first) }), false},
	} {
		if !c.ok {
			same(t, fmt.Sprint(n), refusalOf(s.refused(c.request)), "original line")
			continue
		}
		got := s.create(c.request)
		want := c.request.FormLines
		if l := got.Record.Lines[0]; l.Original == nil || len(want) > 0 && *l.Original != want[0].Original {
			t.Errorf("case %d: Original of the line = %v, want the requested line", n, l.Original)
		}
	}
	same(t, "Original of a line without a reference", s.create(standard(corrects(381, second.ID), priced("4"))).Record.Lines[0].Original, nil)
}

// The reason is the reason of a note, and the payment terms of other documents.
// On a note paid by credit transfer it is both.
func TestReasonOfADocument(t *testing.T) {
	t.Parallel()
	s := open(t)
	sale := s.accepted()
	const text = "Goods returned"
	for _, c := range []struct {
		name          string
		change        change
		reason, terms string
	}{
		{"invoice", func(r *issue.Request) { r.Reason = reasonID }, "", text},
		{"invoice by credit transfer", func(r *issue.Request) { r.Reason, r.PaymentMeans = reasonID, "30" }, "", text},
		{"invoice without a reason", note("plain"), "", ""},
		{"note", all(corrects(381, sale.ID), priced("1")), text, ""},
		{"note by credit transfer", all(corrects(381, sale.ID), priced("2"), func(r *issue.Request) { r.PaymentMeans = "30" }), text, text},
		{"debit note by credit transfer", all(corrects(383, sale.ID), func(r *issue.Request) { r.PaymentMeans = "30" }), text, text},
	} {
		got := s.create(standard(c.change)).Record
		same(t, c.name+": reason", got.ReasonText, c.reason)
		same(t, c.name+": terms", got.PaymentTerms, c.terms)
		same(t, c.name+": id", got.Reason != nil && *got.Reason == reasonID, c.reason+c.terms != "")
	}
}

// The XML of a note lists its originals.
func TestDocumentOfANote(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.book.imported(id(40), buyerID, "1000")
	sale := s.accepted()
	s.create(standard(corrects(381, sale.ID, id(40))))
	doc, err := ubl.Read(s.book.entries[1].XML)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range doc.BillingReferences {
		got = append(got, r.InvoiceDocumentReference.ID.Value+" "+r.InvoiceDocumentReference.IssueDate.Value)
	}
	same(t, "originals", strings.Join(got, ", "), "INV-2026-000001 2026-11-15, OLD-7 2025-12-31")
}
