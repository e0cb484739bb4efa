package tools_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"khatm/service/internal/servicetest"
)

func TestInterface_4_7_CalculateVAT_TotalsByCategory(t *testing.T) {
	h := openTools(t)
	got := h.Tool("calculate-vat", `{
		"lines": [
			{"item_name": "Laptop 15 inch", "invoiced_quantity": "2", "item_net_price": "4200.00", "vat_rate": "15"},
			{"item_name": "قهوة", "item_net_price": 31.3, "vat_rate": 15, "vat_category_code": "S"},
			{"item_name": "x", "item_net_price": "9.995", "invoiced_quantity": 3, "vat_rate": "5"},
			{"item_name": "Export", "item_net_price": "100", "vat_rate": "0", "vat_category_code": "Z", "vat_exemption_reason_code": "VATEX-SA-32", "vat_exemption_reason_text": "Export of goods"},
			{"item_name": "Life insurance", "item_net_price": "50", "vat_rate": 0, "vat_category_code": "E"}
		],
		"document_level_allowances": [{"allowance_amount": "50.00", "vat_category_code": "S", "vat_rate": "15"}]
	}`).Branded(t)
	servicetest.Same(t, "totals", got, servicetest.Record{
		"invoice_total_line_net_amount":                 "8611.29",
		"invoice_total_document_level_allowance_amount": "50.00",
		"invoice_total_amount_without_vat":              "8561.29",
		"invoice_total_vat_amount":                      "1258.70",
		"invoice_gross_total":                           "9819.99",
		"branding":                                      servicetest.Branding,
		"vat_breakdown": []any{
			vatRow("S", "15", "8381.30", "1257.20", "", ""),
			vatRow("S", "5", "29.99", "1.50", "", ""),
			vatRow("Z", "0", "100.00", "0.00", "VATEX-SA-32", "Export of goods"),
			vatRow("E", "0", "50.00", "0.00", "", ""),
		},
	})
}

func vatRow(category, rate, taxable, amount, code, text string) servicetest.Record {
	return servicetest.Record{
		"vat_category_code": category, "vat_rate": rate, "vat_category_taxable_amount": taxable, "vat_category_tax_amount": amount,
		"vat_exemption_reason_code": code, "vat_exemption_reason_text": text,
	}
}

// TestInterface_4_7_CalculateVAT_Defaults checks the defaults: quantity 1, category
// S and no discounts; null counts as absent.
func TestInterface_4_7_CalculateVAT_Defaults(t *testing.T) {
	h := openTools(t)
	want := h.Tool("calculate-vat", `{"lines":[{"item_name":"a","invoiced_quantity":"1","item_net_price":"8.70","vat_rate":"15","vat_category_code":"S"}],"document_level_allowances":[]}`).Branded(t)
	for _, body := range []string{
		`{"lines":[{"item_name":"a","item_net_price":"8.70","vat_rate":"15"}]}`,
		`{"lines":[{"item_name":"a","item_net_price":8.7,"vat_rate":15,"invoiced_quantity":null,"vat_category_code":null,"vat_exemption_reason_code":null}],"document_level_allowances":null}`,
	} {
		servicetest.Same(t, body, h.Tool("calculate-vat", body).Branded(t), want)
	}
	servicetest.Equal(t, "gross", want["invoice_gross_total"], any("10.01"))
}

// TestInterface_4_7_CalculateVAT_RoundsOnceACategory checks that three times 0.33
// at 15 percent has a VAT of 0.15, not three times 0.05.
func TestInterface_4_7_CalculateVAT_RoundsOnceACategory(t *testing.T) {
	line := `{"item_name":"a","item_net_price":"0.33","vat_rate":"15"}`
	got := openTools(t).Tool("calculate-vat", `{"lines":[`+line+`,`+line+`,`+line+`]}`).Branded(t)
	servicetest.Equal(t, "VAT", got["invoice_total_vat_amount"], any("0.15"))
	servicetest.Equal(t, "gross", got["invoice_gross_total"], any("1.14"))
}

