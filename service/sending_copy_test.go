package service_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/admin"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
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
			s := office.opens(t, func(c *server.Config) { engine.set(t, c) })
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
	s := office.opens(t, func(c *server.Config) { c.Now = now })
	shop := s.shop()
	id := shop.created(shop.standard())
	shop.final(id)
	becomes(t, "a copy request", func() bool { return len(shop.attempts(id)) >= 2 })
	ahead.Store(int64(23 * time.Hour))
	becomes(t, "the end of the requests", func() bool {
		return strings.Contains(s.ask("/metrics").body, `khatm_documents_unstamped{state="stopped"} 1`+"\n")
	})
	s.doctorWarns(t, 1, shop.full(id)["ref_num"], "are not requested any more")
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
	s := office.opens(t, func(c *server.Config) { c.Data = data })
	shop := s.shop()
	id := shop.created(shop.standard())
	number := shop.final(id)["ref_num"]
	s.server.Close()
	s.service.Close()
	lost.Store(false)
	sends := len(office.journal())
	paused := office.opens(t, func(c *server.Config) { c.Data, c.Sending.Paused = data, true })
	time.Sleep(200 * time.Millisecond) // many polls
	equal(t, "sends while paused", len(office.journal()), sends)
	equal(t, "without a copy", paused.unstamped(), 1)
	paused.doctorWarns(t, 1, number, "have no copy with the authority's stamp yet")
	paused.server.Close()
	paused.service.Close()
	again := office.opens(t, func(c *server.Config) { c.Data = data })
	becomes(t, "the copy", func() bool { return again.unstamped() == 0 })
	again.doctorWarns(t, 0, nil, "every cleared document has its copy")
	office.acceptedOnce([]uuid.UUID{id})
}

// doctorWarns demands what khatm doctor says of so many documents without a
// stamped copy; of none it does not warn.
func (s *sending) doctorWarns(t *testing.T, documents int, number any, says string) {
	t.Helper()
	c := admin.Config{Data: s.data, Operator: "test", Now: time.Now, NewID: uuid.New, Random: rand.Reader}
	level := admin.OK
	if documents > 0 {
		level, says = admin.Warn, fmt.Sprint(documents, " cleared documents")+"|"+says+"|"+fmt.Sprint(number)
	}
	found := false
	admin.Examine(t.Context(), c, admin.Outside{Authority: "simulator", Client: http.DefaultClient}, func(f admin.Finding) {
		if f.Check != "stamped copies" {
			return
		}
		found = true
		for part := range strings.SplitSeq(says, "|") {
			if f.Level != level || !strings.Contains(f.Says, part) {
				t.Errorf("doctor says %s %q, want %s %q", f.Level, f.Says, level, part)
			}
		}
	})
	if !found {
		t.Error("doctor says nothing of stamped copies")
	}
}

// Requests for copies take no place of an ordinary document, and only few are
// under way at a time.
func TestStampedCopiesTakeNoWorker(t *testing.T) {
	office := openOffice(t, simulator.Config{})
	var lost atomic.Bool
	office.losingCopies(&lost, nil)
	lost.Store(true)
	s := office.opens(t, func(c *server.Config) { c.Sending.Workers = 1 })
	shop := s.shop()
	var ids []uuid.UUID
	for n := range 5 {
		ids = append(ids, shop.created(shop.standard(fields{"notes": note(fmt.Sprint(n))})))
	}
	shop.askUntilFinal(ids, patience)
	office.mood(`{"latency": {"rate": 10000, "median": "300ms", "p99": "310ms"}}`)
	office.busiest.Store(0)
	for n := range 3 {
		shop.final(shop.created(shop.simplified(fields{"notes": note(fmt.Sprint("simplified ", n))})))
	}
	if n := office.busiest.Load(); n > 2 {
		t.Errorf("%d calls at a time, want the worker's and one for a copy", n)
	}

	// An outage opens the breaker. The copies arrive after it, although nothing
	// else is sent.
	office.mood(`{"drop_before": "100%"}`)
	becomes(t, "the breaker to open", func() bool {
		return strings.Contains(s.ask("/metrics").body, `khatm_submission_breaker_open{route="clearance"} 1`+"\n")
	})
	lost.Store(false)
	office.mood(`{"name":"polite"}`)
	becomes(t, "the copies", func() bool { return s.unstamped() == 0 })
	office.acceptedOnce(ids)
}
