package journal_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"khatm/simulator/internal/journal"
)

// TestTornAtEveryByte checks that a journal whose last record was cut at any
// byte, as after a crash during a write, can be opened and continued.
func TestTornAtEveryByte(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "journal")
	c := newClock()
	j := open(t, path, c)
	mustAccept(t, j, submission(1), "one")
	mustAccept(t, j, submission(2), "two")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	mustAccept(t, j, submission(3), "three")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	answers, err := os.ReadFile(path + ".answers")
	if err != nil {
		t.Fatal(err)
	}
	for size := len(before); size <= len(whole); size++ {
		torn := filepath.Join(dir, fmt.Sprintf("torn-%d", size))
		for name, content := range map[string][]byte{torn: whole[:size], torn + ".answers": answers} {
			if err := os.WriteFile(name, content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		j := open(t, torn, c)
		kept, lost := int64(2), int64(size-len(before))
		if size == len(whole) {
			kept, lost = 3, 0
		}
		if j.Opened.Records != kept || j.Opened.Torn != lost {
			t.Fatalf("cut at %d: Opened = %+v, want %d records and %d bytes torn", size, j.Opened, kept, lost)
		}
		_, found, err := j.Lookup("production", hashOf(3))
		if err != nil || found != (kept == 3) {
			t.Fatalf("cut at %d: document 3: found is %v, want %v (error: %v)", size, found, kept == 3, err)
		}
		mustAccept(t, j, submission(4), "four")
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		again := open(t, torn, c)
		if again.Opened.Records != kept+1 || again.Opened.Torn != 0 {
			t.Fatalf("cut at %d: Opened = %+v after reopening, want one record more and nothing torn", size, again.Opened)
		}
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestDamage(t *testing.T) {
	c := newClock()
	dir := t.TempDir()
	path := filepath.Join(dir, "journal")
	j := open(t, path, c)
	for n := 1; n <= 3; n++ {
		mustAccept(t, j, submission(n), "")
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	second := bytes.IndexByte(good, '\n') + 1
	middle := bytes.Clone(good)
	middle[second] = 'x'
	zeros := make([]byte, 200<<10)
	for _, test := range []struct {
		name    string
		content []byte
		torn    int64 // -1 if Open must fail
	}{
		{"empty", nil, 0},
		{"zeros at the end", append(bytes.Clone(good), zeros...), int64(len(zeros))},
		{"invalid last line", append(bytes.Clone(good), "nonsense\n"...), 9},
		{"invalid and incomplete last lines", append(bytes.Clone(good), "nonsense\n{"...), 10},
		{"damage in the middle", middle, -1},
		{"long line in the middle", append(append(bytes.Clone(zeros), '\n'), good...), -1},
	} {
		t.Run(test.name, func(t *testing.T) {
			own := filepath.Join(t.TempDir(), "journal")
			if err := os.WriteFile(own, test.content, 0o600); err != nil {
				t.Fatal(err)
			}
			j, err := journal.Open(journal.Config{Path: own, Now: c.Now})
			var corrupt *journal.Corrupt
			if test.torn < 0 {
				if !errors.As(err, &corrupt) {
					t.Errorf("Open returned %v, want a Corrupt error", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if j.Opened.Torn != test.torn {
				t.Errorf("Opened = %+v, want %d bytes torn", j.Opened, test.torn)
			}
			if err := j.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestAnswersLost(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	c := newClock()
	j := open(t, path, c)
	mustAccept(t, j, submission(1), "one")
	mustAccept(t, j, submission(2), "two")
	if err := os.Truncate(path+".answers", 4); err != nil {
		t.Fatal(err)
	}
	again := open(t, path, c)
	if again.Opened.Lost != 1 {
		t.Errorf("Opened = %+v, want one lost answer", again.Opened)
	}
	r, found, err := again.Lookup("production", hashOf(2))
	if err != nil || !found {
		t.Fatalf("Lookup: found is %v, want true (error: %v)", found, err)
	}
	if _, err := again.Answer(r); err == nil {
		t.Error("reading a lost answer succeeded, want an error")
	}
}

func TestSync(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	j, err := journal.Open(journal.Config{Path: path, Sync: true, Now: newClock().Now})
	if err != nil {
		t.Fatal(err)
	}
	mustAccept(t, j, submission(1), "one")
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := j.Append(submission(2), nil); err == nil {
		t.Error("Append to a closed journal succeeded, want an error")
	}
	if _, err := journal.Open(journal.Config{Path: path}); err == nil {
		t.Error("Open without a clock succeeded, want an error")
	}
	if _, err := journal.Open(journal.Config{Path: filepath.Join(path, "x"), Now: newClock().Now}); err == nil {
		t.Error("Open with a path below a file succeeded, want an error")
	}
}

// TestHostileTexts checks that text sent by a client never breaks a line, and
// that Append returns each record as it is read back.
func TestHostileTexts(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		path := filepath.Join(dir, fmt.Sprint(n))
		c := newClock()
		j, err := journal.Open(journal.Config{Path: path, Now: c.Now})
		if err != nil {
			t.Fatal(err)
		}
		text := rapid.OneOf(
			rapid.String(),
			rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 40), func(b []byte) string { return string(b) }),
			rapid.Map(rapid.String(), func(s string) string { return strings.Repeat("م"+s, 700) }),
		)
		var want []journal.Record
		for range rapid.IntRange(1, 5).Draw(t, "records") {
			kept, err := j.Append(journal.Record{
				Environment: text.Draw(t, "environment"), Endpoint: text.Draw(t, "endpoint"), Device: text.Draw(t, "device"),
				UUID: text.Draw(t, "uuid"), Counter: text.Draw(t, "counter"), PreviousHash: text.Draw(t, "previous"),
				Hash: text.Draw(t, "hash"), Body: text.Draw(t, "body"), Mood: text.Draw(t, "mood"),
				Outcome: rapid.SampledFrom([]journal.Outcome{"", journal.Accepted, journal.Duplicate}).Draw(t, "outcome"),
			}, nil)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, kept)
		}
		if _, err := j.Audit(nil); err != nil {
			t.Fatal(err)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		again, err := journal.Open(journal.Config{Path: path, Now: c.Now})
		if err != nil {
			t.Fatal(err)
		}
		var got []journal.Record
		for r, err := range again.All() {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, r)
		}
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("records after reopening (-want +got):\n%s", diff)
		}
	})
}
