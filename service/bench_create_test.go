package service_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/rules"
	"khatm/sample"
	"khatm/seal"
	"khatm/service"
	"khatm/service/internal/org"
	"khatm/service/internal/store/storetest"
)

// counter is a till whose creates are counted: many callers on some devices.
type counter struct {
	shop    *till
	key     string
	devices []uuid.UUID
}

func (h *house) counters(organisations, devices int) []counter {
	var all []counter
	for n := range organisations {
		o, key := h.org, h.key
		if n > 0 {
			o = h.organisation(fmt.Sprint("Organisation ", n), "enterprise")
			key = h.newKey(o, org.CreateInvoice)
		}
		c := counter{shop: h.tillOf(o), key: key}
		for range devices {
			c.devices = append(c.devices, h.issuing(o, nil).ID)
		}
		all = append(all, c)
	}
	return all
}

// createRate makes so many invoices with so many callers and says how many a
// second there were, and what each cost this process in CPU time.
func (h *house) createRate(t *testing.T, all []counter, callers, each int) (rate float64, cpu time.Duration) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: callers}}
	defer client.CloseIdleConnections()
	began, before := time.Now(), cpuTime(t)
	var running sync.WaitGroup
	for w := range callers {
		running.Go(func() {
			c := all[w%len(all)]
			device := c.devices[w/len(all)%len(c.devices)]
			for range each {
				text := c.shop.simplified(fields{"device": device, "notes": note(uuid.NewString())})
				r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.server.URL+c.shop.address, strings.NewReader(text))
				if err != nil {
					t.Error(err)
					return
				}
				r.Header.Set("Authorization", "Bearer "+c.key)
				r.Header.Set("Content-Type", "application/json")
				a, err := client.Do(r)
				if err != nil {
					t.Error(err)
					return
				}
				_ = a.Body.Close()
				if a.StatusCode != http.StatusAccepted {
					t.Errorf("status %d", a.StatusCode)
					return
				}
			}
		})
	}
	running.Wait()
	n := float64(callers * each)
	return n / time.Since(began).Seconds(), (cpuTime(t) - before) / time.Duration(n)
}

// TestBenchCreates holds the rate of creates to its floor, and how it is spread
// to half of the best.
func TestBenchCreates(t *testing.T) {
	benchmarking(t)
	for name, c := range map[string]struct {
		database func() string
		floor    float64
	}{
		"SQLite":     {func() string { return "" }, 600},
		"PostgreSQL": {func() string { return storetest.Postgres(t).URL }, 400},
	} {
		t.Run(name, func(t *testing.T) {
			h := open(t, func(s *service.Config) { s.Database, s.Log = c.database(), quiet() })
			usual := h.counters(1, 5)
			h.createRate(t, usual, 20, 5)
			rate, cpu := h.createRate(t, usual, 20, 100)
			t.Logf("20 callers on 5 devices: %.0f creates/s (at least %.0f), %s of CPU each, caller included", rate, c.floor, cpu)
			if rate < c.floor {
				t.Errorf("%.0f creates/s, floor %.0f", rate, c.floor)
			}
			rates := map[string]float64{}
			for spread, all := range map[string][]counter{
				"one device": h.counters(1, 1), "64 devices of one organisation": h.counters(1, 64), "64 organisations": h.counters(64, 1),
			} {
				rates[spread], _ = h.createRate(t, all, 64, 20)
				t.Logf("64 callers on %s: %.0f creates/s", spread, rates[spread])
			}
			slowest, fastest := rates["one device"], rates["one device"]
			for _, r := range rates {
				slowest, fastest = min(slowest, r), max(fastest, r)
			}
			if slowest < fastest/2 {
				t.Errorf("the slowest spread makes %.0f, the fastest %.0f", slowest, fastest)
			}
		})
	}
}

// TestBenchCreateBesideItsParts holds the CPU time of a create, over a socket
// with everything, against the sum of what it cannot do without.
func TestBenchCreateBesideItsParts(t *testing.T) {
	benchmarking(t)
	h := open(t, func(s *service.Config) { s.Log = quiet() })
	all := h.counters(1, 5)
	h.createRate(t, all, 20, 10)
	_, whole := h.createRate(t, all, 20, 100)
	parts := map[string]time.Duration{
		"request and answer (hello)": helloCost(t),
		"key and usage":              usageCost(t, h) - helloCost(t),
	}
	facts := sample.Simplified()
	document, err := invoice.Compute(facts)
	if err != nil {
		t.Fatal(err)
	}
	facts.Identity = invoice.Identity{Number: "INV-2026-000001", UUID: uuid.NewString(), Counter: 1, PreviousHash: seal.GenesisHash}.At(h.clock.Now())
	shown, err := document.UBL(facts.Identity)
	if err != nil {
		t.Fatal(err)
	}
	parts["compute"] = costOf(t, func() { _, _ = invoice.Compute(facts) })
	parts["rules"] = costOf(t, func() { rules.CheckUnsealed(shown, h.clock.Now()) })
	parts["build, hash"] = costOf(t, func() {
		inv, _ := document.UBL(facts.Identity)
		_, _ = seal.Prepare(inv)
	})
	d, err := sample.NewDevice(sample.Seeded(1), h.clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	draft, err := seal.Prepare(shown)
	if err != nil {
		t.Fatal(err)
	}
	parts["stamp"] = costOf(t, func() { _, _ = draft.Stamp(d.Key, d.Certificate, h.clock.Now()) })
	parts["store (thirteen inserts, one commit)"] = commitCost(t)
	sum := time.Duration(0)
	for name, cost := range parts {
		t.Logf("%-40s %s", name, cost)
		sum += cost
	}
	t.Logf("a create %s, its parts %s: ratio %.2f (at most 2)", whole, sum, float64(whole)/float64(sum))
	if whole > 2*sum {
		t.Errorf("a create costs %.2f of its parts", float64(whole)/float64(sum))
	}
}
