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

// A backup of a PostgreSQL database needs the server's data folder, because without
// it files would be missing.
func TestBackupNeedsTheDataFolderOfTheServer(t *testing.T) {
	d := install(t, storetest.Postgres(t))
	d.config.Data = t.TempDir()
	file := filepath.Join(t.TempDir(), "backup")
	_, err := admin.Backup(t.Context(), d.config, file, "test", nil)
	if err == nil || !strings.Contains(err.Error(), "--data") {
		t.Errorf("Backup with another data folder: error %v, want one about --data", err)
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("Stat of the backup file: error %v, want %v", err, fs.ErrNotExist)
	}
}
