package tools

import (
	"context"
	"fmt"
	"net/http"

	"khatm/paper"
	"khatm/service/internal/fault"
	"khatm/service/internal/wire"
)

func (s *Surface) exportRows() []wire.Route {
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: "/api/public/export/", Name: "export-invoice", Tag: tagTools, Access: wire.Public, Strict: true, Memory: memory,
			Codes:   []fault.Code{fault.UnusableInput, fault.RulesFailed},
			Summary: "Render an invoice as JSON, CSV, UBL XML or PDF",
			Doc: "Checks the rules of validate-zatca first. If any rule fails, even with a warning, nothing is rendered and the response is a 400 with `detail`, `failed_count` and `violations` (the failed results).\n\n" +
				"The XML is unsigned. The PDF is a PDF/A-3 with that XML embedded, marked as unsigned on every page and without a QR code, so it is not a tax invoice. The CSV is in UTF-8 with one row per line.",
			Example: `{"invoice":` + invoiceExample + `,"format":"pdf"}`,
		}, s.export),
	}
}

type exporting struct {
	Body struct {
		Invoice Invoice `json:"invoice" doc:"The invoice, as for validate-zatca."`
		Format  string  `json:"format" default:"json" enum:"json,csv,ubl-xml,pdf" example:"pdf" doc:"Format of the result."`
	} `body:"json"`
}

// exported is a file download, or the invoice as JSON.
type exported struct {
	wire.File `media:"text/csv,application/xml,application/pdf"`
	JSON      *exportedJSON `instead:"json"`
	Branding  string        `json:"-" header:"X-Branding" doc:"Name of the service that made the response; always the same."`
}

type exportedJSON struct {
	Invoice Invoice `json:"invoice" doc:"The invoice with all defaults and amounts filled in."`
	Branded
}

func (s *Surface) export(ctx context.Context, _ wire.Caller, in *exporting) (*exported, error) {
	t, err := s.judge(in.Body.Invoice)
	if err != nil {
		return nil, err
	}
	if wrong := t.failures(); len(wrong) > 0 {
		return nil, violated(wrong)
	}
	d := t.document
	name := paper.Stem(d.Seller.VATNumber, d.IssueDate, d.IssueTime, d.Number)
	out := &exported{Branding: Branding}
	switch in.Body.Format {
	case "csv":
		rows, err := table(t.whole())
		if err != nil {
			return nil, err
		}
		out.File = wire.File{Type: "text/csv; charset=utf-8", Name: name + ".csv", Bytes: rows}
	case "ubl-xml":
		out.File = wire.File{Type: "application/xml", Name: name + ".xml", Bytes: t.xml}
	case "pdf":
		pdf, err := s.draw(t.xml)
		if err != nil {
			return nil, fmt.Errorf("render invoice %s: %w", d.Number, err)
		}
		out.File = wire.File{Type: "application/pdf", Name: name + ".pdf", Bytes: pdf}
	default:
		out.JSON = &exportedJSON{t.whole(), Brand()}
	}
	return out, nil
}

// violated returns the error for an invoice that breaks rules.
func violated(by []result) error {
	words := fmt.Sprintf("The invoice fails %d rules and was not rendered", len(by))
	if len(by) == 1 {
		words = "The invoice fails a rule and was not rendered"
	}
	return refused(fault.RulesFailed, words).With("failed_count", len(by)).With("violations", by)
}

// draw renders a PDF.
func (s *Surface) draw(xml []byte) ([]byte, error) {
	press, err := s.press()
	if err != nil {
		return nil, err
	}
	return press.Draw(xml, paper.Options{})
}
