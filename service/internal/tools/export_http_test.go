package tools_test

import (
	"bytes"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/text/unicode/norm"

	"khatm/internal/testtool"
	"khatm/invoice"
	"khatm/paper"
	"khatm/rules"
	"khatm/sample"
	"khatm/service/internal/servicetest"
	"khatm/ubl"
)

// exports exports an invoice in a format.
func exports(h *servicetest.Instance, in servicetest.Record, format string) servicetest.Answer {
	h.TB.Helper()
	return h.Tool("export", servicetest.AsJSON(h.TB, servicetest.Record{"invoice": in, "format": format}))
}

// saved checks a file download and returns its content.
func saved(a servicetest.Answer, t testing.TB, media, name string) string {
	t.Helper()
	if a.Status != http.StatusOK {
		t.Fatalf("export: status %d, body %s; want 200", a.Status, a.Body)
	}
	kind, _, err := mime.ParseMediaType(a.Header.Get("Content-Type"))
	servicetest.Equal(t, "type", kind, media)
	how, params, disposition := mime.ParseMediaType(a.Header.Get("Content-Disposition"))
	servicetest.Equal(t, "disposition", how, "attachment")
	servicetest.Equal(t, "name", params["filename"], name)
	servicetest.Equal(t, "X-Branding", a.Header.Get("X-Branding"), servicetest.Branding)
	if err != nil || disposition != nil {
		t.Error(err, disposition)
	}
	return a.Body
}

const savedAs = "310175397400003_20261114T091530_INV-2026-000042"

func TestInterface_4_7_Export_JSONIsTheDefault(t *testing.T) {
	h := openTools(t)
	in := invoiceJSON(sampleFacts()[lowered])
	a := h.Tool("export", servicetest.AsJSON(t, servicetest.Record{"invoice": in}))
	servicetest.Equal(t, "Content-Type", a.Header.Get("Content-Type"), "application/json")
	servicetest.Equal(t, "Content-Disposition", a.Header.Get("Content-Disposition"), "")
	got, _ := a.Branded(t)["invoice"].(servicetest.Record)
	explicit, _ := exports(h, in, "json").Branded(t)["invoice"].(servicetest.Record)
	servicetest.Same(t, "format json", explicit, got)
	d, err := invoice.Compute(sampleFacts()[lowered])
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"invoice_total_line_net_amount": d.LineTotal.Fixed2(), "invoice_total_document_level_allowance_amount": d.AllowanceTotal.Fixed2(),
		"invoice_total_amount_without_vat": d.WithoutVAT.Fixed2(), "invoice_total_vat_amount": d.VAT.Fixed2(), "invoice_total_vat_amount_sar": d.VATInSAR.Fixed2(),
		"invoice_total_amount_with_vat": d.WithVAT.Fixed2(), "prepaid_amount": "0.00", "payable_rounding_amount": "0.00", "invoice_gross_total": d.Payable.Fixed2(),
	} {
		servicetest.Equal(t, name, servicetest.TextIn(got, name), want)
	}
	if rows, _ := got["vat_breakdown"].([]any); len(rows) != len(d.Breakdown) {
		t.Errorf("breakdown has %d rows, want %d", len(rows), len(d.Breakdown))
	}
	// Exporting the result again returns the same result.
	again, _ := exports(h, got, "json").Branded(t)["invoice"].(servicetest.Record)
	servicetest.Same(t, "export of the result", again, got)
}

