package service_test

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
)

// TestR6_OutcomeOfTheCommitUnknown fails every commit after it has happened:
// the document is there once, and the caller is told so.
func TestR6_OutcomeOfTheCommitUnknown(t *testing.T) {
	for name, database := range databases {
		t.Run(name, func(t *testing.T) {
			var broken atomic.Int64
			h := open(t, func(c *server.Config) {
				c.Database = database(t)
				server.Point(c, func(step string) error {
					if step == "committed" && broken.Add(-1) >= 0 {
						return errors.New("the connection broke")
					}
					return nil
				})
			})
			shop := h.till()
			const rounds = 25
			for n := range rounds {
				broken.Store(1)
				a := shop.create(shop.simplified(fields{"notes": note(fmt.Sprint(n))}))
				if a.status != http.StatusAccepted {
					t.Fatalf("%d %s", a.status, a.body)
				}
				// After a commit that failed the service tries to write first.
				becomes(t, "issuing goes on", func() bool { return h.ask("/readyz/issuing").status == http.StatusOK })
				if again := shop.create(shop.simplified(fields{"notes": note(fmt.Sprint(n))})); again.status != http.StatusBadRequest {
					t.Fatalf("the same again: %d %s", again.status, again.body)
				}
			}
			if got := h.provesChains(h.org); got != rounds {
				t.Errorf("%d documents", got)
			}
			if !strings.Contains(h.log.String(), "the outcome of a commit is not known") {
				t.Error("the log does not say so")
			}
		})
	}
}

// A device whose key cannot be opened must not take the others of its batch
// along.
func TestPoisonedMemberIsRefusedAlone(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		shop := h.till()
		poisoned := h.issuing(h.org, nil)
		junk := []byte(strings.Repeat("junk", 40))
		if err := h.service.Store().PutSecret(context.Background(), h.operator(h.org), issue.DeviceKey, poisoned.ID.String(), junk); err != nil {
			t.Fatal(err)
		}
		answers := atOnce(40, func(i int) answer {
			device := shop.device.ID
			if i%4 == 0 {
				device = poisoned.ID
			}
			return shop.create(shop.simplified(fields{"device": device, "notes": note(fmt.Sprint(i))}))
		})
		if got := statuses(answers); got[http.StatusAccepted] != 30 || got[http.StatusInternalServerError] != 10 {
			t.Fatalf("%v", got)
		}
		if got := h.provesChains(h.org); got != 30 {
			t.Errorf("%d documents", got)
		}
	})
}

// A caller who leaves takes nothing along: what was begun is finished, and the
// list shows it.
func TestC4_CallerWhoLeaves(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		shop := h.till()
		random := rand.New(rand.NewPCG(4, 4))
		for n := range 100 {
			ctx, cancel := context.WithTimeout(context.Background(), time.Duration(random.IntN(4000))*time.Microsecond)
			r := h.request(http.MethodPost, shop.address, strings.NewReader(shop.simplified(fields{"notes": note(fmt.Sprint(n))}))).WithContext(ctx)
			r.Header.Set("Authorization", "Bearer "+h.key)
			r.Header.Set("Content-Type", "application/json")
			if response, err := h.server.Client().Do(r); err == nil {
				_ = response.Body.Close()
			}
			cancel()
		}
		h.server.Close() // waits for what is under way
		before := h.provesChains(h.org)
		t.Logf("%d of 100 were issued", before)
	})
}

// TestR9_ClockJumps sets the clock forwards and back a thousand times: within a
// device no document is dated before the one before it.
func TestR9_ClockJumps(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		shop := h.till()
		random := rand.New(rand.NewPCG(9, 9))
		jumps := []time.Duration{time.Second, time.Minute, 4 * time.Minute, time.Hour, 25 * time.Hour, 31 * 24 * time.Hour}
		counts := map[int]int{}
		latest := h.clock.Now()
		for n := range 1000 {
			jump := jumps[random.IntN(len(jumps))]
			if random.IntN(2) == 0 {
				jump = -jump
			}
			h.clock.Advance(jump)
			if random.IntN(4) == 0 { // the clock is put right, a moment before midnight in Riyadh
				midnight := latest.Add(time.Second).Truncate(24 * time.Hour).Add(45*time.Hour - 100*time.Millisecond)
				h.clock.Advance(midnight.Sub(h.clock.Now()))
			}
			a := shop.create(shop.simplified(fields{"notes": note(fmt.Sprint(n))}))
			counts[a.status]++
			switch a.status {
			case http.StatusAccepted:
				if now := h.clock.Now(); now.After(latest) {
					latest = now
				}
			case http.StatusServiceUnavailable:
				if !strings.Contains(a.body, "clock is behind") && !strings.Contains(a.body, "is of 20") && !strings.Contains(a.body, "dated in the future") || a.header.Get("Retry-After") == "" {
					t.Fatal(a.body)
				}
			case http.StatusBadRequest:
				if !strings.Contains(a.body, "certificate has expired") && !strings.Contains(a.body, "rule_id") {
					t.Fatal(a.body)
				}
			default:
				t.Fatalf("%d %s", a.status, a.body)
			}
		}
		t.Logf("answers %v", counts)
		if counts[http.StatusAccepted] < 100 || counts[http.StatusServiceUnavailable] < 100 {
			t.Error("the clock did not jump enough")
		}
		h.provesChains(h.org)
	})
}
