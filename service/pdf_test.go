package service_test

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/pdfa"
)

// pdf asks for an invoice as PDF.
func (t *till) pdf(method string, id uuid.UUID, body string) answer {
	return t.call(method, "/v1/api/invoices/"+id.String()+"/pdf-a3/", body)
}

// embedded is the document within a PDF.
func embedded(t *testing.T, a answer) pdfa.File {
	t.Helper()
	if a.status != http.StatusOK {
		t.Fatalf("%d %s", a.status, a.body)
	}
	equal(t, "type", a.header.Get("Content-Type"), "application/pdf")
	files, err := pdfa.Extract(t.Context(), []byte(a.body), pdfa.Limits{})
	if err != nil || len(files) != 1 {
		t.Fatalf("%d files in the PDF: %v", len(files), err)
	}
	return files[0]
}

func TestInterface_4_1_InvoicePDF(t *testing.T) {
	eachSending(t, "polite", func(t *testing.T, s *sending) {
		shop := s.shop()
		missing := refusal{http.StatusNotFound, `{"message":"Invoice PDF not found"}` + "\n"}
		s.office.mood(`{"name":"outage"}`)
		id := shop.created(shop.standard())
		missing.wants(t, "before the answer", shop.pdf(http.MethodGet, id, ""))
		missing.wants(t, "before the answer, another form", shop.pdf(http.MethodPost, id, `{"language":"ar"}`))
		equal(t, "url before", shop.full(id)["invoice_pdf_url"], any(nil))
		s.office.mood(`{"name":"polite"}`)

		for _, made := range []uuid.UUID{id, shop.created(shop.simplified())} {
			got := shop.final(made)
			equal(t, "url", got["invoice_pdf_url"], any("http://127.0.0.1:8080/v1/api/invoices/"+made.String()+"/pdf-a3/"))
			data, _ := got["authority_response_data"].(record)
			text, _ := data["clearedInvoice"].(string)
			xml, err := base64.StdEncoding.DecodeString(text)
			if err != nil || len(xml) == 0 {
				t.Fatalf("no document: %v", err)
			}
			first := shop.pdf(http.MethodGet, made, "")
			file := embedded(t, first)
			if !bytes.Equal(file.Data, xml) {
				t.Error("the PDF embeds another document than the authority's")
			}
			name := first.header.Get("Content-Disposition")
			if number, _ := got["ref_num"].(string); !strings.Contains(name, number+".pdf") || !strings.Contains(name, "attachment") || !strings.HasSuffix(file.Name, number+".xml") {
				t.Errorf("saved as %s, embedded as %s", name, file.Name)
			}
			if again := shop.pdf(http.MethodGet, made, ""); again.body != first.body {
				t.Error("the same PDF is another the second time")
			}
			if same := shop.pdf(http.MethodPost, made, `{}`); same.body != first.body {
				t.Error("the usual form is another PDF")
			}
			seen := map[string]bool{first.body: true}
			for _, form := range []string{`{"language":"ar"}`, `{"language":"en"}`, `{"paper":"80mm"}`, `{"language":"ar","paper":"80mm"}`, `{"language":"en","paper":"80mm"}`} {
				a := shop.pdf(http.MethodPost, made, form)
				if file := embedded(t, a); !bytes.Equal(file.Data, xml) || seen[a.body] {
					t.Errorf("%s: not a PDF of its own with the same document", form)
				}
				seen[a.body] = true
			}
		}
		for body, told := range map[string]string{`{"language":"fr"}`: "language: ", `{"paper":"a5"}`: "paper: ", `{"paper":1}`: "paper: "} {
			if got := shop.pdf(http.MethodPost, id, body).problems(t); len(got) != 1 || !strings.HasPrefix(got[0], told) {
				t.Errorf("%s: told %q", body, got)
			}
		}
		refusal{http.StatusNotFound, `{"message":"Invoice not found"}` + "\n"}.wants(t, "nobody's", shop.pdf(http.MethodGet, uuid.New(), ""))
	})
}

// A rejected invoice is none: it has no PDF, ever.
func TestInterface_4_1_NoPDFOfARejectedInvoice(t *testing.T) {
	eachSending(t, "polite", func(t *testing.T, s *sending) {
		shop := s.shop()
		id := shop.created(shop.standard(fields{"form_lines": []any{shop.line(fields{"vat_rate": 10})}}))
		got := shop.final(id)
		equal(t, "status", got["authority_response_status"], any("NOT_CLEARED"))
		equal(t, "url", got["invoice_pdf_url"], any(nil))
		refusal{http.StatusNotFound, `{"message":"Invoice PDF not found"}` + "\n"}.wants(t, "rejected", shop.pdf(http.MethodGet, id, ""))
	})
}
