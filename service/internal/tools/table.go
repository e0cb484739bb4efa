package tools

import (
	"bytes"
	"encoding/csv"
	"strconv"
	"strings"

	"khatm/money"
)

// table writes an invoice as CSV: a row for each line, with what the document
// says repeated. It has the mark of UTF-8 at its head, without which a
// spreadsheet takes Arabic for something else.
func table(in Invoice) []byte {
	var out bytes.Buffer
	out.WriteString("\ufeff")
	w := csv.NewWriter(&out)
	w.UseCRLF = true
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.name
	}
	_ = w.Write(names) // a buffer takes everything
	for i := range in.Lines {
		row := make([]string, len(columns))
		for j, c := range columns {
			row[j] = c.cell(&in, i)
		}
		_ = w.Write(row)
	}
	w.Flush()
	return out.Bytes()
}

// column is one of the table: its head, and its cell for a line.
type column struct {
	name string
	cell func(in *Invoice, line int) string
}

// columns of the table, in its order.
var columns = []column{
	text("Invoice number", func(in *Invoice) string { return in.Number }),
	text("UUID", func(in *Invoice) string { return *in.UUID }),
	text("Issue date", func(in *Invoice) string { return in.IssueDate }),
	text("Issue time", func(in *Invoice) string { return in.IssueTime }),
	text("Type code", func(in *Invoice) string { return strconv.Itoa(in.Kind) }),
	text("Transaction code", func(in *Invoice) string { return *in.Transaction }),
	text("Supply date", func(in *Invoice) string { return *in.SupplyDate }),
	text("Supply end date", func(in *Invoice) string { return in.SupplyEndDate }),
	text("Currency", func(in *Invoice) string { return in.Currency }),
	text("Exchange rate", func(in *Invoice) string { return in.ExchangeRate.String() }),
	text("Payment means code", func(in *Invoice) string { return in.PaymentMeans }),
	text("Payment terms", func(in *Invoice) string { return in.PaymentTerms }),
	text("Reason", func(in *Invoice) string { return in.Reason }),
	text("Original invoices", func(in *Invoice) string {
		return listed(in.Originals, func(o invoiceOriginal) string { return o.Number })
	}),
	text("Notes", func(in *Invoice) string { return listed(in.Notes, func(n invoiceNote) string { return n.Text }) }),

	text("Seller name", func(in *Invoice) string { return in.Seller.Name }),
	text("Seller name (Arabic)", func(in *Invoice) string { return in.Seller.NameArabic }),
	text("Seller VAT number", func(in *Invoice) string { return in.Seller.VATNumber }),
	text("Seller ID", func(in *Invoice) string {
		if in.Seller.ID == nil {
			return ""
		}
		return in.Seller.ID.text()
	}),
	text("Seller address", func(in *Invoice) string { return in.Seller.text() }),
	text("Buyer name", func(in *Invoice) string { return in.buyer().Name }),
	text("Buyer name (Arabic)", func(in *Invoice) string { return in.buyer().NameArabic }),
	text("Buyer VAT number", func(in *Invoice) string { return in.buyer().VATNumber }),
	text("Buyer ID", func(in *Invoice) string { return listed(in.buyer().IDs, invoiceID.text) }),
	text("Buyer address", func(in *Invoice) string { return in.buyer().text() }),

	{"Line", func(_ *Invoice, i int) string { return strconv.Itoa(i + 1) }},
	{"Item", func(in *Invoice, i int) string { return harmless(in.Lines[i].Name) }},
	{"Quantity", func(in *Invoice, i int) string { return in.Lines[i].Quantity.String() }},
	{"Unit", func(in *Invoice, i int) string { return harmless(in.Lines[i].Unit) }},
	{"Net price", func(in *Invoice, i int) string { return in.Lines[i].Price.Fixed2() }},
	{"VAT category", func(in *Invoice, i int) string { return harmless(in.Lines[i].Category) }},
	{"VAT rate", func(in *Invoice, i int) string { return in.Lines[i].Rate.String() }},
	{"VAT exemption reason code", func(in *Invoice, i int) string { return harmless(in.Lines[i].ReasonCode) }},
	{"VAT exemption reason", func(in *Invoice, i int) string { return harmless(in.Lines[i].ReasonText) }},
	{"Line net amount", func(in *Invoice, i int) string { return in.Lines[i].Net.Fixed2() }},
	{"Line VAT amount", func(in *Invoice, i int) string { return in.Lines[i].VAT.Fixed2() }},
	{"Line total with VAT", func(in *Invoice, i int) string { return in.Lines[i].Total.Fixed2() }},

	amount("Total of lines", func(in *Invoice) *money.Decimal { return in.LineTotal }),
	amount("Total of discounts", func(in *Invoice) *money.Decimal { return in.AllowanceTotal }),
	amount("Total without VAT", func(in *Invoice) *money.Decimal { return in.WithoutVAT }),
	amount("Total VAT", func(in *Invoice) *money.Decimal { return in.VAT }),
	amount("Total VAT in SAR", func(in *Invoice) *money.Decimal { return in.VATInSAR }),
	amount("Total with VAT", func(in *Invoice) *money.Decimal { return in.WithVAT }),
	amount("Prepaid amount", func(in *Invoice) *money.Decimal { return in.Prepaid }),
	amount("Payable rounding", func(in *Invoice) *money.Decimal { return in.Rounding }),
	amount("Payable amount", func(in *Invoice) *money.Decimal { return in.Payable }),
}

// text is a column of what the document says in words.
func text(name string, of func(*Invoice) string) column {
	return column{name, func(in *Invoice, _ int) string { return harmless(of(in)) }}
}

// amount is a column of a total.
func amount(name string, of func(*Invoice) *money.Decimal) column {
	return column{name, func(in *Invoice, _ int) string { return of(in).Fixed2() }}
}

// harmless keeps a spreadsheet from taking a text for a formula.
func harmless(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}

func (in *Invoice) buyer() invoiceBuyer {
	if in.Buyer == nil {
		return invoiceBuyer{}
	}
	return *in.Buyer
}

func (id invoiceID) text() string { return strings.TrimSpace(id.Scheme + " " + id.Value) }

func (a invoiceAddress) text() string {
	parts := []string{a.BuildingNumber, a.Street, a.AdditionalStreet, a.Plot, a.District, a.City, a.PostalCode, a.Province, a.Country}
	return joined(parts, ", ")
}

// listed writes a list into one cell.
func listed[T any](list []T, text func(T) string) string { return joined(each(list, text), "; ") }

// joined joins those of the parts that say something.
func joined(parts []string, by string) string {
	var said []string
	for _, p := range parts {
		if p != "" {
			said = append(said, p)
		}
	}
	return strings.Join(said, by)
}
