package issue_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/rules"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/ubl"
)

// advanceModel issues random advances, deductions, credit notes and rejections,
// and computes what is left of each advance in whole cents, from the signed
// documents alone.
type advanceModel struct {
	*shop
	random    *rand.Rand
	advances  []uuid.UUID
	rejected  map[uuid.UUID]bool
	pending   []uuid.UUID // deductions and credit notes that can be rejected
	documents map[uuid.UUID]*ubl.Invoice
	read      int // entries that are in documents
	steps     int
	refusals  map[string]int
}

// pot is an amount before VAT and its VAT, in cents.
type pot struct{ taxable, vat int64 }

// potKey identifies a part of an advance: the advance, and the VAT category with
// its rate.
type potKey struct {
	advance string // number
	tax     string
}

func newAdvanceModel(t *testing.T, seed uint64) *advanceModel {
	return &advanceModel{
		shop: open(t), random: rand.New(rand.NewPCG(seed, 19)), rejected: map[uuid.UUID]bool{}, documents: map[uuid.UUID]*ubl.Invoice{}, refusals: map[string]int{},
	}
}

// centsOf parses an amount with two decimals.
func centsOf(text string) int64 {
	n, err := strconv.ParseInt(strings.Replace(text, ".", "", 1), 10, 64)
	if err != nil || len(text) < 4 || text[len(text)-3] != '.' {
		panic("not an amount with two decimals: " + text)
	}
	return n
}

func taxOf(c *ubl.TaxCategory) string { return c.ID.Value + " " + c.Percent.Value }

// addTo adds rows of a VAT breakdown to pots.
func addTo(pots map[potKey]pot, advance string, rows []*ubl.TaxSubtotal, sign int64) {
	for _, s := range rows {
		key := potKey{advance, taxOf(s.TaxCategory)}
		p := pots[key]
		pots[key] = pot{p.taxable + sign*centsOf(s.TaxableAmount.Value), p.vat + sign*centsOf(s.TaxAmount.Value)}
	}
}

// left computes what is left of all advances from the signed documents.
func (m *advanceModel) left() map[potKey]pot {
	for _, e := range m.book.entries[m.read:] {
		doc, err := ubl.Read(e.XML)
		if err != nil {
			m.t.Fatal(err)
		}
		m.documents[e.Invoice.ID] = doc
	}
	m.read = len(m.book.entries)
	pots := map[potKey]pot{}
	for id, doc := range m.documents {
		if m.rejected[id] {
			continue
		}
		breakdown := doc.TaxTotals[1].Subtotals
		switch doc.InvoiceTypeCode.Value {
		case "386":
			addTo(pots, doc.ID.Value, breakdown, 1)
		case "381":
			addTo(pots, doc.BillingReferences[0].InvoiceDocumentReference.ID.Value, breakdown, -1)
		case "388":
			for _, l := range doc.Lines {
				if len(l.DocumentReferences) > 0 {
					addTo(pots, l.DocumentReferences[0].ID.Value, l.TaxTotals[0].Subtotals, -1)
				}
			}
		}
	}
	return pots
}

// check compares what is left of the advances with what the service computes,
// and requires that nothing is negative.
func (m *advanceModel) check() map[potKey]pot {
	pots := m.left()
	for key, p := range pots {
		if p.taxable < 0 || p.vat < 0 {
			m.t.Fatalf("step %d: %d and %d cents of VAT are left of %v, want none negative", m.steps, p.taxable, p.vat, key)
		}
	}
	for _, id := range m.advances {
		e := m.book.earlier[id]
		got := map[potKey]pot{}
		for _, r := range issue.Remaining(e) {
			key := potKey{e.Number, r.Category + " " + r.Rate.Fixed2()}
			p := got[key]
			got[key] = pot{p.taxable + centsOf(r.Taxable.Fixed2()), p.vat + centsOf(r.Amount.Fixed2())}
		}
		for key, want := range pots {
			if key.advance == e.Number && (got[key].taxable != want.taxable || want.taxable > 0 && got[key].vat != want.vat) {
				m.t.Fatalf("step %d: %v has %v left, want %v", m.steps, key, got[key], want)
			}
		}
	}
	return pots
}

// price returns a random price, small ones more often.
func (m *advanceModel) price() string {
	n := 1 + m.random.Int64N([]int64{20, 1_000, 50_000, 5_000_000}[m.random.IntN(4)])
	return fmt.Sprintf("%d.%02d", n/100, n%100)
}

// lines returns one to four random lines in different categories and rates.
func (m *advanceModel) lines() change {
	var all []issue.FormLine
	for range 1 + m.random.IntN(4) {
		l := lineOf(m.price(), "1", []string{"15", "15", "5"}[m.random.IntN(3)])
		if m.random.IntN(4) == 0 {
			l = zero(m.price())
			if m.random.IntN(2) == 0 {
				l.ReasonCode, l.ReasonText = "VATEX-SA-36", "Military goods"
			}
		}
		all = append(all, l)
	}
	return lines(all...)
}

// credited returns lines in categories of an advance, with amounts that are
// usually within what is left of it.
func (m *advanceModel) credited(advance uuid.UUID) change {
	left := m.left()
	doc := m.documents[advance]
	var all []issue.FormLine
	for _, s := range doc.TaxTotals[1].Subtotals {
		most := left[potKey{doc.ID.Value, taxOf(s.TaxCategory)}].taxable
		if len(all) > 0 && m.random.IntN(2) == 0 {
			continue
		}
		n := 1 + m.random.Int64N(1+most*11/10)
		l := lineOf(fmt.Sprintf("%d.%02d", n/100, n%100), "1", s.TaxCategory.Percent.Value)
		if l.Category = s.TaxCategory.ID.Value; l.Category != "S" {
			l.ReasonCode, l.ReasonText = s.TaxCategory.TaxExemptionReasonCode.Value, s.TaxCategory.TaxExemptionReasons[0].Value
		}
		all = append(all, l)
	}
	return lines(all...)
}

