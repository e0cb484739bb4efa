package issue_test

import (
	"fmt"
	"testing"

	"khatm/service/internal/issue"
)

// Tax invoices and debit notes reduce the stock, credit notes increase it,
// advances do neither.
func TestStockByKind(t *testing.T) {
	t.Parallel()
	s := open(t)
	sale := s.accepted(items(chairs, "1"))
	for _, c := range []struct {
		change change
		left   string
	}{
		{items(chairs, "2"), "7"},
		{all(corrects(383, sale.ID), items(chairs, "3")), "4"},
		{all(corrects(381, sale.ID), items(chairs, "1")), "5"},
		{all(kind(386), items(chairs, "5")), "5"},
		{all(kind(386), items(chairs, "500")), "5"},
		{all(items(chairs, "0.5"), items(chairs, "0.25")), "4.25"},
		{items(paper, "1000"), "4.25"},
	} {
		s.create(standard(c.change))
		amounts(t, "left", *s.book.items[chairs].Stock, c.left)
	}
	if s.book.items[paper].Stock != nil {
		t.Error("the unlimited stock has become limited")
	}
	for _, batch := range s.book.batches {
		if _, moved := batch.Stock[paper]; moved {
			t.Error("unlimited stock was written")
		}
	}
}

// The quantities of an item are added up over all lines before they are
// compared with its stock.
func TestStockOfSeveralLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		first, second string
		ok            bool
	}{{"5", "5", true}, {"5", "5.000001", false}, {"10", "0.000001", false}, {"1", "9", true}} {
		t.Run(c.first+"+"+c.second, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			r := standard(items(chairs, c.first), items(paper, "1"), items(chairs, c.second))
			if !c.ok {
				same(t, "refusal", refusalOf(s.refused(r)), "stock")
				return
			}
			s.create(r)
			amounts(t, "left", *s.book.items[chairs].Stock, "0")
		})
	}
}

// Changes between preparation and append are detected: an item that is inactive
// or deleted, a device that can no longer issue.
func TestChangesBeforeTheAppend(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		onState func(*issue.State)
		refusal string
	}{
		{"inactive item", func(d *issue.State) { d.Stock[paper] = issue.Stock{Name: "Paper A4"} }, "inactive item"},
		{"deleted item", func(d *issue.State) { delete(d.Stock, paper) }, "inactive item"},
		{"deleted device", func(d *issue.State) { delete(d.Devices, firstDevice) }, "device"},
		{"retired device", func(d *issue.State) { d.Devices[firstDevice].Retired = true }, "device retired"},
		{"device without a certificate", func(d *issue.State) { d.Devices[firstDevice].Production = nil }, "device certificate"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			s.book.onState = c.onState
			_, err := s.issuer.Create(t.Context(), s.by, standard(items(paper, "1")))
			same(t, "refusal", refusalOf(err), c.refusal)
			same(t, "documents", len(s.book.entries), 0)
		})
	}
}

// Create requests only the state that the document needs.
func TestWantsOfADocument(t *testing.T) {
	t.Parallel()
	s := open(t)
	first, second := s.accepted(note("first")), s.accepted(kind(386))
	var state *issue.State
	s.book.onState = func(d *issue.State) { state = d }
	s.create(key(standard(items(paper, "1"), items(chairs, "1"), items(paper, "2"), deducts(second.ID)), "k"))
	same(t, "state for a sale", fmt.Sprint(len(state.Devices), len(state.Stock), len(state.Earlier), len(state.Claims)), "1 2 1 0")
	s.create(standard(corrects(381, first.ID), priced("1")))
	same(t, "state for a note", fmt.Sprint(len(state.Devices), len(state.Stock), len(state.Earlier), len(state.Keys)), "1 0 1 0")
}
