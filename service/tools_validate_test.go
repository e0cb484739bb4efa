package service_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"khatm/invoice"
	"khatm/rules"
	"khatm/sample"
	"khatm/ubl"
)

// least is what validate-zatca must be given, and nothing else.
const least = `{"ref_num":"INV-1","issue_date":"2026-11-15",
	"seller":{"name":"Khatm Demo Trading","vat_registration_number":"310175397400003","additional_seller_id":{"type_id":"CRN","value":"1010183482"},
		"street":"King Fahd Road","building_number":"8091","district":"Al Olaya","city":"Riyadh","postal_code":"12214"},
	"lines":[{"item_name":"Arabic coffee","item_net_price":"8.70"}]}`

func TestInterface_4_7_ValidateZATCA_EveryRuleInTheOrderOfTheBook(t *testing.T) {
	h := openTools(t)
	a := h.tool("validate-zatca", least)
	v := a.verdict(t)
	var book []string
	for _, r := range rules.Book() {
		book = append(book, r.ID)
	}
	same(t, "rules", v.order, book)
	counts := map[string]int{}
	for _, rule := range rules.Book() {
		r := v.results[rule.ID]
		status := textIn(r, "status")
		counts[status]++
		if status != "passed" && status != "failed" && status != "not_applicable" {
			t.Errorf("%s is %q", rule.ID, status)
		}
		equal(t, rule.ID+" says", textIn(r, "message"), rule.Says.EN)
		equal(t, rule.ID+" says in Arabic", textIn(r, "message_ar"), rule.Says.AR)
		equal(t, rule.ID+" is", textIn(r, "severity"), string(rule.Flag))
	}
	body := a.json(t)
	same(t, "counts", []any{body["total_rules"], body["passed"], body["failed"], body["not_applicable"]},
		[]any{number(245), number(counts["passed"]), number(0), number(counts["not_applicable"])})
	if counts["passed"] < 50 {
		t.Errorf("only %d passed", counts["passed"])
	}
}

// unsaid are the rules of the stamp, the chain and the time of sending, none of
// which an invoice in JSON has.
var unsaid = []string{
	"BR-KSA-26", "BR-KSA-27", "BR-KSA-28", "BR-KSA-29", "BR-KSA-30", "BR-KSA-33", "BR-KSA-34", "BR-KSA-60", "BR-KSA-61", "BR-KSA-98", "BR-CL-KSA-14",
}

