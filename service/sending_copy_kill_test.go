package service_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
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

// TestKillBetweenVerdictAndCopy kills the server at each step between a verdict
// without the stamped copy and the arrival of the copy.
func TestKillBetweenVerdictAndCopy(t *testing.T) {
	t.Parallel()
	steps := []string{"recorded#1", "copy answered#1"}
	if testtool.Torture() {
		steps = []string{"recorded#1", "copy claimed#1", "copy claimed#2", "copy answered#1", "result written#2", "result written#4", "copy recorded#1", "copy recorded#3"}
	}
	for _, engine := range servicetest.UsualEngines() {
		t.Run(engine.Name, func(t *testing.T) {
			sim := servicetest.OpenAuthority(t, simulator.Config{})
			sim.Forged(func(a []byte) (int, []byte) {
				if bytes.Contains(a, []byte("Duplicate-Invoice")) {
					return http.StatusAlreadyReported, a
				}
				return http.StatusAlreadyReported, []byte(servicetest.WithoutCopy)
			})
			b := newLoadedWith(t, sim, engine)
			for _, step := range steps {
				v := startProcess(t, b.data, b.database, step, "KHATM_TEST_SERVER_AUTHORITY="+sim.URL)
				b.attackStandard(v)
				v.wantKilled(t, step)
			}
			again, ids := b.finished(t, sim, func(s ledger.Status) bool { return s == ledger.Cleared })
			servicetest.Eventually(t, "every copy", func() bool { return again.Unstamped() == 0 })
			sends := sim.AcceptedOnce(ids)
			t.Logf("%d documents, %d sends, %d kills", len(ids), sends, len(steps))
			again.CheckChains(b.shop.Org)
		})
	}
}

// attackStandard creates standard documents until the server is dead.
func (b *loaded) attackStandard(v *process) {
	client := &http.Client{Timeout: 20 * time.Second}
	defer client.CloseIdleConnections()
	refused := time.Now() // when creating was last accepted
	for {
		body := b.shop.Standard(servicetest.SuppliedToday(), servicetest.Fields{"notes": servicetest.Note(uuid.NewString())})
		r, err := http.NewRequest(http.MethodPost, "http://"+v.address+"/v1/api/invoices/", strings.NewReader(body))
		if err != nil {
			b.t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+b.key)
		r.Header.Set("Content-Type", "application/json")
		answered, err := client.Do(r)
		if err != nil {
			return
		}
		text, _ := io.ReadAll(answered.Body)
		_ = answered.Body.Close()
		if answered.StatusCode == http.StatusAccepted {
			refused = time.Now()
		} else if answered.StatusCode != http.StatusServiceUnavailable || time.Since(refused) > servicetest.Patience {
			v.kill()
			b.t.Fatalf("create: got %d %s, want 202", answered.StatusCode, text)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// Two servers on one database never request the same copy at the same time.
func TestTwoServersShareCopyRequests(t *testing.T) {
	t.Parallel()
	if !testtool.Torture() {
		t.Skip("similar to tests of the store; runs with KHATM_TORTURE=1")
	}
	sim := servicetest.OpenAuthority(t, simulator.Config{Mood: `{"latency": {"rate": 10000, "median": "20ms", "p99": "30ms"}}`})
	var lost atomic.Bool
	sim.LosingCopies(&lost, nil)
	lost.Store(true)
	data, database := t.TempDir(), storetest.Postgres(t).URL
	s := sim.Open(t, func(c *server.Config) { c.Data, c.Database, c.Sending.Workers = data, database, 64 })
	shop := s.OnboardedSeller()
	var ids []uuid.UUID
	for n := range 20 {
		ids = append(ids, shop.Created(shop.Standard(servicetest.Fields{"notes": servicetest.Note(fmt.Sprint(n))})))
	}
	shop.AskUntilFinal(ids, servicetest.Patience)
	other := startProcess(t, data, database, "", "KHATM_TEST_SERVER_AUTHORITY="+sim.URL)
	defer other.kill()
	workers := map[string]int{}
	servicetest.Eventually(t, "requests of both", func() bool {
		clear(workers)
		for _, id := range ids {
			for _, a := range shop.Attempts(id) {
				if a.Copy {
					workers[a.Worker]++
				}
			}
		}
		return len(workers) == 2
	})
	lost.Store(false)
	servicetest.Eventually(t, "every copy", func() bool { return s.Unstamped() == 0 })
	for _, id := range ids {
		var end time.Time
		for _, a := range shop.Attempts(id) {
			if a.ClaimedAt.Before(end) {
				t.Errorf("invoice %s: attempt %d began while another was in progress", id, a.Number)
			}
			if a.EndedAt != nil {
				end = *a.EndedAt
			}
		}
	}
	sim.AcceptedOnce(ids)
	t.Logf("copy requests: %v", workers)
}
