package service_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

// counter is a seller with several devices, used to measure how fast invoices
// are created.
type counter struct {
	shop    *servicetest.Seller
	key     string
	devices []uuid.UUID
}

func counters(h *servicetest.Instance, organisations, devices int) []counter {
	var all []counter
	for n := range organisations {
		o, key := h.Org, h.Key
		if n > 0 {
			o = h.Organisation(fmt.Sprint("Organisation ", n), "enterprise")
			key = h.NewKey(o, org.CreateInvoice)
		}
		c := counter{shop: h.SellerOf(o), key: key}
		for range devices {
			c.devices = append(c.devices, h.Issuing(o, nil).ID)
		}
		all = append(all, c)
	}
	return all
}

// createRate creates invoices with several callers and returns the rate per
// second and the CPU time of this process per invoice.
func createRate(h *servicetest.Instance, t *testing.T, all []counter, callers, each int) (rate float64, cpu time.Duration) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: callers}}
	defer client.CloseIdleConnections()
	began, before := time.Now(), servicetest.CPUTime(t)
	var running sync.WaitGroup
	for w := range callers {
		running.Go(func() {
			c := all[w%len(all)]
			device := c.devices[w/len(all)%len(c.devices)]
			for range each {
				text := c.shop.Simplified(servicetest.Fields{"device": device, "notes": servicetest.Note(uuid.NewString())})
				r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.HTTP.URL+c.shop.Address, strings.NewReader(text))
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
					t.Errorf("create: status %d, want 202", a.StatusCode)
					return
				}
			}
		})
	}
	running.Wait()
	n := float64(callers * each)
	return n / time.Since(began).Seconds(), (servicetest.CPUTime(t) - before) / time.Duration(n)
}

// TestBenchCreates checks that invoices are created at a minimum rate, and that
// every distribution over devices reaches 0.6 of the best rate.
func TestBenchCreates(t *testing.T) {
	benchmarking(t)
	for name, c := range map[string]struct {
		database func(testing.TB) string
		floor    float64
	}{
		"SQLite":     {servicetest.Databases["SQLite"], 600},
		"PostgreSQL": {servicetest.Databases["PostgreSQL"], 400},
	} {
		t.Run(name, func(t *testing.T) {
			h := servicetest.Open(t, func(s *server.Config) { s.Database, s.Log = c.database(t), servicetest.Quiet() })
			usual := counters(h, 1, 5)
			createRate(h, t, usual, 20, 5)
			rate, cpu := createRate(h, t, usual, 20, 100)
			t.Logf("20 callers on 5 devices: %.0f creates/s (at least %.0f), %s of CPU each, caller included", rate, c.floor, cpu)
			if rate < c.floor {
				t.Errorf("%.0f creates/s, want at least %.0f", rate, c.floor)
			}
			rates := map[string]float64{}
			for spread, all := range map[string][]counter{
				"one device": counters(h, 1, 1), "64 devices of one organisation": counters(h, 1, 64), "64 organisations": counters(h, 64, 1),
			} {
				rates[spread], _ = createRate(h, t, all, 64, 20)
				t.Logf("64 callers on %s: %.0f creates/s", spread, rates[spread])
			}
			slowest, fastest := rates["one device"], rates["one device"]
			for _, r := range rates {
				slowest, fastest = min(slowest, r), max(fastest, r)
			}
			t.Logf("the slowest distribution reaches %.2f of the fastest (at least 0.6)", slowest/fastest)
			if slowest < 0.6*fastest {
				t.Errorf("the slowest distribution reaches %.0f creates/s, want at least 0.6 of the fastest, %.0f", slowest, fastest)
			}
		})
	}
}

// TestBenchCreateBesideItsParts compares the CPU time of creating an invoice,
// in a separate server process, with the sum of its necessary parts.
func TestBenchCreateBesideItsParts(t *testing.T) {
	benchmarking(t)
	var ratios []float64
	for range 7 {
		b := newLoaded(t, "")
		v := startProcess(t, b.data, "", "")
		b.creates(v, 10)
		whole := v.cpuOf(t, func() int { return b.creates(v, 150) })
		usage := v.cpuOf(t, func() int { return b.reads(v, "/v1/api/usage/current/", 150) })
		v.kill()
		parts := documentParts(t, b.shop.Simplified())
		parts["a call with a key, reading one row"] = usage
		parts["the same rows into the same tables, 20 documents a commit"] = rowsCost(t, b.data)
		sum := time.Duration(0)
		for name, cost := range parts {
			t.Logf("%-60s %s", name, cost)
			sum += cost
		}
		ratios = append(ratios, float64(whole)/float64(sum))
		t.Logf("a create %s, its parts %s: ratio %.2f", whole, sum, float64(whole)/float64(sum))
	}
	slices.Sort(ratios)
	median := ratios[len(ratios)/2]
	const limit = 1.4
	t.Logf("a create costs %.2f of its parts (at most %.1f)", median, limit)
	if median > limit {
		t.Errorf("a create costs %.2f times its parts, want at most %.1f", median, limit)
	}
}

// creates creates 20*each invoices with twenty callers, and returns their
// number.
func (b *loaded) creates(v *process, each int) int {
	return b.callers(20, each, func(client *http.Client, w int) bool {
		return b.create(client, v.address, b.devices[w%len(b.devices)])
	})
}

// reads sends 20*each requests with twenty callers, and returns their number.
func (b *loaded) reads(v *process, path string, each int) int {
	return b.callers(20, each, func(client *http.Client, _ int) bool {
		r, err := http.NewRequest(http.MethodGet, "http://"+v.address+path, nil)
		if err != nil {
			return false
		}
		r.Header.Set("Authorization", "Bearer "+b.key)
		a, err := client.Do(r)
		if err != nil {
			return false
		}
		_, _ = io.Copy(io.Discard, a.Body)
		return a.Body.Close() == nil && a.StatusCode == http.StatusOK
	})
}

// callers makes so many calls by each of some callers at the same time, and returns
// their number.
func (b *loaded) callers(callers, each int, call func(client *http.Client, caller int) bool) int {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: callers}}
	defer client.CloseIdleConnections()
	var running sync.WaitGroup
	for w := range callers {
		running.Go(func() {
			for range each {
				if !call(client, w) {
					b.t.Error("a call failed")
					return
				}
			}
		})
	}
	running.Wait()
	return callers * each
}
