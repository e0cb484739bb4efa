package blob_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"khatm/service/internal/blob"
	"khatm/service/internal/fault"
)

func TestKeys(t *testing.T) {
	cases := []struct {
		name, key string
		good      bool
	}{
		{"a logo", logo, true},
		{"one letter", "a", true},
		{"all allowed characters", "a.b_c-d/0.pdf", true},
		{"200 bytes", strings.Repeat("a", 200), true},
		{"201 bytes", strings.Repeat("a", 201), false},
		{"201 bytes in segments", strings.Repeat("a/", 100) + "a", false},
		{"empty", "", false},
		{"parent folder", "..", false},
		{"outside the root", "../x", false},
		{"parent folder in the middle", "a/../b", false},
		{"parent folder at the end", "a/..", false},
		{"far outside the root", "a/../../../../etc/passwd", false},
		{"two dots in a name", "a..b", false},
		{"three dots", "...", false},
		{"current folder", ".", false},
		{"current folder in the middle", "a/./b", false},
		{"hidden", ".a", false},
		{"hidden in a folder", "a/.b", false},
		{"absolute", "/a", false},
		{"slash at the end", "a/", false},
		{"two slashes", "a//b", false},
		{"only a slash", "/", false},
		{"backslash", `a\b`, false},
		{"parent folder with a backslash", `..\a`, false},
		{"drive", "c:a", false},
		{"capital", "A", false},
		{"space", "a b", false},
		{"end of line", "a\n", false},
		{"zero byte", "a\x00b", false},
		{"percent", "%2e%2e/a", false},
		{"arabic", "شعار", false},
		{"Kelvin sign, which folds to k", "\u212a", false},
		{"invalid UTF-8", "a\xff", false},
		{"overlong dot", "\xc0\xae\xc0\xae/a", false},
		{"full-width dots", "\uff0e\uff0e/a", false},
		{"hyphen first", "-rf", false},
		{"lock file", "~lock", false},
		{"file being written", "~incoming/1-1", false},
	}
	d := openDisk(t, t.TempDir())
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := accepted(t, d, c.key); got != c.good {
				t.Errorf("key %q accepted = %t, want %t", c.key, got, c.good)
			}
		})
	}
}

// accepted reports whether Open, Put and Remove accept a key. They must agree.
func accepted(t testing.TB, d *blob.Disk, key string) bool {
	t.Helper()
	_, _, opened := d.Open(t.Context(), key)
	_, kept := d.Put(t.Context(), key, strings.NewReader("x"), 10)
	removed := d.Remove(t.Context(), key)
	good := fault.KindOf(opened) == fault.NotFound && kept == nil && removed == nil
	bad := fault.KindOf(opened) == fault.Invalid && fault.KindOf(kept) == fault.Invalid && fault.KindOf(removed) == fault.Invalid
	if good == bad {
		t.Errorf("errors of Open, Put and Remove for %q = %v, %v, %v, want all to accept or refuse the key", key, opened, kept, removed)
	}
	return good
}

func TestKeysMatchPattern(t *testing.T) {
	pattern := regexp.MustCompile(`\A[a-z0-9][a-z0-9._-]*(/[a-z0-9][a-z0-9._-]*)*\z`)
	d := openDisk(t, t.TempDir())
	rapid.Check(t, func(r *rapid.T) {
		key := rapid.OneOf(rapid.StringMatching(`[a-c0./_~A-]{0,12}`), rapid.String()).Draw(r, "key")
		want := pattern.MatchString(key) && !strings.Contains(key, "..") && len(key) <= 200
		_, _, err := d.Open(t.Context(), key)
		if got := fault.KindOf(err) == fault.NotFound; got != want {
			r.Fatalf("Open(%q): %v, want the key accepted: %t", key, err, want)
		}
		if want && !filepath.IsLocal(key) {
			r.Fatalf("accepted key %q is not a local path", key)
		}
	})
}

// Symbolic links in the folder cannot be used to read or write outside it.
func TestSymbolicLinksAreNotFollowed(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	secret := filepath.Join(outside, "secret")
	if err := os.WriteFile(secret, []byte("theirs"), 0o600); err != nil {
		t.Fatal(err)
	}
	way, err := filepath.Rel(dir, outside)
	if err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"abs": outside, "rel": way, "file": secret} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	d := openDisk(t, dir)
	for _, key := range []string{"abs/secret", "rel/secret", "file"} {
		if _, _, err := d.Open(t.Context(), key); err == nil {
			t.Errorf("Open(%s) followed a link, want an error", key)
		}
	}
	for _, key := range []string{"abs/secret", "rel/secret", "abs/new", "rel/new/new"} {
		if _, err := d.Put(t.Context(), key, strings.NewReader("ours"), 10); err == nil {
			t.Errorf("Put(%s) followed a link, want an error", key)
		}
		if err := d.Remove(t.Context(), key); err == nil {
			t.Errorf("Remove(%s) followed a link, want an error", key)
		}
	}
	// A link at the key itself is replaced or removed like a file.
	put(t, d, "file", "ours")
	wantFile(t, d, "file", "ours")
	if err := d.Remove(t.Context(), "abs"); err != nil {
		t.Error(err)
	}
	wantTree(t, dir, "file", "rel")
	if text, err := os.ReadFile(secret); err != nil || string(text) != "theirs" {
		t.Errorf("file outside the store contains %q, %v, want it unchanged", text, err)
	}
	wantTree(t, outside, "secret")
}
