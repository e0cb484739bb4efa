package tools

import (
	"strconv"

	"khatm/money"
	"khatm/spreadsheet"
)

// column is a column of the table; its cells depend on the document or on a line.
type column struct {
	name       string
	document   func(in *Invoice) string
	everywhere bool // on every row, not only the first
	line       func(in *Invoice, line int) string
}

// columns lists the columns in their order.
var columns = []column{
	telling("Invoice number", func(in *Invoice) string { return in.Number }),
	telling("UUID", func(in *Invoice) string { return *in.UUID }),
	telling("Issue date", func(in *Invoice) string { return in.IssueDate }),
	telling("Issue time", func(in *Invoice) string { return in.IssueTime }),
	telling("Type code", func(in *Invoice) string { return strconv.Itoa(in.Kind) }),
	telling("Transaction code", func(in *Invoice) string { return *in.Transaction }),
	text("Supply date", func(in *Invoice) string { return *in.SupplyDate }),
	text("Supply end date", func(in *Invoice) string { return in.SupplyEndDate }),
	telling("Currency", func(in *Invoice) string { return in.Currency }),
	text("Exchange rate", func(in *Invoice) string {
		if in.ExchangeRate == nil {
			return ""
		}
		return in.ExchangeRate.String()
	}),
	text("Payment means code", func(in *Invoice) string { return in.PaymentMeans }),
	text("Payment terms", func(in *Invoice) string { return in.PaymentTerms }),
	text("Reason", func(in *Invoice) string { return in.Reason }),
	text("Original invoices", func(in *Invoice) string {
		return listed(in.Originals, func(o invoiceOriginal) string { return o.Number })
	}),
	text("Notes", func(in *Invoice) string { return listed(in.Notes, func(n invoiceNote) string { return n.Text }) }),

	telling("Seller name", func(in *Invoice) string { return in.Seller.Name }),
	telling("Seller name (Arabic)", func(in *Invoice) string { return in.Seller.NameArabic }),
	telling("Seller VAT number", func(in *Invoice) string { return in.Seller.VATNumber }),
	text("Seller ID", func(in *Invoice) string {
		if in.Seller.ID == nil {
			return ""
		}
		return in.Seller.ID.text()
	}),
	text("Seller address", func(in *Invoice) string { return in.Seller.text() }),
	telling("Buyer name", func(in *Invoice) string { return in.buyer().Name }),
	telling("Buyer name (Arabic)", func(in *Invoice) string { return in.buyer().NameArabic }),
	telling("Buyer VAT number", func(in *Invoice) string { return in.buyer().VATNumber }),
	text("Buyer ID", func(in *Invoice) string { return listed(in.buyer().IDs, invoiceID.text) }),
	text("Buyer address", func(in *Invoice) string { return in.buyer().text() }),

	{name: "Line", line: func(_ *Invoice, i int) string { return strconv.Itoa(i + 1) }},
	item("Item", func(l *invoiceLine) string { return l.Name }),
	figure("Quantity", func(l *invoiceLine) string { return l.Quantity.String() }),
	item("Unit", func(l *invoiceLine) string { return l.Unit }),
	figure("Net price", func(l *invoiceLine) string { return twoPlaces(*l.Price) }),
	figure("Price including VAT", func(l *invoiceLine) string {
		if l.GrossPrice == nil {
			return ""
		}
		return twoPlaces(*l.GrossPrice)
	}),
	item("VAT category", func(l *invoiceLine) string { return l.Category }),
	figure("VAT rate", func(l *invoiceLine) string { return l.Rate.String() }),
	item("VAT exemption reason code", func(l *invoiceLine) string { return l.ReasonCode }),
	item("VAT exemption reason", func(l *invoiceLine) string { return l.ReasonText }),
	figure("Line net amount", func(l *invoiceLine) string { return twoPlaces(*l.Net) }),
	figure("Line VAT amount", func(l *invoiceLine) string { return twoPlaces(*l.VAT) }),
	figure("Line total with VAT", func(l *invoiceLine) string { return twoPlaces(*l.Total) }),

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

// telling returns a column that identifies the document.
func telling(name string, of func(*Invoice) string) column {
	return column{name: name, document: func(in *Invoice) string { return spreadsheet.Harmless(of(in)) }, everywhere: true}
}

// text returns a column with a text of the document, on the first row only.
func text(name string, of func(*Invoice) string) column {
	return column{name: name, document: func(in *Invoice) string { return spreadsheet.Harmless(of(in)) }}
}

// amount returns a column with a total.
func amount(name string, of func(*Invoice) *money.Decimal) column {
	return column{name: name, document: func(in *Invoice) string { return twoPlaces(*of(in)) }}
}

// item returns a column with a text of a line.
func item(name string, of func(*invoiceLine) string) column {
	return column{name: name, line: func(in *Invoice, i int) string { return spreadsheet.Harmless(of(&in.Lines[i])) }}
}

// figure returns a column with a number of a line.
func figure(name string, of func(*invoiceLine) string) column {
	return column{name: name, line: func(in *Invoice, i int) string { return of(&in.Lines[i]) }}
}
