package vault_test

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"khatm/service/internal/vault"
)

// keyFile creates a file with one key and returns its path and line.
func keyFile(t testing.TB) (path, line string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "master.key")
	filed(t, path)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(string(text)) {
		if !strings.HasPrefix(l, "#") {
			line = l
		}
	}
	return path, line
}

func loadFile(path string) error {
	_, err := vault.Load(vault.Config{File: path, Create: true, Random: rand.Reader, Now: noon})
	return err
}

func TestFileIsMadeForItsOwnerAlone(t *testing.T) {
	path, line := keyFile(t)
	info, err := os.Stat(path)
	if err != nil || info.Mode() != 0o600 {
		t.Errorf("mode of the key file = %v, %v; want 0600", info.Mode(), err)
	}
	if f := strings.Fields(line); len(f) != 3 || len(f[0]) != 16 || len(f[1]) != 44 || f[2] != "2026-03-01" {
		t.Error("the line does not consist of an id, a key and a date")
	}
	wantNoLeftovers(t, path)
}

// wantNoLeftovers checks that the folder contains only the key file and its
// lock.
func wantNoLeftovers(t testing.TB, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != "master.key" && e.Name() != "master.key.lock" {
			t.Errorf("file %s was left behind", e.Name())
		}
	}
}

func TestFileModes(t *testing.T) {
	path, _ := keyFile(t)
	for mode := range os.FileMode(0o1000) {
		if mode&0o400 == 0 && os.Geteuid() != 0 {
			continue // not readable by its owner either
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		err := loadFile(path)
		switch private := mode&0o077 == 0; {
		case private && err != nil:
			t.Fatalf("mode %o: %v, want no error", mode, err)
		case !private && err == nil:
			t.Fatalf("key file with mode %o is accepted", mode)
		case !private && !strings.Contains(err.Error(), "chmod 600 "+path):
			t.Fatalf("mode %o: error %q does not contain the chmod command", mode, err)
		}
	}
}

// TestCredentialModes shows that the group may read a credential of systemd, and no
// other file.
func TestCredentialModes(t *testing.T) {
	path, _ := keyFile(t)
	for _, c := range []struct {
		name, directory string
		mode            os.FileMode
		accepted        bool
	}{
		{"credential", filepath.Dir(path), 0o440, true},
		{"credential, folder with a slash", filepath.Dir(path) + "/", 0o440, true},
		{"credential of an older systemd", filepath.Dir(path), 0o400, true},
		{"no credential", "", 0o440, false},
		{"another folder", t.TempDir(), 0o440, false},
		{"writable by the group", filepath.Dir(path), 0o460, false},
		{"readable by all", filepath.Dir(path), 0o444, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("CREDENTIALS_DIRECTORY", c.directory)
			if err := os.Chmod(path, c.mode); err != nil {
				t.Fatal(err)
			}
			if err := loadFile(path); (err == nil) != c.accepted {
				t.Errorf("mode %o: error %v, want accepted: %t", c.mode, err, c.accepted)
			}
		})
	}
}

func TestIrregularFiles(t *testing.T) {
	good, _ := keyFile(t)
	cases := []struct {
		name string
		make func(path string) error
		want string // empty if accepted
	}{
		{"folder", func(p string) error { return os.Mkdir(p, 0o700) }, "not a regular file"},
		{"pipe without a writer", func(p string) error { return syscall.Mkfifo(p, 0o600) }, "not a regular file"},
		{"link to elsewhere", func(p string) error { return os.Symlink(good, p) }, "give the path of the file itself"},
		{"relative link to elsewhere", func(p string) error {
			way, err := filepath.Rel(filepath.Dir(p), good)
			if err != nil {
				return err
			}
			return os.Symlink(way, p)
		}, "give the path of the file itself"},
		{"link to nothing", func(p string) error { return os.Symlink("nothing", p) }, "give the path of the file itself"},
		{"link to itself", func(p string) error { return os.Symlink(filepath.Base(p), p) }, "give the path of the file itself"},
		{"link within the folder", func(p string) error {
			text, err := os.ReadFile(good)
			if err != nil {
				return err
			}
			if err := os.WriteFile(p+".data", text, 0o400); err != nil {
				return err
			}
			return os.Symlink(filepath.Base(p)+".data", p)
		}, ""},
		{"link to an open file within the folder", func(p string) error {
			if err := os.WriteFile(p+".data", nil, 0o644); err != nil {
				return err
			}
			return os.Symlink(filepath.Base(p)+".data", p)
		}, "chmod 600"},
		{"too large", func(p string) error { return os.WriteFile(p, make([]byte, 1<<20), 0o600) }, "not a key file"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "key")
			if err := c.make(path); err != nil {
				t.Fatal(err)
			}
			wantError(t, loadFile(path), c.want)
		})
	}
}

