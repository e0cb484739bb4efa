package continuity_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/continuity"
)

var installation = uuid.MustParse("018f0000-0000-7000-8000-0000000000ff")

func openMarks(t *testing.T, dir string) *continuity.Marks {
	t.Helper()
	m, err := continuity.OpenMarks(dir, installation)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	return m
}

func known(t *testing.T, dir string) *continuity.Record {
	t.Helper()
	r, err := continuity.ReadMarks(filepath.Join(dir, installation.String()))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestMarksAreReadBack(t *testing.T) {
	dir := t.TempDir()
	if got := known(t, dir); got != nil {
		t.Fatalf("marks of an empty folder = %+v, want nil", got)
	}
	m := openMarks(t, dir)
	if got := known(t, dir); got != nil {
		t.Fatalf("marks before the first record = %+v, want nil", got)
	}
	of := continuity.Identity{Inode: 3}
	if err := m.Begin(2, of); err != nil {
		t.Fatal(err)
	}
	for n := range int64(5) {
		if err := m.Add(seller, book(n+1, n+1, strings.Repeat("h", int(n)))); err != nil {
			t.Fatal(err)
		}
	}
	want := &continuity.Record{Generation: 2, Identity: &of, Books: continuity.Books{seller: book(5, 5, "hhhh")}}
	if got := known(t, dir); !reflect.DeepEqual(got, want) {
		t.Errorf("marks = %+v, want %+v", got, want)
	}
	m.Close()
	again := openMarks(t, dir)
	if err := again.Begin(2, continuity.Identity{Inode: 4}); err != nil { // same generation: nothing is discarded
		t.Fatal(err)
	}
	if got := known(t, dir); !reflect.DeepEqual(got, want) {
		t.Errorf("marks after reopening = %+v, want %+v", got, want)
	}
	if err := again.Begin(3, of); err != nil {
		t.Fatal(err)
	}
	if got := known(t, dir); got.Generation != 3 || len(got.Books) != 0 {
		t.Errorf("marks of a new generation = %+v, want generation 3 and no books", got)
	}
}

// A power cut can lose any part of the last writes, and a bad disk can change
// any byte. Lines before a cut still count, and damage never adds documents.
func TestMarksSurviveDamage(t *testing.T) {
	dir := t.TempDir()
	m := openMarks(t, dir)
	if err := m.Begin(0, continuity.Identity{}); err != nil {
		t.Fatal(err)
	}
	for n := range int64(3) {
		if err := m.Add(seller, book(n+1, n+1, "h")); err != nil {
			t.Fatal(err)
		}
	}
	m.Close()
	path := filepath.Join(dir, installation.String(), "server-1.marks")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	last := int64(0)
	for cut := range len(whole) + 1 {
		if err := os.WriteFile(path, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		got := int64(0)
		if r := known(t, dir); r != nil {
			got = r.Books[seller].Documents
		}
		if got < last {
			t.Fatalf("marks cut at byte %d have %d documents, want at least %d as in a shorter cut", cut, got, last)
		}
		last = got
	}
	if last != 3 {
		t.Errorf("complete marks have %d documents, want 3", last)
	}
	for at := range whole {
		damaged := append([]byte{}, whole...)
		damaged[at] ^= 1
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if r := known(t, dir); r != nil && r.Books[seller].Documents > 3 {
			t.Fatalf("marks damaged at byte %d have %d documents, want at most 3", at, r.Books[seller].Documents)
		}
	}
}

func TestEachServerHasItsOwnMarks(t *testing.T) {
	dir := t.TempDir()
	first, second := openMarks(t, dir), openMarks(t, dir)
	for i, m := range []*continuity.Marks{first, second} {
		if err := m.Begin(0, continuity.Identity{System: "1"}); err != nil {
			t.Fatal(err)
		}
		if err := m.Add(seller, book(int64(i+4), int64(i+4), "h")); err != nil {
			t.Fatal(err)
		}
	}
	got, err := first.Known()
	if err != nil || got.Books[seller].Documents != 5 {
		t.Errorf("marks of both servers = %+v, %v, want 5 documents", got, err)
	}
	second.Close()
	if err := first.Begin(1, continuity.Identity{System: "1"}); err != nil {
		t.Fatal(err)
	}
	if got, err := first.Known(); err != nil || got.Generation != 1 || len(got.Books) != 0 {
		t.Errorf("marks of two generations = %+v, %v, want only the newest", got, err)
	}
}

func TestMarksAreCompacted(t *testing.T) {
	dir := t.TempDir()
	m := openMarks(t, dir)
	if err := m.Begin(0, continuity.Identity{}); err != nil {
		t.Fatal(err)
	}
	const times = 8_000
	for n := range int64(times) {
		if err := m.Add(seller, book(n+1, n+1, "h")); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(filepath.Join(dir, installation.String(), "server-1.marks"))
	if err != nil || info.Size() > 1<<20 || info.Mode().Perm() != 0o600 {
		t.Errorf("marks file = %v, %v, want at most 1 MiB and mode 0600", info, err)
	}
	if got := known(t, dir).Books[seller].Documents; got != times {
		t.Errorf("compacted marks have %d documents, want %d", got, times)
	}
}
