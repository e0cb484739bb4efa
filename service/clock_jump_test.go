package service_test

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

	"khatm/service/internal/clock"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/store/storetest"
	"khatm/simulator"
)

// truth is the true time, and how far off the machine's wall clock is. The
// boot-time clock moves with the true time.
type truth struct {
	source func() time.Time
	passed atomic.Int64 // besides what passes at the source
	off    atomic.Int64
}

// newTruth is a true time that a test moves, or that runs besides.
func newTruth(source func() time.Time) *truth { return &truth{source: source} }

func (t *truth) Now() time.Time { return t.source().Add(time.Duration(t.passed.Load())) }

func (t *truth) advance(by time.Duration) { t.passed.Add(int64(by)) }

func (t *truth) wall() time.Time { return t.Now().Add(time.Duration(t.off.Load())) }

func (t *truth) boot() time.Duration { return t.Now().Sub(storetest.Start) + 99*time.Hour }

func (t *truth) set(off time.Duration) { t.off.Store(int64(off)) }

func (t *truth) use(c *server.Config) { c.Now, c.Boot = t.wall, t.boot }

// years is the range of the jumps.
const years = 2 * 365 * 24 * time.Hour

// jump sets the wall clock off by up to two years, or by some minutes.
func (t *truth) jump(random *rand.Rand) {
	within := []time.Duration{years, 24 * time.Hour, 30 * time.Minute}[random.IntN(3)]
	t.set(time.Duration(random.Int64N(int64(2*within))) - within)
}

// issued is a document and the true time between which it was asked for and
// answered.
type issued struct {
	id       uuid.UUID
	from, to time.Time
}

// besetClock creates on every device while the clock jumps, and returns what
// was issued.
func besetClock(t *testing.T, shop *till, devices []uuid.UUID, actual *truth, jumps int) (all []issued, counts map[int]int) {
	t.Helper()
	counts = map[int]int{}
	var mu sync.Mutex
	ctx, stop := context.WithCancel(t.Context())
	var creators sync.WaitGroup
	for n, device := range devices {
		creators.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				one := issued{from: actual.Now()}
				a := shop.create(shop.simplified(fields{"device": device, "notes": note(fmt.Sprintf("%d of %d", i, n))}))
				one.to = actual.Now()
				mu.Lock()
				counts[a.status]++
				switch {
				case a.status == http.StatusAccepted:
					one.id = uuid.MustParse(fmt.Sprint(a.json(t)["invoice_uuid"]))
					all = append(all, one)
				case a.status != http.StatusServiceUnavailable || !strings.Contains(a.body, "clock"):
					t.Errorf("%d %s", a.status, a.body)
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

// provesTimes demands that no document is dated further off than tolerated.
func (t *till) provesTimes(all []issued) (worst time.Duration) {
	t.t.Helper()
	for _, one := range all {
		i, err := t.service.Store().Invoice(t.t.Context(), org.TenantOf(t.org.ID), one.id)
		if err != nil {
			t.t.Fatal(err)
		}
		off := max(one.from.Sub(i.IssuedAt), i.IssuedAt.Sub(one.to), 0)
		if worst = max(worst, off); off > clock.Tolerance {
			t.t.Errorf("%s is dated %s and was issued between %s and %s", i.Number, i.IssuedAt, one.from, one.to)
		}
	}
	return worst
}

// issueAgain demands that every device issues once the clock is right.
func (t *till) issueAgain(devices []uuid.UUID, actual *truth) {
	t.t.Helper()
	actual.set(0)
	actual.advance(clock.Tolerance) // no document is dated further ahead
	becomes(t.t, "issuing goes on", func() bool { return t.ask("/readyz/issuing").status == http.StatusOK })
	for _, device := range devices {
		if a := t.create(t.simplified(fields{"device": device, "notes": note("afterwards")})); a.status != http.StatusAccepted {
			t.t.Errorf("device %s does not issue any more: %d %s", device, a.status, a.body)
		}
	}
}

func clockJumps() int {
	if torturing() {
		return 1000
	}
	return 25
}

// TestTorture_ClockJumps moves the wall clock by up to two years while invoices
// are created.
func TestTorture_ClockJumps(t *testing.T) {
	for _, engine := range engines() {
		t.Run(engine.name, func(t *testing.T) {
			actual := newTruth(storetest.NewClock().Now)
			h := open(t, func(c *server.Config) { engine.set(t, c); actual.use(c) })
			shop := h.till()
			devices := []uuid.UUID{shop.device.ID, h.issuing(h.org, nil).ID, h.issuing(h.org, nil).ID}
			all, counts := besetClock(t, shop, devices, actual, clockJumps())
			worst := shop.provesTimes(all)
			shop.issueAgain(devices, actual)
			if len(all) == 0 || counts[http.StatusServiceUnavailable] == 0 {
				t.Errorf("the clock was never right, or never wrong: %v", counts)
			}
			h.provesChains(h.org)
			scenario(t, "clock jumps of up to 2 years while 3 devices issue, "+engine.name, fmt.Sprint(clockJumps(), " jumps"), 16,
				fmt.Sprintf("answers %v; no document more than %s off, every device issues afterwards", counts, worst.Round(time.Second)))
		})
	}
}

// TestTorture_ClockJumpsBesideAnAuthority does the same with an authority whose
// responses state the true time.
func TestTorture_ClockJumpsBesideAnAuthority(t *testing.T) {
	actual := newTruth(time.Now)
	office := openOffice(t, simulator.Config{Mood: "polite", Seed: 1, Now: actual.Now})
	h := office.opens(t, actual.use)
	shop := h.shop()
	devices := []uuid.UUID{shop.device.ID, h.onboarded(h.org).ID}
	becomes(t, "the authority's time is known", h.service.TimeKnown)
	all, counts := besetClock(t, shop, devices, actual, clockJumps())
	worst := shop.provesTimes(all)
	shop.issueAgain(devices, actual)
	for _, one := range all {
		shop.final(one.id)
	}
	scenario(t, "clock jumps of up to 2 years beside an authority that states the time, SQLite", fmt.Sprint(clockJumps(), " jumps"), 16,
		fmt.Sprintf("answers %v; no document more than %s off, all sent", counts, worst.Round(time.Second)))
}
