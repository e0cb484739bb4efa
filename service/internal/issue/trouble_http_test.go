package issue_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/service/internal/capacity"
	"khatm/service/internal/issue"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

// TestR6_OutcomeOfTheCommitUnknown makes every commit fail after it has
// succeeded: the document exists once, and the caller receives it.
func TestR6_OutcomeOfTheCommitUnknown(t *testing.T) {
	t.Parallel()
	for name, database := range servicetest.Databases {
		t.Run(name, func(t *testing.T) {
			var broken atomic.Int64
			var appended atomic.Bool // excludes commits of background work
			h := servicetest.Open(t, func(c *server.Config) {
				c.Database = database(t)
				server.Point(c, func(step string) error {
					if step == "batch written" {
						appended.Store(true)
					}
					if step == "committed" && appended.CompareAndSwap(true, false) && broken.Add(-1) >= 0 {
						return errors.New("the connection broke")
					}
					return nil
				})
			})
			shop := h.NewSeller()
			rounds := testtool.Count(8, 25)
			for n := range rounds {
				broken.Store(1)
				a := shop.Create(shop.Simplified(servicetest.Fields{"notes": servicetest.Note(fmt.Sprint(n))}))
				if a.Status != http.StatusAccepted {
					t.Fatalf("create after a commit with an unknown outcome: got %d %s, want 202", a.Status, a.Body)
				}
				// After a failed commit the service first tests whether it can write.
				servicetest.Eventually(t, "issuing continues", func() bool { return h.Ask("/readyz/issuing").Status == http.StatusOK })
				if again := shop.Create(shop.Simplified(servicetest.Fields{"notes": servicetest.Note(fmt.Sprint(n))})); again.Status != http.StatusBadRequest {
					t.Fatalf("duplicate: got %d %s, want 400", again.Status, again.Body)
				}
			}
			if got := h.CheckChains(h.Org); got != rounds {
				t.Errorf("the chains have %d documents, want %d", got, rounds)
			}
			if !strings.Contains(h.Log.String(), "the outcome of a commit is not known") {
				t.Error("the log does not contain \"the outcome of a commit is not known\"")
			}
		})
	}
}

// TestLargeInvoiceWaitsWithoutASlot checks that a request with a large body does not
// use a slot for computing while its batch is written.
func TestLargeInvoiceWaitsWithoutASlot(t *testing.T) {
	t.Parallel()
	var limits *capacity.Limits
	var written atomic.Bool
	h := servicetest.Open(t, func(c *server.Config) {
		server.Point(c, func(step string) error {
			if step == "batch written" {
				written.Store(true)
				if used := limits.Work.Usage().Used; used != 0 {
					t.Errorf("%d slots are in use, want 0", used)
				}
			}
			return nil
		})
	})
	limits = h.Service.Capacity()
	shop := h.NewSeller()
	if a := shop.Create(shop.Simplified(servicetest.Fields{}) + strings.Repeat(" ", 129<<10)); a.Status != http.StatusAccepted || !written.Load() {
		t.Errorf("create: got %d %s, batch written: %t; want 202", a.Status, a.Body, written.Load())
	}
	if used := limits.Memory.Usage().Used; used != 0 {
		t.Errorf("%d bytes are in use afterwards, want 0", used)
	}
}

// A device whose key cannot be opened does not affect the other members of its
// batch.
func TestPoisonedMemberIsRefusedAlone(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		poisoned := h.Issuing(h.Org, nil)
		junk := []byte(strings.Repeat("junk", 40))
		if err := h.Service.Store().PutSecret(context.Background(), h.Operator(h.Org), issue.DeviceKey, poisoned.ID.String(), junk); err != nil {
			t.Fatal(err)
		}
		answers := atOnce(40, func(i int) servicetest.Answer {
			device := shop.Device.ID
			if i%4 == 0 {
				device = poisoned.ID
			}
			return shop.Create(shop.Simplified(servicetest.Fields{"device": device, "notes": servicetest.Note(fmt.Sprint(i))}))
		})
		if got := statuses(answers); got[http.StatusAccepted] != 30 || got[http.StatusInternalServerError] != 10 {
			t.Fatalf("responses by status %v, want 30 × 202 and 10 × 500", got)
		}
		if got := h.CheckChains(h.Org); got != 30 {
			t.Errorf("the chains have %d documents, want 30", got)
		}
	})
}

// Callers that disconnect before the response do not damage the chains.
func TestC4_CallerWhoLeaves(t *testing.T) {
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		random := rand.New(rand.NewPCG(4, 4))
		callers := testtool.Count(50, 100)
		for n := range callers {
			ctx, cancel := context.WithTimeout(context.Background(), time.Duration(random.IntN(4000))*time.Microsecond)
			r := h.Request(http.MethodPost, shop.Address, strings.NewReader(shop.Simplified(servicetest.Fields{"notes": servicetest.Note(fmt.Sprint(n))}))).WithContext(ctx)
			r.Header.Set("Authorization", "Bearer "+h.Key)
			r.Header.Set("Content-Type", "application/json")
			if response, err := h.HTTP.Client().Do(r); err == nil {
				_ = response.Body.Close()
			}
			cancel()
		}
		h.HTTP.Close() // waits for requests in progress
		before := h.CheckChains(h.Org)
		t.Logf("%d of %d were issued", before, callers)
	})
}

// TestR9_ClockJumps sets the clock forwards and back many times: no document of a
// device is dated before the previous one.
func TestR9_ClockJumps(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		random := rand.New(rand.NewPCG(9, 9))
		jumps := []time.Duration{time.Second, time.Minute, 4 * time.Minute, time.Hour, 25 * time.Hour, 31 * 24 * time.Hour}
		counts := map[int]int{}
		latest := h.Clock.Now()
		most := testtool.Count(200, 1000)
		for n := range most {
			jump := jumps[random.IntN(len(jumps))]
			if random.IntN(2) == 0 {
				jump = -jump
			}
			h.Clock.Advance(jump)
			if random.IntN(4) == 0 { // set the clock right, a moment before midnight in Riyadh
				midnight := latest.Add(time.Second).Truncate(24 * time.Hour).Add(45*time.Hour - 100*time.Millisecond)
				h.Clock.Advance(midnight.Sub(h.Clock.Now()))
			}
			a := shop.Create(shop.Simplified(servicetest.Fields{"notes": servicetest.Note(fmt.Sprint(n))}))
			counts[a.Status]++
			switch a.Status {
			case http.StatusAccepted:
				if now := h.Clock.Now(); now.After(latest) {
					latest = now
				}
			case http.StatusServiceUnavailable:
				if !strings.Contains(a.Body, "clock is behind") && !strings.Contains(a.Body, "belongs to 20") && !strings.Contains(a.Body, "dated in the future") || a.Header.Get("Retry-After") == "" {
					t.Fatalf("503 for another reason than the clock: %s", a.Body)
				}
			case http.StatusBadRequest:
				if !strings.Contains(a.Body, "certificate has expired") && !strings.Contains(a.Body, "rule_id") {
					t.Fatalf("400 for another reason than the clock: %s", a.Body)
				}
			default:
				t.Fatalf("create: got %d %s, want 202, 400 or 503", a.Status, a.Body)
			}
		}
		t.Logf("responses by status: %v", counts)
		if tenth := most / 10; counts[http.StatusAccepted] < tenth || counts[http.StatusServiceUnavailable] < tenth {
			t.Errorf("responses by status = %v, want at least %d × 202 and %[2]d × 503", counts, tenth)
		}
		h.CheckChains(h.Org)
	})
}
