package api_test

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/internal/testtool"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
	"khatm/ubl"
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
		servicetest.Refusal{Status: http.StatusNotFound, Body: `{"message":"Invoice PDF not found"}` + "\n"}.Wants(t, "rejected, in another form", shop.PDF(http.MethodPost, id, `{}`))
		till := shop.Created(shop.Simplified(servicetest.Fields{"form_lines": []any{shop.Line(servicetest.Fields{"vat_rate": 10})}}))
		servicetest.Equal(t, "status", shop.Final(till)["authority_response_status"], any("NOT_REPORTED"))
		servicetest.Refusal{Status: http.StatusNotFound, Body: `{"message":"Invoice PDF not found"}` + "\n"}.Wants(t, "rejected receipt", shop.PDF(http.MethodPost, till, `{"paper":"80mm"}`))
	})
}

// What is printed besides the XML is as it was when the invoice was issued: changes of
// the seller, the settings and the client do not show on it. They show on the next.
func TestInterface_4_1_PrintedAsIssued(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		path := "/v1/api/buyers/" + shop.Buyer.ID.String() + "/"
		got := h.Call(http.MethodPatch, path, `{"street_arabic":"شارع التحلية","city_arabic":"الرياض"}`).Wants(t, http.StatusOK)
		servicetest.Equal(t, "Arabic street", got["street_arabic"], any("شارع التحلية"))
		const form = `{"language":"ar"}`
		first := shop.Created(shop.Simplified(servicetest.Fields{"buyer": shop.Buyer.ID}))
		before := shop.PDF(http.MethodPost, first, form)
		servicetest.Embedded(t, before)
		servicetest.Equal(t, "Arabic street of the invoice", servicetest.Inner(t, shop.Full(first), "buyer")["street_arabic"], any("شارع التحلية"))
		h.Call(http.MethodPatch, path, `{"street_arabic":"شارع العليا"}`).Wants(t, http.StatusOK)
		if _, err := h.Service.Store().ChangeOrganisation(t.Context(), h.Operator(h.Org), func(o *org.Organisation) error {
			o.Settings = org.Settings{AmountInWords: true, IBAN: "SA0380000000608010167519", Phone: "+966 11 234 5678", DueDays: 30}
			o.CityArabic = "الدمام"
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if again := shop.PDF(http.MethodPost, first, form); again.Body != before.Body {
			t.Error("a later change shows on an issued invoice")
		}
		servicetest.Equal(t, "Arabic street after the change", servicetest.Inner(t, shop.Full(first), "buyer")["street_arabic"], any("شارع التحلية"))
		reader := testtool.Path(t, "pdftotext")
		text := func(id uuid.UUID) string {
			read := exec.Command(reader, "-enc", "UTF-8", "-", "-")
			read.Stdin = strings.NewReader(shop.PDF(http.MethodPost, id, `{}`).Body)
			out, err := read.Output()
			if err != nil {
				t.Fatal(err)
			}
			return string(out)
		}
		second := text(shop.Created(shop.Simplified(servicetest.Fields{"buyer": shop.Buyer.ID, "notes": []any{servicetest.Fields{"language_id": "en", "note": "second"}}})))
		for _, want := range []string{"only", "IBAN", "+966 11 234 5678", "العليا"} {
			if !strings.Contains(second, want) {
				t.Errorf("the next invoice lacks %q:\n%s", want, second)
			}
			if strings.Contains(text(first), want) {
				t.Errorf("the first invoice has %q", want)
			}
		}
	})
}

// A till prints the receipt of a simplified invoice while the authority is
// unavailable. The QR code on it is the one of the response to the create request,
// and the receipt does not change when the invoice is reported.
func TestInterface_4_1_ReceiptDuringAnOutage(t *testing.T) {
	servicetest.EachEngineSending(t, "polite", func(t *testing.T, s *servicetest.Sending) {
		shop := s.OnboardedSeller()
		s.Authority.Mood(`{"name":"outage"}`)
		created := shop.Create(shop.Simplified()).Wants(t, http.StatusAccepted)
		id := servicetest.Parsed(t, servicetest.IssuedID(t, created))
		const form = `{"language":"ar","paper":"80mm"}`
		receipt := shop.PDF(http.MethodPost, id, form)
		document, err := ubl.Read(servicetest.Embedded(t, receipt).Data)
		if err != nil {
			t.Fatal(err)
		}
		servicetest.Equal(t, "QR code of the receipt", any(document.Reference("QR").Embedded()), created["qr_code"])
		servicetest.Refusal{Status: http.StatusNotFound, Body: `{"message":"Invoice PDF not found"}` + "\n"}.Wants(t, "GET during the outage", shop.PDF(http.MethodGet, id, ""))
		servicetest.Equal(t, "url during the outage", shop.Full(id)["invoice_pdf_url"], any(nil))
		s.Authority.Mood(`{"name":"polite"}`)
		servicetest.Equal(t, "status", shop.Final(id)["authority_response_status"], any("REPORTED"))
		if again := shop.PDF(http.MethodPost, id, form); again.Body != receipt.Body {
			t.Error("the receipt is a different file after the invoice was reported")
		}
		servicetest.Embedded(t, shop.PDF(http.MethodGet, id, ""))
	})
}
