package app_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"khatm/service/internal/servicetest"
)

// notStored checks that no file of the database contains a secret.
func notStored(t *testing.T, h *servicetest.Instance, secret string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(h.Data, "khatm.db*"))
	if err != nil || len(files) == 0 {
		t.Fatal("no database: ", err)
	}
	for _, file := range files {
		if data, err := os.ReadFile(file); err != nil || bytes.Contains(data, []byte(secret)) {
			t.Errorf("%s contains a secret (%v)", file, err)
		}
	}
}