// step issues or rejects one random document.
func (m *advanceModel) step() {
	m.steps++
	unique := note(fmt.Sprint("step ", m.steps))
	switch n := m.random.IntN(10); {
	case len(m.advances) == 0 || n < 2:
		m.advances = append(m.advances, m.accepted(kind(386), m.lines(), unique).ID)
	case n < 7:
		m.deduct(unique)
	case n < 9:
		advance := m.advances[m.random.IntN(len(m.advances))]
		m.try(standard(corrects(381, advance), m.credited(advance), unique))
	case len(m.pending) > 0:
		i := m.random.IntN(len(m.pending))
		m.book.reject(m.pending[i])
		m.rejected[m.pending[i]] = true
		m.pending = append(m.pending[:i:i], m.pending[i+1:]...)
	}
}

// try issues a request that may be refused.
func (m *advanceModel) try(r issue.Request) (ledger.Invoice, bool) {
	got, err := m.issuer.Create(m.t.Context(), m.by, r)
	if err != nil {
		refusal := refusalOf(err)
		if strings.HasPrefix(refusal, "none: ") {
			m.t.Fatalf("step %d: %v", m.steps, err)
		}
		m.refusals[refusal]++
		return got, false
	}
	m.pending = append(m.pending, got.ID)
	return got, true
}

// deduct issues an invoice that deducts one to three advances, with amounts or
// without, and compares what it deducts with an independent computation.
func (m *advanceModel) deduct(unique change) {
	var ids []uuid.UUID
	for _, n := range m.random.Perm(len(m.advances))[:min(len(m.advances), 1+m.random.IntN(3))] {
		ids = append(ids, m.advances[n])
	}
	before := m.left()
	r := standard(deducts(ids...), m.lines(), unique)
	if m.random.IntN(3) == 0 {
		for _, id := range ids {
			r.PrepaidAmounts = append(r.PrepaidAmounts, m.amountsOf(id, before, &r)...)
		}
	}
	got, issued := m.try(r)
	m.check()
	if !issued {
		return
	}
	doc := m.documents[got.ID]
	if centsOf(doc.MonetaryTotal.PayableAmount.Value) < 0 {
		m.t.Fatalf("step %d: payable is %s", m.steps, doc.MonetaryTotal.PayableAmount.Value)
	}
	for _, result := range rules.Check(doc, m.now) {
		if result.Status == rules.Failed && !slices.Contains(unavoidable, result.Rule.ID) {
			m.t.Fatalf("step %d: %s violates %s at %v", m.steps, got.Number, result.Rule.ID, result.Places)
		}
	}
	want, taken := m.expected(r, before), map[potKey]pot{}
	for _, l := range doc.Lines {
		if len(l.DocumentReferences) > 0 {
			addTo(taken, l.DocumentReferences[0].ID.Value, l.TaxTotals[0].Subtotals, 1)
		}
	}
	for key, p := range taken {
		if p.taxable != want[key] {
			m.t.Fatalf("step %d: deducts %d cents of %v, want %d", m.steps, p.taxable, key, want[key])
		}
		delete(want, key)
	}
	for key, n := range want {
		if n > 0 {
			m.t.Fatalf("step %d: deducts nothing of %v, want %d", m.steps, key, n)
		}
	}
}

// amountsOf returns random amounts for an advance, usually within what is left.
func (m *advanceModel) amountsOf(id uuid.UUID, left map[potKey]pot, r *issue.Request) []issue.PrepaidAmount {
	number := m.book.earlier[id].Number
	var all []issue.PrepaidAmount
	for _, tax := range []struct{ category, rate string }{{"S", "15"}, {"S", "5"}, {"Z", "0"}} {
		most := min(left[potKey{number, tax.category + " " + tax.rate + ".00"}].taxable, m.of(*r, tax.category, tax.rate)/2)
		if most > 0 {
			n := 1 + m.random.Int64N(most)
			amount := dec(fmt.Sprintf("%d.%02d", n/100, n%100))
			all = append(all, issue.PrepaidAmount{Advance: id, Category: tax.category, Rate: dec(tax.rate), Amount: amount})
		}
	}
	return all
}

// of returns the total of the lines of a request in a category and rate.
func (m *advanceModel) of(r issue.Request, category, rate string) (sum int64) {
	for _, l := range r.FormLines {
		if l.Category == category && l.Rate.Equal(dec(rate)) {
			sum += centsOf(l.Price.Fixed2())
		}
	}
	return sum
}

// expected returns the cents before VAT that a request deducts of each part of
// its advances.
func (m *advanceModel) expected(r issue.Request, left map[potKey]pot) map[potKey]int64 {
	want := map[potKey]int64{}
	if len(r.PrepaidAmounts) > 0 {
		for _, a := range r.PrepaidAmounts {
			want[potKey{m.book.earlier[a.Advance].Number, a.Category + " " + a.Rate.Fixed2()}] = centsOf(a.Amount.Fixed2())
		}
		return want
	}
	for _, tax := range []struct{ category, rate string }{{"S", "15"}, {"S", "5"}, {"Z", "0"}} {
		open := m.of(r, tax.category, tax.rate)
		for _, id := range r.Prepaid {
			key := potKey{m.book.earlier[id].Number, tax.category + " " + tax.rate + ".00"}
			want[key] = min(open, left[key].taxable)
			open -= want[key]
		}
	}
	return want
}
