package wire_test

import (
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"khatm/service/internal/limit"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

const scanPath = "/v1-3/api/public/scan-qr-code/"

// scan calls a public tool with input that it refuses, which counts as a call.
func scan(h *servicetest.Instance, show ...func(*http.Request)) servicetest.Answer {
	h.TB.Helper()
	return h.Send(http.MethodPost, scanPath, append([]func(*http.Request){servicetest.JSONBody(`{"qr_base64":""}`)}, show...)...)
}

// spentOf returns the response for a used-up window.
func spentOf(window string, limit int) servicetest.Refusal {
	n := strconv.Itoa(limit)
	return servicetest.Refusal{Status: http.StatusTooManyRequests, Body: `{"current":` + n + `,"detail":"The ` + window + ` limit of ` + n + ` requests is used up.","limit":` + n + `,"window":"` + window + `"}` + "\n"}
}

// wantLeft checks the headers of the day or the month, and that the response has
// none of the other.
func wantLeft(t *testing.T, got servicetest.Answer, of, most, remaining, reset string) {
	t.Helper()
	for _, period := range []string{"Day", "Month"} {
		want := [3]string{}
		if period == of {
			want = [3]string{most, remaining, reset}
		}
		h := got.Header
		if have := [3]string{h.Get("X-RateLimit-Limit-" + period), h.Get("X-RateLimit-Remaining-" + period), h.Get("X-RateLimit-Reset-" + period)}; have != want {
			t.Errorf("limit, remaining and reset of the %s = %q, want %q", period, have, want)
		}
	}
}

func TestInterface_8_TenCallsADayFromAnAddress(t *testing.T) {
	servicetest.MostlySQLiteWith(t, rates(func(r *server.Rates) { r.IP = 1 << 20 }), func(t *testing.T, h *servicetest.Instance) {
		shows := []func(*http.Request){
			func(*http.Request) {}, servicetest.Bearer(h.Key), servicetest.Bearer("no session"), servicetest.Cookie("no session"), servicetest.Cookie(h.Key), servicetest.Header("Authorization", "Basic eA=="),
		}
		_, midnight := limit.Day.Bounds(h.Clock.Now()) // in Riyadh
		left := strconv.Itoa(int(midnight.Sub(h.Clock.Now()).Seconds()))
		for n := range 10 {
			got := scan(h, shows[n%len(shows)])
			if got.Status != http.StatusBadRequest {
				t.Fatalf("call %d of 10: status %d, body %s; want 400", n+1, got.Status, got.Body)
			}
			wantLeft(t, got, "Day", "10", strconv.Itoa(9-n), left)
		}
		for _, show := range shows {
			got := scan(h, show)
			wantLeft(t, got, "Day", "10", "0", left)
			spentOf("daily", 10).Wants(t, "the eleventh", got)
			if got := servicetest.RateWindowOf(got); got != (servicetest.RateWindow{Limit: "10", Remaining: "0", Reset: "86400", Retry: "86400"}) {
				t.Errorf("rate limit headers = %+v, want 0 of 10 remaining and Retry-After 86400", got)
			}
		}
		h.Clock.Advance(midnight.Sub(h.Clock.Now()) - time.Second)
		spentOf("daily", 10).Wants(t, "in the last second of the day", scan(h))
		h.Clock.Advance(time.Second)
		if got := scan(h); got.Status != http.StatusBadRequest {
			t.Errorf("first call of the next day: status %d, body %s; want 400", got.Status, got.Body)
		}
	})
}

func TestInterface_8_OneAllowanceForAllPublicPaths(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, rates(func(r *server.Rates) { r.IP, r.PublicDaily = 1<<20, 3 }))
	asked := 0
	for _, row := range h.Service.PublicRows() {
		if row.Uncount {
			continue
		}
		asked++
		got := h.Send(row.Method, servicetest.Records{}.Public(row))
		if (got.Status == http.StatusTooManyRequests) != (asked > 3) {
			t.Errorf("%s as call %d of the day: status %d; want 429 only after 3 calls", row.Path, asked, got.Status)
		}
	}
	if asked < 4 {
		t.Errorf("only %d public paths were called, want at least 4", asked)
	}
	for range 100 {
		if got := h.Send(http.MethodGet, "/v1-3/api/public/health/"); got.Status != http.StatusOK || got.Header.Get("X-RateLimit-Limit") != "" {
			t.Fatalf("health must not be counted: status %d, headers %v", got.Status, got.Header)
		}
	}
	if got := h.As("", http.MethodGet, "/v1/api/industries/", ""); got.Status != http.StatusOK {
		t.Errorf("lookup, which has another limit: status %d, body %s; want 200", got.Status, got.Body)
	}
}

