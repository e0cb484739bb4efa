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
		t.Errorf("got %+v, %v", s, err)
	}
	if s, err := disk.Of("/proc"); err != nil || s.Free != 0 {
		t.Errorf("a file system without space: got %+v, %v", s, err)
	}
	if _, err := disk.Of(filepath.Join(folder, "missing")); err == nil {
		t.Error("a folder that is missing has free space")
	}
}
