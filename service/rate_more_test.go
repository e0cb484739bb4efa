package service_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/store/storetest"
)

func TestInterface_8_ClientCreation(t *testing.T) {
	eachWith(t, rates(nil), func(t *testing.T, h *house) {
		create := func(key string) answer {
			return h.send(http.MethodPost, "/v1/api/onboarding/organizations/clients/", bearer(key), formBody(t, part{"client_data", "", goodClient()}))
		}
		total := func() any { return h.call("GET", "/v1/api/buyers/", "").json(t)["total"] }
		for i := range 50 {
			if got := create(h.key); got.status != http.StatusCreated || windowOf(got).limit != "200" {
				t.Fatalf("client %d: got %d %+v", i+1, got.status, windowOf(got))
			}
		}
		got := create(h.key)
		want := `{"detail":"Request was throttled. Expected available in 60 seconds.","limit":50,"retry_after":60,"window":60}` + "\n"
		if got.status != http.StatusTooManyRequests || got.body != want || windowOf(got) != (window{"50", "0", "60", "60"}) {
			t.Errorf("client 51: got %d %+v %s", got.status, windowOf(got), got.body)
		}
		if n := total(); n != number(50) {
			t.Errorf("there are %v clients", n)
		}
		if got := h.call("GET", usagePath, ""); got.status != http.StatusOK || windowOf(got).limit != "200" {
			t.Errorf("another call of the key: got %d %+v", got.status, windowOf(got))
		}
		if got := create(h.newKey(h.org, org.CreateInvoice)); got.status != http.StatusCreated {
			t.Errorf("another key: got %d %s", got.status, got.body)
		}
		h.clock.Advance(60e9)
		if got := create(h.key); got.status != http.StatusCreated {
			t.Errorf("a minute later: got %d %s", got.status, got.body)
		}
	})
}

// Who may not create clients does not use the window up for the key.
func TestInterface_8_RefusedCreationsAreNotCounted(t *testing.T) {
	h := open(t, rates(func(r *server.Rates) { r.Clients = 1 }))
	key := h.newKey(h.org, org.ViewInvoice)
	for range 3 {
		noRight.wants(t, "a viewer", h.send(http.MethodPost, "/v1/api/onboarding/organizations/clients/", bearer(key)))
	}
}

func TestInterface_8_DocumentationIsNotCounted(t *testing.T) {
	h := open(t, rates(func(r *server.Rates) { r.IP, r.Key = 1, 1 }))
	pages := []string{"openapi.json", "openapi-3.0.json", "docs", "docs/", "docs/swagger-ui.css"}
	for range 5 {
		for _, page := range pages {
			for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPut} {
				got := h.send(method, "/v1/api/integrations/"+page, bearer(h.key))
				if wrong := method == http.MethodPut; (got.status == http.StatusMethodNotAllowed) != wrong || !wrong && got.status != http.StatusOK {
					t.Errorf("%s %s: got %d", method, page, got.status)
				}
				if windowOf(got) != (window{}) {
					t.Errorf("%s %s: %+v", method, page, windowOf(got))
				}
			}
		}
	}
	for _, credential := range []string{h.key, ""} {
		if got := h.as(credential, "GET", "/v1/api/usage/current/", ""); got.status == http.StatusTooManyRequests {
			t.Error("reading the documentation was counted")
		}
	}
}

func TestInterface_8_LimitsAreSettings(t *testing.T) {
	h := open(t, rates(func(r *server.Rates) { r.Key, r.Person, r.IP, r.Clients = 11, 12, 13, 1 }))
	person := h.session(org.Admin, h.org)
	for credential, want := range map[string]string{h.key: "11", person: "12", "": "13"} {
		if got := windowOf(h.as(credential, "GET", usagePath, "")).limit; got != want {
			t.Errorf("the limit is %s, want %s", got, want)
		}
	}
	h.form("/v1/api/onboarding/organizations/clients/", part{"client_data", "", goodClient()})
	got := h.form("/v1/api/onboarding/organizations/clients/", part{"client_data", "", goodClient()})
	if got.status != http.StatusTooManyRequests || windowOf(got).limit != "1" {
		t.Errorf("the second client: got %d %+v", got.status, windowOf(got))
	}
}

// Invoices must not wait for a counter: without it calls go on, and the log says so.
func TestInterface_8_CounterIsAway(t *testing.T) {
	url := storetest.Postgres(t).URL
	h := open(t, func(c *server.Config) { c.Rates.Key, c.Rates.Clients, c.Database = 5, 2, url })
	rename := func(from, to string) {
		t.Helper()
		conn, err := pgx.Connect(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close(t.Context()) }()
		if _, err := conn.Exec(t.Context(), `ALTER TABLE `+from+` RENAME TO `+to); err != nil {
			t.Fatal(err)
		}
	}
	rename("rate_window", "elsewhere")
	for range 10 {
		got := h.call("GET", usagePath, "")
		if got.status != http.StatusOK || windowOf(got) != (window{"5", "5", "60", ""}) {
			t.Errorf("without a counter: got %d %+v", got.status, windowOf(got))
		}
	}
	for range 3 {
		got := h.form("/v1/api/onboarding/organizations/clients/", part{"client_data", "", goodClient()})
		if got.status != http.StatusCreated {
			t.Errorf("a client without a counter: got %d %s", got.status, got.body)
		}
	}
	noToken.wants(t, "nobody, without a counter", h.as("", "GET", usagePath, ""))
	log := h.log.String()
	for _, name := range []string{"key", "ip", "clients"} {
		if !strings.Contains(log, `"msg":"rate window cannot be counted","window":"`+name+`"`) {
			t.Errorf("the log does not tell of window %s", name)
		}
	}
	rename("elsewhere", "rate_window")
	if got := windowOf(h.call("GET", usagePath, "")); got.remaining != "4" {
		t.Errorf("the counter is back: %+v", got)
	}
}
