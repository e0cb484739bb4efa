package admin_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/service/admin"
)

func TestExamineTLSCertificate(t *testing.T) {
	t.Parallel()
	ca, dir := testtool.NewCA(t), t.TempDir()
	now := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	pair := func(name string, days int, mode os.FileMode) admin.TLS {
		t.Helper()
		cert, key := ca.Issue(now.AddDate(0, 0, days), "invoices.example.sa")
		files := admin.TLS{Cert: filepath.Join(dir, name+".pem"), Key: filepath.Join(dir, name+".key"), URL: "https://invoices.example.sa"}
		for path, data := range map[string][]byte{files.Cert: cert, files.Key: key} {
			if err := os.WriteFile(path, data, mode); err != nil {
				t.Fatal(err)
			}
		}
		return files
	}
	good := pair("good", 60, 0o600)
	mixed := good
	mixed.Key = pair("mixed", 60, 0o600).Key
	elsewhere := good
	elsewhere.URL = "https://khatm.example.sa:8443"
	nowhere := filepath.Join(dir, "nowhere")
	for name, c := range map[string]struct {
		tls   admin.TLS
		level admin.Level // empty for no finding
		says  string
	}{
		"plain HTTP":              {admin.TLS{}, "", ""},
		"valid":                   {good, admin.OK, "for invoices.example.sa, valid until 2027-01-14"},
		"expires soon":            {pair("soon", 5, 0o600), admin.Warn, "expires on 2026-11-20"},
		"expired":                 {pair("late", -1, 0o600), admin.Fail, "has expired on 2026-11-14"},
		"not yet valid":           {pair("early", 400, 0o600), admin.Fail, "valid only from 2026-12-20"},
		"a key of another":        {mixed, admin.Fail, "private key does not match public key"},
		"another host":            {elsewhere, admin.Fail, "not for the host of https://khatm.example.sa:8443"},
		"a key that all can read": {pair("open", 60, 0o644), admin.Warn, "other users can read"},
		"no file":                 {admin.TLS{Cert: nowhere, Key: nowhere}, admin.Fail, "nowhere"},
		"not obtained yet":        {admin.TLS{Cert: nowhere, Key: nowhere, ACME: "invoices.example.sa"}, admin.Warn, "no certificate for invoices.example.sa yet"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := admin.Config{Data: filepath.Join(dir, "data"), Now: func() time.Time { return now }}
			var found admin.Finding
			admin.Examine(t.Context(), config, admin.Outside{TLS: c.tls}, func(f admin.Finding) {
				if f.Check == "TLS certificate" {
					found = f
				}
			})
			wantFinding(t, found, c.level, c.says)
			if (found.Level == admin.Warn || found.Level == admin.Fail) && found.Do == "" {
				t.Errorf("finding %+v, want advice", found)
			}
		})
	}
}
