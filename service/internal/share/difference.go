package share

import (
	"fmt"
	"slices"
	"strconv"

	"khatm/money"
	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
)

// field is one value of a document and its name.
type field struct{ what, value string }

// fields is the list of values of a document. Two documents have the same names
// in the same order up to their first difference.
type fields []field

func (s *fields) text(what, value string) { *s = append(*s, field{what, value}) }

func (s *fields) amount(what string, value money.Decimal) { s.text(what, value.String()) }

func (s *fields) count(what string, n int) { s.text("the number of "+what, strconv.Itoa(n)) }

// difference returns an error that names the first value in which the invoice
// to issue differs from the approved one.
func difference(approved, would ledger.Record) error {
	was, is := fieldsOf(approved), fieldsOf(comparableWith(approved, would))
	for n := range was {
		// is[n] exists: if the lists have different lengths, an earlier count differs.
		if was[n] == is[n] {
			continue
		}
		amounts := ""
		if a, b := amountsOf(approved), amountsOf(would); a != b {
			amounts = fmt.Sprintf(" The approved total is %s, and the total would now be %s.", a, b)
		}
		return fault.New(fault.DraftDiffers, "%s was approved as %q and would now be issued as %q.%s Create a new draft.",
			capital(was[n].what), short(was[n].value), short(is[n].value), amounts)
	}
	return nil
}

// comparableWith returns the record without what the approved one lacks if that is
// from an earlier version: the Arabic names of items and the rows of advances. The
// total of each advance is compared in any case.
func comparableWith(approved, would ledger.Record) ledger.Record {
	if approved.Device.CreatedAt == nil { // stored since item names are stored in Arabic
		would.Lines = slices.Clone(would.Lines)
		for n := range would.Lines {
			would.Lines[n].NameArabic = ""
		}
	}
	if len(would.Advances) != len(approved.Advances) {
		return would
	}
	would.Advances = slices.Clone(would.Advances)
	for n, a := range approved.Advances {
		if len(a.Rows) == 0 {
			would.Advances[n].Rows = nil
		}
	}
	return would
}

func amountsOf(r ledger.Record) string {
	return fmt.Sprintf("%s %s (VAT %s)", r.Totals.Payable.Fixed2(), r.Currency, r.Totals.VAT.Fixed2())
}

func capital(what string) string { return string(what[0]-'a'+'A') + what[1:] }

// short truncates long values to keep the error readable.
func short(value string) string {
	const most = 80
	if letters := []rune(value); len(letters) > most {
		return string(letters[:most]) + "…"
	}
	return value
}

// fieldsOf returns everything that appears on the document of a record. Other
// stored data, such as the buyer's telephone number, is not part of the
// approval.
func fieldsOf(r ledger.Record) fields {
	s := fields{}
	s.count("lines", len(r.Lines))
	for n, l := range r.Lines {
		s.line(l, " in line "+strconv.Itoa(n+1))
	}
	s.party("seller", r.Seller)
	if r.Buyer == nil {
		s.count("buyers", 0)
	} else {
		s.count("buyers", 1)
		s.party("buyer", *r.Buyer)
	}
	s.text("the supply date", r.SupplyDate)
	s.text("the supply end date", r.SupplyEndDate)
	s.text("the currency", r.Currency)
	s.amount("the exchange rate", r.ExchangeRate)
	s.text("the means of payment", r.PaymentMeans)
	s.text("the payment terms", r.PaymentTerms)
	s.text("the reason of the note", r.ReasonText)
	printed := ledger.Print{}
	if r.Print != nil {
		printed = *r.Print
	}
	s.text("the amount in words", strconv.FormatBool(printed.AmountInWords))
	s.text("the IBAN", printed.IBAN)
	s.text("the telephone number of the seller", printed.Phone)
	s.count("days until the payment is due", printed.DueDays)
	s.lists(r)
	s.totals(r)
	return s
}

