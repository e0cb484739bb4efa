package tools

import (
	"errors"
	"fmt"

	"khatm/invoice"
	"khatm/service/internal/fault"
	"khatm/service/internal/wire"
	"khatm/ubl"
)

// read tells what an invoice says, and whether it can be relied on. What is
// shown and what is verified are the same bytes.
func (p *parser) read(one found) (*parsedInvoice, error) {
	out := &parsedInvoice{}
	if code := one.says.Reference("QR").Embedded(); code != "" {
		tags, err := tagsOf(code)
		if err != nil {
			p.warn("The QR code of the document cannot be read: %s.", short(err.Error()))
		} else {
			out.Found, out.Tags = true, &tags
		}
	}
	in, fits, err := p.invoice(one.says)
	if err != nil {
		return nil, err
	}
	if fits {
		out.Invoice = &in
		p.compare(one, in)
	}
	marks, stamped := marksOf(one.says), one.says.Extensions != nil
	one.says, one.root = nil, nil // the witness makes a tree of its own, which needs the room
	switch tooMuch := one.load.tooMuch(); {
	case tooMuch && stamped:
		p.warn("The stamp was not verified: the document is too large for that here.")
	case tooMuch:
		p.warn(noStamp)
	default:
		p.verify(one.xml, marks)
	}
	return out, nil
}

// invoice tells a document in the schema, if it fits in there.
func (p *parser) invoice(says *ubl.Invoice) (in Invoice, fits bool, err error) {
	if what, many := mostOf(says); many > invoice.MaxLines {
		p.warn("The document has %d %s, and %d is the most that can be told.", many, what, invoice.MaxLines)
		return Invoice{}, false, nil
	}
	in, err = invoiceFrom(says)
	var lost invoice.Problems // what it is that is lost, the comparison says
	if err != nil && !errors.As(err, &lost) {
		return Invoice{}, false, fmt.Errorf("tell an invoice: %w", err)
	}
	if problem := in.problem(); problem != "" { // validate-zatca takes what is told
		p.warn("The document cannot be told: %s.", problem)
		return Invoice{}, false, nil
	}
	wrong, err := wire.ReadBack(&in)
	if err != nil {
		return Invoice{}, false, err
	}
	if len(wrong) > 0 {
		p.warn("The document cannot be told: %s.", some(wrong, fault.Problem.String))
		return Invoice{}, false, nil
	}
	return in, true, nil
}

// mostOf finds the longest of the lists that the schema bounds, so that nothing
// is made of one that is too long.
func mostOf(says *ubl.Invoice) (what string, many int) {
	take := func(name string, length int) {
		if length > many {
			what, many = name, length
		}
	}
	take("lines", len(says.Lines))
	take("notes", len(says.Notes))
	take("discounts", len(says.AllowanceCharges))
	take("references", len(says.BillingReferences))
	take("references", len(says.AdditionalDocumentReferences))
	take("VAT subtotals", subtotalsIn(says.TaxTotals))
	for _, l := range says.Lines {
		take("VAT subtotals on a line", subtotalsIn(l.TaxTotals))
	}
	return what, many
}

func subtotalsIn(totals []*ubl.TaxTotal) (many int) {
	for _, t := range totals {
		many += 1 + len(t.Subtotals)
	}
	return many
}
