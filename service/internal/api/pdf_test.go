package api_test

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

	"khatm/service/internal/servicetest"

	"github.com/google/uuid"
)

func TestInterface_4_1_InvoicePDF(t *testing.T) {
	servicetest.MostlySQLiteSending(t, "polite", func(t *testing.T, s *servicetest.Sending) {
		shop := s.OnboardedSeller()
		missing := servicetest.Refusal{Status: http.StatusNotFound, Body: `{"message":"Invoice PDF not found"}` + "\n"}
		s.Authority.Mood(`{"name":"outage"}`)
		id := shop.Created(shop.Standard())
		missing.Wants(t, "before the authority's response", shop.PDF(http.MethodGet, id, ""))
		missing.Wants(t, "before the authority's response, in another form", shop.PDF(http.MethodPost, id, `{"language":"ar"}`))
		servicetest.Equal(t, "url before", shop.Full(id)["invoice_pdf_url"], any(nil))
		s.Authority.Mood(`{"name":"polite"}`)

		for _, made := range []uuid.UUID{id, shop.Created(shop.Simplified())} {
			got := shop.Final(made)
			servicetest.Equal(t, "url", got["invoice_pdf_url"], any("http://127.0.0.1:8080/v1/api/invoices/"+made.String()+"/pdf-a3/"))
			data, _ := got["authority_response_data"].(servicetest.Record)
			text, _ := data["clearedInvoice"].(string)
			xml, err := base64.StdEncoding.DecodeString(text)
			if err != nil || len(xml) == 0 {
				t.Fatalf("decode the cleared invoice: %v", err)
			}
			first := shop.PDF(http.MethodGet, made, "")
			file := servicetest.Embedded(t, first)
			if !bytes.Equal(file.Data, xml) {
				t.Error("the PDF does not embed the document stamped by the authority")
			}
			name := first.Header.Get("Content-Disposition")
			if number, _ := got["ref_num"].(string); !strings.Contains(name, number+".pdf") || !strings.Contains(name, "attachment") || !strings.HasSuffix(file.Name, number+".xml") {
				t.Errorf("file name %s, name of the embedded file %s, want %s.pdf as attachment and %s.xml embedded", name, file.Name, number, number)
			}
			if again := shop.PDF(http.MethodGet, made, ""); again.Body != first.Body {
				t.Error("a second download gives a different PDF")
			}
			if same := shop.PDF(http.MethodPost, made, `{}`); same.Body != first.Body {
				t.Error("the default form gives a different PDF")
			}
			seen := map[string]bool{first.Body: true}
			for _, form := range []string{`{"language":"ar"}`, `{"language":"en"}`, `{"paper":"80mm"}`, `{"language":"ar","paper":"80mm"}`, `{"language":"en","paper":"80mm"}`} {
				a := shop.PDF(http.MethodPost, made, form)
				if file := servicetest.Embedded(t, a); !bytes.Equal(file.Data, xml) || seen[a.Body] {
					t.Errorf("form %s: want a different PDF with the same embedded document", form)
				}
				seen[a.Body] = true
			}
		}
		for body, told := range map[string]string{`{"language":"fr"}`: "language: ", `{"paper":"a5"}`: "paper: ", `{"paper":1}`: "paper: "} {
			if got := shop.PDF(http.MethodPost, id, body).Problems(t); len(got) != 1 || !strings.HasPrefix(got[0], told) {
				t.Errorf("body %s: problems %q, want one that begins with %q", body, got, told)
			}
		}
		servicetest.Refusal{Status: http.StatusNotFound, Body: `{"message":"Invoice not found"}` + "\n"}.Wants(t, "of no organisation", shop.PDF(http.MethodGet, uuid.New(), ""))
	})
}

// A rejected invoice never has a PDF.
func TestInterface_4_1_NoPDFOfARejectedInvoice(t *testing.T) {
	servicetest.MostlySQLiteSending(t, "polite", func(t *testing.T, s *servicetest.Sending) {
		shop := s.OnboardedSeller()
		id := shop.Created(shop.Standard(servicetest.Fields{"form_lines": []any{shop.Line(servicetest.Fields{"vat_rate": 10})}}))
		got := shop.Final(id)
		servicetest.Equal(t, "status", got["authority_response_status"], any("NOT_CLEARED"))
		servicetest.Equal(t, "url", got["invoice_pdf_url"], any(nil))
		servicetest.Refusal{Status: http.StatusNotFound, Body: `{"message":"Invoice PDF not found"}` + "\n"}.Wants(t, "rejected", shop.PDF(http.MethodGet, id, ""))
	})
}
