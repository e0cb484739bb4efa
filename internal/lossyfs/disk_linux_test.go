package lossyfs_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"khatm/internal/lossyfs"
)

func write(t *testing.T, path, text string, sync bool) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if sync {
		if err := f.Sync(); err != nil {
			t.Fatal(err)
		}
	}
}

func syncFolder(t *testing.T, path string) {
	t.Helper()
	d, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := d.Sync(); err != nil {
		t.Fatal(err)
	}
}

// want fails the test unless the file has the text, or does not exist if the text is
// empty.
func want(t *testing.T, path, text string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if text == "" && os.IsNotExist(err) {
		return
	}
	if err != nil || string(got) != text {
		t.Errorf("%s contains %q, %v; want %q", filepath.Base(path), got, err, text)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestUnsyncedChangesAreLost(t *testing.T) {
	d := lossyfs.Mount(t)
	at := func(name string) string { return filepath.Join(d.Dir, name) }
	for _, name := range []string{"synced", "changed", "cut", "removed", "moved", "replaced", "gone"} {
		write(t, at(name), "old", true)
	}
	must(t, os.Remove(at("gone")))
	must(t, os.Mkdir(at("folder"), 0o700))
	syncFolder(t, d.Dir)

	write(t, at("synced"), "+new", true)
	write(t, at("changed"), "+new", false)
	must(t, os.Truncate(at("cut"), 1))
	must(t, os.Remove(at("removed")))
	must(t, os.Rename(at("moved"), at("elsewhere")))
	must(t, os.Rename(at("synced"), at("replaced")))
	must(t, os.Link(at("changed"), at("link")))
	write(t, at("created"), "new", true)
	write(t, at("folder/inside"), "new", true)
	syncFolder(t, at("folder"))
	must(t, os.Mkdir(at("another"), 0o700))
	want(t, at("replaced"), "old+new")
	want(t, at("changed"), "old+new")

	d.Cut()
	if err := os.WriteFile(at("after"), nil, 0o600); err == nil {
		t.Error("a file was written without power")
	}
	if lost := d.Restore(nil); lost != 8 {
		t.Errorf("%d changes lost, want 8", lost)
	}
	for name, text := range map[string]string{
		"synced": "old+new", "changed": "old", "cut": "old", "removed": "old", "moved": "old", "elsewhere": "", "replaced": "old",
		"created": "", "link": "", "gone": "", "folder/inside": "new", "another": "", "after": "",
	} {
		want(t, at(name), text)
	}
	write(t, at("created"), "again", true)
	want(t, at("created"), "again")
}

// Of unsynced writes, any may be kept, also in part; synced ones always are.
func TestSomeChangesAreKept(t *testing.T) {
	d := lossyfs.Mount(t)
	path := filepath.Join(d.Dir, "file")
	write(t, path, "", true)
	syncFolder(t, d.Dir)
	synced := bytes.Repeat([]byte("s"), 1000)
	write(t, path, string(synced), true)
	lengths := map[int]bool{}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		for range 3 {
			write(t, path, string(bytes.Repeat([]byte("u"), 2000)), false)
		}
		d.Cut()
		d.Restore(r)
		got, err := os.ReadFile(path)
		if err != nil || !bytes.HasPrefix(got, synced) {
			t.Fatalf("%d bytes, %v; want at least the synced ones", len(got), err)
		}
		lengths[len(got)] = true
		must(t, os.Truncate(path, 1000))
		write(t, path, "", true)
	}
	if len(lengths) < 4 {
		t.Errorf("lengths = %v, want a variety", lengths)
	}
}

// An operation during which the power fails returns an error, also if it took effect.
func TestCutAfter(t *testing.T) {
	d := lossyfs.Mount(t)
	path := filepath.Join(d.Dir, "file")
	write(t, path, "", true)
	syncFolder(t, d.Dir)
	for n, want := range []string{"", "text"} { // the write, the sync
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		must(t, err)
		d.CutAfter(n + 1)
		_, err = f.WriteString("text")
		if n == 1 {
			must(t, err)
			err = f.Sync()
		}
		if err == nil {
			t.Error("the operation during which the power failed succeeded")
		}
		must(t, f.Close())
		d.Restore(nil)
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
	}
	if writes, syncs := d.Counts(); writes != 2 || syncs != 3 {
		t.Errorf("%d writes and %d syncs, want 2 and 3", writes, syncs)
	}
}
