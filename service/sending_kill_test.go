package service_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/internal/testtool"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/simulator"
)

// TestR2_KillAtEveryStepOfTheSending kills the server at each step between the
// claim of a document and its verdict. Finally every document has been accepted
// exactly once. With PostgreSQL, only the steps around the transaction that records
// the verdict are tested unless testtool.All is set.
func TestR2_KillAtEveryStepOfTheSending(t *testing.T) {
	t.Parallel()
	steps := []string{"claimed", "sending", "answered", "judged", "result written", "recorded"}
	for _, engine := range servicetest.Engines() {
		t.Run(engine.Name, func(t *testing.T) {
			sim := servicetest.OpenAuthority(t, simulator.Config{})
			b := newLoadedWith(t, sim, engine)
			steps := steps
			if b.database != "" && !testtool.All() {
				steps = []string{"result written", "recorded"}
			}
			for n, step := range steps {
				v := startProcess(t, b.data, b.database, fmt.Sprintf("%s#%d", step, 3+n), "KHATM_TEST_SERVER_AUTHORITY="+sim.URL)
				b.attackWith(v, 3)
				v.wantKilled(t, step)
			}
			again, ids := b.finished(t, sim, ledger.Status.Accepted)
			sends := sim.AcceptedOnce(ids)
			t.Logf("%d documents, %d sends, %d kills", len(ids), sends, len(steps))
			again.CheckChains(b.shop.Org)
		})
	}
}

// newLoadedWith returns an installation whose documents are sent to sim. Its server
// is stopped.
func newLoadedWith(t *testing.T, sim *servicetest.Authority, engine servicetest.Engine) *loaded {
	t.Helper()
	b := &loaded{t: t, data: t.TempDir(), told: map[string]string{}}
	s := sim.Open(t, func(c *server.Config) {
		engine.Set(t, c)
		c.Data, b.database = b.data, c.Database
	})
	b.shop, b.key = s.OnboardedSeller(), s.Key
	b.devices = []uuid.UUID{b.shop.Device.ID}
	s.HTTP.Close()
	s.Service.Close()
	return b
}

// finished starts the server again and waits until the status of every document is
// final. It returns the ids of the documents.
func (b *loaded) finished(t *testing.T, sim *servicetest.Authority, final func(ledger.Status) bool) (again *servicetest.Sending, ids []uuid.UUID) {
	t.Helper()
	again = sim.Open(t, func(c *server.Config) { c.Data, c.Database = b.data, b.database })
	for _, i := range again.AllInvoices(b.shop.Org) {
		ids = append(ids, i.ID)
		servicetest.Eventually(t, "a final status of "+i.Number, func() bool {
			now, err := again.Service.Store().Invoice(t.Context(), org.TenantOf(b.shop.Org.ID), i.ID)
			return err == nil && final(now.Status)
		})
	}
	return again, ids
}

// attackWith creates documents concurrently until the server is dead.
func (b *loaded) attackWith(v *process, creators int) {
	client := &http.Client{Timeout: 20 * time.Second}
	defer client.CloseIdleConnections()
	done := make(chan struct{}, creators)
	for range creators {
		go func() {
			for b.create(client, v.address, b.devices[0]) {
			}
			done <- struct{}{}
		}()
	}
	for range creators {
		<-done
	}
}
