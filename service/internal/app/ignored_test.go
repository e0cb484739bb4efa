package app_test

import (
	"net/http"
	"testing"

	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

// Unknown fields are listed as on the API for keys, also without a session.
func TestIgnoredFieldsAreNamed(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	shop := h.Scenario()
	admin := h.Session(org.Admin, h.Org)
	draft := func(change servicetest.Fields) string { return `{"invoice":` + shop.Standard(change) + `}` }
	for _, c := range []struct{ user, method, path, body, want string }{
		{admin, http.MethodPost, servicetest.DevicesPath, `{"common_name":"Till 9","invoice_type":"1100","industry":"Retail","branch":"x"}`, "branch"},
		{admin, http.MethodPatch, servicetest.CompanyPath, `{"country_code":"US","settings":{"due_day":3}}`, "country_code, settings.due_day"},
		{admin, http.MethodPatch, servicetest.CompanyPath, `{"city":7,"colour":1}`, "colour"},
		{admin, http.MethodPatch, servicetest.CompanyPath, `{"city":"Riyadh"}`, ""},
		{admin, http.MethodPatch, servicetest.PersonPath, `{"names":"Noura"}`, "names"},
		{"", http.MethodPost, servicetest.SessionPath, `{"email":"a@example.sa","password":"x","remember":true}`, "remember"},
		{admin, http.MethodPost, servicetest.DraftsPath, draft(servicetest.Fields{"issue_date": "2026-01-01", "payment_terms": "x", "colour": 1}), "invoice.colour"},
	} {
		a := h.As(c.user, c.method, c.path, c.body)
		if got := a.Header.Get("X-Khatm-Ignored"); got != c.want {
			t.Errorf("%s %s: X-Khatm-Ignored = %q, want %q; %d %.200s", c.method, c.path, got, c.want, a.Status, a.Body)
		}
	}
}
