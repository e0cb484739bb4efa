package journal_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"khatm/internal/testtool"
	"khatm/simulator/internal/journal"
)

func newClock() *testtool.Clock {
	return testtool.NewClock(time.Date(2026, 8, 17, 9, 0, 0, 123_456_789, time.UTC))
}

func open(t testing.TB, path string, c *testtool.Clock) *journal.Journal {
	t.Helper()
	j, err := journal.Open(journal.Config{Path: path, Now: c.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() }) // some tests close it themselves
	return j
}

func submission(n int) journal.Record {
	return journal.Record{
		Environment:  "production",
		Endpoint:     "reporting",
		Device:       "399999999900003 1-TST|2-TST|3-1",
		UUID:         fmt.Sprintf("8e6000cf-1a98-4174-b3e7-%012d", n),
		Counter:      fmt.Sprint(n),
		PreviousHash: hashOf(n - 1),
		Hash:         hashOf(n),
		Body:         strings.Repeat("ab", 32),
		Status:       200,
	}
}

const genesis = "NWZlY2ViNjZmZmM4NmYzOGQ5NTI3ODZjNmQ2OTZjNzljMmRiYzIzOWRkNGU5MWI0NjcyOWQ3M2EyN2ZiNTdlOQ=="

func hashOf(n int) string {
	if n == 0 {
		return genesis
	}
	return fmt.Sprintf("%043d=", n)
}

func mustAccept(t testing.TB, j *journal.Journal, r journal.Record, answer string) journal.Record {
	t.Helper()
	first, kept, err := j.Accept(r, []byte(answer))
	if err != nil || !first {
		t.Fatalf("Accept returned first %v, want true (error: %v)", first, err)
	}
	return kept
}

// kinds runs a test with a journal on disk and with one in memory.
func kinds(t *testing.T, test func(t *testing.T, path string)) {
	t.Run("file", func(t *testing.T) { test(t, filepath.Join(t.TempDir(), "journal")) })
	t.Run("memory", func(t *testing.T) { test(t, "") })
}

func TestAccept(t *testing.T) {
	kinds(t, func(t *testing.T, path string) {
		c := newClock()
		j := open(t, path, c)
		want := mustAccept(t, j, submission(1), "<Invoice/>")
		if want.Outcome != journal.Accepted || !want.Time.Equal(c.Now()) {
			t.Errorf("Accept returned the record %+v, want outcome %s and time %s", want, journal.Accepted, c.Now())
		}
		again := submission(1)
		again.UUID = "another"
		first, got, err := j.Accept(again, []byte("other"))
		if err != nil || first {
			t.Fatalf("duplicate: Accept returned first %v, want false (error: %v)", first, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("earlier record (-want +got):\n%s", diff)
		}
		answer, err := j.Answer(got)
		if err != nil || string(answer) != "<Invoice/>" {
			t.Errorf("saved answer is %q, want <Invoice/> (error: %v)", answer, err)
		}
		if first, _, err := j.Accept(submission(2), nil); err != nil || !first {
			t.Errorf("another document: first is %v, want true (error: %v)", first, err)
		}
		other := submission(1)
		other.Environment = "simulation"
		if first, _, err := j.Accept(other, nil); err != nil || !first {
			t.Errorf("another environment: first is %v, want true (error: %v)", first, err)
		}
		if _, _, err := j.Accept(journal.Record{}, nil); err == nil {
			t.Error("Accept without a hash succeeded, want an error")
		}
	})
}

func TestRejectedIsNotKnown(t *testing.T) {
	j := open(t, "", newClock())
	r := submission(1)
	r.Status = 400
	if _, err := j.Append(r, nil); err != nil {
		t.Fatal(err)
	}
	if _, found, err := j.Lookup(r.Environment, r.Hash); err != nil || found {
		t.Errorf("rejected document: found is %v, want false (error: %v)", found, err)
	}
	mustAccept(t, j, submission(1), "")
	r.Outcome = journal.Duplicate
	if _, err := j.Append(r, nil); err != nil {
		t.Fatal(err)
	}
	got, found, err := j.Lookup(r.Environment, r.Hash)
	if err != nil || !found || got.Outcome != journal.Accepted {
		t.Errorf("Lookup returned %+v, want the accepted record (error: %v)", got, err)
	}
}

func TestReopen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	c := newClock()
	var want []journal.Record
	for n := 1; n <= 5; n++ {
		j := open(t, path, c)
		if got := j.Opened; got != (journal.Opened{Records: int64(n - 1), Known: n - 1}) {
			t.Errorf("Opened = %+v, want %d records and %d known documents", got, n-1, n-1)
		}
		want = append(want, mustAccept(t, j, submission(n), fmt.Sprintf("answer %d", n)))
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		c.Advance(time.Minute)
	}
	j := open(t, path, c)
	var got []journal.Record
	for r, err := range j.All() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, r)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	for n, r := range got {
		answer, err := j.Answer(r)
		if err != nil || string(answer) != fmt.Sprintf("answer %d", n+1) {
			t.Errorf("saved answer is %q, want answer %d (error: %v)", answer, n+1, err)
		}
	}
}

// TestFileIsLinesOfJSON checks the format of the file, which other programs
// also read.
func TestFileIsLinesOfJSON(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	j := open(t, path, newClock())
	r := submission(7)
	r.Mood = "drop-after"
	mustAccept(t, j, r, "answer")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(content, &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"time": "2026-08-17T09:00:00.123456789Z", "environment": "production", "endpoint": "reporting",
		"device": "399999999900003 1-TST|2-TST|3-1", "uuid": "8e6000cf-1a98-4174-b3e7-000000000007", "counter": "7",
		"previousHash": hashOf(6), "hash": hashOf(7), "body": strings.Repeat("ab", 32), "status": 200.0,
		"outcome": "new", "mood": "drop-after", "answerSize": 6.0,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("record in the file (-want +got):\n%s", diff)
	}
}
