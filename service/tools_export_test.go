package service_test

import (
	"bytes"
	"mime"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/text/unicode/norm"

	"khatm/invoice"
	"khatm/paper"
	"khatm/rules"
	"khatm/sample"
	"khatm/ubl"
)

// exports asks for an invoice in a format.
func (h *house) exports(in record, format string) answer {
	h.t.Helper()
	return h.tool("export", asJSON(h.t, record{"invoice": in, "format": format}))
}

// saved is a file that is to be saved under a name.
func (a answer) saved(t testing.TB, media, name string) string {
	t.Helper()
	if a.status != http.StatusOK {
		t.Fatalf("%d %s", a.status, a.body)
	}
	kind, _, err := mime.ParseMediaType(a.header.Get("Content-Type"))
	equal(t, "type", kind, media)
	how, params, disposition := mime.ParseMediaType(a.header.Get("Content-Disposition"))
	equal(t, "disposition", how, "attachment")
	equal(t, "name", params["filename"], name)
	equal(t, "X-Branding", a.header.Get("X-Branding"), branding)
	if err != nil || disposition != nil {
		t.Error(err, disposition)
	}
	return a.body
}

const savedAs = "310175397400003_20261114T091530_INV-2026-000042"

func TestInterface_4_7_Export_JSONIsTheDefault(t *testing.T) {
	h := openTools(t)
	in := invoiceJSON(sampleFacts()[lowered])
	a := h.tool("export", asJSON(t, record{"invoice": in}))
	equal(t, "Content-Type", a.header.Get("Content-Type"), "application/json")
	equal(t, "Content-Disposition", a.header.Get("Content-Disposition"), "")
	got, _ := a.branded(t)["invoice"].(record)
	explicit, _ := h.exports(in, "json").branded(t)["invoice"].(record)
	same(t, "asked for by name", explicit, got)
	d, err := invoice.Compute(sampleFacts()[lowered])
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"invoice_total_line_net_amount": d.LineTotal.Fixed2(), "invoice_total_document_level_allowance_amount": d.AllowanceTotal.Fixed2(),
		"invoice_total_amount_without_vat": d.WithoutVAT.Fixed2(), "invoice_total_vat_amount": d.VAT.Fixed2(), "invoice_total_vat_amount_sar": d.VATInSAR.Fixed2(),
		"invoice_total_amount_with_vat": d.WithVAT.Fixed2(), "prepaid_amount": "0.00", "payable_rounding_amount": "0.00", "invoice_gross_total": d.Payable.Fixed2(),
	} {
		equal(t, name, textIn(got, name), want)
	}
	if rows, _ := got["vat_breakdown"].([]any); len(rows) != len(d.Breakdown) {
		t.Errorf("a breakdown of %d rows, want %d", len(rows), len(d.Breakdown))
	}
	// What comes out goes in again, and comes out the same.
	again, _ := h.exports(got, "json").branded(t)["invoice"].(record)
	same(t, "the answer as a question", again, got)
}

// TestInterface_4_7_Export_XML: every sample that nothing is wrong with comes out
// as the library writes it, without a stamp. A few fail a warning, and do not.
func TestInterface_4_7_Export_XML(t *testing.T) {
	h := openTools(t)
	rendered := 0
	for name, facts := range sampleFacts() {
		d, err := invoice.Compute(facts)
		if err != nil {
			t.Fatal(err)
		}
		a := h.exports(invoiceJSON(facts), "ubl-xml")
		if ids := h.failuresOf(t, d, facts.Identity); len(ids) > 0 {
			equal(t, name+": failed_count", a.wants(t, http.StatusBadRequest)["failed_count"], any(number(len(ids))))
			continue
		}
		rendered++
		text := a.saved(t, "application/xml", savedAs+".xml")
		canon, err := ubl.Write(d.Unchecked(facts.Identity))
		if err != nil {
			t.Fatal(err)
		}
		if text != norm.NFC.String(string(canon.Bytes())) { // in which everything that comes in is written
			t.Errorf("%s: got\n%s\nwant\n%s", name, text, canon.Bytes())
		}
		if strings.Contains(text, "UBLExtension") || strings.Contains(text, "<cbc:ID>QR</cbc:ID>") {
			t.Errorf("%s is stamped", name)
		}
	}
	if rendered < 300 {
		t.Errorf("only %d samples were rendered", rendered)
	}
}

// TestInterface_4_7_Export_PDF: the page is what the press draws of the unsigned
// document, which it embeds and marks.
func TestInterface_4_7_Export_PDF(t *testing.T) {
	h := openTools(t)
	press, err := paper.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{onCredit, atATill, noted, abroad, advanced, lowered} {
		in := invoiceJSON(sampleFacts()[name])
		xml := h.exports(in, "ubl-xml").body
		a := h.exports(in, "pdf")
		pdf := a.saved(t, "application/pdf", savedAs+".pdf")
		file := embedded(t, a)
		equal(t, name+": embedded as", file.Name, savedAs+".xml")
		if string(file.Data) != xml {
			t.Errorf("%s: the PDF embeds another document", name)
		}
		want, err := press.Draw([]byte(xml), paper.Options{})
		if err != nil || !bytes.Equal([]byte(pdf), want) {
			t.Errorf("%s: not what the press draws (%v)", name, err)
		}
	}
}

