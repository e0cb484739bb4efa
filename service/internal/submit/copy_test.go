package submit_test

import (
	"bytes"
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
	"khatm/service/internal/servicetest"
	"khatm/simulator"
	"khatm/witness"
)

// A document whose stamped copy was lost is CLEARED at once, with our own
// document. When the copy arrives, it replaces our document everywhere, and
// nothing else changes.
func TestLostStampedCopyIsRequestedAgain(t *testing.T) {
	t.Parallel()
	for _, engine := range servicetest.UsualEngines() {
		t.Run(engine.Name, func(t *testing.T) {
			sim := servicetest.OpenAuthority(t, simulator.Config{})
			var lost atomic.Bool
			sim.LosingCopies(&lost, nil)
			s := sim.Open(t, func(c *server.Config) { engine.Set(t, c) })
			shop := s.OnboardedSeller()
			lost.Store(true)
			id := shop.Created(shop.Standard())
			before := shop.Final(id)
			servicetest.Equal(t, "status", before["authority_response_status"], any("CLEARED"))
			data, _ := before["authority_response_data"].(servicetest.Record)
			if text := fmt.Sprint(data); strings.Count(text, ledger.Unstamped) != 1 {
				t.Errorf("the answer does not say once that the copy is missing: %.300s", text)
			}
			ours, err := s.Service.Store().SignedXML(t.Context(), org.TenantOf(s.Org.ID), id)
			if err != nil {
				t.Fatal(err)
			}
			first := shop.PDF(http.MethodGet, id, "")
			if !bytes.Equal(servicetest.Embedded(t, first).Data, ours) {
				t.Error("the PDF does not embed our document")
			}
			servicetest.Eventually(t, "the metric", func() bool {
				return strings.Contains(s.Ask("/metrics").Body, `khatm_documents_unstamped{state="requested"} 1`+"\n")
			})
			lost.Store(false)
			servicetest.Eventually(t, "the copy", func() bool { return s.Unstamped() == 0 })
			copyArrived(s, t, shop, id, before, first)
			sim.AcceptedOnce([]uuid.UUID{id})
		})
	}
}

// copyArrived checks that the stamped copy has replaced our document and that
// the verdict is unchanged.
func copyArrived(s *servicetest.Sending, t *testing.T, shop *servicetest.Seller, id uuid.UUID, before servicetest.Record, pdf servicetest.Answer) {
	t.Helper()
	after := shop.Full(id)
	if before["authority_response_received_at"] == nil || before["invoice_hash"] == nil {
		t.Errorf("invoice before the copy arrived: %v, want authority_response_received_at and invoice_hash", before)
	}
	for _, field := range []string{"authority_response_status", "authority_response_code", "ref_num", "invoice_hash", "authority_response_received_at"} {
		servicetest.Equal(t, field, after[field], before[field])
	}
	data, _ := after["authority_response_data"].(servicetest.Record)
	if text := fmt.Sprint(data); strings.Contains(text, ledger.Unstamped) {
		t.Errorf("the answer still says that the copy is missing: %.300s", text)
	}
	text, _ := data["clearedInvoice"].(string)
	stamped, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	report, err := witness.Verify(stamped, witness.Expect{RequireStamp: true})
	if err != nil || len(report.Findings) != 0 || report.UUID != id.String() {
		t.Fatalf("the archived document does not verify: %+v, %v", report, err)
	}
	servicetest.Equal(t, "code", after["qr_code"], any(report.QRText))
	if before["qr_code"] == after["qr_code"] {
		t.Error("qr_code did not change")
	}
	again := shop.PDF(http.MethodGet, id, "")
	if !bytes.Equal(servicetest.Embedded(t, again).Data, stamped) || again.Body == pdf.Body {
		t.Error("the PDF was not rendered again with the stamped copy")
	}
	tries := shop.Attempts(id)
	for n, a := range tries {
		if a.Copy != (n > 0) || a.EndedAt == nil || bytes.Contains(a.Raw, []byte("PEludm9pY2U")) {
			t.Errorf("attempt %d = %+v, want an ended copy request (unless the first) without the document", n+1, a)
		}
	}
	if len(tries) < 2 {
		t.Errorf("%d attempts, want at least 2", len(tries))
	}
}

// A copy is stored only if it verifies as this document; otherwise it is
// requested again.
func TestWrongStampedCopyIsNotKept(t *testing.T) {
	t.Parallel()
	sim := servicetest.OpenAuthority(t, simulator.Config{})
	var other []byte
	var lost, wrong atomic.Bool
	sim.Forged(func(a []byte) (int, []byte) {
		switch {
		case other == nil:
			other = a
			return http.StatusOK, a
		case lost.Load():
			return http.StatusAlreadyReported, []byte(servicetest.WithoutCopy)
		case wrong.Load():
			return http.StatusAlreadyReported, other
		}
		return http.StatusAlreadyReported, a
	})
	s := sim.Open(t, nil)
	shop := s.OnboardedSeller()
	shop.Final(shop.Created(shop.Standard()))
	lost.Store(true)
	id := shop.Created(shop.Standard(servicetest.Fields{"notes": servicetest.Note("second")}))
	shop.Final(id)
	wrong.Store(true)
	lost.Store(false)
	servicetest.Eventually(t, "three wrong copies", func() bool {
		n := 0
		for _, a := range shop.Attempts(id) {
			if strings.Contains(a.Cause, "the cleared document has a different") && bytes.Contains(a.Raw, []byte("PEludm9pY2U")) {
				n++
			}
		}
		return n >= 3
	})
	servicetest.Equal(t, "without a copy", s.Unstamped(), 1)
	wrong.Store(false)
	servicetest.Eventually(t, "the copy", func() bool { return s.Unstamped() == 0 })
}

