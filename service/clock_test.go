package service_test

import (
	"crypto/rand"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/admin"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/store/storetest"
	"khatm/simulator"
)

// commands opens the installation of a house as an operator's command does, with
// a clock of its own.
func (h *house) commands(now func() time.Time) *admin.Admin {
	h.t.Helper()
	a, err := admin.Open(h.t.Context(), admin.Config{Data: h.data, Database: h.database, Operator: "test", Now: now, NewID: h.service.NewID, Random: rand.Reader})
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(a.Close)
	return a
}

// soon is a second, and something for a machine that is busy.
const soon = 1500 * time.Millisecond

// stopped waits until readiness tells of a cause, and demands that creates
// answer 503 with its words while reads and the process are well.
func (t *till) stopped(cause, words string) {
	t.t.Helper()
	begun := time.Now()
	becomes(t.t, "issuing stops for "+cause, func() bool {
		ready := t.ask("/readyz/issuing")
		return ready.status == http.StatusServiceUnavailable && strings.Contains(ready.body, words)
	})
	if took := time.Since(begun); took > soon {
		t.t.Errorf("readiness told of %s after %s", cause, took)
	}
	a := t.create(t.simplified(fields{"notes": note(uuid.NewString())}))
	if a.status != http.StatusServiceUnavailable || !strings.Contains(a.body, words) || a.header.Get("Retry-After") == "" {
		t.t.Errorf("a create while stopped for %s: %d %s", cause, a.status, a.body)
	}
	if metrics := t.ask("/metrics").body; !strings.Contains(metrics, `khatm_issuing_stopped{cause="`+cause+`"} 1`) {
		t.t.Errorf("the metrics do not tell of %s", cause)
	}
	if list := t.call(http.MethodGet, "/v1/api/invoices/", ""); list.status != http.StatusOK {
		t.t.Errorf("a read while stopped for %s: %d %s", cause, list.status, list.body)
	}
	if ready := t.ask("/readyz"); ready.status != http.StatusOK {
		t.t.Errorf("the process is not ready because of %s: %s", cause, ready.body)
	}
}

// goesOn waits until invoices are issued again, and demands that the log tells
// of the beginning and of the end of each cause once.
func (t *till) goesOn(causes ...string) uuid.UUID {
	t.t.Helper()
	begun := time.Now()
	becomes(t.t, "issuing goes on", func() bool { return t.ask("/readyz/issuing").status == http.StatusOK })
	if took := time.Since(begun); took > soon {
		t.t.Errorf("issuing went on after %s", took)
	}
	id := t.created(t.simplified(fields{"notes": note(uuid.NewString())}))
	for _, cause := range causes {
		for _, message := range []string{"issuing is stopped", "a cause that stopped issuing has ended"} {
			if n := strings.Count(t.log.String(), `"msg":"`+message+`","cause":"`+cause+`"`); n != 1 {
				t.t.Errorf("%q is logged %d times of %s", message, n, cause)
			}
		}
	}
	return id
}

func TestClockThatJumps(t *testing.T) {
	for _, engine := range engines() {
		t.Run(engine.name, func(t *testing.T) {
			t.Parallel()
			actual := newTruth(storetest.NewClock().Now)
			h := open(t, func(c *server.Config) { engine.set(t, c); actual.use(c) })
			shop := h.till()
			shop.created(shop.simplified())
			actual.set(3 * time.Hour)
			shop.stopped("clock", "khatm clock accept")
			if ready := h.ask("/readyz/issuing").body; !strings.Contains(ready, "3h0m0s ahead of what it showed before it jumped") {
				t.Error(ready)
			}
			// An operator on a machine with another time says nothing about this one.
			if _, err := h.commands(actual.Now).AcceptClock(t.Context()); err != nil {
				t.Fatal(err)
			}
			time.Sleep(1500 * time.Millisecond)
			shop.stopped("clock", "khatm clock accept")
			if _, err := h.commands(actual.wall).AcceptClock(t.Context()); err != nil {
				t.Fatal(err)
			}
			shop.goesOn("clock")
		})
	}
}

