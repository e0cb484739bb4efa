package tools_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"khatm/service/internal/servicetest"
	"khatm/service/internal/tools"
)

func TestInterface_4_7_BrandingOnEverySuccess(t *testing.T) {
	h := openTools(t)
	for name, body := range servicetest.ToolBodies(t) {
		t.Run(name, func(t *testing.T) { h.Tool(name, body).Branded(t) })
	}
}

func TestInterface_4_7_EveryBodyIsStrict(t *testing.T) {
	h := openTools(t)
	for name, body := range servicetest.ToolBodies(t) {
		servicetest.Same(t, name, h.Tool(name, servicetest.With(t, body, servicetest.Record{"surprise": true})).Problems(t), []string{"surprise: unknown field"})
	}
}

// TestInterface_7_5_PublicTool_MissingField checks that a missing or unknown field
// gives a list of messages and no detail.
func TestInterface_7_5_PublicTool_MissingField(t *testing.T) {
	h := openTools(t)
	for name, field := range map[string]string{"calculate-vat": "lines", "scan-qr-code": "qr_base64", "validate-zatca": "issue_date", "export": "invoice"} {
		a := h.Tool(name, servicetest.With(t, servicetest.ToolBodies(t)[name], servicetest.Record{field: servicetest.Absent{}}))
		got := a.Wants(t, http.StatusBadRequest)
		problem, _ := got["errors"].([]any)[0].(servicetest.Record)
		servicetest.Same(t, name, []any{got["message"], got["detail"], problem["path"], problem["code"]}, []any{[]any{field + ": Field required"}, nil, field, "field_required"})
	}
}

// TestInterface_7_5_PublicTool_RefusedInput checks that the response to refused
// input has a detail and no message.
func TestInterface_7_5_PublicTool_RefusedInput(t *testing.T) {
	h := openTools(t)
	bodies := servicetest.ToolBodies(t)
	for name, body := range map[string]string{
		"calculate-vat":  strings.Replace(bodies["calculate-vat"], `"1"`, `"-1"`, 1),
		"scan-qr-code":   `{"qr_base64":"*"}`,
		"validate-zatca": servicetest.With(t, servicetest.Least, servicetest.Record{"expected_payable_amount": 1}),
		"export":         `{"invoice":` + servicetest.With(t, servicetest.Least, servicetest.Record{"issue_date": "never"}) + `}`,
	} {
		if words := detail(h.Tool(name, body), t); !strings.HasSuffix(words, ".") {
			t.Errorf("%s: detail %q does not end with a full stop", name, words)
		}
	}
}

// TestDocument_ToolsRefuseWhatItForbids breaks every constraint that the OpenAPI
// document publishes for the tools, and checks that the field is named.
func TestDocument_ToolsRefuseWhatItForbids(t *testing.T) {
	h := openTools(t)
	violations := h.Violations(t, tools.Base)
	tried := map[string]int{}
	for _, v := range violations {
		if !slices.Contains([]string{"calculate-vat", "scan-qr-code", "validate-zatca", "export-invoice"}, v.Operation) {
			continue
		}
		tried[v.Operation]++
		a := h.Place(t, v.Call)
		if a.Status != http.StatusBadRequest {
			t.Errorf("%s, violation of %s: status %d, body %.200s; want 400", v.Operation, v.Bound, a.Status, a.Body)
			continue
		}
		if err := v.Told([]byte(a.Body)); err != nil {
			t.Error(err)
		}
	}
	if len(tried) != 4 || tried["validate-zatca"] < 100 {
		t.Errorf("violated constraints: %v, want all 4 tools, and at least 100 for validate-zatca", tried)
	}
	t.Logf("violated constraints: %v", tried)
}

// TestDocument_ToolsAcceptWhatTheyShow sends the example of each tool.
func TestDocument_ToolsAcceptWhatTheyShow(t *testing.T) {
	h := openTools(t)
	shown := 0
	for _, row := range h.Service.Rows() {
		if row.Tag != "Tools" || row.Example == "" || row.Method != http.MethodPost {
			continue
		}
		shown++
		if a := h.As("", http.MethodPost, tools.Base+row.Path, row.Example); a.Status != http.StatusOK {
			t.Errorf("example of %s: status %d, body %s; want 200", row.Name, a.Status, a.Body)
		}
	}
	servicetest.Equal(t, "tools with an example", shown, 4)
}
