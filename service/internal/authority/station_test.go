package authority_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/invoice"
	"khatm/sample"
	"khatm/seal"
	"khatm/service/internal/authority"
	"khatm/service/internal/device"
	"khatm/service/internal/ledger"
	"khatm/simulator"
	"khatm/simulator/recording"
	"khatm/simulator/replay"
)

// station is a device that is onboarded through a recorder. A simulator takes the
// place of the real authority.
type station struct {
	t      *testing.T
	real   *simulator.Simulator
	client *authority.Client // through the recorder
	direct *authority.Client
	clock  *testtool.Clock
	file   string

	environment string
	unit        seal.Unit
	key         *seal.Key
	counter     int64
	last        string
	secrets     []string // every secret that was sent or received
	tokens      []string

	requestID string // of the compliance certificate
}

const stationVAT = "310175397400003"

func openStation(t *testing.T, environment, path string) *station {
	t.Helper()
	s := &station{t: t, environment: environment, clock: testtool.NewClock(noon), file: filepath.Join(t.TempDir(), "calls.jsonl"), last: seal.GenesisHash}
	var err error
	if s.real, err = simulator.New(simulator.Config{Now: s.clock.Now, Random: sample.Seeded(7)}); err != nil {
		t.Fatal(err)
	}
	upstream := httptest.NewServer(s.real.Handler())
	t.Cleanup(upstream.Close)
	file, err := recording.Open(s.file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	proxy, err := recording.NewProxy(recording.Config{
		Upstream: upstream.URL + "/e-invoicing/" + path, Store: file.Append, Session: "test", Now: s.clock.Now,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(proxy.Close)
	recorder := httptest.NewServer(proxy)
	t.Cleanup(recorder.Close)
	s.client = client(t, authority.Config{URL: recorder.URL + proxy.Path()})
	s.direct = client(t, authority.Config{URL: upstream.URL + proxy.Path()})
	if s.key, err = seal.NewKey(sample.Seeded(11)); err != nil {
		t.Fatal(err)
	}
	s.unit = seal.Unit{
		CommonName: "TST-1", Provider: "Khatm", Model: "1.0", Serial: "8e6000cf-1a98-4174-b3e7-b5d5954bc10d", VATNumber: stationVAT,
		UnitName: "Riyadh", Organisation: "Sample", InvoiceType: "1100", Location: "RRRD2929", Industry: "Retail trade",
	}
	return s
}

func (s *station) otp() device.Secret {
	s.t.Helper()
	otp, err := s.real.OneTimePassword("simulation", stationVAT)
	if err != nil {
		s.t.Fatal(err)
	}
	s.secrets = append(s.secrets, otp)
	return device.NewSecret(otp)
}

func (s *station) csr() string {
	s.t.Helper()
	r, err := s.unit.Request(s.key, s.environment)
	if err != nil {
		s.t.Fatal(err)
	}
	return r.Body()
}

// learn notes the secrets of a certificate.
func (s *station) learn(c device.CSID, err error) device.CSID {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
	s.secrets = append(s.secrets, c.Credentials.Secret.Reveal())
	s.secrets = append(s.secrets, base64.StdEncoding.EncodeToString([]byte(c.Credentials.Token+":"+c.Credentials.Secret.Reveal())))
	s.tokens = append(s.tokens, c.Credentials.Token)
	return c
}

// document returns the next document of the chain.
func (s *station) document(f invoice.Facts, as device.Credentials) ledger.Dispatch {
	s.t.Helper()
	s.clock.Advance(time.Second)
	certificate, err := seal.ParseCertificate([]byte(as.Token))
	if err != nil {
		s.t.Fatal(err)
	}
	computed, err := invoice.Compute(f)
	if err != nil {
		s.t.Fatal(err)
	}
	s.counter++
	id := invoice.Identity{
		Number: "INV-" + string(rune('A'+s.counter)), UUID: "8e6000cf-1a98-4174-b3e7-b5d5954bc1" + strings.Repeat(string(rune('a'+s.counter%6)), 2),
		Counter: s.counter, PreviousHash: s.last,
	}
	inv, err := computed.UBL(id.At(s.clock.Now()))
	if err != nil {
		s.t.Fatal(err)
	}
	unsigned, err := seal.Prepare(inv)
	if err != nil {
		s.t.Fatal(err)
	}
	sealed, err := unsigned.Stamp(s.key, certificate, s.clock.Now())
	if err != nil {
		s.t.Fatal(err)
	}
	s.last = sealed.Hash
	return ledger.Dispatch{UUID: id.UUID, Hash: sealed.Hash, XML: sealed.XML}
}

// onboard requests both certificates and passes the checks.
func (s *station) onboard(ctx context.Context) device.CSID {
	s.t.Helper()
	compliance := s.learn(s.client.Compliance(ctx, s.csr(), s.otp()))
	s.requestID = compliance.RequestID
	if _, err := s.client.Production(ctx, compliance.Credentials, compliance.RequestID); !isRefusal(err, "Missing-ComplianceSteps") {
		s.t.Fatalf("production certificate without checks = %v, want Missing-ComplianceSteps", err)
	}
	for _, facts := range []invoice.Facts{sample.Invoice(), sample.Simplified()} {
		for _, kind := range []invoice.Kind{facts.Kind, invoice.CreditNote, invoice.DebitNote} {
			f := facts
			f.Seller.VATNumber = stationVAT
			if f.Kind = kind; kind != facts.Kind {
				f.Reason, f.ExpectedPayable = "Returned goods", nil
				f.Originals = []invoice.Original{{Number: "INV-1", IssueDate: "2026-01-31"}}
			}
			if v := s.client.CheckSample(ctx, compliance.Credentials, s.document(f, compliance.Credentials)); v.Code/100 != 2 {
				s.t.Fatalf("check: status %d, want 200 or 202: %s", v.Code, v.Raw)
			}
		}
	}
	return s.learn(s.client.Production(ctx, compliance.Credentials, compliance.RequestID))
}

func isRefusal(err error, code string) bool {
	var refused *device.Refusal
	return errors.As(err, &refused) && refused.Code == code
}

// recorded returns the content of the recording.
func (s *station) recorded() []byte {
	s.t.Helper()
	text, err := os.ReadFile(s.file)
	if err != nil {
		s.t.Fatal(err)
	}
	return text
}

// replayed replays a recording on a new simulator.
func (s *station) replayed(recorded []byte, mood string) *replay.Report {
	s.t.Helper()
	sim, err := simulator.New(simulator.Config{Mood: mood, Random: sample.Seeded(21)})
	if err != nil {
		s.t.Fatal(err)
	}
	protocol, control := httptest.NewServer(sim.Handler()), httptest.NewServer(sim.Control())
	defer protocol.Close()
	defer control.Close()
	report, err := replay.Run(s.t.Context(), replay.Config{
		Recording: bytes.NewReader(recorded), URL: protocol.URL, Control: control.URL, Random: sample.Seeded(22),
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return report
}

// set changes the settings of the authority that is recorded.
func (s *station) set(settings string) {
	s.t.Helper()
	r := httptest.NewRequest(http.MethodPut, "http://localhost/settings", strings.NewReader(settings))
	w := httptest.NewRecorder()
	if s.real.Control().ServeHTTP(w, r); w.Code != http.StatusOK {
		s.t.Fatalf("settings %s: status %d: %s", settings, w.Code, w.Body)
	}
}