// TestInterface_4_7_Export_XML checks that valid samples are exported as the
// library writes it, without a stamp. Samples with a warning are not exported.
func TestInterface_4_7_Export_XML(t *testing.T) {
	h := openTools(t)
	rendered := 0
	samples := sampleFacts()
	names := testtool.Spread(testtool.Some(slices.Sorted(maps.Keys(samples)), 4), 0, 3)
	for _, name := range names {
		facts := samples[name]
		d, err := invoice.Compute(facts)
		if err != nil {
			t.Fatal(err)
		}
		a := exports(h, invoiceJSON(facts), "ubl-xml")
		if ids := failuresOf(h, t, d, facts.Identity); len(ids) > 0 {
			servicetest.Equal(t, name+": failed_count", a.Wants(t, http.StatusBadRequest)["failed_count"], any(servicetest.Number(len(ids))))
			continue
		}
		rendered++
		text := saved(a, t, "application/xml", savedAs+".xml")
		canon, err := ubl.Write(d.UBLUnchecked(facts.Identity))
		if err != nil {
			t.Fatal(err)
		}
		if text != norm.NFC.String(string(canon.Bytes())) { // input is normalized to NFC
			t.Errorf("sample %s: XML =\n%s\nwant\n%s", name, text, canon.Bytes())
		}
		if strings.Contains(text, "UBLExtension") || strings.Contains(text, "<cbc:ID>QR</cbc:ID>") {
			t.Errorf("sample %s: the exported XML is stamped", name)
		}
	}
	if least := testtool.Scale(25, 75, 300); rendered < least {
		t.Errorf("only %d of %d samples were exported, want at least %d", rendered, len(names), least)
	}
}

// TestInterface_4_7_Export_PDF checks that the PDF is the rendering of the unsigned
// document, which it embeds and marks.
func TestInterface_4_7_Export_PDF(t *testing.T) {
	h := openTools(t)
	press, err := paper.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{onCredit, atATill, noted, abroad, advanced, lowered} {
		in := invoiceJSON(sampleFacts()[name])
		xml := exports(h, in, "ubl-xml").Body
		a := exports(h, in, "pdf")
		pdf := saved(a, t, "application/pdf", savedAs+".pdf")
		file := servicetest.Embedded(t, a)
		servicetest.Equal(t, name+": embedded as", file.Name, savedAs+".xml")
		if string(file.Data) != xml {
			t.Errorf("sample %s: the PDF does not embed the exported XML", name)
		}
		want, err := press.Draw([]byte(xml), paper.Options{})
		if err != nil || !bytes.Equal([]byte(pdf), want) {
			t.Errorf("sample %s: the PDF differs from the one of package paper (error: %v)", name, err)
		}
	}
}

// TestInterface_4_7_Export_PDFsAtOnce exports more PDFs at a time than there are
// CPUs.
func TestInterface_4_7_Export_PDFsAtOnce(t *testing.T) {
	h := openTools(t)
	in := invoiceJSON(sampleFacts()[onCredit])
	want := exports(h, in, "pdf").Body
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			if got := exports(h, in, "pdf"); got.Body != want {
				t.Errorf("concurrent export: status %d with %d bytes, want the same PDF", got.Status, len(got.Body))
			}
		})
	}
	all.Wait()
}

// TestInterface_4_7_Export_ViolationsFirst checks that an invoice that fails a rule,
// even with a warning, is not rendered in any format, and that the response lists
// the failed rules.
func TestInterface_4_7_Export_ViolationsFirst(t *testing.T) {
	h := openTools(t)
	warned := invoiceJSON(sampleFacts()[onCredit])
	set(t, warned, "lines.0.item_name", "12345")
	wrong := invoiceJSON(sampleFacts()[onCredit])
	set(t, wrong, "seller.vat_registration_number", "123")
	set(t, wrong, "buyer.postal_code", "1")
	for name, in := range map[string]servicetest.Record{"warned": warned, "wrong": wrong} {
		v := h.Tool("validate-zatca", servicetest.AsJSON(t, in)).Verdict(t)
		for _, format := range []string{"json", "csv", "ubl-xml", "pdf"} {
			a := exports(h, in, format)
			body := a.Wants(t, http.StatusBadRequest)
			if detail(a, t) == "" {
				t.Error("the response has no detail")
			}
			servicetest.Equal(t, name+": failed_count", body["failed_count"], any(servicetest.Number(len(failed(v)))))
			violations, _ := body["violations"].([]any)
			var ids []string
			for _, one := range violations {
				r, _ := one.(servicetest.Record)
				id := servicetest.TextIn(r, "rule_id")
				ids = append(ids, id)
				servicetest.Same(t, id, r, v.Results[id])
			}
			slices.Sort(ids)
			servicetest.Same(t, name+": violations", ids, failed(v))
			servicetest.Same(t, name+": fields", slices.Sorted(maps.Keys(body)), []string{"code", "detail", "errors", "failed_count", "violations"})
		}
	}
	only := h.Tool("validate-zatca", servicetest.AsJSON(t, warned)).Verdict(t)
	servicetest.Same(t, "failed rules", failed(only), []string{"BR-KSA-F-C-01"})
	if rule, _ := rules.Find("BR-KSA-F-C-01"); servicetest.TextIn(only.Results["BR-KSA-F-C-01"], "severity") != "warning" || rule.Flag != rules.Warning {
		t.Error("the failed rule is not a warning")
	}
}

