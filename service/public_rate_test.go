package service_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"khatm/service/internal/limit"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
)

const scanPath = "/v1-3/api/public/scan-qr-code/"

// scan calls a public tool with something it refuses: a call is a call.
func (h *house) scan(show ...func(*http.Request)) answer {
	h.t.Helper()
	return h.send(http.MethodPost, scanPath, append([]func(*http.Request){jsonBody(`{"qr_base64":""}`)}, show...)...)
}

// spentOf is the answer of a window that is used up.
func spentOf(window string, limit int) refusal {
	n := strconv.Itoa(limit)
	return refusal{http.StatusTooManyRequests, `{"current":` + n + `,"detail":"The ` + window + ` limit of ` + n + ` requests is used up.","limit":` + n + `,"window":"` + window + `"}` + "\n"}
}

func TestInterface_8_TenCallsADayFromAnAddress(t *testing.T) {
	eachWith(t, rates(func(r *server.Rates) { r.IP = 1 << 20 }), func(t *testing.T, h *house) {
		shows := []func(*http.Request){
			func(*http.Request) {}, bearer(h.key), bearer("no session"), cookie("no session"), cookie(h.key), header("Authorization", "Basic eA=="),
		}
		for n := range 10 {
			if got := h.scan(shows[n%len(shows)]); got.status != http.StatusBadRequest {
				t.Fatalf("call %d: got %d %s", n+1, got.status, got.body)
			}
		}
		for _, show := range shows {
			got := h.scan(show)
			spentOf("daily", 10).wants(t, "the eleventh", got)
			if got := windowOf(got); got != (window{"10", "0", "86400", "86400"}) {
				t.Errorf("headers are %+v", got)
			}
		}
		_, midnight := limit.Day.Bounds(h.clock.Now()) // of Riyadh
		h.clock.Advance(midnight.Sub(h.clock.Now()) - time.Second)
		spentOf("daily", 10).wants(t, "in the last second of the day", h.scan())
		h.clock.Advance(time.Second)
		if got := h.scan(); got.status != http.StatusBadRequest {
			t.Errorf("the next day: got %d %s", got.status, got.body)
		}
	})
}

func TestInterface_8_OneAllowanceForAllPublicPaths(t *testing.T) {
	h := open(t, rates(func(r *server.Rates) { r.IP, r.PublicDaily = 1<<20, 3 }))
	asked := 0
	for _, row := range h.service.PublicRows() {
		if row.Uncount {
			continue
		}
		asked++
		got := h.send(row.Method, stock{}.public(row))
		if (got.status == http.StatusTooManyRequests) != (asked > 3) {
			t.Errorf("%s, call %d: got %d", row.Path, asked, got.status)
		}
	}
	if asked < 4 {
		t.Errorf("only %d paths", asked)
	}
	for range 100 {
		if got := h.send(http.MethodGet, "/v1-3/api/public/health/"); got.status != http.StatusOK || got.header.Get("X-RateLimit-Limit") != "" {
			t.Fatalf("health is counted: %d %v", got.status, got.header)
		}
	}
	if got := h.as("", http.MethodGet, "/v1/api/industries/", ""); got.status != http.StatusOK {
		t.Errorf("a lookup, which is no public path: %d %s", got.status, got.body)
	}
}

func TestC7_ExactlyTenPassAtOnce(t *testing.T) {
	eachWith(t, rates(func(r *server.Rates) { r.IP = 1 << 20 }), func(t *testing.T, h *house) {
		var passed atomic.Int64
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() {
				if h.scan().status == http.StatusBadRequest {
					passed.Add(1)
				}
			})
		}
		all.Wait()
		if passed.Load() != 10 {
			t.Errorf("%d calls passed, want 10", passed.Load())
		}
	})
}

