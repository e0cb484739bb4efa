package issue

import (
	"errors"
	"slices"
	"strings"

	"github.com/google/uuid"

	"khatm/codes"
	"khatm/invoice"
	"khatm/money"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// facts returns the input for invoice.Compute, except the advances.
func (p *prepared) facts() invoice.Facts {
	f := invoice.Facts{
		Kind:            p.kind(),
		Transaction:     p.transaction,
		SupplyDate:      p.SupplyDate,
		SupplyEndDate:   p.SupplyEndDate,
		Currency:        p.Currency,
		ExchangeRate:    p.ExchangeRate,
		PaymentMeans:    p.PaymentMeans,
		Seller:          p.sellerFacts(),
		Lines:           p.factLines(),
		ExpectedPayable: p.ExpectedPayable,
	}
	if p.reason != nil {
		// On a note the description is the reason for issuing it; on other
		// documents it is the payment terms. A note paid by credit transfer
		// needs both.
		if p.kind().IsNote() {
			f.Reason = p.reason.Description
		}
		if !p.kind().IsNote() || p.PaymentMeans == codes.CreditTransfer {
			f.PaymentTerms = p.reason.Description
		}
	}
	for _, n := range p.Notes {
		f.Notes = append(f.Notes, invoice.Note(n))
	}
	if p.buyer != nil {
		f.Buyer = p.buyerFacts()
	}
	for _, a := range p.Allowances {
		f.Allowances = append(f.Allowances, invoice.Allowance(a))
	}
	for _, id := range p.Originals {
		o := p.earlier[id]
		f.Originals = append(f.Originals, invoice.Original{Number: o.Number, IssueDate: o.IssueDate})
	}
	return f
}

func (p *prepared) factLines() []invoice.Line {
	lines := make([]invoice.Line, 0, p.lineCount())
	for _, l := range p.FormLines {
		lines = append(lines, invoice.Line{
			Name: l.Name, Price: l.Price, GrossPrice: l.GrossPrice, Quantity: l.Quantity, Unit: l.Unit,
			Tax: invoice.Tax{Category: l.Category, Rate: l.Rate, ReasonCode: l.ReasonCode, ReasonText: l.ReasonText},
		})
	}
	for _, l := range p.Lines {
		item := p.items[l.Item]
		lines = append(lines, invoice.Line{
			Name: item.Name, Price: item.Price, Quantity: l.Quantity, Unit: item.Unit,
			Tax: invoice.Tax{Category: item.Category, Rate: item.Rate, ReasonCode: item.ReasonCode, ReasonText: item.ReasonText},
		})
	}
	return lines
}

// sellerPlace returns the registration number and address that the device issues
// with: those of its branch, or of the organisation.
func (p *prepared) sellerPlace() (org.Identification, org.Address) {
	if p.branch != nil {
		return p.branch.Identification, p.branch.Address
	}
	return p.seller.Identification, p.seller.Address
}

func (p *prepared) sellerFacts() invoice.Seller {
	id, address := p.sellerPlace()
	return invoice.Seller{
		Name: p.seller.Name, NameArabic: p.seller.NameArabic, VATNumber: p.seller.VATNumber,
		ID: invoice.PartyID{Scheme: id.Type, Value: id.Value}, Address: addressFacts(address),
	}
}

func (p *prepared) buyerFacts() *invoice.Buyer {
	b := &invoice.Buyer{Name: p.buyer.Name, NameArabic: p.buyer.NameArabic, VATNumber: p.buyer.VATNumber, Address: addressFacts(p.buyer.Address)}
	for _, id := range p.buyer.Identifications {
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

// Root is the first element of the path of every problem in an invoice.
const Root = "invoice_schema_data"

// explain translates the problems that invoice.Compute found to the field names
// of the request.
func (p *prepared) explain(err error) error {
	var problems invoice.Problems
	if !errors.As(err, &problems) {
		return err
	}
	told := make([]fault.Problem, len(problems))
	for i, problem := range problems {
		told[i] = fault.Problem{Path: Root + "." + p.field(problem.Path), Message: problem.Message}
	}
	return fault.Wrong(told...)
}

// field returns the request's name for a field of invoice.Facts.
func (p *prepared) field(path string) string { return fieldOf(path, len(p.FormLines) > 0) }

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

// roundQuantities sets the quantities of the catalogue lines to those of the
// document, so that the stock changes by what the document shows.
func (p *prepared) roundQuantities() {
	lines := slices.Clone(p.Lines)
	for i := range lines {
		lines[i].Quantity = p.document.Lines[i].Quantity
	}
	p.Lines = lines
}

// stockOf returns the total quantity of each item over all lines.
func (p *prepared) stockOf() map[uuid.UUID]money.Decimal {
	sums := map[uuid.UUID]money.Decimal{}
	for _, l := range p.Lines {
		sums[l.Item] = sums[l.Item].Add(l.Quantity)
	}
	return sums
}
