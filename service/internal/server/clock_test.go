package server_test

import (
	"crypto/rand"
	"net/http"
	"strings"
	"testing"
	"time"

	"khatm/service/admin"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store/storetest"
	"khatm/simulator"
)

// commands opens the installation of an instance for operator commands with the
// given clock.
func commands(h *servicetest.Instance, now func() time.Time) *admin.Admin {
	h.TB.Helper()
	a, err := admin.Open(h.TB.Context(), admin.Config{Data: h.Data, Database: h.Database, Operator: "test", Now: now, NewID: h.Service.NewID, Random: rand.Reader})
	if err != nil {
		h.TB.Fatal(err)
	}
	h.TB.Cleanup(a.Close)
	return a
}

func TestClockThatJumps(t *testing.T) {
	t.Parallel()
	for _, engine := range servicetest.UsualEngines() {
		t.Run(engine.Name, func(t *testing.T) {
			t.Parallel()
			actual := newTrueTime(storetest.NewClock().Now)
			h := servicetest.Open(t, func(c *server.Config) { engine.Set(t, c); actual.use(c) })
			shop := h.NewSeller()
			shop.Created(shop.Simplified())
			actual.set(3 * time.Hour)
			shop.Stopped("clock", "khatm clock accept")
			if ready := h.Ask("/readyz/issuing").Body; !strings.Contains(ready, "3h0m0s ahead of its time before it jumped") {
				t.Errorf("/readyz/issuing = %s, want the jump of 3 hours", ready)
			}
			// A confirmation from a machine whose clock differs from the
			// server's has no effect.
			if _, err := commands(h, actual.Now).AcceptClock(t.Context()); err != nil {
				t.Fatal(err)
			}
			time.Sleep(1500 * time.Millisecond)
			shop.Stopped("clock", "khatm clock accept")
			if _, err := commands(h, actual.wall).AcceptClock(t.Context()); err != nil {
				t.Fatal(err)
			}
			shop.Continues("clock")
		})
	}
}

// If an operator confirms a wrong clock, documents are dated in the future.
// Once the clock is right, the operator releases the number series and the
// device, and the audit finds no faults.
func TestDocumentsOfTheFutureAreReleased(t *testing.T) {
	t.Parallel()
	for _, engine := range servicetest.UsualEngines() {
		t.Run(engine.Name, func(t *testing.T) {
			t.Parallel()
			actual := newTrueTime(storetest.NewClock().Now)
			h := servicetest.Open(t, func(c *server.Config) { engine.Set(t, c); actual.use(c) })
			shop := h.NewSeller()
			other := h.Issuing(h.Org, nil)
			shop.Created(shop.Simplified(servicetest.Fields{"notes": servicetest.Note("right")}))
			actual.set(400 * 24 * time.Hour)
			operator := commands(h, actual.wall)
			accept := func() {
				t.Helper()
				if _, err := operator.AcceptClock(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			accept() // although it is wrong
			shop.Continues()
			actual.set(0)
			shop.Stopped("clock", "khatm clock accept")
			accept()
			// The other device has issued nothing, but the last number of the
			// series is from a later year.
			shop.Stopped("future", "khatm clock release --all")
			freed, err := operator.ReleaseClock(t.Context(), other.ID.String())
			if err != nil || len(freed) != 1 || freed[0].Series != "INV" || freed[0].Year != 2027 {
				t.Fatalf("ReleaseClock = %+v, %v; want the series INV of 2027", freed, err)
			}
			servicetest.Eventually(t, "the other device issues", func() bool { return h.Ask("/readyz/issuing").Status == http.StatusOK })
			shop.Created(shop.Simplified(servicetest.Fields{"device": other.ID, "notes": servicetest.Note("other")}))
			a := shop.Create(shop.Simplified(servicetest.Fields{"notes": servicetest.Note("of the future")}))
			if a.Status != http.StatusServiceUnavailable || !strings.Contains(a.Body, "khatm clock release --device "+shop.Device.ID.String()) || !strings.Contains(a.Body, "dated 2027-12-20") {
				t.Fatalf("create on the blocked device: got %d %s, want 503 with the release command", a.Status, a.Body)
			}
			if freed, err = operator.ReleaseClock(t.Context(), shop.Device.ID.String()); err != nil || len(freed) != 1 || *freed[0].Device != shop.Device.ID {
				t.Fatalf("ReleaseClock = %+v, %v; want the device", freed, err)
			}
			id := shop.Created(shop.Simplified(servicetest.Fields{"notes": servicetest.Note("released")}))
			if got := servicetest.TextIn(shop.Read(t, "/api/invoices/"+id.String()+"/"), "ref_num"); got != "INV-2026-000003" {
				t.Errorf("ref_num = %s, want INV-2026-000003", got)
			}
			report, err := operator.Audit(t.Context(), admin.Proof{})
			if err != nil || !report.Sound() || !strings.Contains(strings.Join(report.Remarks, "\n"), "declared to be dated in the future: 1") {
				t.Errorf("audit after the release: remarks %v, faults %v, %v", report.Remarks, report.Faults, err)
			}
		})
	}
}

// A clock that is wrong from the start is detected by comparison with the
// authority's time. Issuing continues once the clock is right.
func TestClockThatIsWrongFromTheStart(t *testing.T) {
	t.Parallel()
	actual := newTrueTime(time.Now)
	sim := servicetest.OpenAuthority(t, simulator.Config{Mood: "polite", Seed: 1, Now: actual.Now})
	first := sim.Open(t, actual.use)
	shop := first.OnboardedSeller()
	shop.Created(shop.Simplified())
	first.HTTP.Close()
	first.Service.Close()

	actual.set(365 * 24 * time.Hour)
	h := sim.Open(t, func(c *server.Config) { actual.use(c); c.Data = first.Data })
	shop.Instance = h.Instance
	shop.Key = h.NewKey(shop.Org, org.CreateInvoice)
	servicetest.Eventually(t, "the authority's time is known", h.Service.TimeKnown)
	shop.Stopped("clock", "khatm clock accept")
	if ready := h.Ask("/readyz/issuing").Body; !strings.Contains(ready, "ahead of the tax authority's") {
		t.Errorf("/readyz/issuing = %s, want the difference from the authority", ready)
	}
	actual.set(0)
	shop.Continues("clock")
}
