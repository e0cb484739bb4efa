package authority_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"

	"khatm/sample"
	"khatm/service/internal/authority"
	"khatm/service/internal/device"
	"khatm/service/internal/ledger"
	"khatm/simulator/recording"
	"khatm/simulator/replay"
)

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

// TestRecordAndReplay records calls of the client and replays them: on a simulator
// like the recorded one without a difference, on others with differences.
func TestRecordAndReplay(t *testing.T) {
	s := openStation(t, "simulation", "simulation")
	s.work(t.Context())
	// The request ID contains the time. With the time of the recording, the
	// simulator would assign the same one.
	same := s.replayed(bytes.ReplaceAll(s.recorded(), []byte(s.requestID), []byte("1734567890123")), "")
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
	s := openStation(t, "simulation", "simulation")
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

// TestReplayOfTheSandbox records with the password that the developer portal
// documents.
func TestReplayOfTheSandbox(t *testing.T) {
	s := openStation(t, "sandbox", "developer-portal")
	s.secrets = append(s.secrets, "123345")
	compliance := s.learn(s.client.Compliance(t.Context(), s.csr(), device.NewSecret("123345")))
	production := s.learn(s.client.Production(t.Context(), compliance.Credentials, compliance.RequestID))
	for range 2 {
		if v := s.client.Report(t.Context(), production.Credentials, s.document(sample.Simplified(), production.Credentials)); v.Code != http.StatusOK {
			t.Fatalf("reporting: status %d, want 200: %s", v.Code, v.Raw)
		}
	}
	report := s.replayed(s.recorded(), "")
	if report.Replayed != 4 || len(report.Different) > 0 || report.Relaxed != (replay.Relaxed{Certificates: 2}) {
		t.Errorf("report = %+v, want 4 requests without differences, and 2 foreign certificates", report)
	}
	s.checkSecrets()
}

// TestReplayFollowsChoices replays what the authority can choose: clearance that
// is switched off, and a renewal that needs the checks again.
func TestReplayFollowsChoices(t *testing.T) {
	s := openStation(t, "simulation", "simulation")
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
	if len(s.secrets) < 5 || len(s.tokens) < 2 {
		s.t.Errorf("the test knows %d secrets and %d tokens, want at least 5 and 2", len(s.secrets), len(s.tokens))
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
