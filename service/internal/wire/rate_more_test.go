package wire_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store/storetest"
)

func TestInterface_8_ClientCreation(t *testing.T) {
	servicetest.MostlySQLiteWith(t, rates(nil), func(t *testing.T, h *servicetest.Instance) {
		create := func(key string) servicetest.Answer {
			return h.Send(http.MethodPost, "/v1/api/onboarding/organizations/clients/", servicetest.Bearer(key), servicetest.FormBody(t, servicetest.Part{Field: "client_data", Filename: "", Content: servicetest.GoodClient()}))
		}
		total := func() any { return h.Call("GET", "/v1/api/buyers/", "").JSON(t)["total"] }
		for i := range 50 {
			if got := create(h.Key); got.Status != http.StatusCreated || servicetest.RateWindowOf(got).Limit != "200" {
				t.Fatalf("client %d of 50: status %d, rate limit %+v; want 201 with a limit of 200", i+1, got.Status, servicetest.RateWindowOf(got))
			}
		}
		got := create(h.Key)
		want := `{"detail":"Request was throttled. Expected available in 60 seconds.","limit":50,"retry_after":60,"window":60}` + "\n"
		if got.Status != http.StatusTooManyRequests || servicetest.Plain(got.Body) != want || servicetest.RateWindowOf(got) != (servicetest.RateWindow{Limit: "50", Remaining: "0", Reset: "60", Retry: "60"}) {
			t.Errorf("client 51: status %d, rate limit %+v, body %s; want 429 with a limit of 50 and body %s", got.Status, servicetest.RateWindowOf(got), got.Body, want)
		}
		if n := total(); n != servicetest.Number(50) {
			t.Errorf("%v clients exist, want 50", n)
		}
		if got := h.Call("GET", servicetest.UsagePath, ""); got.Status != http.StatusOK || servicetest.RateWindowOf(got).Limit != "200" {
			t.Errorf("another operation with the same key: status %d, rate limit %+v; want 200 with a limit of 200", got.Status, servicetest.RateWindowOf(got))
		}
		if got := create(h.NewKey(h.Org, org.CreateInvoice)); got.Status != http.StatusCreated {
			t.Errorf("client of another key: status %d, body %s; want 201", got.Status, got.Body)
		}
		h.Clock.Advance(60e9)
		if got := create(h.Key); got.Status != http.StatusCreated {
			t.Errorf("client a minute later: status %d, body %s; want 201", got.Status, got.Body)
		}
	})
}

// Calls without permission to create clients do not use up the window of the key.
func TestInterface_8_RefusedCreationsAreNotCounted(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, rates(func(r *server.Rates) { r.Clients = 1 }))
	key := h.NewKey(h.Org, org.ViewInvoice)
	for range 3 {
		servicetest.NoRight.Wants(t, "a viewer", h.Send(http.MethodPost, "/v1/api/onboarding/organizations/clients/", servicetest.Bearer(key)))
	}
}

func TestInterface_8_DocumentationIsNotCounted(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, rates(func(r *server.Rates) { r.IP, r.Key = 1, 1 }))
	pages := []string{"openapi.json", "openapi-3.0.json", "docs", "docs/", "docs/swagger-ui.css"}
	for range 5 {
		for _, page := range pages {
			for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPut} {
				got := h.Send(method, "/v1/api/integrations/"+page, servicetest.Bearer(h.Key))
				if wrong := method == http.MethodPut; (got.Status == http.StatusMethodNotAllowed) != wrong || !wrong && got.Status != http.StatusOK {
					t.Errorf("%s %s: status %d, want 405 for PUT and 200 otherwise", method, page, got.Status)
				}
				if servicetest.RateWindowOf(got) != (servicetest.RateWindow{}) {
					t.Errorf("%s %s: has rate limit headers %+v, want none", method, page, servicetest.RateWindowOf(got))
				}
			}
		}
	}
	for _, credential := range []string{h.Key, ""} {
		if got := h.As(credential, "GET", "/v1/api/usage/current/", ""); got.Status == http.StatusTooManyRequests {
			t.Error("a request for the documentation was counted")
		}
	}
}

func TestInterface_8_LimitsAreSettings(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, rates(func(r *server.Rates) { r.Key, r.Person, r.IP, r.Clients = 11, 12, 13, 1 }))
	person := h.Session(org.Admin, h.Org)
	for credential, want := range map[string]string{h.Key: "11", person: "12", "": "13"} {
		if got := servicetest.RateWindowOf(h.As(credential, "GET", servicetest.UsagePath, "")).Limit; got != want {
			t.Errorf("configured limit = %s, want %s", got, want)
		}
	}
	h.Form("/v1/api/onboarding/organizations/clients/", servicetest.Part{Field: "client_data", Filename: "", Content: servicetest.GoodClient()})
	got := h.Form("/v1/api/onboarding/organizations/clients/", servicetest.Part{Field: "client_data", Filename: "", Content: servicetest.GoodClient()})
	if got.Status != http.StatusTooManyRequests || servicetest.RateWindowOf(got).Limit != "1" {
		t.Errorf("second client with a limit of 1: status %d, rate limit %+v; want 429 with a limit of 1", got.Status, servicetest.RateWindowOf(got))
	}
}

// An unavailable counter must not stop invoices: calls are allowed and the failure
// is logged.
func TestInterface_8_CounterIsAway(t *testing.T) {
	t.Parallel()
	url := storetest.Postgres(t).URL
	h := servicetest.Open(t, func(c *server.Config) { c.Rates.Key, c.Rates.Clients, c.Database = 5, 2, url })
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
		got := h.Call("GET", servicetest.UsagePath, "")
		if got.Status != http.StatusOK || servicetest.RateWindowOf(got) != (servicetest.RateWindow{Limit: "5", Remaining: "5", Reset: "60", Retry: ""}) {
			t.Errorf("call without a counter: status %d, rate limit %+v; want 200 with 5 of 5 calls remaining", got.Status, servicetest.RateWindowOf(got))
		}
	}
	for range 3 {
		got := h.Form("/v1/api/onboarding/organizations/clients/", servicetest.Part{Field: "client_data", Filename: "", Content: servicetest.GoodClient()})
		if got.Status != http.StatusCreated {
			t.Errorf("client created without a counter: status %d, body %s; want 201", got.Status, got.Body)
		}
	}
	servicetest.NoToken.Wants(t, "nobody, without a counter", h.As("", "GET", servicetest.UsagePath, ""))
	log := h.Log.String()
	for _, name := range []string{"key", "ip", "clients"} {
		if !strings.Contains(log, `"msg":"rate limit counter is unavailable","window":"`+name+`"`) {
			t.Errorf("the log does not report the failure of window %s", name)
		}
	}
	rename("elsewhere", "rate_window")
	if got := servicetest.RateWindowOf(h.Call("GET", servicetest.UsagePath, "")); got.Remaining != "4" {
		t.Errorf("after the counter works again: rate limit %+v, want 4 calls remaining", got)
	}
}