func wantError(t testing.TB, err error, want string) {
	t.Helper()
	switch {
	case want == "" && err != nil:
		t.Errorf("error %v, want none", err)
	case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
		t.Errorf("error %v, want one with %q", err, want)
	}
}

func TestMalformedFiles(t *testing.T) {
	_, line := keyFile(t)
	_, other := keyFile(t)
	f := strings.Fields(line)
	id, key := f[0], f[1]
	cases := []struct{ name, text, want string }{
		{"one key", line, ""},
		{"two keys", line + other, ""},
		{"no end of line", strings.TrimSuffix(line, "\n"), ""},
		{"comments and blanks", "# a\n\n  \r\n" + line + "\n#b", ""},
		{"empty", "", "has no key"},
		{"only a comment", "# " + line, "has no key"},
		{"two fields", id + " " + key, "line 1: must have an id, a key and a date"},
		{"four fields", strings.TrimSpace(line) + " x\n", "line 1: must have an id, a key and a date"},
		{"malformed date", id + " " + key + " 2026-3-1", "must be a date"},
		{"cut off", line[:len(line)-3], "must be a date"},
		{"key cut off", line + id + " " + key[:40] + " 2026-03-01", "line 2: key: has 30 bytes, want 32"},
		{"no base64", id + " " + key[:43] + "! 2026-03-01", "line 1: key: is not valid base64"},
		{"id of another key", id + " " + keyOf(9) + " 2026-03-01", "does not match its id"},
		{"id in capitals", "ABCDEF0123456789 " + key + " 2026-03-01", "does not match its id"},
		{"the same key twice", line + line, "line 2: duplicate key"},
		{"binary data", "\x00\xff\x00", "line 1"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "master.key")
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			err := loadFile(path)
			wantError(t, err, c.want)
			if err != nil && strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), key[:8]) {
				t.Error("the error contains the key")
			}
			if after, _ := os.ReadFile(path); !bytes.Equal(after, []byte(c.text)) {
				t.Error("the file was changed")
			}
		})
	}
}

// Processes that start on an empty folder at the same time create one key
// between them, and each opens what the others seal.
func TestManyStartAtOnce(t *testing.T) {
	const starters, rounds = 8, 20
	for range rounds {
		path := filepath.Join(t.TempDir(), "master.key")
		rings := make([]*vault.Ring, starters)
		var ready, done sync.WaitGroup
		ready.Add(starters)
		for i := range rings {
			done.Go(func() {
				ready.Done()
				ready.Wait()
				ring, err := vault.Load(vault.Config{File: path, Create: true, Random: rand.Reader, Now: noon})
				if err != nil {
					t.Error(err)
					return
				}
				rings[i] = ring
			})
		}
		done.Wait()
		if t.Failed() {
			return
		}
		value := sealed(t, rings[0], "secret")
		for _, ring := range rings {
			mustOpen(t, ring, value, "secret")
			if n := len(ring.Keys()); n != 1 {
				t.Fatalf("%d keys were created, want 1", n)
			}
		}
		wantNoLeftovers(t, path)
	}
}