func TestInterface_8_SignedInOnTheFreePlan(t *testing.T) {
	eachWith(t, func(c *server.Config) { c.Rates.PublicDaily, c.Rates.PublicMonthly = 1, 5 }, func(t *testing.T, h *house) {
		free, second := h.organisation("Free", org.FreePlan), h.organisation("Second", org.FreePlan)
		one, two := h.session(org.Admin, free), h.session(org.ViewInvoice, free)
		for n, show := range []func(*http.Request){bearer(one), cookie(two), bearer(two), cookie(one), bearer(one)} {
			if got := h.scan(show, header("Origin", h.server.URL)); got.status != http.StatusBadRequest {
				t.Fatalf("call %d: got %d %s", n+1, got.status, got.body)
			}
		}
		got := h.scan(bearer(two))
		spentOf("monthly", 5).wants(t, "the sixth", got)
		if got.header.Get("Retry-After") != "" || windowOf(got).limit != "5" {
			t.Errorf("headers are %+v", windowOf(got))
		}
		usage := h.as(one, http.MethodGet, usagePath, "").wants(t, http.StatusOK)
		same(t, "used", usage["public_api_validations_used"], any(number(5)))
		same(t, "limit", usage["public_api_validations_limit"], any(number(5)))
		if got := h.scan(bearer(h.session(org.Admin, second))); got.status != http.StatusBadRequest {
			t.Errorf("another organisation: %d %s", got.status, got.body)
		}
		if got := h.scan(); got.status != http.StatusBadRequest {
			t.Errorf("a stranger at the same address, who has called nothing yet: %d %s", got.status, got.body)
		}
		h.clock.Advance(31 * 24 * time.Hour)
		if got := h.scan(bearer(h.session(org.Admin, free))); got.status != http.StatusBadRequest {
			t.Errorf("the next month: %d %s", got.status, got.body)
		}
	})
}

func TestInterface_8_PaidPlansAreNotMetered(t *testing.T) {
	h := open(t, func(c *server.Config) { c.Rates.PublicDaily, c.Rates.PublicMonthly = 1, 1 })
	for _, plan := range []string{"starter", "business", "enterprise"} {
		o := h.organisation("On "+plan, plan)
		person := h.session(org.ViewInvoice, o)
		for range 20 {
			if got := h.scan(bearer(person)); got.status != http.StatusBadRequest {
				t.Fatalf("%s: got %d %s", plan, got.status, got.body)
			}
		}
		usage := h.as(person, http.MethodGet, usagePath, "").wants(t, http.StatusOK)
		same(t, plan, usage["public_api_validations_limit"], any(number(-1)))
	}
}

// Whoever cannot act for an organisation is a stranger; who could for several
// must say which.
func TestInterface_5_WhoIsAStrangerToPublicTools(t *testing.T) {
	h := open(t, func(c *server.Config) { c.Rates.PublicDaily = 1 })
	suspended, second := h.organisation("Suspended", "business"), h.organisation("Second", "business")
	gone := h.session(org.Admin, suspended)
	h.status(suspended, org.Suspended)
	several := h.session(org.Admin, h.org, second)
	if got := h.scan(); got.status != http.StatusBadRequest {
		t.Fatalf("the first: %d %s", got.status, got.body)
	}
	cases := []struct {
		name string
		show func(*http.Request)
		want int
	}{
		{"nobody", func(*http.Request) {}, 429},
		{"a key", bearer(h.key), 429},
		{"a session of a suspended organisation", bearer(gone), 429},
		{"a session of nobody's organisation", bearer(h.session(org.Admin)), 429},
		{"a session that names another's organisation", both(bearer(h.session(org.Admin, h.org)), activeOrg(second)), 429},
		{"a cookie that another site makes a browser send", both(cookie(h.session(org.Admin, h.org)), header("Sec-Fetch-Site", "cross-site")), 429},
		{"a session of a paid plan", bearer(h.session(org.Admin, h.org)), 400},
		{"a session of several organisations", bearer(several), 409},
		{"a session of several organisations that names one", both(bearer(several), activeOrg(second)), 400},
	}
	for _, c := range cases {
		if got := h.scan(c.show); got.status != c.want {
			t.Errorf("%s: got %d %s, want %d", c.name, got.status, got.body, c.want)
		}
	}
}

