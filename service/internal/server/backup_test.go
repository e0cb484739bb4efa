package server_test

import (
	"crypto/rand"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/service/admin"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

// TestDailyBackup makes and restores the daily backup of a server. A failed
// backup is counted in the metrics and does not stop the service.
func TestDailyBackup(t *testing.T) {
	t.Parallel()
	for name, database := range servicetest.Databases {
		t.Run(name, func(t *testing.T) {
			if name == "PostgreSQL" && !testtool.Torture() {
				t.Skip("the short run is on SQLite; both run with KHATM_TORTURE=1")
			}
			dir := filepath.Join(t.TempDir(), "backups")
			h := servicetest.Open(t, func(c *server.Config) {
				c.Database, c.Backups = database(t), server.Backups{Dir: dir, Keep: 1, Program: "test"}
			})
			shop := h.NewSeller()
			shop.Created(shop.Standard())
			h.Clock.Advance(2 * time.Minute)
			if err := h.Service.BackUp(t.Context()); err == nil || !strings.Contains(err.Error(), dir) {
				t.Errorf("BackUp without its folder = %v, want an error that names the folder", err)
			}
			hasMetric(h, t, "khatm_backup_failures 1", "khatm_backup_last_success_timestamp_seconds 0")
			shop.Created(shop.Simplified())
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			h.Clock.Advance(16 * time.Minute)
			if err := h.Service.BackUp(t.Context()); err != nil {
				t.Fatal(err)
			}
			hasMetric(h, t, "khatm_backup_last_success_timestamp_seconds 1.79", "khatm_backup_size_bytes ")
			made, err := filepath.Glob(filepath.Join(dir, "khatm-daily-*.tar"))
			if err != nil || len(made) != 1 {
				t.Fatalf("backups in the folder: %v, %v; want one", made, err)
			}
			if name != "SQLite" {
				return // restored in other tests
			}
			c := adminOf(filepath.Join(t.TempDir(), "restored"), "")
			c.MasterKeyFile, c.Now = filepath.Join(h.Data, "master.key"), h.Clock.Now
			r, err := admin.Restore(t.Context(), c, made[0], nil, admin.Proof{})
			if err != nil || !r.Report.Sound() || r.KeyError != nil || r.Manifest.Counts.Documents != 2 || !r.Manifest.Scheduled {
				t.Errorf("restore of the daily backup = %+v, %v; want 2 documents and a clean audit", r, err)
			}
		})
	}
}

// hasMetric checks that the metrics contain lines with these prefixes.
func hasMetric(h *servicetest.Instance, t *testing.T, lines ...string) {
	t.Helper()
	w := httptest.NewRecorder()
	h.Service.Operations().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	for _, line := range lines {
		if !strings.Contains(w.Body.String(), "\n"+line) {
			t.Errorf("the metrics have no line %q", line)
		}
	}
}

// adminOf returns the configuration of operator commands on an installation.
func adminOf(data, database string) admin.Config {
	return admin.Config{
		Data: data, Database: database, Operator: "test", Now: time.Now, NewID: server.NewIDs(time.Now, rand.Reader), Random: rand.Reader,
	}
}