func (s *fields) line(l ledger.Line, where string) {
	s.text("the name"+where, l.Name)
	s.text("the Arabic name"+where, l.NameArabic)
	s.amount("the price"+where, l.Price)
	s.amount("the price including VAT"+where, l.GrossPrice)
	s.amount("the quantity"+where, l.Quantity)
	s.text("the unit"+where, l.Unit)
	s.text("the VAT category"+where, l.Category)
	s.amount("the VAT rate"+where, l.Rate)
	s.text("the exemption reason code"+where, l.ReasonCode)
	s.text("the exemption reason"+where, l.ReasonText)
	s.amount("the amount"+where, l.Net)
	s.amount("the VAT"+where, l.VAT)
	s.amount("the total"+where, l.Total)
}

func (s *fields) party(who string, p ledger.Party) {
	for _, one := range []field{
		{"name", p.Name}, {"Arabic name", p.NameArabic}, {"VAT number", p.VATNumber}, {"street", p.Street}, {"additional street", p.AdditionalStreet},
		{"building number", p.BuildingNumber}, {"plot", p.PlotIdentification}, {"district", p.District}, {"city", p.City},
		{"province", p.ProvinceState}, {"postal code", p.PostalCode}, {"country", p.CountryCode},
		{"Arabic street", p.StreetArabic}, {"additional Arabic street", p.AdditionalStreetArabic}, {"Arabic district", p.DistrictArabic},
		{"Arabic city", p.CityArabic}, {"Arabic province", p.ProvinceStateArabic},
	} {
		s.text("the "+one.what+" of the "+who, one.value)
	}
	s.count("identifications of the "+who, len(p.Identifications))
	for _, id := range p.Identifications {
		s.text("an identification of the "+who, id.Type+" "+id.Value)
	}
}

func (s *fields) lists(r ledger.Record) {
	s.count("notes", len(r.Notes))
	for _, n := range r.Notes {
		s.text("the language of a note", n.Language)
		s.text("a note", n.Text)
	}
	s.count("discounts", len(r.Allowances))
	for _, a := range r.Allowances {
		s.amount("the amount of a discount", a.Amount)
		s.text("the reason code of a discount", a.ReasonCode)
		s.text("the reason of a discount", a.Reason)
		s.text("the VAT category of a discount", a.Category)
		s.amount("the VAT rate of a discount", a.Rate)
	}
	s.count("advances", len(r.Advances))
	for _, a := range r.Advances {
		s.text("the number of an advance", a.Number)
		s.amount("the amount of advance "+a.Number, a.Amount)
		s.count("rows of advance "+a.Number, len(a.Rows))
		for _, row := range a.Rows {
			s.row(" of advance "+a.Number, row)
		}
	}
	s.count("original invoices", len(r.Originals))
	for _, o := range r.Originals {
		s.text("the number of an original invoice", o.Number)
		s.text("the date of original invoice "+o.Number, o.IssueDate)
	}
	s.count("VAT breakdown rows", len(r.Breakdown))
	for _, b := range r.Breakdown {
		s.row("", b)
	}
}

func (s *fields) row(where string, b ledger.Subtotal) {
	s.text("a VAT category"+where, b.Category)
	s.amount("a VAT rate"+where, b.Rate)
	s.text("an exemption reason code"+where, b.ReasonCode)
	s.text("an exemption reason"+where, b.ReasonText)
	s.amount("a taxable amount"+where, b.Taxable)
	s.amount("a VAT amount"+where, b.VAT)
}

func (s *fields) totals(r ledger.Record) {
	t := r.Totals
	s.amount("the total of the lines", t.Lines)
	s.amount("the total of the discounts", t.Allowances)
	s.amount("the total without VAT", t.WithoutVAT)
	s.amount("the VAT", t.VAT)
	s.amount("the VAT in SAR", t.VATInSAR)
	s.amount("the total with VAT", t.WithVAT)
	s.amount("the total of the advances", t.Prepaid)
	s.amount("the rounding", t.Rounding)
	s.amount("the payable amount", t.Payable)
}
