package rules

import (
	"strconv"
	"strings"
	"time"

	"khatm/ubl"
)

// document is an invoice prepared for the rules. Optional parts that are
// missing are replaced by empty ones, so that checks need no nil tests, and
// repeated parts have their path.
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
	lineSubtotals []subtotal   // the VAT of advances, on lines

	strays                   []stray  // elements that are not in the model of package ubl
	names                    []string // values of all attributes called name
	isStandard, isSimplified bool     // derived from names
}

// line is an invoice line with its path.
//
// The lines of a document are stored in one array, with copies of the parts
// that most rules read: every rule iterates over all of them, and 4,000 lines
// would not fit into the processor's cache otherwise.
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

// orEmpty returns part, or a new empty one if it is nil.
func orEmpty[T any](part *T) *T {
	if part == nil {
		return new(T)
	}
	return part
}

// numbered appends the index of a repeated part to a path; i counts from 0, the
// index in the path from 1.
func numbered(path string, i int) string { return path + "[" + strconv.Itoa(i+1) + "]" }

// standard and simplified report the kind of the document. Like most rules of
// the sheets, they look for 01 (or 02) followed by five digits anywhere within
// any name attribute of the document. Both are true for the code 020100000, and
// neither is for a code of two digits.
func (d *document) standard() bool   { return d.isStandard }
func (d *document) simplified() bool { return d.isSimplified }

// beginsWith reports whether the name of the type code begins with digits. The
// remaining rules test the kind of the document this way.
func (d *document) beginsWith(digits string) bool { return strings.HasPrefix(d.transaction, digits) }

// isNote reports whether the document is a credit or debit note.
func (d *document) isNote() bool { return d.typeCode == "381" || d.typeCode == "383" }

// isCharge and isAllowance compare the indicator as XPath compares a string
// with a boolean. Any other text makes the sheets abort.
func (a adjustment) isCharge() bool {
	text := normalize(a.ChargeIndicator.String())
	return text == "true" || text == "1"
}

func (a adjustment) isAllowance() bool {
	text := normalize(a.ChargeIndicator.String())
	return text == "false" || text == "0"
}

// isVAT reports whether a category has that letter and belongs to the scheme
// VAT.
func isVAT(c *ubl.TaxCategory, letter string) bool {
	return normalize(c.ID.String()) == letter && underVAT(c)
}

// underVAT reports whether a category belongs to the scheme VAT.
func underVAT(c *ubl.TaxCategory) bool {
	return c.TaxScheme != nil && normalize(strings.ToUpper(c.TaxScheme.ID.String())) == "VAT"
}