// After 23 hours no copy is requested: the authority may no longer recognise
// the document as a duplicate, and would accept the same bytes a second time.
func TestStampedCopyExpires(t *testing.T) {
	t.Parallel()
	var ahead atomic.Int64
	now := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	sim := servicetest.OpenAuthority(t, simulator.Config{Now: now})
	var lost atomic.Bool
	sim.LosingCopies(&lost, nil)
	lost.Store(true)
	s := sim.Open(t, func(c *server.Config) { c.Now = now })
	shop := s.OnboardedSeller()
	id := shop.Created(shop.Standard())
	shop.Final(id)
	servicetest.Eventually(t, "a copy request", func() bool { return len(shop.Attempts(id)) >= 2 })
	ahead.Store(int64(23 * time.Hour))
	servicetest.Eventually(t, "the end of the requests", func() bool {
		return strings.Contains(s.Ask("/metrics").Body, `khatm_documents_unstamped{state="stopped"} 1`+"\n")
	})
	doctorWarns(s, t, 1, shop.Full(id)["ref_num"], "are not requested any more")
	lost.Store(false)
	tries := len(shop.Attempts(id))
	ahead.Store(int64(25 * time.Hour))
	other := shop.Created(shop.Standard(servicetest.Fields{"notes": servicetest.Note("another")}))
	shop.Final(other) // sending continues
	time.Sleep(100 * time.Millisecond)
	servicetest.Equal(t, "attempts", len(shop.Attempts(id)), tries)
	servicetest.Equal(t, "status", shop.Status(id), ledger.Cleared)
	sim.AcceptedOnce([]uuid.UUID{id, other})
}

// While sending is paused no copy is requested. A later server that sends
// documents requests the missing copies.
func TestStampedCopiesWaitWhilePaused(t *testing.T) {
	t.Parallel()
	sim := servicetest.OpenAuthority(t, simulator.Config{})
	var lost atomic.Bool
	sim.LosingCopies(&lost, nil)
	lost.Store(true)
	data := t.TempDir()
	s := sim.Open(t, func(c *server.Config) { c.Data = data })
	shop := s.OnboardedSeller()
	id := shop.Created(shop.Standard())
	number := shop.Final(id)["ref_num"]
	s.HTTP.Close()
	s.Service.Close()
	lost.Store(false)
	sends := len(sim.Journal())
	paused := sim.Open(t, func(c *server.Config) { c.Data, c.Sending.Paused = data, true })
	time.Sleep(200 * time.Millisecond) // several polls
	servicetest.Equal(t, "sends while paused", len(sim.Journal()), sends)
	servicetest.Equal(t, "without a copy", paused.Unstamped(), 1)
	doctorWarns(paused, t, 1, number, "have no copy with the authority's stamp yet")
	paused.HTTP.Close()
	paused.Service.Close()
	again := sim.Open(t, func(c *server.Config) { c.Data = data })
	servicetest.Eventually(t, "the copy", func() bool { return again.Unstamped() == 0 })
	doctorWarns(again, t, 0, nil, "every cleared document has its copy")
	sim.AcceptedOnce([]uuid.UUID{id})
}

// doctorWarns checks the warning of khatm doctor about documents without a
// stamped copy. For zero documents there must be no warning.
func doctorWarns(s *servicetest.Sending, t *testing.T, documents int, number any, says string) {
	t.Helper()
	c := admin.Config{Data: s.Data, Operator: "test", Now: time.Now, NewID: uuid.New, Random: rand.Reader}
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
				t.Errorf("doctor reports %s %q, want %s %q", f.Level, f.Says, level, part)
			}
		}
	})
	if !found {
		t.Error("doctor has no finding about stamped copies")
	}
}

// Copy requests do not use the slots of documents, and their number is limited.
func TestStampedCopiesTakeNoWorker(t *testing.T) {
	t.Parallel()
	sim := servicetest.OpenAuthority(t, simulator.Config{})
	var lost atomic.Bool
	sim.LosingCopies(&lost, nil)
	lost.Store(true)
	s := sim.Open(t, func(c *server.Config) { c.Sending.Workers = 1 })
	shop := s.OnboardedSeller()
	var ids []uuid.UUID
	for n := range 5 {
		ids = append(ids, shop.Created(shop.Standard(servicetest.Fields{"notes": servicetest.Note(fmt.Sprint(n))})))
	}
	shop.AskUntilFinal(ids, servicetest.Patience)
	sim.Mood(`{"latency": {"rate": 10000, "median": "300ms", "p99": "310ms"}}`)
	sim.Busiest.Store(0)
	for n := range 3 {
		shop.Final(shop.Created(shop.Simplified(servicetest.Fields{"notes": servicetest.Note(fmt.Sprint("simplified ", n))})))
	}
	if n := sim.Busiest.Load(); n > 2 {
		t.Errorf("%d calls at a time, want at most 2: one for a document and one for a copy", n)
	}

	// An outage opens the breaker. The copies arrive afterwards, although nothing
	// else is sent.
	sim.Mood(`{"drop_before": "100%"}`)
	servicetest.Eventually(t, "the breaker to open", func() bool {
		return strings.Contains(s.Ask("/metrics").Body, `khatm_submission_breaker_open{route="clearance"} 1`+"\n")
	})
	lost.Store(false)
	sim.Mood(`{"name":"polite"}`)
	servicetest.Eventually(t, "the copies", func() bool { return s.Unstamped() == 0 })
	sim.AcceptedOnce(ids)
}
