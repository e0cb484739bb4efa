package share

import (
	"fmt"
	"strings"
	"testing"

	"khatm/invoice"
)

// TestLettersNameTheKindOfTheDraft checks that the letters about a draft of a
// note do not call it an invoice, and that no letter lacks a value.
func TestLettersNameTheKindOfTheDraft(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in          words
		kind        invoice.Kind
		name, never string
	}{
		{english, invoice.TaxInvoice, "invoice draft", "note"},
		{english, invoice.AdvancePayment, "invoice draft", "note"},
		{english, invoice.CreditNote, "credit note draft", "invoice"},
		{english, invoice.DebitNote, "debit note draft", "invoice"},
		{arabic, invoice.TaxInvoice, "فاتورة", "إشعار"},
		{arabic, invoice.AdvancePayment, "فاتورة", "إشعار"},
		{arabic, invoice.CreditNote, "مسودة إشعار دائن", "فاتورة"},
		{arabic, invoice.DebitNote, "مسودة إشعار مدين", "فاتورة"},
	} {
		letters, kind := c.in.about(c.kind)
		for _, text := range []string{
			fmt.Sprintf(letters.invitation.Subject, "Seller", kind),
			fmt.Sprintf(letters.invitation.Body, "Hello", "Seller", "1.00 SAR", "link", "day", kind),
			fmt.Sprintf(letters.code.Subject, "Seller", kind),
			fmt.Sprintf(letters.code.Body, "Hello", "Seller", "1.00 SAR", "123456", 10, "link", kind),
		} {
			text = strings.ReplaceAll(text, "الفاتورة", "فاتورة")
			if !strings.Contains(text, c.name) || strings.Contains(text, c.never) || strings.Contains(text, "%") {
				t.Errorf("letter about a draft of kind %d: want %q, without %q, in\n%s", c.kind, c.name, c.never, text)
			}
		}
	}
}
