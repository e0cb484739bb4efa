package paper

import (
	"slices"

	"khatm/codes"
	"khatm/ubl"
)

// readPayment reads the payment means and the notes. On a credit or debit note,
// the instruction notes contain the reason for issuing it.
func (c *content) readPayment(inv *ubl.Invoice, note bool) {
	for _, m := range inv.PaymentMeans {
		c.payment = c.add(c.payment, "payment_means", c.means(m.PaymentMeansCode.String())...)
		if note {
			c.reason = c.add(c.reason, "reason", c.quoted(m.InstructionNotes)...)
		} else {
			c.notes = append(c.notes, c.quoted(m.InstructionNotes)...)
		}
		c.payment = c.add(c.payment, "due_date", m.PaymentDueDate.String())
		c.payment = c.add(c.payment, "payment_id", texts(m.PaymentIDs)...)
		if a := m.PayeeFinancialAccount; a != nil {
			c.payment = c.add(c.payment, "account", a.ID.String())
			c.payment = c.add(c.payment, "payment_terms", c.terms(a.PaymentNotes, m.InstructionNotes, note)...)
		}
	}
	c.notes = append(c.notes, c.quoted(inv.Notes)...)
}

// terms returns the payment terms. A credit or debit note that is paid by transfer
// must have terms; those that only repeat its reason are left out.
func (c *content) terms(terms, reasons []*ubl.Text, note bool) []string {
	said := c.quoted(terms)
	if note && slices.Equal(said, c.quoted(reasons)) {
		return nil
	}
	return said
}

// means returns the name of a payment means, or its code if it is unknown. The Arabic
// name of a transfer in the code list also says that it is on credit, which the English
// name does not.
func (c *content) means(code string) []string {
	if code == codes.CreditTransfer {
		name := ownWords["credit_transfer"]
		return c.lang.explain(name[0], name[1])
	}
	if means, found := codes.FindPaymentMeans(code); found {
		return c.lang.explain(means.EN, means.AR)
	}
	return []string{code}
}
