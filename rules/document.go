package rules

import (
	"strconv"
	"strings"
	"time"

	"khatm/ubl"
)

// document is an invoice made ready for the rules: parts that may be missing
// are there as empty ones, so that a check reads without asking at every step,
// and parts that repeat know their path.
type document struct {
	*ubl.Invoice
	now time.Time

	transaction string // the name attribute of the type code, "0100000"
	typeCode    string
	seller      *ubl.Party
	buyer       *ubl.Party
	sellerHome  *ubl.Address
	buyerHome   *ubl.Address
	totals      *ubl.MonetaryTotal

	lines         []*line
	adjustments   []adjustment // discounts and charges on the document
	subtotals     []subtotal   // the VAT breakdown
	lineSubtotals []subtotal   // what lines say of advances

	strays                   []stray  // what the model of UBL does not name
	names                    []string // of all attributes called name
	isStandard, isSimplified bool     // what the names say
}

// line is a line with its path.
//
// Lines stand side by side in memory, with copies of the parts that most rules
// look at: every rule walks over all of them, and 4,000 lines do not fit into
// the processor's cache otherwise.
type line struct {
	ubl.Line
	path        string
	item        ubl.Item
	price       ubl.Price
	adjustments []adjustment
}

// adjustment is a discount or a charge with its path.
type adjustment struct {
	*ubl.AllowanceCharge
	path string
}

// subtotal is a row of a VAT breakdown with its path.
type subtotal struct {
	*ubl.TaxSubtotal
	path     string
	category *ubl.TaxCategory
}

const (
	sellerPath = "/Invoice/cac:AccountingSupplierParty/cac:Party"
	buyerPath  = "/Invoice/cac:AccountingCustomerParty/cac:Party"
	totalsPath = "/Invoice/cac:LegalMonetaryTotal"
)

func newDocument(inv *ubl.Invoice, now time.Time) *document {
	d := &document{
		Invoice:     inv,
		now:         now,
		transaction: inv.InvoiceTypeCode.Attr("name"),
		typeCode:    inv.InvoiceTypeCode.String(),
		seller:      partyOf(inv.Supplier),
		buyer:       partyOf(inv.Customer),
		totals:      orEmpty(inv.MonetaryTotal),
		lines:       make([]*line, len(inv.Lines)),
		adjustments: adjustmentsOf(inv.AllowanceCharges, "/Invoice"),
		subtotals:   subtotalsOf(inv.TaxTotals, "/Invoice"),
		strays:      straysOf(inv),
	}
	d.names = namesAnywhere(inv, d.strays)
	d.isStandard, d.isSimplified = d.anyName(standardName), d.anyName(simplifiedName)
	d.sellerHome = orEmpty(d.seller.PostalAddress)
	d.buyerHome = orEmpty(d.buyer.PostalAddress)
	lines := make([]line, len(inv.Lines))
	for i, l := range inv.Lines {
		path := numbered("/Invoice/cac:InvoiceLine", i)
		lines[i] = line{
			Line: *l, path: path,
			item: *orEmpty(l.Item), price: *orEmpty(l.Price),
			adjustments: adjustmentsOf(l.AllowanceCharges, path),
		}
		d.lines[i] = &lines[i]
		d.lineSubtotals = append(d.lineSubtotals, subtotalsOf(l.TaxTotals, path)...)
	}
	return d
}

func partyOf(a *ubl.AccountingParty) *ubl.Party { return orEmpty(orEmpty(a).Party) }

func adjustmentsOf(list []*ubl.AllowanceCharge, within string) []adjustment {
	var out []adjustment
	for i, a := range list {
		out = append(out, adjustment{a, numbered(within+"/cac:AllowanceCharge", i)})
	}
	return out
}

func subtotalsOf(totals []*ubl.TaxTotal, within string) []subtotal {
	var out []subtotal
	for i, total := range totals {
		for j, s := range total.Subtotals {
			path := numbered(numbered(within+"/cac:TaxTotal", i)+"/cac:TaxSubtotal", j)
			out = append(out, subtotal{s, path, orEmpty(s.TaxCategory)})
		}
	}
	return out
}

// orEmpty returns the part, or an empty one when there is none.
func orEmpty[T any](part *T) *T {
	if part == nil {
		return new(T)
	}
	return part
}

// numbered adds the number of a part that repeats; i counts from 0, a path
// from 1.
func numbered(path string, i int) string { return path + "[" + strconv.Itoa(i+1) + "]" }

// standard and simplified say what sort of sale the document is. Most rules of
// the sheets ask whether 01 (or 02) and five digits stand within any name
// attribute of the document. The simplified code 020100000 answers to both, and
// a code of two digits to neither.
func (d *document) standard() bool   { return d.isStandard }
func (d *document) simplified() bool { return d.isSimplified }

// beginsWith says whether the type code's name begins so; that is what the
// other rules ask.
func (d *document) beginsWith(digits string) bool { return strings.HasPrefix(d.transaction, digits) }

// isNote says whether the document corrects another one.
func (d *document) isNote() bool { return d.typeCode == "381" || d.typeCode == "383" }

// isCharge and isAllowance compare the indicator as XPath compares a text with
// a truth value. A text that is neither makes the sheets break off.
func (a adjustment) isCharge() bool {
	text := normalize(a.ChargeIndicator.String())
	return text == "true" || text == "1"
}

func (a adjustment) isAllowance() bool {
	text := normalize(a.ChargeIndicator.String())
	return text == "false" || text == "0"
}

// isVAT says whether a category is that letter, of the scheme VAT.
func isVAT(c *ubl.TaxCategory, letter string) bool {
	return normalize(c.ID.String()) == letter && underVAT(c)
}

// underVAT says whether a category belongs to the scheme VAT.
func underVAT(c *ubl.TaxCategory) bool {
	return c.TaxScheme != nil && normalize(strings.ToUpper(c.TaxScheme.ID.String())) == "VAT"
}
