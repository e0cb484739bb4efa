package tools

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"khatm/pdfa"
	"khatm/service/internal/fault"
)

// pdfLimits returns limits below the defaults of the extractor, which are enough
// for an invoice in a file of the maximum size.
func pdfLimits() pdfa.Limits {
	return pdfa.Limits{Input: 5 << 20, Decoded: 10 << 20, File: 5 << 20, Files: 32, Objects: 50_000, Values: 100_000, Work: 8 << 20, Depth: 40}
}

// looksLikePDF reports whether data begins with a PDF header; other bytes may
// precede it within the first kilobyte.
func looksLikePDF(data []byte) bool {
	const within = 1024
	return bytes.Contains(data[:min(len(data), within)], []byte("%PDF-"))
}

// pdf finds the invoice embedded in a PDF, if there is one.
func (p *parser) pdf(ctx context.Context, data []byte) (one found, has bool, err error) {
	if len(data) > largeBytes {
		if err := p.acquireLarge(ctx); err != nil {
			return found{}, false, err
		}
	}
	files, err := pdfa.Extract(ctx, data, pdfLimits())
	p.garbage = p.garbage || errors.Is(err, pdfa.ErrLimit)
	switch {
	case errors.Is(err, pdfa.ErrEncrypted):
		return found{}, false, refused(fault.UnreadableFile, "The PDF is encrypted. Upload it without protection, or upload the XML")
	case errors.Is(err, pdfa.ErrLimit):
		return found{}, false, refused(fault.UnreadableFile, "The PDF is too complex to read. Upload the XML of the invoice instead")
	case errors.Is(err, pdfa.ErrMalformed):
		return found{}, false, refused(fault.UnreadableFile, "The PDF is damaged and cannot be read. Upload the file as it was issued, or the XML of the invoice")
	case err != nil:
		return found{}, false, err
	}
	return p.embedded(ctx, files)
}

// embedded chooses the invoice among the files of a PDF. It prefers files that
// the PDF declares as related to the document.
func (p *parser) embedded(ctx context.Context, files []pdfa.File) (chosen found, has bool, err error) {
	if len(files) == 0 {
		p.warn("The PDF has no embedded invoice.")
		return found{}, false, nil
	}
	slices.SortStableFunc(files, func(a, b pdfa.File) int { return rank(a) - rank(b) })
	var name string
	var unread error // error of the first XML that cannot be read
	invoices, nodes := 0, 0
	for _, f := range files {
		if !looksLikeXML(f.Data) || invoices > 0 && bytes.Equal(f.Data, chosen.xml) {
			continue
		}
		if nodes += weigh(f.Data); nodes > maxNodes {
			return found{}, false, unreadableXML("The XML that is embedded in the PDF", errTooMuch)
		}
		one, is, err := p.xml(ctx, f.Data)
		switch {
		case err != nil && ctx.Err() != nil:
			return found{}, false, err
		case err != nil && unread == nil:
			unread = unreadableXML("The XML "+quoted(f.Name)+" that is embedded in the PDF", err)
		case err != nil || !is:
		case invoices == 0:
			chosen, name, invoices = one, f.Name, 1
		default:
			invoices++
		}
	}
	switch {
	case invoices == 0 && unread != nil:
		return found{}, false, unread
	case invoices == 0:
		p.warn("The PDF has no embedded invoice: %s is not a UBL invoice.", names(files))
	case invoices > 1:
		p.warn("The PDF has %d embedded invoices. This is %s; the others are not shown.", invoices, quoted(name))
	}
	return chosen, invoices > 0, nil
}

// rank orders files by their relationship to the PDF; lower ranks come first.
func rank(f pdfa.File) int {
	said := []pdfa.Relationship{pdfa.Alternative, pdfa.Data, pdfa.Source}
	if at := slices.Index(said, f.Relationship); at >= 0 {
		return at
	}
	return len(said)
}

// names returns the quoted names of the first files.
func names(files []pdfa.File) string {
	const most = 3
	var all []string
	for _, f := range files[:min(len(files), most)] {
		all = append(all, quoted(f.Name))
	}
	if len(files) > most {
		all = append(all, "…")
	}
	return strings.Join(all, ", ")
}
