package authority_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
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
	t       *testing.T
	real    *simulator.Simulator
	client  *authority.Client // through the recorder
	direct  *authority.Client
	clock   *testtool.Clock
	file    string
	unit    seal.Unit
	key     *seal.Key
	counter int64
	last    string
	secrets []string // every secret that was sent or received
	tokens  []string
}

const stationVAT = "310175397400003"

func openStation(t *testing.T, environment string) *station {
	t.Helper()
	s := &station{t: t, clock: testtool.NewClock(noon), file: filepath.Join(t.TempDir(), "calls.jsonl"), last: seal.GenesisHash}
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
		Upstream: upstream.URL + "/e-invoicing/" + environment, Store: file.Append, Session: "test", Now: s.clock.Now,
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
	r, err := s.unit.Request(s.key, "simulation")
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

// work makes calls of every kind: accepted, refused, duplicate and unauthorised.
func (s *station) work(ctx context.Context) {
	s.t.Helper()
	if _, err := s.client.Compliance(ctx, s.csr(), device.NewSecret("918273")); !isRefusal(err, "Invalid-OTP") {
		s.t.Fatalf("wrong password = %v, want Invalid-OTP", err)
	}
	s.secrets = append(s.secrets, "918273")
	production := s.onboard(ctx)
	standard, simplified := sample.Invoice(), sample.Simplified()
	standard.Seller.VATNumber, simplified.Seller.VATNumber = stationVAT, stationVAT
	cleared, reported := s.document(standard, production.Credentials), s.document(simplified, production.Credentials)
	wrong := s.document(simplified, production.Credentials)
	wrong.Hash = cleared.Hash
	foreign := s.document(simplified, production.Credentials)
	foreign.XML = bytes.ReplaceAll(foreign.XML, []byte(stationVAT), []byte("399999999900003"))
	stranger := device.Credentials{Token: production.Credentials.Token, Secret: device.NewSecret("bm90IHRoZSBzZWNyZXQgb2YgdGhpcyBkZXZpY2UhISE=")}
	s.secrets = append(s.secrets, stranger.Secret.Reveal())
	for _, one := range []struct {
		name string
		got  ledger.Verdict
		want int
	}{
		{"cleared", s.client.Clear(ctx, production.Credentials, cleared), 200},
		{"reported", s.client.Report(ctx, production.Credentials, reported), 200},
		{"wrong hash", s.client.Report(ctx, production.Credentials, wrong), 400},
		{"other seller", s.client.Report(ctx, production.Credentials, foreign), 400},
		{"wrong kind", s.client.Clear(ctx, production.Credentials, reported), 400},
		{"cleared again", s.client.Clear(ctx, production.Credentials, cleared), 208},
		{"reported again", s.client.Report(ctx, production.Credentials, reported), 409},
		{"wrong secret", s.client.Report(ctx, stranger, reported), 401},
	} {
		if one.got.Code != one.want {
			s.t.Fatalf("%s: status %d, want %d: %s", one.name, one.got.Code, one.want, one.got.Raw)
		}
	}
	renewed := s.learn(s.client.Renew(ctx, production.Credentials, s.csr(), s.otp()))
	if v := s.client.Report(ctx, renewed.Credentials, s.document(simplified, renewed.Credentials)); v.Code != 200 {
		s.t.Fatalf("document after the renewal: status %d, want 200: %s", v.Code, v.Raw)
	}
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

// TestRecordAndReplay records calls of the client and replays them: on a simulator
// like the recorded one without a difference, on others with differences.
func TestRecordAndReplay(t *testing.T) {
	s := openStation(t, "simulation")
	s.work(t.Context())
	same := s.replayed(s.recorded(), "")
	if same.Replayed != 20 || len(same.Different) > 0 || len(same.Skipped) > 0 || same.Relaxed.Certificates < 10 {
		text, _ := json.MarshalIndent(same, "", " ")
		t.Fatalf("report = %s; want 20 requests without differences, and the certificates of at least 10 documents relaxed", text)
	}
	for mood, want := range map[string]string{
		"nod":                     "status: recorded 400, simulator 200",
		`{"flat_results":"100%"}`: "field validationResults.errorMessages: recorded list, simulator absent",
		`{"wrong_type":"100%"}`:   "content type: recorded application/json, simulator text/plain",
	} {
		var text bytes.Buffer
		s.replayed(s.recorded(), mood).Print(&text)
		if !strings.Contains(text.String(), want) {
			t.Errorf("mood %s: report = %s; want %q", mood, text.String(), want)
		}
	}
	s.checkSecrets()
}

// TestReplayOfAnEarlierDevice replays calls of a device that was onboarded before
// the recording began. A device of the replay takes its place, with the VAT number
// of the recorded certificate.
func TestReplayOfAnEarlierDevice(t *testing.T) {
	s := openStation(t, "simulation")
	recorder := s.client
	s.client = s.direct
	production := s.onboard(t.Context())
	s.client = recorder
	standard, simplified := sample.Invoice(), sample.Simplified()
	cleared, reported := s.document(standard, production.Credentials), s.document(simplified, production.Credentials)
	if v := s.client.Clear(t.Context(), production.Credentials, cleared); v.Code != 200 {
		t.Fatalf("clearance: status %d, want 200: %s", v.Code, v.Raw)
	}
	if v := s.client.Report(t.Context(), production.Credentials, reported); v.Code != 200 {
		t.Fatalf("reporting: status %d, want 200: %s", v.Code, v.Raw)
	}
	for _, c := range []struct {
		name string
		text []byte
		mood string
		want []string
	}{
		{"same", s.recorded(), "", nil},
		{"mood", s.recorded(), `{"flat_results":"100%"}`, []string{"field status: recorded absent, simulator string"}},
		{"other taxpayer", bytes.ReplaceAll(s.recorded(), []byte(`"vat_number":"`+stationVAT), []byte(`"vat_number":"399999999900003`)), "",
			[]string{"status: recorded 200, simulator 400", "message validationResults.errorMessages: recorded absent, simulator certificate-permissions"}},
	} {
		report := s.replayed(c.text, c.mood)
		var text bytes.Buffer
		report.Print(&text)
		if report.Replayed != 2 || report.Relaxed.Devices != 1 || (len(report.Different) == 0) != (c.want == nil) {
			t.Errorf("%s: report = %s; want 2 requests, one device of the replay, differences %q", c.name, text.String(), c.want)
		}
		for _, want := range c.want {
			if !strings.Contains(text.String(), want) {
				t.Errorf("%s: report = %s; want %q", c.name, text.String(), want)
			}
		}
	}
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

// TestReplayFollowsChoices replays what the authority can choose: clearance that
// is switched off, and a renewal that needs the checks again.
func TestReplayFollowsChoices(t *testing.T) {
	s := openStation(t, "simulation")
	production := s.onboard(t.Context())
	s.set(`{"clearance":"off","renewal":"checks"}`)
	standard := s.document(sample.Invoice(), production.Credentials)
	if v := s.client.Clear(t.Context(), production.Credentials, standard); v.Code != http.StatusSeeOther {
		t.Fatalf("clearance: status %d, want 303: %s", v.Code, v.Raw)
	}
	if v := s.client.Report(t.Context(), production.Credentials, standard); v.Code != http.StatusOK {
		t.Fatalf("reporting: status %d, want 200: %s", v.Code, v.Raw)
	}
	if renewed := s.learn(s.client.Renew(t.Context(), production.Credentials, s.csr(), s.otp())); !renewed.Checks {
		t.Fatal("the renewal needs no checks, want 428")
	}
	report := s.replayed(s.recorded(), "")
	if report.Replayed != 12 || len(report.Different) > 0 || report.Relaxed.Choices != 2 {
		t.Errorf("report = %+v, want 12 requests without differences and 2 choices", report)
	}
}

// checkSecrets searches the recording for every secret of the station. A token
// may occur in a document, because its certificate does.
func (s *station) checkSecrets() {
	s.t.Helper()
	raw := s.recorded()
	for _, secret := range s.secrets {
		if bytes.Contains(raw, []byte(secret)) {
			s.t.Errorf("the recording contains the secret %s", secret)
		}
	}
	if len(s.secrets) < 8 || len(s.tokens) != 3 {
		s.t.Errorf("the test knows %d secrets and %d tokens, want at least 8 and 3", len(s.secrets), len(s.tokens))
	}
	for e, err := range recording.Read(bytes.NewReader(raw)) {
		if err != nil {
			s.t.Fatal(err)
		}
		if strings.HasPrefix(e.Path, "/invoices/") || e.Path == "/compliance/invoices" {
			continue
		}
		text, err := json.Marshal(e)
		if err != nil {
			s.t.Fatal(err)
		}
		for _, token := range s.tokens {
			if bytes.Contains(text, []byte(token)) {
				s.t.Errorf("exchange %d contains a token", e.Number)
			}
		}
	}
	info, err := os.Stat(s.file)
	if err != nil || info.Mode().Perm() != 0o600 {
		s.t.Errorf("mode of the recording = %v, %v; want 0600", info.Mode(), err)
	}
}

// TestRecorderUsesTheSandbox checks the default of the recorder.
func TestRecorderUsesTheSandbox(t *testing.T) {
	if want := authority.Base(device.Sandbox); recording.Sandbox != want {
		t.Errorf("recording.Sandbox = %s, want %s", recording.Sandbox, want)
	}
}
