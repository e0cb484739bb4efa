package tools_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"khatm/internal/testtool"
	"khatm/invoice"
	"khatm/rules"
	"khatm/sample"
	"khatm/service/internal/servicetest"
	"khatm/ubl"
)

func TestInterface_4_7_ValidateZATCA_EveryRuleInTheOrderOfTheBook(t *testing.T) {
	h := openTools(t)
	a := h.Tool("validate-zatca", servicetest.Least)
	v := a.Verdict(t)
	var book []string
	for _, r := range rules.Book() {
		book = append(book, r.ID)
	}
	servicetest.Same(t, "rules", v.Order, book)
	counts := map[string]int{}
	for _, rule := range rules.Book() {
		r := v.Results[rule.ID]
		status := servicetest.TextIn(r, "status")
		counts[status]++
		if status != "passed" && status != "failed" && status != "not_applicable" {
			t.Errorf("status of %s = %q, want passed, failed or not_applicable", rule.ID, status)
		}
		servicetest.Equal(t, rule.ID+" says", servicetest.TextIn(r, "message"), rule.Says.EN)
		servicetest.Equal(t, rule.ID+" says in Arabic", servicetest.TextIn(r, "message_ar"), rule.Says.AR)
		servicetest.Equal(t, rule.ID+" is", servicetest.TextIn(r, "severity"), string(rule.Flag))
	}
	body := a.JSON(t)
	servicetest.Same(t, "counts", []any{body["total_rules"], body["passed"], body["failed"], body["not_applicable"]},
		[]any{servicetest.Number(245), servicetest.Number(counts["passed"]), servicetest.Number(0), servicetest.Number(counts["not_applicable"])})
	if counts["passed"] < 50 {
		t.Errorf("only %d rules passed, want at least 50", counts["passed"])
	}
}

// unsaid lists the rules about the stamp, the chain and the time of submission, which
// an invoice in JSON does not have.
var unsaid = []string{
	"BR-KSA-26", "BR-KSA-27", "BR-KSA-28", "BR-KSA-29", "BR-KSA-30", "BR-KSA-33", "BR-KSA-34", "BR-KSA-60", "BR-KSA-61", "BR-KSA-98", "BR-CL-KSA-14",
}

// TestInterface_4_7_ValidateZATCA_WhatJSONCannotSay checks that the rules in unsaid
// are not applicable, and that they are exactly the rules that an unstamped document
// always fails.
func TestInterface_4_7_ValidateZATCA_WhatJSONCannotSay(t *testing.T) {
	h := openTools(t)
	v := h.Tool("validate-zatca", servicetest.Least).Verdict(t)
	for _, id := range unsaid {
		servicetest.Equal(t, id, servicetest.TextIn(v.Results[id], "status"), "not_applicable")
	}
	var sealed []string
	for _, r := range rules.Book() {
		if r.Sealed {
			sealed = append(sealed, r.ID)
		}
	}
	slices.Sort(sealed)
	want := slices.Clone(unsaid)
	slices.Sort(want)
	servicetest.Same(t, "rules of the stamp", sealed, want)
}

func TestInterface_4_7_ValidateZATCA_RequiredFields(t *testing.T) {
	h := openTools(t)
	for _, name := range []string{"ref_num", "issue_date", "seller", "lines"} {
		servicetest.Same(t, name, h.Tool("validate-zatca", servicetest.With(t, servicetest.Least, servicetest.Record{name: servicetest.Absent{}})).Problems(t), []string{name + ": Field required"})
		if got := h.Tool("validate-zatca", servicetest.With(t, servicetest.Least, servicetest.Record{name: nil})).Problems(t); len(got) != 1 {
			t.Errorf("field %s is null: problems %v, want one", name, got)
		}
	}
	servicetest.Same(t, "unknown", h.Tool("validate-zatca", servicetest.With(t, servicetest.Least, servicetest.Record{"total": 1})).Problems(t), []string{"total: unknown field"})
	nested := `{"ref_num":"1","issue_date":"2026-11-15","seller":{"nam":"x"},"lines":[{"item_name":"a","item_net_price":1,"vat":15}]}`
	servicetest.Same(t, "unknown, inside", h.Tool("validate-zatca", nested).Problems(t), []string{"seller.nam: unknown field", "lines.0.vat: unknown field"})
}

