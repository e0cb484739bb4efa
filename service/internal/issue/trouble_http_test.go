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

	"khatm/service/internal/issue"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

// TestR6_OutcomeOfTheCommitUnknown fails every commit after it has happened:
// the document is there once, and the caller is told so.
func TestR6_OutcomeOfTheCommitUnknown(t *testing.T) {
	t.Parallel()
	for name, database := range servicetest.Databases {
		t.Run(name, func(t *testing.T) {
			var broken atomic.Int64
			var appended atomic.Bool // not a commit of background work
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
			const rounds = 25
			for n := range rounds {
				broken.Store(1)
				a := shop.Create(shop.Simplified(servicetest.Fields{"notes": servicetest.Note(fmt.Sprint(n))}))
				if a.Status != http.StatusAccepted {
					t.Fatalf("%d %s", a.Status, a.Body)
				}
				// After a commit that failed the service tries to write first.
				servicetest.Eventually(t, "issuing goes on", func() bool { return h.Ask("/readyz/issuing").Status == http.StatusOK })
				if again := shop.Create(shop.Simplified(servicetest.Fields{"notes": servicetest.Note(fmt.Sprint(n))})); again.Status != http.StatusBadRequest {
					t.Fatalf("the same again: %d %s", again.Status, again.Body)
				}
			}
			if got := h.CheckChains(h.Org); got != rounds {
				t.Errorf("%d documents", got)
			}
			if !strings.Contains(h.Log.String(), "the outcome of a commit is not known") {
				t.Error("the log does not say so")
			}
		})
	}
}

// A device whose key cannot be opened must not take the others of its batch
// along.
func TestPoisonedMemberIsRefusedAlone(t *testing.T) {
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
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
			t.Fatalf("%v", got)
		}
		if got := h.CheckChains(h.Org); got != 30 {
			t.Errorf("%d documents", got)
		}
	})
}

// A caller who leaves takes nothing along: what was begun is finished, and the
// list shows it.
func TestC4_CallerWhoLeaves(t *testing.T) {
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		random := rand.New(rand.NewPCG(4, 4))
		for n := range 100 {
			ctx, cancel := context.WithTimeout(context.Background(), time.Duration(random.IntN(4000))*time.Microsecond)
			r := h.Request(http.MethodPost, shop.Address, strings.NewReader(shop.Simplified(servicetest.Fields{"notes": servicetest.Note(fmt.Sprint(n))}))).WithContext(ctx)
			r.Header.Set("Authorization", "Bearer "+h.Key)
			r.Header.Set("Content-Type", "application/json")
			if response, err := h.HTTP.Client().Do(r); err == nil {
				_ = response.Body.Close()
			}
			cancel()
		}
		h.HTTP.Close() // waits for what is under way
		before := h.CheckChains(h.Org)
		t.Logf("%d of 100 were issued", before)
	})
}

// TestR9_ClockJumps sets the clock forwards and back a thousand times: within a
// device no document is dated before the one before it.
func TestR9_ClockJumps(t *testing.T) {
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		random := rand.New(rand.NewPCG(9, 9))
		jumps := []time.Duration{time.Second, time.Minute, 4 * time.Minute, time.Hour, 25 * time.Hour, 31 * 24 * time.Hour}
		counts := map[int]int{}
		latest := h.Clock.Now()
		for n := range 1000 {
			jump := jumps[random.IntN(len(jumps))]
			if random.IntN(2) == 0 {
				jump = -jump
			}
			h.Clock.Advance(jump)
			if random.IntN(4) == 0 { // the clock is put right, a moment before midnight in Riyadh
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
				if !strings.Contains(a.Body, "clock is behind") && !strings.Contains(a.Body, "is of 20") && !strings.Contains(a.Body, "dated in the future") || a.Header.Get("Retry-After") == "" {
					t.Fatal(a.Body)
				}
			case http.StatusBadRequest:
				if !strings.Contains(a.Body, "certificate has expired") && !strings.Contains(a.Body, "rule_id") {
					t.Fatal(a.Body)
				}
			default:
				t.Fatalf("%d %s", a.Status, a.Body)
			}
		}
		t.Logf("answers %v", counts)
		if counts[http.StatusAccepted] < 100 || counts[http.StatusServiceUnavailable] < 100 {
			t.Error("the clock did not jump enough")
		}
		h.CheckChains(h.Org)
	})
}
