package service_test

import (
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"khatm/service/internal/org"
	"khatm/service/internal/server"
)

func TestInterface_7_1_Shapes(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		viewer := h.newKey(h.org, org.ViewInvoice)
		missing := "/v1/api/buyers/00000000-0000-4000-8000-000000000000/"
		cases := []struct {
			name string
			got  answer
			want refusal
		}{
			{"validation", h.call("PATCH", missing, `{"buyer_name":7,"city":true}`), refusal{400, `{"message":["buyer_name: Input should be a valid string","city: Input should be a valid string"]}`}},
			{"a parameter", h.call("GET", "/v1/api/items/?page=0", ""), refusal{400, `{"message":["page: Input should be greater than or equal to 1"]}`}},
			{"a business rule", h.call("GET", "/v1/api/invoices/vat/?vat_category_code=X", ""), refusal{400, `{"message":"Invalid VAT Category"}`}},
			{"no credential", h.as("", "GET", usagePath, ""), refusal{401, strings.TrimSpace(noToken.body)}},
			{"no right", h.as(viewer, "PATCH", missing, "{}"), refusal{403, strings.TrimSpace(noRight.body)}},
			{"no record", h.call("PATCH", missing, "{}"), refusal{404, strings.TrimSpace(noBuyer.body)}},
			{"no path", h.call("GET", "/v1/api/nothing/", ""), refusal{404, `{"message":"Not found"}`}},
			{"no path, without a key", h.as("", "GET", "/", ""), refusal{404, `{"message":"Not found"}`}},
			{"no slash", h.call("GET", "/v1/api/buyers", ""), refusal{404, `{"message":"Not found. Paths end with a slash: /v1/api/buyers/"}`}},
			{"no slash behind an id", h.call("PATCH", strings.TrimSuffix(missing, "/"), "{}"), refusal{404, `{"message":"Not found. Paths end with a slash: ` + missing + `"}`}},
			{"no method", h.call("POST", "/v1/api/buyers/", "{}"), refusal{405, `{"message":"Method not allowed. This path knows GET."}`}},
		}
		for _, c := range cases {
			c.want.body += "\n"
			c.want.wants(t, c.name, c.got)
		}
	})
}

// Key paths stand below /v1 and nowhere else.
func TestConventions_KeyPathsBelowTheirBaseOnly(t *testing.T) {
	h := open(t, nil)
	for _, base := range []string{"", "/v1-3", "/v2", "/V1", "/v1/v1"} {
		noSuchPath.wants(t, base, h.call(http.MethodGet, base+"/api/usage/current/", ""))
	}
	for _, path := range []string{"/v1/api/public/health/", "/v1/api/public/calculate-vat/"} {
		noSuchPath.wants(t, path, h.call(http.MethodGet, path, ""))
	}
}

func TestInterface_7_1_AllowNamesTheMethods(t *testing.T) {
	h := open(t, nil)
	id := "00000000-0000-4000-8000-000000000000/"
	for path, want := range map[string]string{
		"/v1/api/buyers/": "GET", "/v1/api/items/": "GET, POST", "/v1/api/buyers/" + id: "GET, PATCH", "/v1/api/items/" + id: "GET, PATCH",
		"/v1/api/onboarding/organizations/clients/": "POST", usagePath: "GET", "/v1/api/plans/": "GET", "/v1/api/integrations/openapi.json": "GET, HEAD",
	} {
		got := h.call(http.MethodDelete, path, "")
		if got.status != http.StatusMethodNotAllowed || got.header.Get("Allow") != want {
			t.Errorf("%s: got %d, Allow %q, want %q", path, got.status, got.header.Get("Allow"), want)
		}
	}
}

var requestID = regexp.MustCompile(`^[0-9a-hjkmnp-tv-z]{16}$`)

func TestInterface_7_1_EveryAnswerHasARequestID(t *testing.T) {
	h := open(t, func(c *server.Config) { c.Rates.IP = 300 })
	var mu sync.Mutex
	seen := map[string]int{}
	ask := func(method, path string, prepare ...func(*http.Request)) {
		a := h.send(method, path, prepare...)
		mu.Lock()
		defer mu.Unlock()
		id := a.header.Get("X-Request-ID")
		if seen[id]++; !requestID.MatchString(id) || seen[id] > 1 {
			t.Errorf("%s %s: the id is %q, given %d times", method, path, id, seen[id])
		}
		if a.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s %s: the headers are %v", method, path, a.header)
		}
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 10 {
				ask("GET", usagePath, bearer(h.key))
				ask("GET", "/v1/api/invoices/vat/", bearer(h.key), header("If-None-Match", "*"))
				ask("GET", "/v1/api/items/?page=x", bearer(h.key))
				ask("GET", usagePath)
				ask("GET", "/v1/nothing", bearer(h.key), header("X-Request-ID", "mine"))
				ask("PUT", usagePath)
				ask("GET", "/v1/api/integrations/openapi.json")
				ask("GET", "/v1/api/integrations/docs")
				ask("GET", "/v1/api/plans/") // some of them beyond the limit
			}
		})
	}
	all.Wait()
	h.server.Close() // waits for the last line of the log
	for id := range seen {
		if !strings.Contains(h.log.String(), `"request":"`+id+`"`) {
			t.Errorf("the log does not know %s", id)
		}
	}
}
