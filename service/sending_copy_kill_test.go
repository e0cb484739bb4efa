package service_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/store/storetest"
	"khatm/simulator"

	"github.com/google/uuid"
)

// TestKillBetweenVerdictAndCopy kills the server at each step between a verdict
// without the stamped copy and the arrival of that copy.
func TestKillBetweenVerdictAndCopy(t *testing.T) {
	steps := []string{"recorded#1", "copy answered#1"}
	if torturing() {
		steps = []string{"recorded#1", "copy claimed#1", "copy claimed#2", "copy answered#1", "result written#2", "result written#4", "copy recorded#1", "copy recorded#3"}
	}
	for _, engine := range engines() {
		t.Run(engine.name, func(t *testing.T) {
			office := openOffice(t, simulator.Config{})
			office.forged(func(a []byte) (int, []byte) {
				if bytes.Contains(a, []byte("Duplicate-Invoice")) {
					return http.StatusAlreadyReported, a
				}
				return http.StatusAlreadyReported, []byte(withoutCopy)
			})
			b := &besieged{t: t, data: t.TempDir(), told: map[string]string{}}
			s := office.opens(t, func(c *server.Config) {
				engine.set(t, c)
				c.Data, b.database = b.data, c.Database
			})
			b.shop, b.key = s.shop(), s.key
			b.devices = []uuid.UUID{b.shop.device.ID}
			s.server.Close()
			s.service.Close()
			for _, step := range steps {
				v := serveVictim(t, b.data, b.database, step, "KHATM_TEST_SERVER_AUTHORITY="+office.url)
				b.attackStandard(v)
				state, err := v.process.Process.Wait()
				if err != nil {
					t.Fatal(err)
				}
				if status, ok := state.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
					t.Errorf("%s was not reached: %v", step, state)
				}
			}
			again := office.opens(t, func(c *server.Config) { c.Data, c.Database = b.data, b.database })
			var ids []uuid.UUID
			for _, i := range again.wholeBook(b.shop.org) {
				ids = append(ids, i.ID)
				becomes(t, "a final status of "+i.Number, func() bool {
					now, err := again.service.Store().Invoice(t.Context(), org.TenantOf(b.shop.org.ID), i.ID)
					return err == nil && now.Status == ledger.Cleared
				})
			}
			becomes(t, "every copy", func() bool { return again.unstamped() == 0 })
			sends := office.acceptedOnce(ids)
			t.Logf("%d documents, %d sends, %d kills", len(ids), sends, len(steps))
			again.provesChains(b.shop.org)
		})
	}
}

// attackStandard creates standard documents until the server is dead.
func (b *besieged) attackStandard(v *victim) {
	client := &http.Client{Timeout: 20 * time.Second}
	defer client.CloseIdleConnections()
	refused := time.Now() // since when every create was refused
	for {
		body := b.shop.standard(suppliedToday(), fields{"notes": note(uuid.NewString())})
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
		} else if answered.StatusCode != http.StatusServiceUnavailable || time.Since(refused) > patience {
			v.kill()
			b.t.Fatalf("create: %d %s", answered.StatusCode, text)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// Two servers share a database: no copy is requested by both at a time.
func TestTwoServersShareCopyRequests(t *testing.T) {
	if !torturing() {
		t.Skip("the store's tests claim copies from many goroutines; two processes do with KHATM_TORTURE=1")
	}
	office := openOffice(t, simulator.Config{Mood: `{"latency": {"rate": 10000, "median": "20ms", "p99": "30ms"}}`})
	var lost atomic.Bool
	office.losingCopies(&lost, nil)
	lost.Store(true)
	data, database := t.TempDir(), storetest.Postgres(t).URL
	s := office.opens(t, func(c *server.Config) { c.Data, c.Database, c.Sending.Workers = data, database, 64 })
	shop := s.shop()
	var ids []uuid.UUID
	for n := range 20 {
		ids = append(ids, shop.created(shop.standard(fields{"notes": note(fmt.Sprint(n))})))
	}
	shop.askUntilFinal(ids, patience)
	other := serveVictim(t, data, database, "", "KHATM_TEST_SERVER_AUTHORITY="+office.url)
	defer other.kill()
	workers := map[string]int{}
	becomes(t, "requests of both", func() bool {
		clear(workers)
		for _, id := range ids {
			for _, a := range shop.attempts(id) {
				if a.Copy {
					workers[a.Worker]++
				}
			}
		}
		return len(workers) == 2
	})
	lost.Store(false)
	becomes(t, "every copy", func() bool { return s.unstamped() == 0 })
	for _, id := range ids {
		var end time.Time
		for _, a := range shop.attempts(id) {
			if a.ClaimedAt.Before(end) {
				t.Errorf("%s: attempt %d began while another was under way", id, a.Number)
			}
			if a.EndedAt != nil {
				end = *a.EndedAt
			}
		}
	}
	office.acceptedOnce(ids)
	t.Logf("copy requests: %v", workers)
}
