package disk_test

import (
	"path/filepath"
	"testing"

	"khatm/service/internal/disk"
)

func TestOf(t *testing.T) {
	folder := t.TempDir()
	s, err := disk.Of(folder)
	if err != nil || s.Free == 0 || s.Kind == "" || s.ReadOnly {
		t.Errorf("space of the temporary folder = %+v, %v, want free space, a name and not read-only", s, err)
	}
	if s, err := disk.Of("/proc"); err != nil || s.Free != 0 {
		t.Errorf("space of /proc = %+v, %v, want 0 bytes free", s, err)
	}
	if _, err := disk.Of(filepath.Join(folder, "missing")); err == nil {
		t.Error("Of a missing folder succeeded, want an error")
	}
}
