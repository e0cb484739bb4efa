package tlscert_test

import (
	"crypto/tls"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/service/internal/tlscert"
)

// Certificates from an ACME authority are tested with the khatm command, whose
// authority is Pebble.

func TestNewACMERefusesHosts(t *testing.T) {
	t.Parallel()
	for _, host := range []string{"", "localhost", "192.0.2.1", "2001:db8::1", "invoices.example.sa:443", "https://invoices.example.sa", "*.example.sa", "Invoices.example.sa", "invoices.example.sa.", "فواتير.مثال", "a b.example.sa"} {
		if _, err := tlscert.NewACME(tlscert.ACMEConfig{Host: host, Folder: t.TempDir(), Now: time.Now}); err == nil {
			t.Errorf("NewACME accepts the host %q", host)
		}
	}
	for _, directory := range []string{"http://127.0.0.1/dir", "acme.example", "https://"} {
		if _, err := tlscert.NewACME(tlscert.ACMEConfig{Host: host, Folder: t.TempDir(), Directory: directory, Now: time.Now}); err == nil {
			t.Errorf("NewACME accepts the directory %q", directory)
		}
	}
}

// An authority that fails is asked again after two minutes, then less often, also if
// clients connect in between.
func TestACMEFailuresAreRareAndLogged(t *testing.T) {
	t.Parallel()
	authority := httptest.NewTLSServer(http.NotFoundHandler()) // whose certificate is unknown
	t.Cleanup(authority.Close)
	authority.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug)
	now := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	var log testtool.Buffer
	dir := t.TempDir()
	a, err := tlscert.NewACME(tlscert.ACMEConfig{
		Host: host, Folder: filepath.Join(dir, "acme"), Directory: authority.URL + "/dir",
		Now: func() time.Time { return now }, Log: slog.New(slog.NewJSONHandler(&log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		after time.Duration // since the last call
		want  string        // of the retry that is logged; empty if no attempt is made
	}{{0, "2m0s"}, {time.Minute, ""}, {time.Minute, "4m0s"}, {3 * time.Minute, ""}, {time.Minute, "8m0s"}} {
		before := len(log.String())
		now = now.Add(c.after)
		if err := a.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := log.String()[before:]; c.want == "" && got != "" || !strings.Contains(got, c.want) || c.want != "" && !strings.Contains(got, "port 443") {
			t.Errorf("after %s: log %q, want a retry after %q", c.after, got, c.want)
		}
	}
	before := log.String()
	_, err = a.Config().GetCertificate(&tls.ClientHelloInfo{ServerName: host})
	if err == nil || log.String() != before || a.Leaf() != nil {
		t.Errorf("a client gets %v; want an error, and no attempt: %s", err, log.String())
	}
	for _, folder := range []string{"acme", filepath.Join("acme", strings.ReplaceAll(authority.Listener.Addr().String(), ":", "-"))} {
		if info, err := os.Stat(filepath.Join(dir, folder)); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("mode of %s: %v, %v; want 0700", folder, info, err)
		}
	}
}

// Requests on port 80 that are not the authority's get the usual answer.
func TestChallengesPassesOtherRequests(t *testing.T) {
	t.Parallel()
	a, err := tlscert.NewACME(tlscert.ACMEConfig{Host: host, Folder: t.TempDir(), Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(a.Challenges(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "other") })))
	t.Cleanup(server.Close)
	for path, want := range map[string]int{"/invoices": http.StatusOK, "/.well-known/acme-challenge/unknown": http.StatusForbidden} {
		response, err := http.Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("%s: status %d, want %d", path, response.StatusCode, want)
		}
	}
}
