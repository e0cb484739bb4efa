package tools

import (
	"errors"
	"fmt"

	"khatm/invoice"
	"khatm/service/internal/fault"
	"khatm/service/internal/wire"
	"khatm/ubl"
)

// read returns the content of an invoice and verifies it. The displayed and the
// verified document come from the same bytes.
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
	one.says, one.root = nil, nil // free the memory: the witness builds its own tree
	switch tooMuch := one.load.tooMuch(); {
	case tooMuch && stamped:
		p.warn("The stamp was not verified, because the document is too large.")
	case tooMuch:
		p.warn(noStamp)
	default:
		p.verify(one.xml, marks)
	}
	return out, nil
}

// invoice converts a document to the schema. fits is false if it does not fit.
func (p *parser) invoice(says *ubl.Invoice) (in Invoice, fits bool, err error) {
	if what, many := mostOf(says); many > invoice.MaxLines {
		p.warn("The invoice is not shown, because the document has %d %s; the maximum is %d.", many, what, invoice.MaxLines)
		return Invoice{}, false, nil
	}
	in, err = invoiceFrom(says)
	var lost invoice.Problems // compare reports what is lost
	if err != nil && !errors.As(err, &lost) {
		return Invoice{}, false, fmt.Errorf("convert invoice: %w", err)
	}
	if problem := in.problem(); problem != "" { // validate-zatca must accept the result
		p.warn("The invoice is not shown, because the document does not fit the schema: %s.", problem)
		return Invoice{}, false, nil
	}
	wrong, err := wire.ReadBack(&in)
	if err != nil {
		return Invoice{}, false, err
	}
	if len(wrong) > 0 {
		p.warn("The invoice is not shown, because the document does not fit the schema: %s.", some(wrong, fault.Problem.String))
		return Invoice{}, false, nil
	}
	return in, true, nil
}

// mostOf returns the longest of the lists that the schema limits, so that lists
// that are too long are not converted.
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
