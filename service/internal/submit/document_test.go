package submit_test

import (
	"bytes"
	"context"
	"net/http"
	"testing"
	"time"

	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/simulator"
	"khatm/witness"
)

// A returned document is archived only if it verifies as this document;
// otherwise it is kept separately and flagged.
func TestClearedDocumentIsVerified(t *testing.T) {
	t.Parallel()
	var first []byte
	cases := []struct {
		name   string
		forge  func(answer []byte) (int, []byte)
		flag   ledger.Flag
		status ledger.Status
	}{
		{"unchanged", func(a []byte) (int, []byte) { first = a; return http.StatusOK, a }, ledger.Plain, ledger.Cleared},
		{"another document", func([]byte) (int, []byte) { return http.StatusOK, first }, ledger.BadDocument, ledger.Cleared},
		{"no document", func([]byte) (int, []byte) {
			return http.StatusOK, []byte(`{"validationResults":{"status":"PASS"},"clearanceStatus":"CLEARED","clearedInvoice":null}`)
		}, ledger.NoDocument, ledger.Cleared},
		{"no XML", func([]byte) (int, []byte) {
			return http.StatusOK, []byte(`{"validationResults":{"status":"PASS"},"clearanceStatus":"CLEARED","clearedInvoice":"bm90aGluZw=="}`)
		}, ledger.BadDocument, ledger.Cleared},
		{"208 without a document", func([]byte) (int, []byte) {
			return http.StatusAlreadyReported, []byte(`{"validationResults":{"status":"WARNING"},"clearanceStatus":"CLEARED"}`)
		}, ledger.NoDocument, ledger.Cleared},
	}
	sim := servicetest.OpenAuthority(t, simulator.Config{})
	var forge func([]byte) (int, []byte)
	sim.Forged(func(a []byte) (int, []byte) { return forge(a) })
	// Only the first answer is tested here.
	s := sim.Open(t, func(c *server.Config) {
		c.Sending.Poll, c.Sending.CopyFirst, c.Sending.CopyMost = time.Hour, time.Hour, time.Hour
	})
	shop := s.OnboardedSeller()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			forge = c.forge
			id := shop.Created(shop.Standard(servicetest.Fields{"notes": servicetest.Note(c.name)}))
			shop.Final(id)
			ctx, of := context.Background(), org.TenantOf(s.Org.ID)
			verdict, err := s.Service.Store().Verdict(ctx, of, id)
			if err != nil || verdict.Status != c.status || verdict.Flag != c.flag || verdict.Code != 200 {
				t.Errorf("verdict %s %d, flag %q, %v; want %s 200, flag %q", verdict.Status, verdict.Code, verdict.Flag, err, c.status, c.flag)
			}
			ours, err := s.Service.Store().SignedXML(ctx, of, id)
			if err != nil {
				t.Fatal(err)
			}
			archived, err := s.Service.Store().ArchivedXML(ctx, of, id)
			if stampedByThem := !bytes.Equal(ours, archived); err != nil || stampedByThem != (c.flag == ledger.Plain) {
				t.Errorf("archived document has the authority's stamp: %v, %v; want %v", stampedByThem, err, c.flag == ledger.Plain)
			}
			report, err := witness.Verify(archived, witness.Expect{})
			if err != nil {
				t.Fatal(err)
			}
			servicetest.Equal(t, "code", shop.Full(id)["qr_code"], any(report.QRText))
			if (len(verdict.Suspect) > 0) != (c.flag == ledger.BadDocument) || (verdict.Stamped == nil) != (c.flag != ledger.Plain) {
				t.Errorf("verdict with flag %q has %d bytes in Stamped and %d in Suspect", c.flag, len(verdict.Stamped), len(verdict.Suspect))
			}
			tries := shop.Attempts(id)
			if last := tries[len(tries)-1]; len(last.Raw) == 0 || bytes.Contains(last.Raw, []byte("PEludm9pY2U")) {
				t.Errorf("the stored answer is empty or contains the document: %.100q", last.Raw)
			}
		})
	}
}

// If clearance redirects to reporting and reporting refuses the document
// because of its kind, the document is not rejected, but sent to clearance
// again.
func TestMisroutedDocumentIsNotRejected(t *testing.T) {
	t.Parallel()
	sim := servicetest.OpenAuthority(t, simulator.Config{})
	calls := 0
	sim.Forged(func(a []byte) (int, []byte) {
		if calls++; calls == 1 {
			return http.StatusSeeOther, []byte(`{"message":"Clearance is deactiviated. Please use the /invoices/reporting/single endpoint instead."}`)
		}
		return http.StatusOK, a
	})
	s := sim.Open(t, nil)
	shop := s.OnboardedSeller()
	id := shop.Created(shop.Standard())
	got := shop.Final(id)
	servicetest.Equal(t, "status", got["authority_response_status"], any("CLEARED"))
	var outcomes []ledger.Outcome
	for _, a := range shop.Attempts(id) {
		outcomes = append(outcomes, a.Outcome)
	}
	t.Log(outcomes)
	if len(outcomes) < 3 || outcomes[0] != ledger.UseReporting || outcomes[1] != ledger.Unknown {
		t.Errorf("outcomes %v, want reporting, unknown, …", outcomes)
	}
}
