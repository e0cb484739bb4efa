package service_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/store/storetest"
	"khatm/simulator"
	"khatm/witness"
)

// withoutCopy is an answer to a duplicate without the stamped document.
const withoutCopy = `{"validationResults":{"status":"WARNING"},"clearanceStatus":"CLEARED"}`

// losingCopies has every answer to clearance lose the stamped document while
// lost is set, or return another document instead of it.
func (o *office) losingCopies(lost *atomic.Bool, instead func() []byte) {
	o.forged(func(a []byte) (int, []byte) {
		switch {
		case lost.Load():
			return http.StatusAlreadyReported, []byte(withoutCopy)
		case instead != nil:
			return http.StatusAlreadyReported, instead()
		}
		return http.StatusAlreadyReported, a
	})
}

// unstamped counts the cleared documents without a stamped copy.
func (s *sending) unstamped() int {
	s.t.Helper()
	found, err := s.service.Store().Unstamped(context.Background(), 1000)
	if err != nil {
		s.t.Fatal(err)
	}
	return len(found)
}

// A document whose stamped copy was lost is CLEARED at once, with our own
// document. When the copy arrives it takes that place everywhere, and nothing
// else changes.
func TestLostStampedCopyIsRequestedAgain(t *testing.T) {
	for _, engine := range engines() {
		t.Run(engine.name, func(t *testing.T) {
			office := openOffice(t, simulator.Config{})
			var lost atomic.Bool
			office.losingCopies(&lost, nil)
			s := office.opens(t, func(c *service.Config) { engine.set(t, c) })
			shop := s.shop()
			lost.Store(true)
			id := shop.created(shop.standard())
			before := shop.final(id)
			equal(t, "status", before["authority_response_status"], any("CLEARED"))
			data, _ := before["authority_response_data"].(record)
			if text := fmt.Sprint(data); strings.Count(text, ledger.Unstamped) != 1 {
				t.Errorf("the caller is not told that the copy is missing: %.300s", text)
			}
			ours, err := s.service.Store().SignedXML(t.Context(), org.TenantOf(s.org.ID), id)
			if err != nil {
				t.Fatal(err)
			}
			first := shop.pdf(http.MethodGet, id, "")
			if !bytes.Equal(embedded(t, first).Data, ours) {
				t.Error("the PDF embeds another document than ours")
			}
			becomes(t, "the metric", func() bool {
				return strings.Contains(s.ask("/metrics").body, `khatm_documents_unstamped{state="requested"} 1`+"\n")
			})
			lost.Store(false)
			becomes(t, "the copy", func() bool { return s.unstamped() == 0 })
			s.copyArrived(t, shop, id, before, first)
			office.acceptedOnce([]uuid.UUID{id})
		})
	}
}

// copyArrived demands that the stamped copy took the place of our document, and
// that the verdict is as before.
func (s *sending) copyArrived(t *testing.T, shop *till, id uuid.UUID, before record, pdf answer) {
	t.Helper()
	after := shop.full(id)
	if before["authority_response_received_at"] == nil || before["invoice_hash"] == nil {
		t.Errorf("before: %v", before)
	}
	for _, field := range []string{"authority_response_status", "authority_response_code", "ref_num", "invoice_hash", "authority_response_received_at"} {
		equal(t, field, after[field], before[field])
	}
	data, _ := after["authority_response_data"].(record)
	if text := fmt.Sprint(data); strings.Contains(text, ledger.Unstamped) {
		t.Errorf("the caller is told that the copy is missing: %.300s", text)
	}
	text, _ := data["clearedInvoice"].(string)
	stamped, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	report, err := witness.Verify(stamped, witness.Expect{RequireStamp: true})
	if err != nil || len(report.Findings) != 0 || report.UUID != id.String() {
		t.Fatalf("%+v, %v", report, err)
	}
	equal(t, "code", after["qr_code"], any(report.QRText))
	if before["qr_code"] == after["qr_code"] {
		t.Error("the code is still ours")
	}
	again := shop.pdf(http.MethodGet, id, "")
	if !bytes.Equal(embedded(t, again).Data, stamped) || again.body == pdf.body {
		t.Error("the PDF was not drawn again with the stamped copy")
	}
	tries := shop.attempts(id)
	for n, a := range tries {
		if a.Copy != (n > 0) || a.EndedAt == nil || bytes.Contains(a.Raw, []byte("PEludm9pY2U")) {
			t.Errorf("attempt %d: %+v", n+1, a)
		}
	}
	if len(tries) < 2 {
		t.Errorf("%d attempts", len(tries))
	}
}

// A copy is kept only if it verifies as this very document. One that does not is
// requested again.
func TestWrongStampedCopyIsNotKept(t *testing.T) {
	office := openOffice(t, simulator.Config{})
	var other []byte
	var lost, wrong atomic.Bool
	office.forged(func(a []byte) (int, []byte) {
		switch {
		case other == nil:
			other = a
			return http.StatusOK, a
		case lost.Load():
			return http.StatusAlreadyReported, []byte(withoutCopy)
		case wrong.Load():
			return http.StatusAlreadyReported, other
		}
		return http.StatusAlreadyReported, a
	})
	s := office.opens(t, nil)
	shop := s.shop()
	shop.final(shop.created(shop.standard()))
	lost.Store(true)
	id := shop.created(shop.standard(fields{"notes": note("second")}))
	shop.final(id)
	wrong.Store(true)
	lost.Store(false)
	becomes(t, "three wrong copies", func() bool {
		n := 0
		for _, a := range shop.attempts(id) {
			if strings.Contains(a.Cause, "the cleared document is another") && bytes.Contains(a.Raw, []byte("PEludm9pY2U")) {
				n++
			}
		}
		return n >= 3
	})
	equal(t, "without a copy", s.unstamped(), 1)
	wrong.Store(false)
	becomes(t, "the copy", func() bool { return s.unstamped() == 0 })
}

