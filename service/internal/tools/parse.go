package tools

import (
	"context"
	"net/http"

	"khatm/service/internal/fault"
	"khatm/service/internal/wire"
)

// maxForm is the maximum size of a form: the largest file and the parts around it.
const maxForm = 5<<20 + 64<<10

func (s *Surface) parseRows() []wire.Route {
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: "/api/public/parse-invoice/", Name: "parse-invoice", Tag: tagTools, Access: wire.Public, Strict: true,
			Codes:   []fault.Code{fault.UnreadableFile},
			MaxBody: maxForm,
			Summary: "Read an invoice from a PDF or XML file",
			Doc: "Reads UBL XML, or the XML embedded in a PDF (PDF/A-3). The type is detected from the content. The amounts are those stated in the document, so that validate-zatca checks them; " +
				"the result can be sent to validate-zatca and export unchanged.\n\n" +
				"In a PDF without an embedded invoice, the QR code is searched on the first 20 pages that have text, whether it is drawn or an image. " +
				"Then `tags` holds its tags, `text_comparison` tells whether they agree with the text of the pages, and `invoice` is null. " +
				"A PDF without text, such as a scan, is not read: `qr_found` is false.\n\n" +
				"`warning` lists what cannot be relied on: differences between the invoice and the document, because the schema cannot represent a value, or a value is missing or unreadable; a stamp that does not verify; a QR code that does not match the document. " +
				"If it lists no difference, validate-zatca returns the same results for the invoice as for the document. " +
				"The owner of the certificate is not looked up.",
		}, s.parse),
	}
}

type parseInvoice struct {
	File *wire.Upload `file:"file" media:"application/pdf,application/xml" required:"true" maxBytes:"5242880" doc:"The invoice as PDF, PDF/A-3 or UBL XML, at most 5 MiB."`
}

type parsedInvoice struct {
	Found   bool               `json:"qr_found" doc:"Whether the document has a readable QR code of an invoice."`
	Tags    *map[string]string `json:"tags" doc:"Tags of the QR code by name; null without a QR code."`
	Invoice *Invoice           `json:"invoice" doc:"Content of the document; null if it contains no invoice or cannot be represented in this schema."`
	Text    *textComparison    `json:"text_comparison" doc:"Whether the tags agree with the text of the pages; null unless the code was read from a page of a PDF."`
	Warning *string            `json:"warning" doc:"What cannot be relied on, in sentences; null if there is no warning." example:"The document carries no stamp, so that nothing proves who issued it."`
	Branded
}

// parse reads an invoice from a file.
func (s *Surface) parse(ctx context.Context, _ wire.Caller, in *parseInvoice) (*parsedInvoice, error) {
	at, err := s.acquire(ctx, len(in.File.Bytes))
	if err != nil {
		return nil, err
	}
	defer at.release()
	p := &parser{slot: at, surface: s}
	out, err := p.file(ctx, in.File.Bytes)
	if err != nil {
		return nil, err
	}
	out.Warning, out.Branded = p.warnings.text(), Brand()
	return out, nil
}

// parser reads one file and collects warnings.
type parser struct {
	*slot
	surface  *Surface
	warnings warnings
}

// file reads a PDF or an XML file.
func (p *parser) file(ctx context.Context, data []byte) (*parsedInvoice, error) {
	p.garbage = len(data) > largeBytes
	switch {
	case looksLikeXML(data):
		one, is, err := p.xml(ctx, data)
		if err != nil {
			return nil, unreadableXML("The XML", err)
		}
		if !is {
			return nil, refused(fault.UnreadableFile, "The XML is not a UBL invoice, because its root element is not Invoice. Upload the invoice as UBL 2.1")
		}
		return p.read(one)
	case looksLikePDF(data):
		one, has, err := p.pdf(ctx, data)
		if err != nil {
			return nil, err
		}
		if !has {
			return p.pages(ctx, data)
		}
		return p.read(one)
	}
	return nil, refused(fault.UnreadableFile, "The file is neither a PDF nor XML. Upload an invoice as PDF, PDF/A-3 or UBL XML")
}
