package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestSection(t *testing.T) {
	const page = "# Changelog\n\n## [Unreleased]\n\n- New.\n\n## [1.1.0] - 2026-12-01\n\n### Added\n\n- More.\n\n## [1.0.0] - 2026-11-01\n\n- First.\n\n[1.0.0]: https://example.sa\n"
	for _, c := range []struct{ name, want string }{
		{"Unreleased", "## [Unreleased]\n\n- New.\n"},
		{"1.1.0", "## [1.1.0] - 2026-12-01\n\n### Added\n\n- More.\n"},
		{"1.0.0", "## [1.0.0] - 2026-11-01\n\n- First.\n"},
	} {
		if got, err := section(page, c.name); err != nil || got != c.want {
			t.Errorf("section %s = %q, %v; want %q", c.name, got, err, c.want)
		}
	}
	if _, err := section(page, "2.0.0"); err == nil || !strings.Contains(err.Error(), "no section ## [2.0.0]") {
		t.Errorf("error of a missing section = %v", err)
	}
}

// TestArchivesDependOnContentOnly writes the same files from two folders, with
// different times and modes.
func TestArchivesDependOnContentOnly(t *testing.T) {
	at := time.Date(2026, 11, 18, 4, 52, 40, 0, time.UTC)
	for name, write := range map[string]func(io.Writer, []entry, time.Time) error{"tar": writeTar, "zip": writeZip} {
		var archives []string
		for i, mode := range []fs.FileMode{0o600, 0o755} {
			dir := t.TempDir()
			for _, file := range []string{"b.md", "a.sh", "a_test.go"} {
				path := filepath.Join(dir, file)
				changed := at.AddDate(0, i, 0)
				if err := errors.Join(os.WriteFile(path, []byte("text of "+file), mode), os.Chtimes(path, changed, changed)); err != nil {
					t.Fatal(err)
				}
			}
			entries, err := entriesOf(dir, "top")
			if err != nil || len(entries) != 2 {
				t.Fatalf("entries = %v, %v; want two", entries, err)
			}
			var archive bytes.Buffer
			if err := write(&archive, entries, at); err != nil {
				t.Fatal(err)
			}
			archives = append(archives, archive.String())
		}
		if archives[0] != archives[1] {
			t.Errorf("two %s archives of the same files differ", name)
		}
	}
}

func TestArchiveContents(t *testing.T) {
	path := filepath.Join(t.TempDir(), "khatm")
	if err := os.WriteFile(path, []byte("program"), 0o600); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 18, 4, 52, 40, 0, time.UTC)
	var archive bytes.Buffer
	if err := writeTar(&archive, []entry{{"khatm-v1.0.0/khatm", path, 0o755}}, at); err != nil {
		t.Fatal(err)
	}
	plain, err := gzip.NewReader(&archive)
	if err != nil {
		t.Fatal(err)
	}
	header, err := tar.NewReader(plain).Next()
	if err != nil || header.Name != "khatm-v1.0.0/khatm" || header.Mode != 0o755 || !header.ModTime.Equal(at) || header.Uname != "" || header.Uid != 0 {
		t.Errorf("header = %+v, %v", header, err)
	}
}

func TestBill(t *testing.T) {
	components := map[string]component{}
	info := &buildinfo.BuildInfo{GoVersion: "go1.26.8", Deps: []*debug.Module{{Path: "example.com/a", Version: "v1.0.0", Sum: "h1:AAAA"}, {Path: "example.com/b", Version: "v1.0.0", Replace: &debug.Module{Path: "example.com/c", Version: "v2.0.0+incompatible"}}}}
	for _, c := range goComponents(info) {
		components[c.Ref] = c
	}
	packages, err := npmComponents([]byte(`{"packages": {"": {"version": "0.0.0"},
		"node_modules/@a/b": {"version": "1.2.3", "integrity": "sha512-////", "license": "MIT"},
		"node_modules/x/node_modules/y": {"version": "4.0.0"},
		"node_modules/dev": {"version": "9.0.0", "dev": true}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range packages {
		components[c.Ref] = c
	}
	b := newBill("v1.2.0", time.Date(2026, 11, 18, 4, 52, 40, 0, time.UTC), components)
	var got []string
	for _, c := range b.Components {
		line := c.URL
		for _, h := range c.Hashes {
			line += " " + h.Algorithm + ":" + h.Content
		}
		for _, l := range c.Licenses {
			line += " " + l.Expression
		}
		got = append(got, line)
	}
	want := []string{
		"pkg:golang/example.com/a@v1.0.0 SHA-256:000000",
		"pkg:golang/example.com/c@v2.0.0%2Bincompatible",
		"pkg:golang/std@1.26.8",
		"pkg:npm/%40a/b@1.2.3 SHA-512:ffffff MIT",
		"pkg:npm/y@4.0.0",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("components (-want +got):\n%s", diff)
	}
	if b.Metadata.Component.URL != "pkg:golang/khatm@v1.2.0" || b.Metadata.Timestamp != "2026-11-18T04:52:40Z" {
		t.Errorf("metadata = %+v", b.Metadata)
	}
	if text, err := json.Marshal(b); err != nil || !strings.HasPrefix(string(text), `{"$schema":"http://cyclonedx.org/schema/bom-1.5.schema.json","bomFormat":"CycloneDX","specVersion":"1.5","version":1,`) {
		t.Errorf("bill = %.120s, %v", text, err)
	}
}

func TestBreaking(t *testing.T) {
	if got, err := breaking("[]"); got != "" || err != nil {
		t.Errorf("no change = %q, %v", got, err)
	}
	got, err := breaking(`[{"id":"response-property-removed","text":"removed balance","level":3,"operation":"GET","path":"/api/invoices/"}]`)
	if want := "- GET /api/invoices/: removed balance (response-property-removed)\n"; got != want || err != nil {
		t.Errorf("change = %q, %v; want %q", got, err, want)
	}
	if _, err := breaking("usage"); err == nil {
		t.Error("no error for output that is not JSON")
	}
}

func TestVersions(t *testing.T) {
	for version, valid := range map[string]bool{"v1.2.0": true, "v1.2.0-rc.1": true, "1.2.0": false, "v1.2": false, "v1.2.0\n": false, "v1.2.0+x": false} {
		if got := validVersion.MatchString(version); got != valid {
			t.Errorf("%q is valid: %t, want %t", version, got, valid)
		}
	}
	if (&release{version: "v0.0.0-20261118045240-97362d4a1c21"}).isRelease() || !(&release{version: "v0.1.0"}).isRelease() {
		t.Error("a version made of a commit counts as a release, or the reverse")
	}
}
