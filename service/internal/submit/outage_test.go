package submit_test

import (
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/internal/testtool"
	"khatm/service/internal/ledger"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store/storetest"
	"khatm/simulator"
)

// U-5: the authority is down for a day while documents are created, one every
// five minutes, or two hundred a minute with KHATM_TORTURE=1. Creating is
// unaffected, warnings are logged on time, memory does not grow, few calls are
// made, and afterwards everything is sent, oldest first.
func TestReliability_U5_AuthorityDownForADay(t *testing.T) {
	rate, step := testtool.Count(1, 200), testtool.Scale(10, 5, 1)
	for _, engine := range servicetest.UsualEngines() {
		t.Run(engine.Name, func(t *testing.T) {
			clock := storetest.NewClock()
			sim := servicetest.OpenAuthority(t, simulator.Config{Now: clock.Now})
			// Only errors of the log are kept: a line for each call would use most of
			// the memory.
			wrong := &testtool.Buffer{}
			s := sim.Open(t, func(c *server.Config) {
				engine.Set(t, c)
				c.Now, c.Sending.Poll = clock.Now, 20*time.Millisecond
				c.Sending.LeaseMargin = time.Minute // the clock is faster than the machine
				c.Log = slog.New(slog.NewJSONHandler(wrong, &slog.HandlerOptions{Level: slog.LevelWarn}))
			})
			s.Log = wrong
			if err := s.Service.Store().Subscribe(t.Context(), s.Operator(s.Org), "enterprise"); err != nil { // unlimited plan
				t.Fatal(err)
			}
			shop := s.OnboardedSeller()
			sim.Mood(`{"server_error": {"rate": 10000, "statuses": [503]}}`)
			ids := make([]uuid.UUID, 24*60/step*rate)
			var before uint64
			for minute := 0; minute < 24*60; minute += step {
				clock.Advance(time.Duration(step) * time.Minute)
				n := minute / step
				fills(shop, ids[n*rate:(n+1)*rate], fmt.Sprint("minute ", minute))
				switch minute {
				case 2 * 60:
					before = heap()
				case 6*60 - 5, 12*60 - 5, 20*60 - 5:
					if hours := minute/60 + 1; s.Warned(hours) {
						t.Errorf("warning of %d hours was logged too early", hours)
					}
				case 6*60 + 5, 12*60 + 5, 20*60 + 5:
					hours := minute / 60
					servicetest.Eventually(t, fmt.Sprint("a warning of ", hours, " hours"), func() bool { return s.Warned(hours) })
				}
			}
			if grown := int64(heap()) - int64(before); grown > 16<<20 {
				t.Errorf("memory grew by %d KiB, want at most 16 MiB", grown>>10)
			}
			if f := s.Service.Figures(); !f.Open[ledger.ByReporting] {
				t.Errorf("the breaker is not open: %+v", f)
			}
			down := len(sim.Journal())
			sim.Mood("nod")
			for _, id := range ids {
				for !shop.Status(id).Final() {
					// A lease must not expire during a call.
					if s.Service.Figures().Sending == 0 {
						clock.Advance(100 * time.Millisecond)
					}
					time.Sleep(time.Millisecond)
				}
			}
			if most := sim.Busiest.Load(); most > 64 {
				t.Errorf("%d calls at a time, want at most 64", most)
			}
			sim.AcceptedOnce(ids)
			far := displaced(sim)
			servicetest.ReportScenario(t, "U-5 authority down for 24 hours of injected time, "+engine.Name, fmt.Sprint(len(ids), " documents"), 0, fmt.Sprintf("%d calls while it was down, then sent at most %d places from their turn; warnings on time", down, far))
			if far > 200 { // 64 are sent at a time
				t.Errorf("a document was sent %d places from its position, want at most 200", far)
			}
		})
	}
}

// fills creates documents with at most twenty concurrent callers.
func fills(t *servicetest.Seller, ids []uuid.UUID, about string) {
	t.TB.Helper()
	var all sync.WaitGroup
	for caller := range min(20, len(ids)) {
		all.Go(func() {
			for n := caller; n < len(ids); n += 20 {
				ids[n] = t.Created(t.Simplified(servicetest.Fields{"supply_date": "2026-11-15", "notes": servicetest.Note(fmt.Sprint(about, ", ", n))}))
			}
		})
	}
	all.Wait()
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// displaced returns the largest distance between the position of a document, by
// counter, and the order of acceptance.
func displaced(o *servicetest.Authority) (most int) {
	o.TB.Helper()
	var order []int
	for _, e := range o.Journal() {
		if e.Outcome == "new" {
			n, err := strconv.Atoi(e.Counter)
			if err != nil {
				o.TB.Fatal(err)
			}
			order = append(order, n)
		}
	}
	sorted := slices.Sorted(slices.Values(order))
	for at, n := range order {
		turn, _ := slices.BinarySearch(sorted, n)
		most = max(most, at-turn, turn-at)
	}
	return most
}