// After 23 hours nothing is sent any more: the authority may have forgotten the
// document, and would accept the same bytes a second time.
func TestStampedCopyExpires(t *testing.T) {
	office := openOffice(t, simulator.Config{})
	var lost atomic.Bool
	office.losingCopies(&lost, nil)
	lost.Store(true)
	var ahead atomic.Int64
	now := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	s := office.opens(t, func(c *service.Config) { c.Now = now })
	shop := s.shop()
	id := shop.created(shop.standard())
	shop.final(id)
	becomes(t, "a copy request", func() bool { return len(shop.attempts(id)) >= 2 })
	ahead.Store(int64(23 * time.Hour))
	becomes(t, "the end of the requests", func() bool {
		return strings.Contains(s.ask("/metrics").body, `khatm_documents_unstamped{state="stopped"} 1`+"\n")
	})
	lost.Store(false)
	tries := len(shop.attempts(id))
	ahead.Store(int64(25 * time.Hour))
	office.command(http.MethodPut, "/clock", `{"offset": "25h"}`)
	other := shop.created(shop.standard(fields{"notes": note("another")}))
	shop.final(other) // sending goes on
	time.Sleep(100 * time.Millisecond)
	equal(t, "attempts", len(shop.attempts(id)), tries)
	equal(t, "status", shop.status(id), ledger.Cleared)
	office.acceptedOnce([]uuid.UUID{id, other})
}

// While sending is paused no copy is requested; a server that sends requests
// those that an earlier one left.
func TestStampedCopiesWaitWhilePaused(t *testing.T) {
	office := openOffice(t, simulator.Config{})
	var lost atomic.Bool
	office.losingCopies(&lost, nil)
	lost.Store(true)
	data := t.TempDir()
	s := office.opens(t, func(c *service.Config) { c.Data = data })
	shop := s.shop()
	id := shop.created(shop.standard())
	shop.final(id)
	s.server.Close()
	s.service.Close()
	lost.Store(false)
	sends := len(office.journal())
	paused := office.opens(t, func(c *service.Config) { c.Data, c.Sending.Paused = data, true })
	time.Sleep(200 * time.Millisecond) // many polls
	equal(t, "sends while paused", len(office.journal()), sends)
	equal(t, "without a copy", paused.unstamped(), 1)
	paused.server.Close()
	paused.service.Close()
	again := office.opens(t, func(c *service.Config) { c.Data = data })
	becomes(t, "the copy", func() bool { return again.unstamped() == 0 })
	office.acceptedOnce([]uuid.UUID{id})
}

// Requests for copies take no place of an ordinary document, and only few are
// under way at a time.
func TestStampedCopiesTakeNoWorker(t *testing.T) {
	office := openOffice(t, simulator.Config{})
	var lost atomic.Bool
	office.losingCopies(&lost, nil)
	lost.Store(true)
	s := office.opens(t, func(c *service.Config) { c.Sending.Workers = 1 })
	shop := s.shop()
	for n := range 5 {
		shop.final(shop.created(shop.standard(fields{"notes": note(fmt.Sprint(n))})))
	}
	office.mood(`{"latency": {"rate": 10000, "median": "300ms", "p99": "310ms"}}`)
	office.busiest.Store(0)
	for n := range 3 {
		shop.final(shop.created(shop.simplified(fields{"notes": note(fmt.Sprint("simplified ", n))})))
	}
	if n := office.busiest.Load(); n > 2 {
		t.Errorf("%d calls at a time, want the worker's and one for a copy", n)
	}
	office.mood(`{"name":"polite"}`)
	lost.Store(false)
	becomes(t, "the copies", func() bool { return s.unstamped() == 0 })
}

// TestKillBetweenVerdictAndCopy kills the server at each step between a verdict
// without the stamped copy and the arrival of that copy.
func TestKillBetweenVerdictAndCopy(t *testing.T) {
	steps := []string{"recorded#1", "copy claimed#2", "copy answered#1", "result written#4", "copy recorded#1"}
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
			s := office.opens(t, func(c *service.Config) {
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
			again := office.opens(t, func(c *service.Config) { c.Data, c.Database = b.data, b.database })
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
	for n := 0; ; n++ {
		body := b.shop.standard(fields{"supply_date": time.Now().Format(time.DateOnly), "notes": note(uuid.NewString())})
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
		_ = answered.Body.Close()
		time.Sleep(20 * time.Millisecond)
	}
}

// Two servers share a database: no copy is requested by both at a time.
func TestTwoServersShareCopyRequests(t *testing.T) {
	office := openOffice(t, simulator.Config{Mood: `{"latency": {"rate": 10000, "median": "20ms", "p99": "30ms"}}`})
	var lost atomic.Bool
	office.losingCopies(&lost, nil)
	lost.Store(true)
	data, database := t.TempDir(), storetest.Postgres(t).URL
	s := office.opens(t, func(c *service.Config) { c.Data, c.Database, c.Sending.Workers = data, database, 64 })
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
