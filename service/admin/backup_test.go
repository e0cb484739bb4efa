package admin_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"khatm/service/admin"
	"khatm/service/internal/store/storetest"
)

// A backup of a PostgreSQL database from a folder that is not the server's would
// lack its files.
func TestBackupFromAnotherFolder(t *testing.T) {
	d := install(t, storetest.Postgres(t))
	d.config.Data = t.TempDir()
	file := filepath.Join(t.TempDir(), "backup")
	_, err := admin.Backup(t.Context(), d.config, file, "test", nil)
	if err == nil || !strings.Contains(err.Error(), "--data") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("a file is there: %v, want %v", err, fs.ErrNotExist)
	}
}
