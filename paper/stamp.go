package paper

import (
	"fmt"
	"strings"

	"khatm/money"
	"khatm/qr"
	"khatm/ubl"
)

// readStamp reads the QR code and decides whether the document is marked as not
// being a tax invoice. Drafts, and documents without a stamp or with a QR code
// that does not match, get no QR code, because it would make them look like tax
// invoices.
func (c *content) readStamp(inv *ubl.Invoice, note bool, o Options) error {
	text := inv.Reference("QR").Embedded()
	code, _, err := qr.Read(text)
	mark := ""
	switch stamped := err == nil && hasStamp(inv) && belongs(code, inv); {
	case o.Draft:
		mark = "mark_draft"
	case !stamped:
		mark = "mark_unsigned"
	case o.Test:
		mark = "mark_test"
	}
	hidden := mark == "mark_draft" || mark == "mark_unsigned"
	if mark != "" {
		if note {
			mark += "_note"
		}
		c.marks = []phrase{c.lang.word(mark)}
	}
	if hidden {
		return nil
	}
	symbol, err := qr.NewSymbol(text)
	if err != nil {
		return fmt.Errorf("create the QR symbol: %w", err)
	}
	c.symbol = symbol
	c.addTrail("invoice_hash", code.Hash)
	return nil
}

// hasStamp reports whether the document has a stamp. It does not verify the stamp.
func hasStamp(inv *ubl.Invoice) bool {
	content := inv.Extensions.Child("ext:UBLExtension").Child("ext:ExtensionContent")
	return content != nil && len(content.Children) > 0
}

// belongs reports whether the QR code matches the document. A document that was
// changed after stamping must not be printed with a QR code that contradicts it.
func belongs(code qr.Content, inv *ubl.Invoice) bool {
	if code.Hash == "" || inv.Supplier == nil || inv.Supplier.Party == nil || inv.MonetaryTotal == nil || len(inv.TaxTotals) == 0 {
		return false
	}
	seller := inv.Supplier.Party
	if len(seller.LegalEntities) == 0 || len(seller.TaxSchemes) == 0 {
		return false
	}
	issued := inv.IssueDate.String() + "T" + inv.IssueTime.String()
	return sameText(code.SellerName, seller.LegalEntities[0].RegistrationName.String()) &&
		sameText(code.VATNumber, seller.TaxSchemes[0].CompanyID.String()) &&
		// Some old programs write the time zone into only one of the two.
		sameText(strings.TrimSuffix(code.Timestamp, "Z"), strings.TrimSuffix(issued, "Z")) &&
		// The authority's samples have the payable amount in the QR code, which
		// differs from the total including VAT if there is an advance or a rounding.
		sameNumber(code.Total, inv.MonetaryTotal.PayableAmount.String()) &&
		sameNumber(code.VATTotal, inv.TaxTotals[0].TaxAmount.String())
}

func sameText(a, b string) bool { return strings.TrimSpace(a) == strings.TrimSpace(b) }

// sameNumber reports whether two texts are the same decimal number, or the same
// text if the first is not a number.
func sameNumber(a, b string) bool {
	m, err := money.Parse(strings.TrimSpace(a))
	if err != nil {
		return sameText(a, b)
	}
	n, err := money.Parse(strings.TrimSpace(b))
	return err == nil && m.Equal(n)
}
