package issue

import (
	"errors"
	"strings"

	"github.com/google/uuid"

	"khatm/codes"
	"khatm/invoice"
	"khatm/money"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// facts says what the library computes from.
func (d *draft) facts() invoice.Facts {
	f := invoice.Facts{
		Kind:            d.kind(),
		Transaction:     d.transaction,
		SupplyDate:      d.SupplyDate,
		SupplyEndDate:   d.SupplyEndDate,
		Currency:        d.Currency,
		ExchangeRate:    d.ExchangeRate,
		PaymentMeans:    d.PaymentMeans,
		Seller:          d.sellerFacts(),
		Lines:           d.factLines(),
		ExpectedPayable: d.ExpectedPayable,
	}
	if d.reason != nil {
		// On a note the text says why it was issued; elsewhere it is the terms. A
		// note paid by credit transfer needs both.
		if d.kind().IsNote() {
			f.Reason = d.reason.Description
		}
		if !d.kind().IsNote() || d.PaymentMeans == codes.CreditTransfer {
			f.PaymentTerms = d.reason.Description
		}
	}
	for _, n := range d.Notes {
		f.Notes = append(f.Notes, invoice.Note(n))
	}
	if d.buyer != nil {
		f.Buyer = d.buyerFacts()
	}
	for _, a := range d.Allowances {
		f.Allowances = append(f.Allowances, invoice.Allowance(a))
	}
	for _, id := range d.Prepaid {
		o := d.earlier[id]
		f.Advances = append(f.Advances, invoice.Advance{Number: o.Number, UUID: o.ID.String(), IssueDate: o.IssueDate, IssueTime: o.IssueTime, Breakdown: o.remaining()})
	}
	for _, id := range d.Originals {
		o := d.earlier[id]
		f.Originals = append(f.Originals, invoice.Original{Number: o.Number, IssueDate: o.IssueDate})
	}
	return f
}

func (d *draft) factLines() []invoice.Line {
	lines := make([]invoice.Line, 0, d.lineCount())
	for _, l := range d.FormLines {
		lines = append(lines, invoice.Line{
			Name: l.Name, Price: l.Price, Quantity: l.Quantity, Unit: l.Unit,
			Tax: invoice.Tax{Category: l.Category, Rate: l.Rate, ReasonCode: l.ReasonCode, ReasonText: l.ReasonText},
		})
	}
	for _, l := range d.Lines {
		item := d.items[l.Item]
		lines = append(lines, invoice.Line{
			Name: item.Name, Price: item.Price, Quantity: l.Quantity, Unit: item.Unit,
			Tax: invoice.Tax{Category: item.Category, Rate: item.Rate, ReasonCode: item.ReasonCode, ReasonText: item.ReasonText},
		})
	}
	return lines
}

// sellerPlace is the number and the address that the device issues with: its
// branch's, or the organisation's.
func (d *draft) sellerPlace() (org.Identification, org.Address) {
	if d.branch != nil {
		return d.branch.Identification, d.branch.Address
	}
	return d.seller.Identification, d.seller.Address
}

func (d *draft) sellerFacts() invoice.Seller {
	id, address := d.sellerPlace()
	return invoice.Seller{
		Name: d.seller.Name, NameArabic: d.seller.NameArabic, VATNumber: d.seller.VATNumber,
		ID: invoice.PartyID{Scheme: id.Type, Value: id.Value}, Address: addressFacts(address),
	}
}

func (d *draft) buyerFacts() *invoice.Buyer {
	b := &invoice.Buyer{Name: d.buyer.Name, NameArabic: d.buyer.NameArabic, VATNumber: d.buyer.VATNumber, Address: addressFacts(d.buyer.Address)}
	for _, id := range d.buyer.Identifications {
		b.IDs = append(b.IDs, invoice.PartyID{Scheme: id.Type, Value: id.Value})
	}
	return b
}

func addressFacts(a org.Address) invoice.Address {
	return invoice.Address{
		Street: a.Street, AdditionalStreet: a.AdditionalStreet, BuildingNumber: a.BuildingNumber, Plot: a.PlotIdentification,
		District: a.District, City: a.City, Province: a.ProvinceState, PostalCode: a.PostalCode, Country: a.CountryCode,
	}
}

// Root is what the paths of problems in an invoice begin with.
const Root = "invoice_schema_data"

// explain turns the library's problems into those of the request: its fields
// have other names where the service fills them in.
func (d *draft) explain(err error) error {
	var problems invoice.Problems
	if !errors.As(err, &problems) {
		return err
	}
	told := make([]fault.Problem, len(problems))
	for i, p := range problems {
		told[i] = fault.Problem{Path: Root + "." + d.field(p.Path), Message: p.Message}
	}
	return fault.Wrong(told...)
}

// field gives the request's name of a field of the library's facts.
func (d *draft) field(path string) string { return fieldOf(path, len(d.FormLines) > 0) }

func fieldOf(path string, writtenOut bool) string {
	first, rest, _ := strings.Cut(path, ".")
	switch first {
	case "lines":
		if writtenOut {
			return "form_" + path
		}
		return strings.NewReplacer("invoiced_quantity", "quantity").Replace(path)
	case "reason", "payment_terms":
		return "reason_id"
	case "buyer", "seller":
		if rest != "" {
			return first + "." + rest
		}
	}
	return path
}

// stockOf sums the quantities of each item over the lines.
func (d *draft) stockOf() map[uuid.UUID]money.Decimal {
	sums := map[uuid.UUID]money.Decimal{}
	for _, l := range d.Lines {
		sums[l.Item] = sums[l.Item].Add(l.Quantity)
	}
	return sums
}
