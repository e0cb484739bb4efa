package tools

import (
	"context"
	"net/http"

	"khatm/service/internal/wire"
)

// maxForm is what a form may have around a file of the largest size.
const maxForm = 5<<20 + 64<<10

func (s *Surface) parseRows() []wire.Route {
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: "/api/public/parse-invoice/", Name: "parse-invoice", Tag: tagTools, Access: wire.Public, Strict: true,
			MaxBody: maxForm,
			Summary: "Read an invoice from a PDF or XML file",
			Doc: "Reads UBL XML, or the XML that is embedded in a PDF (PDF/A-3); which of the two it is, the content tells. What is only drawn on a page is not read: " +
				"such a PDF gives `qr_found` false, `invoice` null and a warning. The amounts are those that the document states, so that validate-zatca judges them; " +
				"what it gives, validate-zatca and export take unchanged.\n\n" +
				"`warning` says what is not to be relied on: where the invoice is not what the document says, because the schema has no place for it or because it is missing or cannot be read; a stamp that does not verify; a QR code that says something else than the document. " +
				"If it names no difference, validate-zatca says of the invoice what it would say of the document. " +
				"Who stands behind the certificate of a stamp is not looked up.",
		}, s.parse),
	}
}

type parseInvoice struct {
	File *wire.Upload `file:"file" required:"true" maxBytes:"5242880" doc:"The invoice: PDF, PDF/A-3 or UBL XML."`
}

type parsedInvoice struct {
	Found   bool               `json:"qr_found" doc:"Whether the document has a QR code that can be read."`
	Tags    *map[string]string `json:"tags" doc:"What the QR code says; null without one."`
	Invoice *Invoice           `json:"invoice" doc:"What the document says; null if there is none, or if it cannot be said in this schema."`
	Warning *string            `json:"warning" doc:"What is not to be relied on, in sentences; null if nothing is." example:"The document carries no stamp, so that nothing proves who issued it."`
	Branded
}

// parse reads a file.
func (s *Surface) parse(ctx context.Context, _ wire.Caller, in *parseInvoice) (*parsedInvoice, error) {
	at, err := s.room.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer at.leave()
	p := &parser{stay: at, surface: s}
	out, err := p.file(ctx, in.File.Bytes)
	if err != nil {
		return nil, err
	}
	out.Warning, out.Branded = p.warnings.text(), Brand()
	return out, nil
}

// parser reads one file and keeps what is not to be relied on in it.
type parser struct {
	*stay
	surface  *Surface
	warnings warnings
}

// file reads a PDF or XML.
func (p *parser) file(ctx context.Context, data []byte) (*parsedInvoice, error) {
	p.litter = len(data) > largeBytes
	switch {
	case looksLikeXML(data):
		one, is, err := p.xml(ctx, data)
		if err != nil {
			return nil, unreadableXML("The XML", err)
		}
		if !is {
			return nil, refused("The XML is no UBL invoice: its root element is not Invoice. Upload the invoice itself, as UBL 2.1")
		}
		return p.read(one)
	case looksLikePDF(data):
		one, has, err := p.pdf(ctx, data)
		if err != nil {
			return nil, err
		}
		if !has {
			return &parsedInvoice{}, nil
		}
		return p.read(one)
	}
	return nil, refused("The file is neither a PDF nor XML. Upload an invoice as PDF, PDF/A-3 or UBL XML")
}