// TestInterface_4_7_Export_PDFsAtOnce: more at a time than there are cores.
func TestInterface_4_7_Export_PDFsAtOnce(t *testing.T) {
	h := openTools(t)
	in := invoiceJSON(sampleFacts()[onCredit])
	want := h.exports(in, "pdf").body
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			if got := h.exports(in, "pdf"); got.body != want {
				t.Errorf("got %d and %d bytes, want the same PDF", got.status, len(got.body))
			}
		})
	}
	all.Wait()
}

// TestInterface_4_7_Export_ViolationsFirst: an invoice that fails is not
// rendered, in whatever format, and the answer says what failed; a warning is
// enough.
func TestInterface_4_7_Export_ViolationsFirst(t *testing.T) {
	h := openTools(t)
	warned := invoiceJSON(sampleFacts()[onCredit])
	set(t, warned, "lines.0.item_name", "12345")
	wrong := invoiceJSON(sampleFacts()[onCredit])
	set(t, wrong, "seller.vat_registration_number", "123")
	set(t, wrong, "buyer.postal_code", "1")
	for name, in := range map[string]record{"warned": warned, "wrong": wrong} {
		v := h.tool("validate-zatca", asJSON(t, in)).verdict(t)
		for _, format := range []string{"json", "csv", "ubl-xml", "pdf"} {
			a := h.exports(in, format)
			body := a.wants(t, http.StatusBadRequest)
			if a.detail(t) == "" {
				t.Error("no detail")
			}
			equal(t, name+": failed_count", body["failed_count"], any(number(len(v.failed()))))
			violations, _ := body["violations"].([]any)
			var ids []string
			for _, one := range violations {
				r, _ := one.(record)
				id := textIn(r, "rule_id")
				ids = append(ids, id)
				same(t, id, r, v.results[id])
			}
			slices.Sort(ids)
			same(t, name+": violations", ids, v.failed())
			equal(t, name+": fields", len(body), 3)
		}
	}
	only := h.tool("validate-zatca", asJSON(t, warned)).verdict(t)
	same(t, "the warning", only.failed(), []string{"BR-KSA-F-C-01"})
	if rule, _ := rules.Find("BR-KSA-F-C-01"); textIn(only.results["BR-KSA-F-C-01"], "severity") != "warning" || rule.Flag != rules.Warning {
		t.Error("it is no warning")
	}
}

// TestInterface_4_7_Export_RefusalIsPublished: the document names every field of
// the refusal.
func TestInterface_4_7_Export_RefusalIsPublished(t *testing.T) {
	h := openTools(t)
	document := h.as("", http.MethodGet, "/v1-3/api/public/openapi.json", "").wants(t, http.StatusOK)
	at := func(in any, names ...string) record {
		for _, name := range names {
			r, _ := in.(record)
			in = r[name]
		}
		r, _ := in.(record)
		return r
	}
	properties := at(document, "components", "schemas", "Detail", "properties")
	in := invoiceJSON(sampleFacts()[onCredit])
	set(t, in, "seller.vat_registration_number", "123")
	for name := range h.exports(in, "csv").wants(t, http.StatusBadRequest) {
		if properties[name] == nil {
			t.Errorf("%s is not in the document", name)
		}
	}
	equal(t, "violations", at(properties, "violations", "items", "properties", "rule_id")["type"], any("string"))
}

func TestInterface_4_7_Export_WhatItRefuses(t *testing.T) {
	h := openTools(t)
	same(t, "no invoice", h.tool("export", `{"format":"pdf"}`).problems(t), []string{"invoice: Field required"})
	same(t, "unknown format", h.tool("export", `{"invoice":`+least+`,"format":"docx"}`).problems(t), []string{"format: Input should be 'json', 'csv', 'ubl-xml' or 'pdf'"})
	same(t, "unknown field", h.tool("export", `{"invoice":`+least+`,"colour":"red"}`).problems(t), []string{"colour: Extra inputs are not permitted"})
	same(t, "inside the invoice", h.tool("export", `{"invoice":{"ref_num":1}}`).problems(t), []string{
		"invoice.ref_num: Input should be a valid string", "invoice.issue_date: Field required", "invoice.seller: Field required", "invoice.lines: Field required",
	})
	far := with(t, least, record{"expected_payable_amount": "12.00"})
	for _, body := range []string{far, `{"invoice":` + far + `}`} {
		name := "validate-zatca"
		if body != far {
			name = "export"
		}
		equal(t, name, h.tool(name, body).detail(t), "expected_payable_amount: is 12.00, but the invoice comes to 10.01: more than 0.01 a line apart.")
	}
	near := with(t, least, record{"expected_payable_amount": "10.00"})
	got, _ := h.tool("export", `{"invoice":`+near+`}`).branded(t)["invoice"].(record)
	equal(t, "payable", textIn(got, "invoice_gross_total"), "10.00")
	equal(t, "rounding", textIn(got, "payable_rounding_amount"), "-0.01")
}

// TestInterface_4_7_EveryFormatOfASample renders what a seller would want to see.
func TestInterface_4_7_EveryFormatOfASample(t *testing.T) {
	h := openTools(t)
	facts := sample.Invoice()
	facts.Identity = sampleFacts()[onCredit].Identity
	for format, media := range map[string]string{"csv": "text/csv; charset=utf-8", "ubl-xml": "application/xml", "pdf": "application/pdf", "json": "application/json"} {
		a := h.exports(invoiceJSON(facts), format)
		equal(t, format, a.status, http.StatusOK)
		equal(t, format, a.header.Get("Content-Type"), media)
	}
}
