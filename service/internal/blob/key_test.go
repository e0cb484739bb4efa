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
		{"all that is allowed", "a.b_c-d/0.pdf", true},
		{"two hundred", strings.Repeat("a", 200), true},
		{"two hundred and one", strings.Repeat("a", 201), false},
		{"two hundred and one in segments", strings.Repeat("a/", 100) + "a", false},
		{"empty", "", false},
		{"up", "..", false},
		{"up and out", "../x", false},
		{"up in the middle", "a/../b", false},
		{"up at the end", "a/..", false},
		{"far up", "a/../../../../etc/passwd", false},
		{"two points in a name", "a..b", false},
		{"three points", "...", false},
		{"here", ".", false},
		{"here in the middle", "a/./b", false},
		{"hidden", ".a", false},
		{"hidden below", "a/.b", false},
		{"absolute", "/a", false},
		{"slash at the end", "a/", false},
		{"two slashes", "a//b", false},
		{"only a slash", "/", false},
		{"backslash", `a\b`, false},
		{"up with a backslash", `..\a`, false},
		{"drive", "c:a", false},
		{"capital", "A", false},
		{"space", "a b", false},
		{"end of line", "a\n", false},
		{"zero byte", "a\x00b", false},
		{"percent", "%2e%2e/a", false},
		{"arabic", "شعار", false},
		{"letter that folds to k", "\u212a", false},
		{"no UTF-8", "a\xff", false},
		{"overlong point", "\xc0\xae\xc0\xae/a", false},
		{"wide points", "\uff0e\uff0e/a", false},
		{"hyphen first", "-rf", false},
		{"the lock", "~lock", false},
		{"what is incoming", "~incoming/1-1", false},
	}
	d := openDisk(t, t.TempDir())
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := accepted(t, d, c.key); got != c.good {
				t.Errorf("accepted %v", got)
			}
		})
	}
}

// accepted tries a key in all three ways, which must agree.
func accepted(t testing.TB, d *blob.Disk, key string) bool {
	t.Helper()
	_, _, opened := d.Open(t.Context(), key)
	_, kept := d.Put(t.Context(), key, strings.NewReader("x"), 10)
	removed := d.Remove(t.Context(), key)
	good := fault.KindOf(opened) == fault.NotFound && kept == nil && removed == nil
	bad := fault.KindOf(opened) == fault.Invalid && fault.KindOf(kept) == fault.Invalid && fault.KindOf(removed) == fault.Invalid
	if good == bad {
		t.Errorf("open %v, put %v, remove %v", opened, kept, removed)
	}
	return good
}

func TestKeysAgainstAPattern(t *testing.T) {
	pattern := regexp.MustCompile(`\A[a-z0-9][a-z0-9._-]*(/[a-z0-9][a-z0-9._-]*)*\z`)
	d := openDisk(t, t.TempDir())
	rapid.Check(t, func(r *rapid.T) {
		key := rapid.OneOf(rapid.StringMatching(`[a-c0./_~A-]{0,12}`), rapid.String()).Draw(r, "key")
		want := pattern.MatchString(key) && !strings.Contains(key, "..") && len(key) <= 200
		_, _, err := d.Open(t.Context(), key)
		if got := fault.KindOf(err) == fault.NotFound; got != want {
			r.Fatalf("%q: %v", key, err)
		}
		if want && !filepath.IsLocal(key) {
			r.Fatalf("%q leads out", key)
		}
	})
}

// TestLinksLeadNowhere: whoever managed to put a link into the folder gets no
// further with it.
func TestLinksLeadNowhere(t *testing.T) {
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
			t.Errorf("%s was opened", key)
		}
	}
	for _, key := range []string{"abs/secret", "rel/secret", "abs/new", "rel/new/new"} {
		if _, err := d.Put(t.Context(), key, strings.NewReader("ours"), 10); err == nil {
			t.Errorf("%s was kept", key)
		}
		if err := d.Remove(t.Context(), key); err == nil {
			t.Errorf("%s was removed", key)
		}
	}
	// A link in the place of the file itself is replaced, or removed, as such.
	put(t, d, "file", "ours")
	wantFile(t, d, "file", "ours")
	if err := d.Remove(t.Context(), "abs"); err != nil {
		t.Error(err)
	}
	wantTree(t, dir, "file", "rel")
	if text, err := os.ReadFile(secret); err != nil || string(text) != "theirs" {
		t.Errorf("outside there is %q, %v", text, err)
	}
	wantTree(t, outside, "secret")
}
