package service_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"khatm/service/internal/tools"
)

// toolBodies are bodies that the tools accept.
func toolBodies(t testing.TB) map[string]string {
	t.Helper()
	return map[string]string{
		"calculate-vat":  `{"lines":[{"item_name":"a","item_net_price":"1","vat_rate":"15"}]}`,
		"scan-qr-code":   scanBody(t, code(firstFive...)),
		"validate-zatca": least,
		"export":         `{"invoice":` + least + `,"format":"json"}`,
	}
}

func TestInterface_4_7_BrandingOnEverySuccess(t *testing.T) {
	h := openTools(t)
	for name, body := range toolBodies(t) {
		t.Run(name, func(t *testing.T) { h.tool(name, body).branded(t) })
	}
}

func TestInterface_4_7_EveryBodyIsStrict(t *testing.T) {
	h := openTools(t)
	for name, body := range toolBodies(t) {
		same(t, name, h.tool(name, with(t, body, record{"surprise": true})).problems(t), []string{"surprise: Extra inputs are not permitted"})
	}
}

// TestInterface_7_5_PublicTool_MissingField and what is unknown: a list of
// messages, and no detail.
func TestInterface_7_5_PublicTool_MissingField(t *testing.T) {
	h := openTools(t)
	for name, field := range map[string]string{"calculate-vat": "lines", "scan-qr-code": "qr_base64", "validate-zatca": "issue_date", "export": "invoice"} {
		a := h.tool(name, with(t, toolBodies(t)[name], record{field: absent{}}))
		same(t, name, a.wants(t, http.StatusBadRequest), record{"message": []any{field + ": Field required"}})
	}
}

// TestInterface_7_5_PublicTool_RefusedInput: one sentence, and no message.
func TestInterface_7_5_PublicTool_RefusedInput(t *testing.T) {
	h := openTools(t)
	bodies := toolBodies(t)
	for name, body := range map[string]string{
		"calculate-vat":  strings.Replace(bodies["calculate-vat"], `"1"`, `"-1"`, 1),
		"scan-qr-code":   `{"qr_base64":"*"}`,
		"validate-zatca": with(t, least, record{"expected_payable_amount": 1}),
		"export":         `{"invoice":` + with(t, least, record{"issue_date": "never"}) + `}`,
	} {
		if words := h.tool(name, body).detail(t); !strings.HasSuffix(words, ".") {
			t.Errorf("%s: %q is no sentence", name, words)
		}
	}
}

// TestDocument_ToolsRefuseWhatItForbids breaks every bound that the document
// publishes of the tools, and finds it refused by name.
func TestDocument_ToolsRefuseWhatItForbids(t *testing.T) {
	h := openTools(t)
	contract, err := contractOf(h.service.Rows(), tools.Base)
	if err != nil {
		t.Fatal(err)
	}
	violations, err := contract.Violations()
	if err != nil {
		t.Fatal(err)
	}
	tried := map[string]int{}
	for _, v := range violations {
		if !slices.Contains([]string{"calculate-vat", "scan-qr-code", "validate-zatca", "export-invoice"}, v.Operation) {
			continue
		}
		tried[v.Operation]++
		a := h.place(t, v.Call)
		if a.status != http.StatusBadRequest {
			t.Errorf("%s, %s: got %d %.200s, want 400", v.Operation, v.Bound, a.status, a.body)
			continue
		}
		if err := v.Told([]byte(a.body)); err != nil {
			t.Error(err)
		}
	}
	if len(tried) != 4 || tried["validate-zatca"] < 100 {
		t.Errorf("bounds broken: %v", tried)
	}
	t.Logf("bounds broken: %v", tried)
}

// TestDocument_ToolsAcceptWhatTheyShow: the example of each tool is answered.
func TestDocument_ToolsAcceptWhatTheyShow(t *testing.T) {
	h := openTools(t)
	shown := 0
	for _, row := range h.service.Rows() {
		if row.Tag != "Tools" || row.Example == "" || row.Method != http.MethodPost {
			continue
		}
		shown++
		if a := h.as("", http.MethodPost, tools.Base+row.Path, row.Example); a.status != http.StatusOK {
			t.Errorf("%s: got %d %s", row.Name, a.status, a.body)
		}
	}
	equal(t, "tools with an example", shown, 4)
}
