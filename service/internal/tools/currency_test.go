package tools_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"khatm/sample"
	"khatm/service/internal/servicetest"
	"khatm/ubl"
)

// TestInterface_4_7_RatesThatNoVATFollowsFrom checks that invalid exchange rates
// are refused.
func TestInterface_4_7_RatesThatNoVATFollowsFrom(t *testing.T) {
	h := openTools(t)
	const one = "exchange_rate: must be 1 when the currency is SAR."
	const none = "exchange_rate: must be greater than 0 unless invoice_total_vat_amount_sar is sent."
	for _, c := range []struct{ members, want string }{
		{`"exchange_rate":3`, one},
		{`"exchange_rate":"0"`, one},
		{`"exchange_rate":-1,"invoice_total_vat_amount_sar":"1.31"`, one},
		{`"currency":"USD","exchange_rate":0`, none},
		{`"currency":"USD","exchange_rate":"-3.75"`, none},
		{`"currency":"","exchange_rate":0`, none},
		{`"currency":"USD","exchange_rate":0,"invoice_total_vat_amount_sar":"4.91"`, ""},
		{`"currency":"USD","exchange_rate":"3.75"`, ""},
		{`"exchange_rate":"1.00"`, ""},
	} {
		for tool, body := range map[string]string{
			"validate-zatca": besides(c.members), "export": `{"format":"ubl-xml","invoice":` + besides(c.members) + `}`,
		} {
			if c.want != "" {
				servicetest.Equal(t, tool+" of "+c.members, detail(h.Tool(tool, body), t), c.want)
			} else if a := h.Tool(tool, body); a.Status != http.StatusOK {
				t.Errorf("%s with %s: status %d, body %s; want 200", tool, c.members, a.Status, a.Body)
			}
		}
	}
}

// TestInterface_4_7_VATInSAR checks the VAT in SAR: equal in SAR, converted in
// another currency, and missing if neither a rate nor the amount is sent.
func TestInterface_4_7_VATInSAR(t *testing.T) {
	h := openTools(t)
	for members, want := range map[string]string{
		`"uuid":null`:                        "1.31",
		`"exchange_rate":1`:                  "1.31",
		`"currency":"USD","exchange_rate":4`: "5.24",
		`"currency":"USD","invoice_total_vat_amount_sar":"4.91"`: "4.91",
	} {
		got, _ := h.Tool("export", `{"invoice":`+besides(members)+`}`).Branded(t)["invoice"].(servicetest.Record)
		servicetest.Equal(t, members, servicetest.TextIn(got, "invoice_total_vat_amount_sar"), want)
	}
	v := h.Tool("validate-zatca", besides(`"currency":"USD"`)).Verdict(t)
	servicetest.Same(t, "without a rate", failed(v), []string{"BR-KSA-EN16931-09"})
	servicetest.Equal(t, "to blame", servicetest.TextIn(v.Results["BR-KSA-EN16931-09"], "path"), "exchange_rate")
	v = h.Tool("validate-zatca", besides(`"currency":"USD","invoice_total_vat_amount":"9"`)).Verdict(t)
	servicetest.Equal(t, "to blame", servicetest.TextIn(v.Results["BR-CO-14"], "path"), "invoice_total_vat_amount")
}

// TestInterface_4_7_ParsedRatesAreAccepted checks that validate-zatca accepts the
// result of parse however a document states its rate and VAT in SAR, and that the
// same rules fail as for the document unless parse warned of a difference.
func TestInterface_4_7_ParsedRatesAreAccepted(t *testing.T) {
	h := openTools(t)
	foreign := bareOf(t, sampleFacts()[dollars])
	rate := "<cac:TaxExchangeRate>" + between(foreign, "<cac:TaxExchangeRate>", "</cac:TaxExchangeRate>") + "</cac:TaxExchangeRate>"
	value := between(rate, "<cbc:CalculationRate>", "</cbc:CalculationRate>")
	total := `<cac:TaxTotal><cbc:TaxAmount currencyID="SAR">` + between(foreign, `<cac:TaxTotal><cbc:TaxAmount currencyID="SAR">`, "</cac:TaxTotal>") + "</cac:TaxTotal>"
	local := bareOf(t, sample.Invoice())
	rated := func(to string) string { return strings.Replace(rate, ">"+value+"<", ">"+to+"<", 1) }
	for _, c := range []struct {
		name, document string
		warned         bool
	}{
		{"unchanged", foreign, false},
		{"no rate", strings.Replace(foreign, rate, "", 1), false},
		{"no VAT in SAR", strings.Replace(foreign, total, "", 1), false},
		{"no rate and no VAT in SAR", strings.NewReplacer(rate, "", total, "").Replace(foreign), false},
		{"a rate of 0", strings.Replace(foreign, rate, rated("0"), 1), true},
		{"a rate of 0 and no VAT in SAR", strings.NewReplacer(rate, rated("0"), total, "").Replace(foreign), true},
		{"a rate below 0 and no VAT in SAR", strings.NewReplacer(rate, rated("-3.75"), total, "").Replace(foreign), true},
		{"a rate that is not a number and no VAT in SAR", strings.NewReplacer(rate, rated("dear"), total, "").Replace(foreign), true},
		{"a rate for SAR", strings.Replace(local, "<cac:TaxTotal>", rated("3")+"<cac:TaxTotal>", 1), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name != "unchanged" && (c.document == foreign || c.document == local) {
				t.Fatal("the replacement did not change the document")
			}
			a := h.Parse(c.document)
			servicetest.Equal(t, "left out", strings.Contains(warned(a.JSON(t)), "The invoice below differs from the document in"), c.warned || c.name == "no VAT in SAR")
			verdict := judged(h, a)
			if verdict.Status != http.StatusOK {
				t.Fatalf("validate-zatca: status %d, body %s; want 200", verdict.Status, verdict.Body)
			}
			if c.warned || c.name == "no VAT in SAR" { // which is calculated from the rate
				return
			}
			read, err := ubl.Read([]byte(c.document))
			if err != nil {
				t.Fatal(err)
			}
			want := failedRules(h, read)
			got := failedIn(verdict.JSON(t))
			slices.Sort(got)
			slices.Sort(want)
			servicetest.Equal(t, "rules that fail", got, want)
		})
	}
}
