package service_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"khatm/service/admin"
	"khatm/service/internal/server"
)

// TestDailyBackup has a server make its daily backup, and restores it. One that
// fails is shown by metrics and stops nothing.
func TestDailyBackup(t *testing.T) {
	for name, database := range databases {
		t.Run(name, func(t *testing.T) {
			if name == "PostgreSQL" && !torturing() {
				t.Skip("the short run is on SQLite; both run with KHATM_TORTURE=1")
			}
			dir := filepath.Join(t.TempDir(), "backups")
			h := open(t, func(c *server.Config) {
				c.Database, c.Backups = database(t), server.Backups{Dir: dir, Keep: 1, Program: "test"}
			})
			shop := h.till()
			shop.created(shop.standard())
			h.clock.Advance(2 * time.Minute)
			if err := h.service.BackUp(t.Context()); err == nil || !strings.Contains(err.Error(), dir) {
				t.Errorf("without a folder: %v", err)
			}
			h.hasMetric(t, "khatm_backup_failures 1", "khatm_backup_last_success_timestamp_seconds 0")
			shop.created(shop.simplified())
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			h.clock.Advance(16 * time.Minute)
			if err := h.service.BackUp(t.Context()); err != nil {
				t.Fatal(err)
			}
			h.hasMetric(t, "khatm_backup_last_success_timestamp_seconds 1.79", "khatm_backup_size_bytes ")
			made, err := filepath.Glob(filepath.Join(dir, "khatm-daily-*.tar"))
			if err != nil || len(made) != 1 {
				t.Fatalf("made %v, %v", made, err)
			}
			if name != "SQLite" {
				return // restored by other tests
			}
			c := adminOf(filepath.Join(t.TempDir(), "restored"), "")
			c.MasterKeyFile, c.Now = filepath.Join(h.data, "master.key"), h.clock.Now
			r, err := admin.Restore(t.Context(), c, made[0], nil, admin.Proof{})
			if err != nil || !r.Report.Sound() || r.KeyError != nil || r.Manifest.Counts.Documents != 2 || !r.Manifest.Scheduled {
				t.Errorf("restored %+v, %v", r, err)
			}
		})
	}
}

// hasMetric demands lines that begin so.
func (h *house) hasMetric(t *testing.T, lines ...string) {
	t.Helper()
	w := httptest.NewRecorder()
	h.service.Operations().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	for _, line := range lines {
		if !strings.Contains(w.Body.String(), "\n"+line) {
			t.Errorf("no metric %q", line)
		}
	}
}
