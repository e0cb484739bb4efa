package paper

import (
	"fmt"
	"strings"

	"khatm/money"
	"khatm/qr"
	"khatm/ubl"
)

// readStamp decides what the document may pass for. Without a stamp and its
// code it is no tax invoice, and a code on a draft would make it look like one.
func (c *content) readStamp(inv *ubl.Invoice, o Options) error {
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
	if mark != "" {
		p := c.lang.word(mark)
		c.mark = &p
	}
	if mark == "mark_draft" || mark == "mark_unsigned" {
		return nil
	}
	symbol, err := qr.NewSymbol(text)
	if err != nil {
		return fmt.Errorf("its QR code: %w", err)
	}
	c.symbol = symbol
	c.addTrail("invoice_hash", code.Hash)
	return nil
}

// hasStamp says whether there is anything in the place of the stamp.
func hasStamp(inv *ubl.Invoice) bool {
	content := inv.Extensions.Child("ext:UBLExtension").Child("ext:ExtensionContent")
	return content != nil && len(content.Children) > 0
}

// belongs says whether a code is that of the document: one that was changed
// after its stamp must not be printed with a code that says something else.
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
		// Old programs write the zone into one of the two only.
		sameText(strings.TrimSuffix(code.Timestamp, "Z"), strings.TrimSuffix(issued, "Z")) &&
		// The authority's samples have what is payable in the code, which an
		// advance or a rounding makes another amount than the total with VAT.
		sameNumber(code.Total, inv.MonetaryTotal.PayableAmount.String()) &&
		sameNumber(code.VATTotal, inv.TaxTotals[0].TaxAmount.String())
}

func sameText(a, b string) bool { return strings.TrimSpace(a) == strings.TrimSpace(b) }

// sameNumber compares decimal numbers; what is none is compared as a text.
func sameNumber(a, b string) bool {
	m, err := money.Parse(strings.TrimSpace(a))
	if err != nil {
		return sameText(a, b)
	}
	n, err := money.Parse(strings.TrimSpace(b))
	return err == nil && m.Equal(n)
}
