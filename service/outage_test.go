package service_test

import (
	"net/http"
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store/storetest"
	"khatm/service/internal/wire"
)

func TestInterface_7_2_DatabaseIsAway(t *testing.T) {
	t.Parallel()
	link, address := servicetest.NewLink(t, storetest.Postgres(t).URL)
	h := servicetest.Open(t, func(c *server.Config) { c.Database = address })
	token := h.Session("Admin", h.Org)
	h.ClerkEmail() // create the account before the outage
	shop := h.NewSeller()
	own := shop.RecordsOf(h.Key)
	// calls calls every operation that both a key and a session may call with both, or
	// with one of them in turn.
	calls := func(both bool, want func(row wire.Route) int) {
		t.Helper()
		for n, row := range h.Service.Rows() {
			operation := row.Method + " " + row.Path
			callers := map[string]func(*http.Request){"key": servicetest.Bearer(h.Key), "session": servicetest.Bearer(token)}
			switch row.Base() {
			case "/v1":
			case "/app":
				if row.Method != http.MethodGet {
					continue // tested once, below
				}
				delete(callers, "key")
			default:
				continue
			}
			if !both && row.Base() == "/v1" {
				delete(callers, []string{"key", "session"}[n%2])
			}
			for name, show := range callers {
				began := time.Now()
				got := h.Send(row.Method, own.At(row), show, servicetest.Body(shop, operation))
				if got.Status != want(row) {
					t.Errorf("%s by %s: got %d %.200s, want %d", operation, name, got.Status, got.Body, want(row))
				}
				if got.Status == http.StatusServiceUnavailable && (got.Header.Get("Retry-After") == "" || time.Since(began) > 5*time.Second) {
					t.Errorf("%s by %s: response after %s with headers %v, want Retry-After within 5s", operation, name, time.Since(began), got.Header)
				}
			}
		}
	}
	there := func(row wire.Route) int {
		if operationOf(row) == "GET /api/company/logo/" {
			return http.StatusNotFound // the organisation has no logo
		}
		p, _ := permissionOf(row)
		return p.status
	}
	away := func(row wire.Route) int {
		operation := operationOf(row)
		if p, _ := permissionOf(row); p.public && operation != "GET /api/plans/" && operation != "GET /api/setup/" {
			return http.StatusOK // constant lists; calls pass if they cannot be counted
		}
		return http.StatusServiceUnavailable
	}
	calls(testtool.All(), there)
	link.Set(true)
	calls(testtool.All(), away)
	for _, row := range h.Service.Rows() {
		if row.Base() == "/app" {
			want := http.StatusServiceUnavailable
			switch row.Path {
			case "/api/signup/":
				want = http.StatusForbidden // sign-up is not open
			case "/api/signup/complete/":
				want = http.StatusNotFound
			}
			if got := h.Send(row.Method, own.At(row), servicetest.Bearer(token), servicetest.Body(shop, row.Method+" "+row.Path)); got.Status != want {
				t.Errorf("%s %s: got %d %.200s, want %d", row.Method, row.Path, got.Status, got.Body, want)
			}
		}
	}
	servicetest.NoSuchPath.Wants(t, "an unknown path", h.Call(http.MethodGet, "/v1/nowhere/", ""))
	ready := h.Ask("/readyz")
	if live := h.Ask("/livez"); ready.Status != http.StatusServiceUnavailable || live.Status != http.StatusOK {
		t.Errorf("/readyz = %d and /livez = %d, want 503 and 200", ready.Status, live.Status)
	}
	link.Set(false)
	servicetest.Eventually(t, "issuing continues", func() bool { return h.Ask("/readyz/issuing").Status == http.StatusOK })
	calls(testtool.All(), there)
}