// TestInterface_4_7_CalculateVAT_ReasonsInS checks that reasons do not split
// category S: its VAT is rounded once.
func TestInterface_4_7_CalculateVAT_ReasonsInS(t *testing.T) {
	line := func(more string) string {
		return `{"item_name":"a","item_net_price":"0.33","vat_rate":"15"` + more + `}`
	}
	got := openTools(t).Tool("calculate-vat", `{"lines":[`+line("")+`,`+line(`,"vat_exemption_reason_code":"VATEX-SA-32"`)+`,`+line(`,"vat_exemption_reason_text":"why"`)+`]}`).Branded(t)
	servicetest.Equal(t, "VAT", got["invoice_total_vat_amount"], any("0.15"))
	servicetest.Same(t, "breakdown", got["vat_breakdown"], any([]any{vatRow("S", "15", "0.99", "0.15", "", "")}))
}

// TestInterface_4_7_CalculateVAT_AmountsHaveTwoPlaces checks the amounts of random
// sales.
func TestInterface_4_7_CalculateVAT_AmountsHaveTwoPlaces(t *testing.T) {
	h := openTools(t)
	places := regexp.MustCompile(`^[0-9]+\.[0-9]{2}$`)
	r := rand.New(rand.NewPCG(1, 2))
	number := func(most, places int) string { return fmt.Sprintf("%d.%0*d", r.IntN(most), places, r.IntN(1_000)) }
	for range 200 {
		var lines []string
		for range 1 + r.IntN(4) {
			lines = append(lines, `{"item_name":"a","item_net_price":`+number(100, 3+r.IntN(4))+`,"invoiced_quantity":"1`+number(9, 3)+`","vat_rate":"`+number(90, 4)+`1"}`)
		}
		lines = append(lines, `{"item_name":"a","item_net_price":"100","vat_rate":15}`)
		a := h.Tool("calculate-vat", `{"lines":[`+strings.Join(lines, ",")+`],"document_level_allowances":[{"allowance_amount":`+fmt.Sprintf("%.2f", r.Float64()*100)+`}]}`)
		got := a.Branded(t)
		rows, _ := got["vat_breakdown"].([]any)
		for _, row := range append(rows, got) {
			in, _ := row.(servicetest.Record)
			for name := range in {
				if strings.HasSuffix(name, "amount") || strings.HasPrefix(name, "invoice_") {
					if text := servicetest.TextIn(in, name); !places.MatchString(text) {
						t.Errorf("amount %s = %s, want two decimal places", name, text)
					}
				}
			}
		}
	}
}

func TestInterface_4_7_CalculateVAT_MissingAndUnknownFields(t *testing.T) {
	h := openTools(t)
	for _, c := range []struct {
		name, body string
		want       []string
	}{
		{"no lines", `{}`, []string{"lines: Field required"}},
		{"no price, no name, no rate", `{"lines":[{}]}`, []string{"lines.0.item_name: Field required", "lines.0.item_net_price: Field required", "lines.0.vat_rate: Field required"}},
		{"empty lines", `{"lines":[]}`, []string{"lines: must have at least 1 item"}},
		{"null lines", `{"lines":null}`, []string{"lines: must be an array"}},
		{"empty name", `{"lines":[{"item_name":"","item_net_price":"1","vat_rate":"15"}]}`, []string{"lines.0.item_name: must have at least 1 character"}},
		{"unknown field", `{"lines":[{"item_name":"a","item_net_price":"1","vat_rate":"15","colour":"red"}],"tip":1}`,
			[]string{"lines.0.colour: unknown field", "tip: unknown field"}},
		{"discount without an amount", `{"lines":[{"item_name":"a","item_net_price":"1","vat_rate":"15"}],"document_level_allowances":[{}]}`,
			[]string{"document_level_allowances.0.allowance_amount: Field required"}},
		{"a price that is not a number", `{"lines":[{"item_name":"a","item_net_price":"dear","vat_rate":"15"}]}`, []string{"lines.0.item_net_price: must be a decimal number"}},
		{"empty body", ``, []string{"body: Field required"}},
		{"incomplete JSON", `{"lines":`, nil},
		{"an array", `[]`, []string{"body: must be an object"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := h.Tool("calculate-vat", c.body).Problems(t)
			if c.want != nil {
				servicetest.Same(t, "message", got, c.want)
			}
		})
	}
}

