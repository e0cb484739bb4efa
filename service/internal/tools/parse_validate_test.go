package tools_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/sample"
	"khatm/service/internal/servicetest"
	"khatm/ubl"
)

const validatePath = "/v1-3/api/public/validate-zatca/"

// judged sends the invoice that parse-invoice returned to validate-zatca, unchanged.
func judged(h *servicetest.Instance, a servicetest.Answer) servicetest.Answer {
	h.TB.Helper()
	var got struct{ Invoice json.RawMessage }
	if err := json.Unmarshal([]byte(a.Body), &got); err != nil || a.Status != http.StatusOK {
		h.TB.Fatalf("parse-invoice: status %d, body %.300s, %v; want 200", a.Status, a.Body, err)
	}
	return h.As("", http.MethodPost, validatePath, string(got.Invoice))
}

// validate-zatca accepts the result of parse, and the same rules fail as for the
// document: none for most samples, and one for samples that break a rule.
func TestInterface_4_7_ParseInvoiceFeedsValidate(t *testing.T) {
	h := openTools(t)
	d, err := sample.NewDevice(sample.Seeded(1), h.Clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range testtool.Spread(testtool.Some(sample.Every(), 12), 0, 3) {
		sealed, err := d.Seal(c.Facts)
		if err != nil {
			t.Fatal(err)
		}
		read, err := ubl.Read(sealed.XML)
		if err != nil {
			t.Fatal(err)
		}
		want := failedRules(h, read)
		a := h.Parse(string(sealed.XML))
		if warning := warned(a.JSON(t)); warning != "" {
			t.Errorf("sample %s: unexpected warning %s", c.Name, warning)
		}
		verdict := judged(h, a)
		if verdict.Status != http.StatusOK {
			t.Errorf("sample %s: validate-zatca: status %d, body %.300s; want 200", c.Name, verdict.Status, verdict.Body)
			continue
		}
		servicetest.Equal(t, c.Name+": rules that fail", failedIn(verdict.JSON(t)), want)
	}
}

func failedIn(verdict servicetest.Record) []string {
	all := []string{}
	results, _ := verdict["results"].([]any)
	for _, one := range results {
		if r, _ := one.(servicetest.Record); r["status"] == "failed" {
			id, _ := r["rule_id"].(string)
			all = append(all, id)
		}
	}
	return all
}

// However a document is changed, validate-zatca accepts the result of parse. The
// same rules fail as for the document, or the warning says that the two differ.
func TestInterface_4_7_ParseInvoiceOfMutantsFeedsValidate(t *testing.T) {
	h := openTools(t)
	random := rand.New(rand.NewPCG(9, 9))
	every := sample.Every()
	shown, same, refused, untold := 0, 0, 0, 0
	mutants := testtool.Count(60, 600)
	for i := range mutants {
		xml := bareOf(t, every[random.IntN(len(every))].Facts)
		for range 1 + random.IntN(3) {
			xml = mutant(random, xml)
		}
		a := h.Parse(xml)
		switch {
		case a.Status == http.StatusBadRequest:
			refused++
		case a.JSON(t)["invoice"] == nil:
			untold++
		default:
			shown++
			if verdict := judged(h, a); verdict.Status != http.StatusOK {
				t.Errorf("validate-zatca: status %d, body %.300s for\n%s; want 200", verdict.Status, verdict.Body, xml)
			}
			if faithful(h, t, fmt.Sprint("number ", i), xml, a) {
				same++
			}
		}
	}
	if shown < mutants*2/3 || same < mutants/30 {
		t.Errorf("only %d invoices were returned, %d of them unchanged, want at least %d and %d", shown, same, mutants*2/3, mutants/30)
	}
	t.Logf("%d returned, %d of them unchanged, %d refused, %d not returned", shown, same, refused, untold)
}

var (
	leaves = regexp.MustCompile(`<(cbc:[A-Za-z]+)[^>]*>([^<]*)</cbc:[A-Za-z]+>`)
	groups = regexp.MustCompile(`<(cac:[A-Za-z]+)>`)
)

// mutant changes, removes or repeats a part of a document.
func mutant(random *rand.Rand, xml string) string {
	found := leaves.FindAllStringSubmatchIndex(xml, -1)
	at := found[random.IntN(len(found))]
	texts := []string{"", " ", "0", "-1", "1e3", "99999999999999999999.99999999999999999999", "999999999999999999999", "0.001", "NaN", "٣", "2026-13-45", "SAR", "usd", "\u200f\u202e", "&#x9;", "&#xD;", "&amp;&lt;",
		"a\u0301", "\ufffd", "\U0001F9FE", strings.Repeat("ن", 5000), strings.Repeat("x", 5001), "=cmd|' /C calc'!A0", "0200000", "0111111", "381", "<a/>"}
	switch random.IntN(6) {
	case 0: // remove a leaf
		return xml[:at[0]] + xml[at[1]:]
	case 1: // repeat a leaf
		return xml[:at[1]] + xml[at[0]:]
	case 2: // remove its attributes
		name := xml[at[2]:at[3]]
		return xml[:at[0]] + "<" + name + ">" + xml[at[4]:]
	case 3: // remove or repeat a part
		parts := groups.FindAllStringSubmatchIndex(xml, -1)
		p := parts[random.IntN(len(parts))]
		end := strings.Index(xml[p[0]:], "</"+xml[p[2]:p[3]]+">")
		end += p[0] + len("</>") + p[3] - p[2]
		if random.IntN(2) == 0 {
			return xml[:p[0]] + xml[end:]
		}
		return xml[:end] + xml[p[0]:]
	default: // change the text
		return xml[:at[4]] + texts[random.IntN(len(texts))] + xml[at[5]:]
	}
}

// Amounts are those stated in the document, right or wrong.
func TestInterface_4_7_ParseInvoiceStatesAmounts(t *testing.T) {
	h := openTools(t)
	xml := bareOf(t, sample.Invoice())
	for _, c := range []struct{ element, field string }{
		{"LineExtensionAmount", "invoice_total_line_net_amount"}, {"TaxExclusiveAmount", "invoice_total_amount_without_vat"},
		{"TaxInclusiveAmount", "invoice_total_amount_with_vat"}, {"PayableAmount", "invoice_gross_total"},
	} {
		total := elementOf(xml, "cac:LegalMonetaryTotal>")
		changed := regexp.MustCompile("(<cbc:"+c.element+"[^>]*>)[^<]*").ReplaceAllString(total, "${1}1234567.890")
		a := h.Parse(strings.Replace(xml, total, changed, 1))
		got := servicetest.Inner(t, a.JSON(t), "invoice")[c.field]
		if !slices.Contains([]any{"1234567.89", "1234567.890"}, got) {
			t.Errorf("amount %s = %v, want 1234567.89", c.field, got)
		}
		if verdict := judged(h, a).JSON(t); verdict["failed"] == servicetest.Number(0) {
			t.Errorf("wrong amount %s: no rule failed", c.field)
		}
	}
}
