package journal_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"khatm/simulator/internal/journal"
)

func TestWindow(t *testing.T) {
	kinds(t, func(t *testing.T, path string) {
		for _, c := range []struct {
			name  string
			after []time.Duration // moves of the clock, with a lookup of another document after each
			known bool
		}{
			{"immediately", nil, true},
			{"just before 24 hours", []time.Duration{journal.Window - 1}, true},
			{"exactly 24 hours", []time.Duration{journal.Window}, false},
			{"just after 24 hours", []time.Duration{journal.Window + 1}, false},
			{"in steps", []time.Duration{20 * time.Hour, 3 * time.Hour}, true},
			{"in steps, exactly 24 hours", []time.Duration{20 * time.Hour, 4 * time.Hour}, false},
			{"days after", []time.Duration{72 * time.Hour}, false},
			{"clock set back", []time.Duration{-48 * time.Hour}, true},
		} {
			t.Run(c.name, func(t *testing.T) {
				clock := newClock()
				own := path
				if own != "" {
					own += c.name
				}
				j := open(t, own, clock)
				clock.Advance(13 * time.Hour) // so that the document is not at the start of a generation
				mustAccept(t, j, submission(1), "")
				for _, d := range c.after {
					clock.Advance(d)
					if _, _, err := j.Lookup("production", hashOf(9)); err != nil {
						t.Fatal(err)
					}
				}
				_, found, err := j.Lookup("production", hashOf(1))
				if err != nil || found != c.known {
					t.Errorf("found is %v, want %v (error: %v)", found, c.known, err)
				}
				first, _, err := j.Accept(submission(1), nil)
				if err != nil || first == c.known {
					t.Errorf("first is %v, want %v (error: %v)", first, !c.known, err)
				}
				if own == "" {
					return
				}
				// The result is the same after reopening.
				if err := j.Close(); err != nil {
					t.Fatal(err)
				}
				if _, found, err := open(t, own, clock).Lookup("production", hashOf(1)); err != nil || !found {
					t.Errorf("after reopening: found is %v, want true (error: %v)", found, err)
				}
			})
		}
	})
}

func TestOneOfManyIsFirst(t *testing.T) {
	kinds(t, func(t *testing.T, path string) {
		j := open(t, path, newClock())
		const documents, senders = 20, 16
		firsts := make([]int, documents)
		var mu sync.Mutex
		var wait sync.WaitGroup
		for s := range senders {
			wait.Go(func() {
				for n := range documents {
					r := submission(n + 1)
					answer := fmt.Sprintf("by %d", s)
					first, kept, err := j.Accept(r, []byte(answer))
					if err != nil {
						t.Error(err)
						return
					}
					got, err := j.Answer(kept)
					if err != nil || first && string(got) != answer {
						t.Errorf("saved answer is %q, want %q if first is %v (error: %v)", got, answer, first, err)
					}
					if first {
						mu.Lock()
						firsts[n]++
						mu.Unlock()
					} else if r.Outcome, r.Status = journal.Duplicate, 409; true {
						if _, err := j.Append(r, nil); err != nil {
							t.Error(err)
						}
					}
				}
			})
		}
		wait.Wait()
		for n, count := range firsts {
			if count != 1 {
				t.Errorf("document %d was accepted as new %d times, want 1", n+1, count)
			}
		}
		report, err := j.Audit(nil)
		if err != nil {
			t.Fatal(err)
		}
		if row := report.Rows[0]; !row.Sound() || row.Accepted != documents || row.Submissions != documents*senders {
			t.Errorf("audit row = %+v, want no faults, %d accepted documents and %d submissions", row, documents, documents*senders)
		}
	})
}