// TestInterface_4_7_ValidateZATCA_Defaults checks that all other fields have
// defaults, and that null counts as absent.
func TestInterface_4_7_ValidateZATCA_Defaults(t *testing.T) {
	h := openTools(t)
	exported := func(body string) servicetest.Record {
		got, _ := h.Tool("export", `{"invoice":`+body+`}`).Branded(t)["invoice"].(servicetest.Record)
		return got
	}
	short := exported(servicetest.Least)
	for name, want := range map[string]any{
		"type_code": servicetest.Number(388), "transaction_code": "0200000", "issue_time": "00:00:00", "supply_date": "2026-11-15", "currency": "SAR", "exchange_rate": "1",
		"invoice_total_line_net_amount": "8.70", "invoice_total_vat_amount": "1.31", "invoice_total_amount_with_vat": "10.01", "invoice_gross_total": "10.01",
	} {
		servicetest.Equal(t, name, short[name], want)
	}
	if id := servicetest.TextIn(short, "uuid"); len(id) != 36 {
		t.Errorf("uuid = %q, want a UUID", id)
	}
	servicetest.Equal(t, "country", servicetest.TextIn(short["seller"], "country_code"), "SA")
	lines, _ := short["lines"].([]any)
	line, _ := lines[0].(servicetest.Record)
	for name, want := range map[string]string{
		"invoiced_quantity": "1", "invoiced_quantity_unit_of_measure": "PCE", "vat_category_code": "S", "vat_rate": "15",
		"line_net_amount": "8.70", "line_vat_amount": "1.31", "line_total_amount": "10.01",
	} {
		servicetest.Equal(t, name, servicetest.TextIn(line, name), want)
	}
	changes := servicetest.Record{}
	for name := range short {
		if !slices.Contains([]string{"ref_num", "issue_date", "seller", "lines"}, name) {
			changes[name] = nil
		}
	}
	again := exported(servicetest.With(t, servicetest.Least, changes))
	delete(again, "uuid")
	delete(short, "uuid")
	servicetest.Same(t, "null counts as absent", again, short)

	rowless := exported(servicetest.With(t, servicetest.Least, servicetest.Record{"vat_breakdown": []any{}}))
	servicetest.Same(t, "an empty breakdown is calculated", rowless["vat_breakdown"], short["vat_breakdown"])
	if rows, _ := rowless["vat_breakdown"].([]any); len(rows) != 1 {
		t.Errorf("breakdown has %d rows, want 1", len(rows))
	}

	buyer := invoiceJSON(sample.Invoice())["buyer"]
	standard := exported(servicetest.With(t, servicetest.Least, servicetest.Record{"buyer": buyer}))
	servicetest.Equal(t, "with a buyer", servicetest.TextIn(standard, "transaction_code"), "0100000")
	zero := exported(servicetest.With(t, servicetest.Least, servicetest.Record{"lines": []any{servicetest.Record{
		"item_name": "Export", "item_net_price": 5, "vat_category_code": "Z", "vat_exemption_reason_code": "VATEX-SA-35", "vat_exemption_reason_text": "Medicines",
	}}}))
	servicetest.Equal(t, "VAT in category Z", servicetest.TextIn(zero, "invoice_total_vat_amount"), "0.00")
}

// TestInterface_4_7_ValidateZATCA_Corpus checks that every sample and random
// document fails the same rules in JSON as in XML.
func TestInterface_4_7_ValidateZATCA_Corpus(t *testing.T) {
	h := openTools(t)
	cases := testtool.Spread(testtool.Some(sample.Every(), 12), 0, 3)
	for seed := range uint64(testtool.Scale(10, 25, 5_000)) {
		cases = append(cases, sample.Case{Name: fmt.Sprintf("random, seed %d", seed), Facts: sample.Random(rand.New(rand.NewPCG(seed, 4)))})
	}
	for _, c := range cases {
		c.Facts.Identity = invoice.Identity{Number: "INV-2026-000042", UUID: "8e6000cf-1a98-4174-b3e7-b5d5954bc10d", IssueDate: "2026-11-14", IssueTime: "09:15:30"}
		d, err := invoice.Compute(c.Facts)
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		want := failuresOf(h, t, d, c.Facts.Identity)
		got := h.Tool("validate-zatca", servicetest.AsJSON(t, invoiceJSON(c.Facts))).Verdict(t)
		if !slices.Equal(failed(got), want) || len(got.Order) != 245 {
			t.Errorf("sample %s: %d results, failed rules %v, want %v", c.Name, len(got.Order), failed(got), want)
		}
	}
	t.Logf("%d documents", len(cases))
}

// failuresOf encodes a document and returns the ids of the rules it fails.
func failuresOf(h *servicetest.Instance, t testing.TB, d *invoice.Document, id invoice.Identity) []string {
	t.Helper()
	canon, err := ubl.Write(d.UBLUnchecked(id))
	if err != nil {
		t.Fatal(err)
	}
	return failuresIn(h, t, canon.Bytes())
}

// failedRules returns the ids of the rules of the authority that a document fails,
// without those on its stamp.
func failedRules(h *servicetest.Instance, read *ubl.Invoice) []string {
	ids := []string{}
	for _, r := range rules.CheckUnsealed(read, h.Clock.Now()) {
		if r.Status == rules.Failed {
			ids = append(ids, r.Rule.ID)
		}
	}
	return ids
}

// failuresIn returns the sorted ids of the rules a document fails, without those that
// JSON cannot express.
func failuresIn(h *servicetest.Instance, t testing.TB, xml []byte) []string {
	t.Helper()
	root, err := ubl.Parse(xml)
	if err != nil {
		t.Fatal(err)
	}
	read, err := ubl.Bind(root)
	if err != nil {
		t.Fatal(err)
	}
	ids := failedRules(h, read)
	for _, f := range slices.Concat(rules.Schema(root), rules.Traps(root)) {
		ids = append(ids, f.ID)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