// brokenCounter counts, but for the windows that it is told to fail in.
type brokenCounter struct {
	limit.Counter
	fails []string // names of windows
}

func (b brokenCounter) Add(ctx context.Context, subject string, start, end time.Time) (int, error) {
	if name, _, _ := strings.Cut(subject, ":"); slices.Contains(b.fails, name) {
		return 0, errors.New("the counter is away")
	}
	return b.Counter.Add(ctx, subject, start, end)
}

// countless fails in some windows and lets strangers call as often as they like.
func countless(windows ...string) func(*server.Config) {
	return func(c *server.Config) {
		server.Count(c, brokenCounter{limit.NewMemory(), windows})
		wide(c)
	}
}

var uncounted = refusal{http.StatusServiceUnavailable, `{"detail":"The rate limiter is not available at the moment. Try again shortly."}` + "\n"}

// TestInterface_7_5_PublicRateLimiterUnavailable: whichever of the windows of a
// caller cannot be counted, nobody is let in. Invoices and health go on.
func TestInterface_7_5_PublicRateLimiterUnavailable(t *testing.T) {
	const minute, day, person, link = "ip", "public", "person", "link"
	for _, c := range []struct {
		name     string
		fails    []string
		stranger bool // is told of it
		free     bool // and so is somebody on the free plan
		shared   bool // and whoever opens a link
	}{
		{"all", []string{minute, day, person, link, limit.Key}, true, true, true},
		{"the minute of an address", []string{minute}, true, false, true},
		{"the day of an address", []string{day}, true, false, true},
		{"the minute of a person", []string{person}, false, true, false},
		{"the hour of a link", []string{link}, false, false, true},
		{"none", nil, false, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := open(t, countless(c.fails...))
			shop := h.till()
			_, token := shop.issued(shop.showpiece())
			member := h.session(org.Admin, h.organisation("Free", org.FreePlan))
			for name, one := range map[string]struct {
				got  answer
				away bool
				want int // if it is not away
			}{
				"a stranger":      {h.scan(), c.stranger, http.StatusBadRequest},
				"the free plan":   {h.scan(bearer(member)), c.free, http.StatusBadRequest},
				"a link":          {h.shared(http.MethodGet, token, "", ""), c.shared, http.StatusOK},
				"the PDF of one":  {h.shared(http.MethodGet, token, "pdf/", ""), c.shared, http.StatusOK},
				"an invoice":      {h.call(http.MethodGet, usagePath, ""), false, http.StatusOK},
				"whether we live": {h.send(http.MethodGet, "/v1-3/api/public/health/"), false, http.StatusOK},
			} {
				if one.away {
					uncounted.wants(t, name, one.got)
				} else if one.got.status != one.want {
					t.Errorf("%s: got %d %s, want %d", name, one.got.status, one.got.body, one.want)
				}
			}
		})
	}
}

// TestInterface_7_5_MeterOfTheFreePlanUnavailable: a month that cannot be counted
// lets nobody in either, while who is counted elsewhere goes on.
func TestInterface_7_5_MeterOfTheFreePlanUnavailable(t *testing.T) {
	eachWith(t, wide, func(t *testing.T, h *house) {
		free, paid := h.session(org.Admin, h.organisation("Free", org.FreePlan)), h.session(org.Admin, h.org)
		h.exec(t, `ALTER TABLE usage RENAME TO elsewhere`)
		uncounted.wants(t, "the free plan", h.scan(bearer(free)))
		for name, show := range map[string]func(*http.Request){"a stranger": func(*http.Request) {}, "a paid plan": bearer(paid)} {
			if got := h.scan(show); got.status != http.StatusBadRequest {
				t.Errorf("%s: got %d %s", name, got.status, got.body)
			}
		}
		h.exec(t, `ALTER TABLE elsewhere RENAME TO usage`)
		if got := h.scan(bearer(free)); got.status != http.StatusBadRequest {
			t.Errorf("when it can be counted again: got %d %s", got.status, got.body)
		}
	})
}
