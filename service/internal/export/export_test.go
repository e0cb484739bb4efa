package export_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/export"
	"khatm/service/internal/servicetest"
)

func TestVerifyAcceptsAQuarter(t *testing.T) {
	t.Parallel()
	tools(t)
	for _, engine := range servicetest.UsualEngines() {
		t.Run(engine.Name, func(t *testing.T) {
			t.Parallel()
			b := newQuarter(t, engine)
			x := b.export(uuid.Nil, firstDay, lastDay)
			if want := (export.Result{Organisations: 2, Documents: int64(b.issued), Digest: x.result.Digest}); x.result != want {
				t.Errorf("Write returned %+v, want %+v", x.result, want)
			}
			out, sound := x.verify("--manifest", x.result.Digest)
			if want := fmt.Sprintf("%d documents verified", b.issued); !sound || !strings.HasPrefix(out, want) {
				t.Errorf("verify.sh printed %q, want %q", out, want)
			}
			x.isPrivate()
			none := b.export(b.Org.ID, "2020-01-01", "2020-01-31")
			if out, sound := none.verify(); !sound || !strings.HasPrefix(out, "0 documents verified") {
				t.Errorf("verify.sh on an export without documents printed %q", out)
			}
			for name, want := range map[string]int{"status\": \"NOT_REPORTED": 3, "status\": \"CLEARED": 15, "status\": \"REPORTED": 6, "BR-KSA-84": 3, "a warning": 5} {
				if got := x.count(".json", name); got != want*timesAMonth() {
					t.Errorf("%d verdicts contain %q, want %d", got, name, want*timesAMonth())
				}
			}
		})
	}
}

// isPrivate checks the modes of the files and folders.
func (x *exported) isPrivate() {
	x.t.Helper()
	err := filepath.WalkDir(x.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if entry.IsDir() {
			want = 0o700
		}
		if got := info.Mode().Perm(); got != want {
			x.t.Errorf("mode of %s = %o, want %o", path, got, want)
		}
		return nil
	})
	if err != nil {
		x.t.Fatal(err)
	}
}

// count returns the number of documents' files with an ending that contain a text.
func (x *exported) count(ending, text string) (n int) {
	x.t.Helper()
	names, err := filepath.Glob(filepath.Join(x.dir, "*", "*", "*"+ending))
	if err != nil {
		x.t.Fatal(err)
	}
	for _, name := range names {
		if strings.Contains(servicetest.ReadFile(x.t, name), text) {
			n++
		}
	}
	return n
}

func TestWriteRefuses(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, from, to, dir string
		of                  uuid.UUID
		want                string
	}{
		{"a folder that is not empty", firstDay, lastDay, full, uuid.Nil, "not empty"},
		{"a period without documents", firstDay, lastDay, "", uuid.Nil, "no document was issued"},
		{"an unknown organisation", firstDay, lastDay, "", uuid.New(), "no organisation"},
		{"an invalid date", "2026-02-30", lastDay, "", uuid.Nil, "not a date"},
		{"a period that ends before it begins", lastDay, firstDay, "", uuid.Nil, "before it begins"},
	} {
		if c.dir == "" {
			c.dir = filepath.Join(t.TempDir(), "export")
		}
		_, err := export.Write(context.Background(), export.Config{
			Store: h.Service.Store(), From: c.from, To: c.to, Organisation: c.of, Now: h.Clock.Now,
		}, c.dir)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q", c.name, err, c.want)
		}
		if _, err := os.Stat(filepath.Join(c.dir, "manifest.sha256")); err == nil {
			t.Errorf("%s: a manifest was written", c.name)
		}
	}
}

// An interrupted export has no manifest, and verify.sh is not written either.
func TestInterruptedExport(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	h.NewSeller().Many(3)
	dir := filepath.Join(t.TempDir(), "export")
	ctx, cancel := context.WithCancel(t.Context())
	c := export.Config{
		Store: h.Service.Store(), From: "2026-11-15", To: "2026-11-15", Now: h.Clock.Now,
		Progress: func(done, total int64) {
			if total != 3 {
				t.Errorf("Progress(%d, %d), want a total of 3", done, total)
			}
			if done == 2 {
				cancel()
			}
		},
	}
	if _, err := export.Write(ctx, c, dir); err == nil {
		t.Error("Write returned no error after it was cancelled")
	}
	for _, name := range []string{"manifest.sha256", "verify.sh"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s was written", name)
		}
	}
}

// A document that does not match its stored digests is not exported.
func TestDamagedDocument(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	id := h.NewSeller().Many(1)[0]
	v := h.Corrupter(t, 1)
	if _, err := v.Db.Exec(`UPDATE document SET xml = CAST(xml || ' ' AS BLOB)`); err != nil {
		t.Fatal(err)
	}
	_, err := export.Write(t.Context(), export.Config{Store: h.Service.Store(), From: "2026-11-15", To: "2026-11-15", Now: h.Clock.Now}, filepath.Join(t.TempDir(), "export"))
	if err == nil || !strings.Contains(err.Error(), id.String()) {
		t.Errorf("Write returned %v, want an error that names %s", err, id)
	}
}