// TestInterface_4_7_Export_RefusalIsPublished checks that the OpenAPI document
// describes every field of the error.
func TestInterface_4_7_Export_RefusalIsPublished(t *testing.T) {
	h := openTools(t)
	document := h.As("", http.MethodGet, "/v1-3/api/public/openapi.json", "").Wants(t, http.StatusOK)
	at := func(in any, names ...string) servicetest.Record {
		for _, name := range names {
			r, _ := in.(servicetest.Record)
			in = r[name]
		}
		r, _ := in.(servicetest.Record)
		return r
	}
	properties := at(document, "components", "schemas", "ErrorDetail", "properties")
	in := invoiceJSON(sampleFacts()[onCredit])
	set(t, in, "seller.vat_registration_number", "123")
	for name := range exports(h, in, "csv").Wants(t, http.StatusBadRequest) {
		if properties[name] == nil {
			t.Errorf("field %s of the error is not in the OpenAPI document", name)
		}
	}
	servicetest.Equal(t, "violations", at(properties, "violations", "items", "properties", "rule_id")["type"], any("string"))
}

func TestInterface_4_7_Export_WhatItRefuses(t *testing.T) {
	h := openTools(t)
	servicetest.Same(t, "no invoice", h.Tool("export", `{"format":"pdf"}`).Problems(t), []string{"invoice: Field required"})
	servicetest.Same(t, "unknown format", h.Tool("export", `{"invoice":`+servicetest.Least+`,"format":"docx"}`).Problems(t), []string{"format: must be 'json', 'csv', 'ubl-xml' or 'pdf'"})
	servicetest.Same(t, "unknown field", h.Tool("export", `{"invoice":`+servicetest.Least+`,"colour":"red"}`).Problems(t), []string{"colour: unknown field"})
	servicetest.Same(t, "problems inside the invoice", h.Tool("export", `{"invoice":{"ref_num":1}}`).Problems(t), []string{
		"invoice.ref_num: must be a string", "invoice.issue_date: Field required", "invoice.seller: Field required", "invoice.lines: Field required",
	})
	far := servicetest.With(t, servicetest.Least, servicetest.Record{"expected_payable_amount": "12.00"})
	for _, body := range []string{far, `{"invoice":` + far + `}`} {
		name := "validate-zatca"
		if body != far {
			name = "export"
		}
		servicetest.Equal(t, name, detail(h.Tool(name, body), t), "expected_payable_amount: is 12.00, but the invoice comes to 10.01: more than 0.01 a line apart.")
	}
	near := servicetest.With(t, servicetest.Least, servicetest.Record{"expected_payable_amount": "10.00"})
	got, _ := h.Tool("export", `{"invoice":`+near+`}`).Branded(t)["invoice"].(servicetest.Record)
	servicetest.Equal(t, "payable", servicetest.TextIn(got, "invoice_gross_total"), "10.00")
	servicetest.Equal(t, "rounding", servicetest.TextIn(got, "payable_rounding_amount"), "-0.01")
}

// TestInterface_4_7_EveryFormatOfASample exports a sample in every format.
func TestInterface_4_7_EveryFormatOfASample(t *testing.T) {
	h := openTools(t)
	facts := sample.Invoice()
	facts.Identity = sampleFacts()[onCredit].Identity
	for format, media := range map[string]string{"csv": "text/csv; charset=utf-8", "ubl-xml": "application/xml", "pdf": "application/pdf", "json": "application/json"} {
		a := exports(h, invoiceJSON(facts), format)
		servicetest.Equal(t, format, a.Status, http.StatusOK)
		servicetest.Equal(t, format, a.Header.Get("Content-Type"), media)
	}
}
