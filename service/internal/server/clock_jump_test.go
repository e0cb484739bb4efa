package server_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/internal/testtool"
	"khatm/service/internal/clock"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store/storetest"
	"khatm/simulator"
)

// trueTime provides the true time and a wall clock that is off by some amount.
// Its boot clock follows the true time.
type trueTime struct {
	source func() time.Time
	passed atomic.Int64 // in addition to the source
	off    atomic.Int64
}

// newTrueTime returns a true time based on a source.
func newTrueTime(source func() time.Time) *trueTime { return &trueTime{source: source} }

func (t *trueTime) Now() time.Time { return t.source().Add(time.Duration(t.passed.Load())) }

func (t *trueTime) advance(by time.Duration) { t.passed.Add(int64(by)) }

func (t *trueTime) wall() time.Time { return t.Now().Add(time.Duration(t.off.Load())) }

func (t *trueTime) boot() time.Duration { return t.Now().Sub(storetest.Start) + 99*time.Hour }

func (t *trueTime) set(off time.Duration) { t.off.Store(int64(off)) }

func (t *trueTime) use(c *server.Config) { c.Now, c.Boot = t.wall, t.boot }

// years is the largest jump.
const years = 2 * 365 * 24 * time.Hour

// jump sets the wall clock off by up to two years, a day or half an hour.
func (t *trueTime) jump(random *rand.Rand) {
	within := []time.Duration{years, 24 * time.Hour, 30 * time.Minute}[random.IntN(3)]
	t.set(time.Duration(random.Int64N(int64(2*within))) - within)
}

// issued is a document with the true times of its request and answer.
type issued struct {
	id       uuid.UUID
	from, to time.Time
}

// createWhileClockJumps creates documents on every device while the clock
// jumps. It returns them, and the number of responses by status.
func createWhileClockJumps(t *testing.T, shop *servicetest.Seller, devices []uuid.UUID, actual *trueTime, jumps int) (all []issued, counts map[int]int) {
	t.Helper()
	counts = map[int]int{}
	var mu sync.Mutex
	ctx, stop := context.WithCancel(t.Context())
	var creators sync.WaitGroup
	for n, device := range devices {
		creators.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				one := issued{from: actual.Now()}
				a := shop.Create(shop.Simplified(servicetest.Fields{"device": device, "notes": servicetest.Note(fmt.Sprintf("%d of %d", i, n))}))
				one.to = actual.Now()
				mu.Lock()
				counts[a.Status]++
				switch {
				case a.Status == http.StatusAccepted:
					one.id = uuid.MustParse(fmt.Sprint(a.JSON(t)["invoice_uuid"]))
					all = append(all, one)
				case a.Status != http.StatusServiceUnavailable || !strings.Contains(a.Body, "clock"):
					t.Errorf("create while the clock jumps: got %d %s, want 202 or 503 because of the clock", a.Status, a.Body)
					stop()
				}
				mu.Unlock()
			}
		})
	}
	random := rand.New(rand.NewPCG(16, 7))
	for range jumps {
		actual.advance(time.Duration(random.IntN(2000)) * time.Millisecond)
		actual.jump(random)
		time.Sleep(3 * time.Millisecond)
		if random.IntN(2) == 0 {
			actual.set(0)
			time.Sleep(6 * time.Millisecond)
		}
	}
	stop()
	creators.Wait()
	return all, counts
}

// provesTimes checks that the date of every document is within the tolerance of
// the true time, and returns the largest difference.
func provesTimes(t *servicetest.Seller, all []issued) (worst time.Duration) {
	t.TB.Helper()
	for _, one := range all {
		i, err := t.Service.Store().Invoice(t.TB.Context(), org.TenantOf(t.Org.ID), one.id)
		if err != nil {
			t.TB.Fatal(err)
		}
		off := max(one.from.Sub(i.IssuedAt), i.IssuedAt.Sub(one.to), 0)
		if worst = max(worst, off); off > clock.Tolerance {
			t.TB.Errorf("invoice %s is dated %s, but was issued between %s and %s", i.Number, i.IssuedAt, one.from, one.to)
		}
	}
	return worst
}

// issueAgain checks that every device can issue once the clock is right.
func issueAgain(t *servicetest.Seller, devices []uuid.UUID, actual *trueTime) {
	t.TB.Helper()
	actual.set(0)
	actual.advance(clock.Tolerance) // no document is dated further ahead
	servicetest.Eventually(t.TB, "issuing continues", func() bool { return t.Ask("/readyz/issuing").Status == http.StatusOK })
	for _, device := range devices {
		if a := t.Create(t.Simplified(servicetest.Fields{"device": device, "notes": servicetest.Note("afterwards")})); a.Status != http.StatusAccepted {
			t.TB.Errorf("create on device %s with the right clock: got %d %s, want 202", device, a.Status, a.Body)
		}
	}
}

func clockJumps() int {
	if testtool.Torture() {
		return 1000
	}
	return 25
}

// TestTorture_ClockJumps moves the wall clock by up to two years while invoices
// are created.
func TestTorture_ClockJumps(t *testing.T) {
	t.Parallel()
	for _, engine := range servicetest.UsualEngines() {
		t.Run(engine.Name, func(t *testing.T) {
			actual := newTrueTime(storetest.NewClock().Now)
			h := servicetest.Open(t, func(c *server.Config) { engine.Set(t, c); actual.use(c) })
			shop := h.NewSeller()
			devices := []uuid.UUID{shop.Device.ID, h.Issuing(h.Org, nil).ID, h.Issuing(h.Org, nil).ID}
			all, counts := createWhileClockJumps(t, shop, devices, actual, clockJumps())
			worst := provesTimes(shop, all)
			issueAgain(shop, devices, actual)
			if len(all) == 0 || counts[http.StatusServiceUnavailable] == 0 {
				t.Errorf("responses by status = %v, want some 202 and some 503", counts)
			}
			h.CheckChains(h.Org)
			servicetest.ReportScenario(t, "clock jumps of up to 2 years while 3 devices issue, "+engine.Name, fmt.Sprint(clockJumps(), " jumps"), 16,
				fmt.Sprintf("responses %v; no document more than %s off, every device issues afterwards", counts, worst.Round(time.Second)))
		})
	}
}

// TestTorture_ClockJumpsBesideAnAuthority is TestTorture_ClockJumps with an
// authority whose answers state the true time.
func TestTorture_ClockJumpsBesideAnAuthority(t *testing.T) {
	t.Parallel()
	actual := newTrueTime(time.Now)
	sim := servicetest.OpenAuthority(t, simulator.Config{Mood: "polite", Seed: 1, Now: actual.Now})
	h := sim.Open(t, actual.use)
	shop := h.OnboardedSeller()
	devices := []uuid.UUID{shop.Device.ID, h.Onboarded(h.Org).ID}
	servicetest.Eventually(t, "the authority's time is known", h.Service.TimeKnown)
	all, counts := createWhileClockJumps(t, shop, devices, actual, clockJumps())
	worst := provesTimes(shop, all)
	issueAgain(shop, devices, actual)
	for _, one := range all {
		shop.Final(one.id)
	}
	servicetest.ReportScenario(t, "clock jumps of up to 2 years beside an authority that states the time, SQLite", fmt.Sprint(clockJumps(), " jumps"), 16,
		fmt.Sprintf("responses %v; no document more than %s off, all sent", counts, worst.Round(time.Second)))
}
