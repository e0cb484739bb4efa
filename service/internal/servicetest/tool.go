package servicetest

import (
	"encoding/base64"
	"encoding/csv"
	"net/http"
	"strings"
	"testing"

	"khatm/qr"
)

// Branding is the branding text in every successful response of the public
// tools.
const Branding = "Made with Khatm, e-invoicing for Saudi Arabia"

// Tool calls a public tool without credentials.
func (h *Instance) Tool(name, body string) Answer {
	h.TB.Helper()
	return h.As("", http.MethodPost, "/v1-3/api/public/"+name+"/", body)
}

// Branded checks the branding of a successful response and returns its body.
func (a Answer) Branded(t testing.TB) Record {
	t.Helper()
	body := a.Wants(t, http.StatusOK)
	Equal(t, "branding", body["branding"], any(Branding))
	Equal(t, "X-Branding", a.Header.Get("X-Branding"), Branding)
	return body
}

// Verdict is the result of validate-zatca, by rule.
type Verdict struct {
	Order   []string
	Results map[string]Record
}

// Verdict reads the results of validate-zatca.
func (a Answer) Verdict(t testing.TB) Verdict {
	t.Helper()
	v := Verdict{Results: map[string]Record{}}
	list, _ := a.Branded(t)["results"].([]any)
	for _, one := range list {
		r, _ := one.(Record)
		id := TextIn(r, "rule_id")
		v.Order, v.Results[id] = append(v.Order, id), r
	}
	return v
}

// Sheet is a parsed CSV export.
type Sheet [][]string

// Sheet parses a CSV response.
func (a Answer) Sheet(t testing.TB) Sheet {
	t.Helper()
	if a.Status != http.StatusOK {
		t.Fatalf("export: got %d %.300s, want 200", a.Status, a.Body)
	}
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(a.Body, "\ufeff"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// ToolBodies returns a valid request body for each public tool.
func ToolBodies(t testing.TB) map[string]string {
	t.Helper()
	return map[string]string{
		"calculate-vat":  `{"lines":[{"item_name":"a","item_net_price":"1","vat_rate":"15"}]}`,
		"scan-qr-code":   ScanBody(t, Code(FirstFive...)),
		"validate-zatca": Least,
		"export":         `{"invoice":` + Least + `,"format":"json"}`,
	}
}

// Code returns the text of a QR code with the given fields.
func Code(fields ...qr.Field) string {
	var tlv []byte
	for _, f := range fields {
		tlv = append(append(tlv, f.Tag, byte(len(f.Value))), f.Value...)
	}
	return base64.StdEncoding.EncodeToString(tlv)
}

// Tag returns a field of a QR code.
func Tag(n byte, value string) qr.Field { return qr.Field{Tag: n, Value: []byte(value)} }

// FirstFive are the fields of a QR code without a stamp.
var FirstFive = []qr.Field{
	Tag(1, "شركة ختم التجريبية"), Tag(2, "310175397400003"), Tag(3, "2026-11-15T09:15:30"), Tag(4, "115.00"), Tag(5, "15.00"),
}

// ScanBody returns the request body of scan-qr-code.
func ScanBody(t testing.TB, text string) string {
	t.Helper()
	return AsJSON(t, Record{"qr_base64": text})
}

// Least is the smallest valid body of validate-zatca.
const Least = `{"ref_num":"INV-1","issue_date":"2026-11-15",
	"seller":{"name":"Khatm Demo Trading","vat_registration_number":"310175397400003","additional_seller_id":{"type_id":"CRN","value":"1010183482"},
		"street":"King Fahd Road","building_number":"8091","district":"Al Olaya","city":"Riyadh","postal_code":"12214"},
	"lines":[{"item_name":"Arabic coffee","item_net_price":"8.70"}]}`
