package api_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"khatm/service/internal/servicetest"
)

// TestIgnoredFieldsAreNamed checks X-Khatm-Ignored on JSON bodies and forms, on
// success and on refusal.
func TestIgnoredFieldsAreNamed(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	s := h.Scenario()
	many := servicetest.Fields{}
	for i := range 30 {
		many["unknown_"+strconv.Itoa(i)+strings.Repeat("x", 60)] = 1
	}
	item := func(parts ...servicetest.Part) servicetest.Answer {
		return h.Send(http.MethodPost, "/v1/api/items/", servicetest.Bearer(h.Key), servicetest.FormBody(t, parts...))
	}
	preview := func(change servicetest.Fields) servicetest.Answer {
		return s.Call(http.MethodPost, "/v1/api/invoices/preview/", s.Standard(change))
	}
	for name, c := range map[string]struct {
		got  servicetest.Answer
		want string
	}{
		"none":               {preview(nil), ""},
		"documented":         {preview(servicetest.Fields{"issue_date": "2026-01-01", "payment_terms": "x", "document_level_charges": []any{}}), ""},
		"at the top":         {preview(servicetest.Fields{"colour": 1}), "colour"},
		"in a line":          {preview(servicetest.Fields{"form_lines": []any{s.Line(servicetest.Fields{"vat_rat": 1})}}), "form_lines[0].vat_rat"},
		"unsafe":             {preview(servicetest.Fields{"a,b\r\nX: ش": 1}), "a?b??X:??"},
		"with a refusal":     {preview(servicetest.Fields{"colour": 1, "device": nil}), "colour"},
		"part of a form":     {item(servicetest.Part{Field: "item_data", Content: servicetest.GoodItem()}, servicetest.Part{Field: "colour", Content: "red"}), "colour"},
		"field in a part":    {item(servicetest.Part{Field: "item_data", Content: strings.Replace(servicetest.GoodItem(), "{", `{"size":1,`, 1)}), "item_data.size"},
		"a query is no body": {s.Call(http.MethodGet, "/v1/api/items/?colour=red", ""), ""},
	} {
		if got := c.got.Header.Get("X-Khatm-Ignored"); got != c.want {
			t.Errorf("%s: X-Khatm-Ignored = %q, want %q; %d %.200s", name, got, c.want, c.got.Status, c.got.Body)
		}
	}
	got := preview(many).Header.Get("X-Khatm-Ignored")
	if n := len(strings.Split(got, ", ")); len(got) > 1024 || n < 10 || n > 20 {
		t.Errorf("30 unknown fields: %d names in %d bytes, want at most 20 in 1024", n, len(got))
	}
}

func TestEveryAnswerNamesTheEnvironment(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	for _, path := range []string{"/v1/api/usage/current/", "/v1/api/nothing/", "/v1/api/integrations/openapi.json", "/v1-3/api/public/health/", "/app/api/drafts/"} {
		if got := h.Call(http.MethodGet, path, "").Header.Get("X-Khatm-Environment"); got != "simulator" {
			t.Errorf("%s: X-Khatm-Environment = %q, want simulator", path, got)
		}
	}
}