// TestInterface_4_7_ValidateZATCA_WhatJSONCannotSay: these do not apply, and of
// the rules that a document always fails without a stamp, these are all.
func TestInterface_4_7_ValidateZATCA_WhatJSONCannotSay(t *testing.T) {
	h := openTools(t)
	v := h.tool("validate-zatca", least).verdict(t)
	for _, id := range unsaid {
		equal(t, id, textIn(v.results[id], "status"), "not_applicable")
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
	same(t, "rules of the stamp", sealed, want)
}

func TestInterface_4_7_ValidateZATCA_RequiredFields(t *testing.T) {
	h := openTools(t)
	for _, name := range []string{"ref_num", "issue_date", "seller", "lines"} {
		same(t, name, h.tool("validate-zatca", with(t, least, record{name: absent{}})).problems(t), []string{name + ": Field required"})
		if got := h.tool("validate-zatca", with(t, least, record{name: nil})).problems(t); len(got) != 1 {
			t.Errorf("%s is null: %v", name, got)
		}
	}
	same(t, "unknown", h.tool("validate-zatca", with(t, least, record{"total": 1})).problems(t), []string{"total: Extra inputs are not permitted"})
	nested := `{"ref_num":"1","issue_date":"2026-11-15","seller":{"nam":"x"},"lines":[{"item_name":"a","item_net_price":1,"vat":15}]}`
	same(t, "unknown, inside", h.tool("validate-zatca", nested).problems(t), []string{"seller.nam: Extra inputs are not permitted", "lines.0.vat: Extra inputs are not permitted"})
}

// TestInterface_4_7_ValidateZATCA_Defaults: all others are defaulted, and null
// is as good as nothing.
func TestInterface_4_7_ValidateZATCA_Defaults(t *testing.T) {
	h := openTools(t)
	exported := func(body string) record {
		got, _ := h.tool("export", `{"invoice":`+body+`}`).branded(t)["invoice"].(record)
		return got
	}
	short := exported(least)
	for name, want := range map[string]any{
		"type_code": number(388), "transaction_code": "0200000", "issue_time": "00:00:00", "supply_date": "2026-11-15", "currency": "SAR", "exchange_rate": "1",
		"invoice_total_line_net_amount": "8.70", "invoice_total_vat_amount": "1.31", "invoice_total_amount_with_vat": "10.01", "invoice_gross_total": "10.01",
	} {
		equal(t, name, short[name], want)
	}
	if id := textIn(short, "uuid"); len(id) != 36 {
		t.Errorf("uuid: %q", id)
	}
	equal(t, "country", textIn(short["seller"], "country_code"), "SA")
	lines, _ := short["lines"].([]any)
	line, _ := lines[0].(record)
	for name, want := range map[string]string{
		"invoiced_quantity": "1", "invoiced_quantity_unit_of_measure": "PCE", "vat_category_code": "S", "vat_rate": "15",
		"line_net_amount": "8.70", "line_vat_amount": "1.31", "line_total_amount": "10.01",
	} {
		equal(t, name, textIn(line, name), want)
	}
	changes := record{}
	for name := range short {
		if !slices.Contains([]string{"ref_num", "issue_date", "seller", "lines"}, name) {
			changes[name] = nil
		}
	}
	again := exported(with(t, least, changes))
	delete(again, "uuid")
	delete(short, "uuid")
	same(t, "null is as good as nothing", again, short)

	rowless := exported(with(t, least, record{"vat_breakdown": []any{}}))
	same(t, "a breakdown without rows is computed", rowless["vat_breakdown"], short["vat_breakdown"])
	if rows, _ := rowless["vat_breakdown"].([]any); len(rows) != 1 {
		t.Errorf("a breakdown of %d rows", len(rows))
	}

	buyer := invoiceJSON(sample.Invoice())["buyer"]
	standard := exported(with(t, least, record{"buyer": buyer}))
	equal(t, "with a buyer", textIn(standard, "transaction_code"), "0100000")
	zero := exported(with(t, least, record{"lines": []any{record{
		"item_name": "Export", "item_net_price": 5, "vat_category_code": "Z", "vat_exemption_reason_code": "VATEX-SA-35", "vat_exemption_reason_text": "Medicines",
	}}}))
	equal(t, "VAT of what is zero rated", textIn(zero, "invoice_total_vat_amount"), "0.00")
}

// TestInterface_4_7_ValidateZATCA_Corpus: every sample and random documents, said
// in JSON, fail what their XML fails: nothing.
func TestInterface_4_7_ValidateZATCA_Corpus(t *testing.T) {
	h := openTools(t)
	cases := sample.Every()
	count := uint64(50)
	if os.Getenv("KHATM_TORTURE") == "1" {
		count = 5_000
	}
	for seed := range count {
		cases = append(cases, sample.Case{Name: fmt.Sprintf("random, seed %d", seed), Facts: sample.Random(rand.New(rand.NewPCG(seed, 4)))})
	}
	for _, c := range cases {
		c.Facts.Identity = invoice.Identity{Number: "INV-2026-000042", UUID: "8e6000cf-1a98-4174-b3e7-b5d5954bc10d", IssueDate: "2026-11-14", IssueTime: "09:15:30"}
		d, err := invoice.Compute(c.Facts)
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		want := h.failuresOf(t, d, c.Facts.Identity)
		got := h.tool("validate-zatca", asJSON(t, invoiceJSON(c.Facts))).verdict(t)
		if !slices.Equal(got.failed(), want) || len(got.order) != 245 {
			t.Errorf("%s: %d results, fails %v, want %v", c.Name, len(got.order), got.failed(), want)
		}
	}
	t.Logf("%d documents", len(cases))
}

// failuresOf writes a document and gives the ids of what is wrong with it.
func (h *house) failuresOf(t testing.TB, d *invoice.Document, id invoice.Identity) []string {
	t.Helper()
	canon, err := ubl.Write(d.Unchecked(id))
	if err != nil {
		t.Fatal(err)
	}
	return h.failuresIn(t, canon.Bytes())
}

// failuresIn are the ids of what is wrong with a document, in order, those aside
// that JSON cannot say.
func (h *house) failuresIn(t testing.TB, xml []byte) []string {
	t.Helper()
	root, err := ubl.Parse(xml)
	if err != nil {
		t.Fatal(err)
	}
	read, err := ubl.Bind(root)
	if err != nil {
		t.Fatal(err)
	}
	ids := []string{}
	for _, r := range rules.CheckUnsealed(read, h.clock.Now()) {
		if r.Status == rules.Failed {
			ids = append(ids, r.Rule.ID)
		}
	}
	for _, f := range slices.Concat(rules.Schema(root), rules.Traps(root)) {
		ids = append(ids, f.ID)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