// A clock that was wrong from the start, beside an authority that cannot be
// reached, dates documents in the future. When it is set right, the devices are
// released by an operator, and the audit accepts what was declared.
func TestDocumentsOfTheFutureAreReleased(t *testing.T) {
	for _, engine := range engines() {
		t.Run(engine.name, func(t *testing.T) {
			t.Parallel()
			actual := newTruth(storetest.NewClock().Now)
			h := open(t, func(c *server.Config) { engine.set(t, c); actual.use(c) })
			shop := h.till()
			other := h.issuing(h.org, nil)
			shop.created(shop.simplified(fields{"notes": note("right")}))
			actual.set(400 * 24 * time.Hour)
			operator := h.commands(actual.wall)
			accept := func() {
				t.Helper()
				if _, err := operator.AcceptClock(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			accept() // wrongly
			shop.goesOn()
			actual.set(0)
			shop.stopped("clock", "khatm clock accept")
			accept()
			// The other device has issued nothing, but the series of numbers is in
			// another year.
			shop.stopped("future", "khatm clock release --all")
			freed, err := operator.ReleaseClock(t.Context(), other.ID.String())
			if err != nil || len(freed) != 1 || freed[0].Series != "INV" || freed[0].Year != 2027 {
				t.Fatalf("released %+v, %v", freed, err)
			}
			becomes(t, "the other device issues", func() bool { return h.ask("/readyz/issuing").status == http.StatusOK })
			shop.created(shop.simplified(fields{"device": other.ID, "notes": note("other")}))
			a := shop.create(shop.simplified(fields{"notes": note("of the future")}))
			if a.status != http.StatusServiceUnavailable || !strings.Contains(a.body, "khatm clock release --device "+shop.device.ID.String()) || !strings.Contains(a.body, "dated 2027-12-20") {
				t.Fatalf("%d %s", a.status, a.body)
			}
			if freed, err = operator.ReleaseClock(t.Context(), shop.device.ID.String()); err != nil || len(freed) != 1 || *freed[0].Device != shop.device.ID {
				t.Fatalf("released %+v, %v", freed, err)
			}
			id := shop.created(shop.simplified(fields{"notes": note("released")}))
			if got := textIn(shop.read(t, "/api/invoices/"+id.String()+"/"), "ref_num"); got != "INV-2026-000003" {
				t.Errorf("the number is %s", got)
			}
			report, err := operator.Audit(t.Context(), admin.Proof{})
			if err != nil || !report.Sound() || !strings.Contains(strings.Join(report.Remarks, "\n"), "declared that one to be dated in the future: 1") {
				t.Errorf("%v, %v, %v", report.Remarks, report.Faults, err)
			}
		})
	}
}

// The authority's time finds out a clock that is wrong from the start, and
// explains one that is set right.
func TestClockThatIsWrongFromTheStart(t *testing.T) {
	actual := newTruth(time.Now)
	office := openOffice(t, simulator.Config{Mood: "polite", Seed: 1, Now: actual.Now})
	first := office.opens(t, actual.use)
	shop := first.shop()
	shop.created(shop.simplified())
	first.server.Close()
	first.service.Close()

	actual.set(365 * 24 * time.Hour)
	h := office.opens(t, func(c *server.Config) { actual.use(c); c.Data = first.data })
	shop.house = h.house
	shop.key = h.newKey(shop.org, org.CreateInvoice)
	becomes(t, "the authority's time is known", h.service.TimeKnown)
	shop.stopped("clock", "khatm clock accept")
	if ready := h.ask("/readyz/issuing").body; !strings.Contains(ready, "ahead of the tax authority's") {
		t.Error(ready)
	}
	actual.set(0)
	shop.goesOn("clock")
}