func TestInterface_4_7_CalculateVAT_WhatCannotBeComputed(t *testing.T) {
	h := openTools(t)
	line := func(more string) string {
		return `{"lines":[{"item_name":"a","item_net_price":"100","vat_rate":"15"` + more + `}]}`
	}
	discount := func(fields string) string {
		return strings.TrimSuffix(line(""), "}") + `,"document_level_allowances":[{` + fields + `}]}`
	}
	for _, c := range []struct{ name, body, want string }{
		{"a negative price", `{"lines":[{"item_name":"a","item_net_price":"-1","vat_rate":"15"}]}`, "lines.0.item_net_price: must not be negative."},
		{"quantity 0", line(`,"invoiced_quantity":0`), "lines.0.invoiced_quantity: must be greater than 0."},
		{"a negative quantity", line(`,"invoiced_quantity":"-2"`), "lines.0.invoiced_quantity: must be greater than 0."},
		{"an unknown category", line(`,"vat_category_code":"X"`), "lines.0.vat_category_code: must be S, Z, E or O."},
		{"zero rated at 15", line(`,"vat_category_code":"Z"`), "lines.0.vat_rate: must be 0 in category Z."},
		{"standard at 0", `{"lines":[{"item_name":"a","item_net_price":"1","vat_rate":"0"}]}`, "lines.0.vat_rate: must be greater than 0 and at most 100 in category S."},
		{"standard at 101", `{"lines":[{"item_name":"a","item_net_price":"1","vat_rate":"101"}]}`, "lines.0.vat_rate: must be greater than 0 and at most 100 in category S."},
		{"a discount in a category without lines", discount(`"allowance_amount":"5","vat_category_code":"Z"`), "document_level_allowances.0.vat_category_code: no line has category Z at 0 percent."},
		{"a discount at another rate", discount(`"allowance_amount":"5","vat_rate":"5"`), "document_level_allowances.0.vat_category_code: no line has category S at 5 percent."},
		{"a discount above the lines", discount(`"allowance_amount":"100.01"`), "document_level_allowances.0.allowance_amount: is 0.01 more than the lines of category S at 15 percent."},
		{"a discount of three decimals", discount(`"allowance_amount":"1.234"`), "document_level_allowances.0.allowance_amount: must have at most 2 decimal places."},
		{"a discount of a tenth of a cent", discount(`"allowance_amount":0.001`), "document_level_allowances.0.allowance_amount: must have at most 2 decimal places."},
		{"a negative discount", discount(`"allowance_amount":"-5"`), "document_level_allowances.0.allowance_amount: must not be negative."},
	} {
		t.Run(c.name, func(t *testing.T) {
			servicetest.Equal(t, "detail", detail(h.Tool("calculate-vat", c.body), t), c.want)
		})
	}
}

// TestInterface_4_7_PublicToolsStandBelowV13 checks that the public tools exist
// only below /v1-3 and the key surface only below /v1.
func TestInterface_4_7_PublicToolsStandBelowV13(t *testing.T) {
	h := openTools(t)
	for _, name := range []string{"calculate-vat", "scan-qr-code", "validate-zatca", "export"} {
		if a := h.Call(http.MethodPost, "/v1/api/public/"+name+"/", "{}"); a.Status != http.StatusNotFound {
			t.Errorf("tool %s below /v1: status %d, want 404", name, a.Status)
		}
		if a := h.As("", http.MethodGet, "/v1-3/api/public/"+name+"/", ""); a.Status != http.StatusMethodNotAllowed {
			t.Errorf("GET of tool %s: status %d, want 405", name, a.Status)
		}
	}
	for _, path := range []string{"/api/invoices/", "/api/buyers/", "/api/usage/current/"} {
		if a := h.Call(http.MethodGet, "/v1-3"+path, ""); a.Status != http.StatusNotFound {
			t.Errorf("/v1-3%s: status %d, want 404", path, a.Status)
		}
	}
}
