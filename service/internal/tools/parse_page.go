package tools

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"khatm/pdfa"
	"khatm/qr"
)

const uploadXML = "Upload the XML, or a PDF/A-3 with the XML embedded."

// pageLimits returns the limits for reading the pages of a PDF.
func pageLimits() pdfa.Limits {
	l := pdfLimits()
	l.Decoded, l.Work, l.Pages, l.Pixels = 8<<20, 6<<20, 20, 3<<20
	return l
}

// pages searches the pages of a PDF without an embedded invoice for a QR code. What
// cannot be read is only a warning, because the PDF itself is valid. Only one file
// at a time is read like this, because pictures need memory.
func (p *parser) pages(ctx context.Context, data []byte) (*parsedInvoice, error) {
	if err := p.acquireLarge(ctx); err != nil {
		return nil, err
	}
	pages, err := pdfa.ReadPages(ctx, data, pageLimits())
	if ctx.Err() != nil {
		return nil, fmt.Errorf("read the pages of a PDF: %w", err)
	}
	one, err := findCode(ctx, pages, err)
	if err != nil {
		return nil, err
	}
	p.warnAbout(one, len(pages))
	if one.tags == nil {
		return &parsedInvoice{}, nil
	}
	comparison := newPageText(pages).compare(one.tags)
	p.warnings = append(p.warnings, comparison.warnings()...)
	return &parsedInvoice{Found: true, Tags: &one.tags, Text: &comparison}, nil
}

// pageCode is the QR code of an invoice on a page, and why it may be missing.
type pageCode struct {
	tags   map[string]string // nil without a code
	page   int
	others int  // codes that are not of an invoice
	unread int  // images that cannot be read
	partly bool // not all of the pages were read
}

// findCode scans the pictures of the pages. problem is why pages are missing.
func findCode(ctx context.Context, pages []pdfa.PageContent, problem error) (pageCode, error) {
	one := pageCode{partly: problem != nil}
	if problem != nil && !errors.Is(problem, pdfa.ErrLimit) && !errors.Is(problem, pdfa.ErrMalformed) && !errors.Is(problem, pdfa.ErrEncrypted) {
		return one, problem
	}
	for _, page := range pages {
		one.unread += page.Unread
		for _, picture := range page.Pictures {
			if err := ctx.Err(); err != nil {
				return one, fmt.Errorf("read a QR code: %w", err)
			}
			text, err := qr.Scan(picture)
			if errors.Is(err, qr.ErrNoSymbol) {
				continue
			}
			if err != nil {
				return one, err
			}
			tags, err := tagsOf(text)
			if err != nil || !isInvoiceCode(tags) {
				one.others++
				continue
			}
			one.tags, one.page = tags, page.Number
			return one, nil
		}
	}
	return one, nil
}

// isInvoiceCode reports whether the tags include those that every invoice has.
func isInvoiceCode(tags map[string]string) bool {
	for _, name := range []string{tagNames[1], tagNames[2], tagNames[4]} {
		if tags[name] == "" {
			return false
		}
	}
	return true
}

// warnAbout says where the code comes from, or why no code was read.
func (p *parser) warnAbout(one pageCode, withText int) {
	if one.tags != nil {
		p.warn("The QR code was read from page %d, where nothing proves who issued it. %s", one.page, uploadXML)
		return
	}
	switch {
	case one.others > 0:
		p.warn("No QR code on its pages is that of an invoice.")
	case withText == 0 && !one.partly:
		p.warn("Its pages have no text, so that no QR code is read from them.")
	default:
		p.warn("No QR code was found on its pages.")
	}
	if one.unread > 0 {
		p.warn("%d of the images cannot be read, because of their size or format.", one.unread)
	}
	if one.partly {
		p.warn("Not all of the pages were read, because the PDF is too complex.")
	}
	p.warn(uploadXML)
}

// textComparison is the result of comparing a QR code with the text of the pages.
type textComparison struct {
	Seller    agreement `json:"seller_name" enum:"agrees,differs,not_found" example:"agrees" doc:"agrees if all words of the name are in the text, otherwise not_found."`
	VATNumber agreement `json:"vat_registration_number" enum:"agrees,differs,not_found" example:"agrees" doc:"agrees if the number is in the text; differs if the text has only other VAT registration numbers; otherwise not_found."`
	Timestamp agreement `json:"timestamp" enum:"agrees,differs,not_found" example:"agrees" doc:"agrees if the date is in the text, and the time if the text has times; differs if the text has only other dates or times; otherwise not_found."`
	Total     agreement `json:"invoice_total_with_vat" enum:"agrees,differs,not_found" example:"agrees" doc:"agrees if the amount is in the text; differs if the text has only other amounts; otherwise not_found."`
	VAT       agreement `json:"vat_amount" enum:"agrees,differs,not_found" example:"differs" doc:"Like invoice_total_with_vat."`
}

// agreement is whether a tag agrees with the text.
type agreement string

const (
	agrees   agreement = "agrees"
	differs  agreement = "differs"
	notFound agreement = "not_found"
)

// warnings returns a sentence for the tags that differ, and one for those that were
// not found.
func (c *textComparison) warnings() []string {
	var out []string
	for _, kind := range []struct {
		is   agreement
		says string
	}{
		{differs, "The text of the PDF has other values than the QR code for: %s."},
		{notFound, "The text of the PDF was not found to have these values of the QR code: %s."},
	} {
		var names []string
		for i, is := range []agreement{c.Seller, c.VATNumber, c.Timestamp, c.Total, c.VAT} {
			if is == kind.is {
				names = append(names, tagNames[i+1])
			}
		}
		if len(names) > 0 {
			out = append(out, fmt.Sprintf(kind.says, strings.Join(names, ", ")))
		}
	}
	return out
}
