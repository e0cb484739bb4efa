package wire_test

import (
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

func TestInterface_7_1_Shapes(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		viewer := h.NewKey(h.Org, org.ViewInvoice)
		missing := "/v1/api/buyers/00000000-0000-4000-8000-000000000000/"
		cases := []struct {
			name string
			got  servicetest.Answer
			want servicetest.Refusal
		}{
			{"validation of a body", h.Call("PATCH", missing, `{"buyer_name":7,"city":true}`), servicetest.Refusal{Status: 400, Body: `{"message":["buyer_name: must be a string","city: must be a string"]}`}},
			{"validation of a parameter", h.Call("GET", "/v1/api/items/?page=0", ""), servicetest.Refusal{Status: 400, Body: `{"message":["page: must be at least 1"]}`}},
			{"a business rule", h.Call("GET", "/v1/api/invoices/vat/?vat_category_code=X", ""), servicetest.Refusal{Status: 400, Body: `{"message":"Invalid VAT Category"}`}},
			{"no credential", h.As("", "GET", servicetest.UsagePath, ""), servicetest.Refusal{Status: 401, Body: strings.TrimSpace(servicetest.NoToken.Body)}},
			{"no permission", h.As(viewer, "PATCH", missing, "{}"), servicetest.Refusal{Status: 403, Body: strings.TrimSpace(servicetest.NoRight.Body)}},
			{"unknown record", h.Call("PATCH", missing, "{}"), servicetest.Refusal{Status: 404, Body: strings.TrimSpace(servicetest.NoBuyer.Body)}},
			{"unknown path", h.Call("GET", "/v1/api/nothing/", ""), servicetest.Refusal{Status: 404, Body: `{"message":"Not found"}`}},
			{"unknown path without a key", h.As("", "GET", "/nowhere", ""), servicetest.Refusal{Status: 404, Body: `{"message":"Not found"}`}},
			{"missing slash", h.Call("GET", "/v1/api/buyers", ""), servicetest.Refusal{Status: 404, Body: `{"message":"Not found. Paths end with a slash: /v1/api/buyers/"}`}},
			{"missing slash after an id", h.Call("PATCH", strings.TrimSuffix(missing, "/"), "{}"), servicetest.Refusal{Status: 404, Body: `{"message":"Not found. Paths end with a slash: ` + missing + `"}`}},
			{"wrong method", h.Call("POST", "/v1/api/buyers/", "{}"), servicetest.Refusal{Status: 405, Body: `{"message":"Method not allowed. This path allows GET."}`}},
		}
		for _, c := range cases {
			c.want.Body += "\n"
			c.want.Wants(t, c.name, c.got)
		}
	})
}

// Paths that need a key exist below /v1 and nowhere else.
func TestConventions_KeyPathsBelowTheirBaseOnly(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	for _, base := range []string{"", "/v1-3", "/v2", "/V1", "/v1/v1"} {
		servicetest.NoSuchPath.Wants(t, base, h.Call(http.MethodGet, base+"/api/usage/current/", ""))
	}
	for _, path := range []string{"/v1/api/public/health/", "/v1/api/public/calculate-vat/"} {
		servicetest.NoSuchPath.Wants(t, path, h.Call(http.MethodGet, path, ""))
	}
}

func TestInterface_7_1_AllowNamesTheMethods(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	id := "00000000-0000-4000-8000-000000000000/"
	for path, want := range map[string]string{
		"/v1/api/buyers/": "GET", "/v1/api/items/": "GET, POST", "/v1/api/buyers/" + id: "GET, PATCH", "/v1/api/items/" + id: "GET, PATCH",
		"/v1/api/onboarding/organizations/clients/": "POST", servicetest.UsagePath: "GET", "/v1/api/plans/": "GET", "/v1/api/integrations/openapi.json": "GET, HEAD",
	} {
		got := h.Call(http.MethodDelete, path, "")
		if got.Status != http.StatusMethodNotAllowed || got.Header.Get("Allow") != want {
			t.Errorf("wrong method on %s: status %d, Allow %q; want %q", path, got.Status, got.Header.Get("Allow"), want)
		}
	}
}

var requestID = regexp.MustCompile(`^[0-9a-hjkmnp-tv-z]{16}$`)

func TestInterface_7_1_EveryAnswerHasARequestID(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, func(c *server.Config) { c.Rates.IP = 300 })
	var mu sync.Mutex
	seen := map[string]int{}
	ask := func(method, path string, prepare ...func(*http.Request)) {
		a := h.Send(method, path, prepare...)
		mu.Lock()
		defer mu.Unlock()
		id := a.Header.Get("X-Request-ID")
		if seen[id]++; !requestID.MatchString(id) || seen[id] > 1 {
			t.Errorf("%s %s: request id %q, used %d times; want a new id of 16 characters", method, path, id, seen[id])
		}
		if a.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s %s: common headers are missing in %v", method, path, a.Header)
		}
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 10 {
				ask("GET", servicetest.UsagePath, servicetest.Bearer(h.Key))
				ask("GET", "/v1/api/invoices/vat/", servicetest.Bearer(h.Key), servicetest.Header("If-None-Match", "*"))
				ask("GET", "/v1/api/items/?page=x", servicetest.Bearer(h.Key))
				ask("GET", servicetest.UsagePath)
				ask("GET", "/v1/nothing", servicetest.Bearer(h.Key), servicetest.Header("X-Request-ID", "mine"))
				ask("PUT", servicetest.UsagePath)
				ask("GET", "/v1/api/integrations/openapi.json")
				ask("GET", "/v1/api/integrations/docs")
				ask("GET", "/v1/api/plans/") // some of them above the rate limit
			}
		})
	}
	all.Wait()
	h.HTTP.Close() // waits until all requests are logged
	for id := range seen {
		if !strings.Contains(h.Log.String(), `"request":"`+id+`"`) {
			t.Errorf("request id %s is not in the log", id)
		}
	}
}