func TestC7_ExactlyTenConcurrentCallsPass(t *testing.T) {
	servicetest.EachEngineWith(t, rates(func(r *server.Rates) { r.IP = 1 << 20 }), func(t *testing.T, h *servicetest.Instance) {
		var passed atomic.Int64
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() {
				if scan(h).Status == http.StatusBadRequest {
					passed.Add(1)
				}
			})
		}
		all.Wait()
		if passed.Load() != 10 {
			t.Errorf("%d concurrent calls passed, want 10", passed.Load())
		}
	})
}

func TestInterface_8_SignedInOnTheFreePlan(t *testing.T) {
	servicetest.MostlySQLiteWith(t, func(c *server.Config) { c.Rates.PublicDaily, c.Rates.PublicMonthly = 1, 5 }, func(t *testing.T, h *servicetest.Instance) {
		free, second := h.Organisation("Free", org.FreePlan), h.Organisation("Second", org.FreePlan)
		one, two := h.Session(org.Admin, free), h.Session(org.ViewInvoice, free)
		left := strconv.Itoa(int(org.UsageMonth(h.Clock.Now()).AddDate(0, 1, 0).Sub(h.Clock.Now()).Seconds()))
		for n, show := range []func(*http.Request){servicetest.Bearer(one), servicetest.Cookie(two), servicetest.Bearer(two), servicetest.Cookie(one), servicetest.Bearer(one)} {
			got := scan(h, show, servicetest.Header("Origin", h.HTTP.URL))
			if got.Status != http.StatusBadRequest {
				t.Fatalf("call %d of the month: status %d, body %s; want 400", n+1, got.Status, got.Body)
			}
			wantLeft(t, got, "Month", "5", strconv.Itoa(4-n), left)
		}
		got := scan(h, servicetest.Bearer(two))
		wantLeft(t, got, "Month", "5", "0", left)
		spentOf("monthly", 5).Wants(t, "the sixth", got)
		if got.Header.Get("Retry-After") != "" || servicetest.RateWindowOf(got).Limit != "5" {
			t.Errorf("rate limit headers = %+v, want a limit of 5 and no Retry-After", servicetest.RateWindowOf(got))
		}
		usage := h.As(one, http.MethodGet, servicetest.UsagePath, "").Wants(t, http.StatusOK)
		servicetest.Same(t, "used", usage["public_api_validations_used"], any(servicetest.Number(5)))
		servicetest.Same(t, "limit", usage["public_api_validations_limit"], any(servicetest.Number(5)))
		if got := scan(h, servicetest.Bearer(h.Session(org.Admin, second))); got.Status != http.StatusBadRequest {
			t.Errorf("call for another organisation: status %d, body %s; want 400", got.Status, got.Body)
		}
		if got := scan(h); got.Status != http.StatusBadRequest {
			t.Errorf("first anonymous call from the same address: status %d, body %s; want 400", got.Status, got.Body)
		}
		h.Clock.Advance(31 * 24 * time.Hour)
		if got := scan(h, servicetest.Bearer(h.Session(org.Admin, free))); got.Status != http.StatusBadRequest {
			t.Errorf("first call of the next month: status %d, body %s; want 400", got.Status, got.Body)
		}
	})
}

func TestInterface_8_PaidPlansAreNotMetered(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, func(c *server.Config) { c.Rates.PublicDaily, c.Rates.PublicMonthly = 1, 1 })
	for _, plan := range []string{"starter", "business", "enterprise"} {
		o := h.Organisation("On "+plan, plan)
		person := h.Session(org.ViewInvoice, o)
		for range 20 {
			if got := scan(h, servicetest.Bearer(person)); got.Status != http.StatusBadRequest {
				t.Fatalf("plan %s: status %d, body %s; want 400", plan, got.Status, got.Body)
			} else {
				wantLeft(t, got, "", "", "", "")
			}
		}
		usage := h.As(person, http.MethodGet, servicetest.UsagePath, "").Wants(t, http.StatusOK)
		servicetest.Same(t, plan, usage["public_api_validations_limit"], any(servicetest.Number(-1)))
	}
}

// A person who cannot act for an organisation counts as anonymous. A person with
// several organisations must choose one.
func TestInterface_5_WhoIsAStrangerToPublicTools(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, func(c *server.Config) { c.Rates.PublicDaily = 1 })
	suspended, second := h.Organisation("Suspended", "business"), h.Organisation("Second", "business")
	gone := h.Session(org.Admin, suspended)
	h.Status(suspended, org.Suspended)
	several := h.Session(org.Admin, h.Org, second)
	if got := scan(h); got.Status != http.StatusBadRequest {
		t.Fatalf("first anonymous call: status %d, body %s; want 400", got.Status, got.Body)
	}
	cases := []struct {
		name string
		show func(*http.Request)
		want int
	}{
		{"anonymous", func(*http.Request) {}, 429},
		{"an API key", servicetest.Bearer(h.Key), 429},
		{"a session of a suspended organisation", servicetest.Bearer(gone), 429},
		{"a session without an organisation", servicetest.Bearer(h.Session(org.Admin)), 429},
		{"a session that names a foreign organisation", servicetest.Both(servicetest.Bearer(h.Session(org.Admin, h.Org)), servicetest.ActiveOrg(second)), 429},
		{"a cookie sent by another site", servicetest.Both(servicetest.Cookie(h.Session(org.Admin, h.Org)), servicetest.Header("Sec-Fetch-Site", "cross-site")), 429},
		{"a session on a paid plan", servicetest.Bearer(h.Session(org.Admin, h.Org)), 400},
		{"a session with several organisations", servicetest.Bearer(several), 409},
		{"a session with several organisations that names one", servicetest.Both(servicetest.Bearer(several), servicetest.ActiveOrg(second)), 400},
	}
	for _, c := range cases {
		if got := scan(h, c.show); got.Status != c.want {
			t.Errorf("%s: status %d, body %s; want %d", c.name, got.Status, got.Body, c.want)
		}
	}
}

