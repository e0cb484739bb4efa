package paper

import (
	"strings"
	"time"

	"khatm/codes"
	"khatm/ubl"
)

// readHead reads the header of the document. A draft has not been issued, so its
// issue time and UUID are omitted.
func (c *content) readHead(inv *ubl.Invoice, kind int, draft bool) {
	number := "invoice_number"
	if isNote(kind) {
		number = "note_number"
	}
	c.head = c.add(c.head, number, c.number)
	if !draft {
		c.head = c.add(c.head, "issue_date", strings.TrimSpace(inv.IssueDate.String()+" "+inv.IssueTime.String()))
		c.uuid = c.add(nil, "uuid", inv.UUID.String())
	}
	for _, d := range inv.Deliveries {
		c.head = c.add(c.head, "supply_date", d.ActualDeliveryDate.String())
		c.head = c.add(c.head, "supply_end_date", d.LatestDeliveryDate.String())
	}
	c.head = c.add(c.head, "due_date", inv.DueDate.String())
	c.head = c.add(c.head, "tax_point_date", inv.TaxPointDate.String())
	c.head = c.add(c.head, "currency", c.currencyName())
	if r := inv.TaxExchangeRate; r != nil && r.CalculationRate != nil {
		c.head = c.add(c.head, "exchange_rate", exchange(r))
	}
	if o := inv.OrderReference; o != nil {
		c.head = c.add(c.head, "order_reference", o.ID.String())
	}
	for _, d := range inv.ContractDocumentReferences {
		c.head = c.add(c.head, "contract", d.ID.String())
	}
	c.readOriginals(inv)
	if d := inv.Reference("ICV"); d != nil {
		c.addTrail("counter", d.UUID.String())
	}
	c.issued = issueTime(inv)
	vatNumber := ""
	if inv.Supplier != nil && inv.Supplier.Party != nil && len(inv.Supplier.Party.TaxSchemes) > 0 {
		vatNumber = inv.Supplier.Party.TaxSchemes[0].CompanyID.String()
	}
	c.stem = Stem(vatNumber, inv.IssueDate.String(), inv.IssueTime.String(), c.number)
}

// currencyName returns the name of the currency with its code, or only the code
// if it is unknown.
func (c *content) currencyName() string {
	entry, found := codes.FindCurrency(c.currency)
	if !found {
		return c.currency
	}
	name := c.lang.say(entry.EN, entry.AR).main
	return name + " (" + c.currency + ")"
}

// exchange returns the exchange rate, such as "1 USD = 3.75 SAR".
func exchange(r *ubl.ExchangeRate) string {
	text := r.CalculationRate.String()
	if from, to := r.SourceCurrencyCode.String(), r.TargetCurrencyCode.String(); from != "" && to != "" {
		return "1 " + from + " = " + text + " " + to
	}
	return text
}

// readOriginals reads the invoices that a note corrects. In UBL, the reason is
// in the payment means; see readPayment.
func (c *content) readOriginals(inv *ubl.Invoice) {
	var originals []string
	for _, b := range inv.BillingReferences {
		d := b.InvoiceDocumentReference
		if d == nil || d.ID == nil {
			continue
		}
		text := d.ID.String()
		if d.IssueDate != nil {
			text += " (" + d.IssueDate.String() + ")"
		}
		originals = append(originals, text)
	}
	key := "original_invoice"
	if len(originals) > 1 {
		key = "original_invoices"
	}
	c.reason = c.add(c.reason, key, originals...)
}

// issueTime returns the time of issue, in Riyadh time unless the document says
// UTC. For an invalid time it returns the Unix epoch: the file needs a time, and
// the current time would make the bytes depend on the clock.
func issueTime(inv *ubl.Invoice) time.Time {
	text := inv.IssueDate.String() + "T" + inv.IssueTime.String()
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t
	}
	riyadh := time.FixedZone("+03", 3*60*60)
	for _, form := range []string{"2006-01-02T15:04:05", "2006-01-02T"} {
		if t, err := time.ParseInLocation(form, text, riyadh); err == nil {
			return t
		}
	}
	return time.Unix(0, 0).UTC()
}