// countless sets a counter that fails in the given windows, and limits that are
// never reached.
func countless(windows ...string) func(*server.Config) {
	return func(c *server.Config) {
		server.Count(c, servicetest.BrokenCounter{Counter: limit.NewMemory(), Fails: windows})
		servicetest.Wide(c)
	}
}

var uncounted = servicetest.Refusal{Status: http.StatusServiceUnavailable, Body: `{"detail":"The rate limiter is not available at the moment. Try again shortly."}` + "\n"}

// TestInterface_7_5_PublicRateLimiterUnavailable checks that public calls are
// refused if any of their windows cannot be counted, while invoices and health
// keep working.
func TestInterface_7_5_PublicRateLimiterUnavailable(t *testing.T) {
	t.Parallel()
	const minute, day, person, link = "ip", "public", "person", "link"
	for _, c := range []struct {
		name     string
		fails    []string
		stranger bool // anonymous calls are refused
		free     bool // calls on the free plan are refused
		shared   bool // calls of a link are refused
	}{
		{"all", []string{minute, day, person, link, limit.Key}, true, true, true},
		{"the minute of an address", []string{minute}, true, false, true},
		{"the day of an address", []string{day}, true, false, true},
		{"the minute of a person", []string{person}, false, true, false},
		{"the hour of a link", []string{link}, false, false, true},
		{"none", nil, false, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := servicetest.Open(t, countless(c.fails...))
			shop := h.NewSeller()
			_, token := shop.Issued(shop.FullInvoice())
			member := h.Session(org.Admin, h.Organisation("Free", org.FreePlan))
			for name, one := range map[string]struct {
				got  servicetest.Answer
				away bool
				want int // if the counter works
			}{
				"anonymous":         {scan(h), c.stranger, http.StatusBadRequest},
				"free plan":         {scan(h, servicetest.Bearer(member)), c.free, http.StatusBadRequest},
				"a link":            {h.Shared(http.MethodGet, token, "", ""), c.shared, http.StatusOK},
				"the PDF of a link": {h.Shared(http.MethodGet, token, "pdf/", ""), c.shared, http.StatusOK},
				"an invoice":        {h.Call(http.MethodGet, servicetest.UsagePath, ""), false, http.StatusOK},
				"health":            {h.Send(http.MethodGet, "/v1-3/api/public/health/"), false, http.StatusOK},
			} {
				if one.away {
					uncounted.Wants(t, name, one.got)
				} else if one.got.Status != one.want {
					t.Errorf("%s: status %d, body %s; want %d", name, one.got.Status, one.got.Body, one.want)
				}
			}
		})
	}
}

// TestInterface_7_5_MeterOfTheFreePlanUnavailable checks that calls on the free
// plan are refused if the month cannot be counted, while others keep working.
func TestInterface_7_5_MeterOfTheFreePlanUnavailable(t *testing.T) {
	servicetest.MostlySQLiteWith(t, servicetest.Wide, func(t *testing.T, h *servicetest.Instance) {
		free, paid := h.Session(org.Admin, h.Organisation("Free", org.FreePlan)), h.Session(org.Admin, h.Org)
		h.Exec(t, `ALTER TABLE usage RENAME TO elsewhere`)
		uncounted.Wants(t, "the free plan", scan(h, servicetest.Bearer(free)))
		for name, show := range map[string]func(*http.Request){"a stranger": func(*http.Request) {}, "a paid plan": servicetest.Bearer(paid)} {
			if got := scan(h, show); got.Status != http.StatusBadRequest {
				t.Errorf("%s: status %d, body %s; want 400", name, got.Status, got.Body)
			}
		}
		h.Exec(t, `ALTER TABLE elsewhere RENAME TO usage`)
		if got := scan(h, servicetest.Bearer(free)); got.Status != http.StatusBadRequest {
			t.Errorf("after the meter works again: status %d, body %s; want 400", got.Status, got.Body)
		}
	})
}
