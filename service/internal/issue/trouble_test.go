package issue_test

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/ready"
)

// failing returns each error once, then nil.
func failing(all ...error) func() error {
	return func() error {
		if len(all) == 0 {
			return nil
		}
		err := all[0]
		all = all[1:]
		return err
	}
}

var errUnknown = errors.Join(issue.ErrUnknown, errors.New("the connection broke"))

// After a commit with an unknown outcome the issuer asks the book until it
// answers, and each member gets its result.
func TestUnknownCommit(t *testing.T) {
	t.Parallel()
	away := errors.New("the database is unavailable")
	for _, c := range []struct {
		name    string
		lost    bool
		asked   []error
		written bool
	}{
		{"written", false, nil, true},
		{"not written", true, nil, false},
		{"written, known later", false, []error{away, away, away}, true},
		{"halted", false, []error{issue.ErrHalted}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := open(t)
				s.book.commit, s.book.lost, s.book.asked = failing(nil, errUnknown), c.lost, failing(c.asked...)
				got := s.together(standard(note("a")), standard(items(chairs, "11")), standard(note("b")))
				same(t, "refusal", refusalOf(got[1].err) == "stock", c.written)
				same(t, "refused and certainly not written", errors.Is(got[1].err, issue.ErrUnwritten), !c.written)
				for _, n := range []int{0, 2} {
					if c.written {
						if got[n].err != nil || got[n].Number == "" {
							t.Errorf("member %d: error %v, want a document", n, got[n].err)
						}
						continue
					}
					same(t, "kind", fault.KindOf(got[n].err), fault.Unavailable)
					if errors.Is(got[n].err, issue.ErrUnwritten) {
						t.Error("the error wraps ErrUnwritten, but the outcome is unknown")
					}
				}
			})
		})
	}
}

// A document that was not written is returned neither to a repeated request nor
// in the refusal of a duplicate.
func TestUnknownCommitOfARepetition(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		request issue.Request
		written bool
	}{
		{"key, written", key(standard(), "k"), true},
		{"key, not written", key(standard(), "k"), false},
		{"duplicate, written", standard(), true},
		{"duplicate, not written", standard(), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := open(t)
				s.book.commit, s.book.lost = failing(nil, errUnknown), !c.written
				got := s.together(c.request, c.request)
				if !c.written {
					for n := range got {
						same(t, fmt.Sprint(n), fault.KindOf(got[n].err), fault.Unavailable)
					}
					return
				}
				if got[0].err != nil {
					t.Fatal(got[0].err)
				}
				if c.request.IdempotencyKey == "" {
					same(t, "refusal", refusalOf(got[1].err), "duplicate")
					return
				}
				same(t, "id", got[1].ID, got[0].ID)
			})
		})
	}
}

// A repeated request returns the document written earlier, whatever the outcome
// of its batch.
func TestUnknownCommitBesideARepetition(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := open(t)
		first := s.create(key(standard(), "k"))
		s.book.commit, s.book.lost = failing(nil, errUnknown), true
		got := s.together(standard(note("lost")), key(standard(), "k"))
		same(t, "kind", fault.KindOf(got[0].err), fault.Unavailable)
		if got[1].err != nil || got[1].ID != first.ID {
			t.Errorf("repetition returns %s, %v, want the first document", got[1].ID, got[1].err)
		}
	})
}

// If the book never answers, the issuer gives up after 30 seconds.
func TestUnknownCommitThatStaysUnknown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := open(t)
		s.book.commit, s.book.asked = failing(errUnknown), func() error { return errors.New("the database is unavailable") }
		start := time.Now()
		_, err := s.issuer.Create(t.Context(), s.by, standard())
		same(t, "kind", fault.KindOf(err), fault.Unavailable)
		if took := time.Since(start); took < 30*time.Second || took > 31*time.Second {
			t.Errorf("gave up after %s, want 30s", took)
		}
	})
}

// If a batch cannot be written, its documents are written one by one, so that
// only the faulty one is refused.
func TestPoisonedMember(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := open(t)
		chain := s.book.devices[secondDevice]
		chain.ID, chain.Key = id(17), []byte("junk")
		s.book.devices[chain.ID] = chain
		got := s.together(standard(note("a")), standard(from(chain.ID)), standard(note("b")))
		if got[0].err != nil || got[2].err != nil {
			t.Errorf("errors of the other members = %v, %v; want none", got[0].err, got[2].err)
		}
		same(t, "kind", fault.KindOf(got[1].err), fault.Internal)
		same(t, "numbers", got[0].Number+" "+got[2].Number, "INV-2026-000001 INV-2026-000002")
		same(t, "chain", got[2].PreviousHash, got[0].Hash)
		same(t, "counter of the faulty device", s.book.devices[chain.ID].Counter, 0)
	})
}

// A panic in a batch is returned as an error of that batch.
func TestPanicInABatch(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.book.onState = func(d *issue.State) { d.Devices[firstDevice] = nil }
	_, err := s.issuer.Create(t.Context(), s.by, standard())
	if err == nil || fault.KindOf(err) != fault.Internal {
		t.Errorf("Create = %v, want an internal error", err)
	}
	s.book.onState = nil
	same(t, "afterwards", s.create(standard()).Number, "INV-2026-000001")
}

// A retried transaction uses no results of the first try.
func TestDecidedTwice(t *testing.T) {
	t.Parallel()
	r := key(standard(items(chairs, "10")), "k")
	first := true
	s := open(t)
	s.book.twice = true
	s.book.onState = func(d *issue.State) {
		if first {
			d.Keys["k"] = issue.Issued{Digest: r.Digest, Invoice: ledger.Invoice{ID: unknownID}}
		}
		first = false
	}
	s.book.commit, s.book.lost = failing(errUnknown), true
	_, err := s.issuer.Create(t.Context(), s.by, r)
	same(t, "kind after a commit that failed", fault.KindOf(err), fault.Unavailable)
	got := s.create(r)
	same(t, "number", got.Number, "INV-2026-000001")
	same(t, "documents", len(s.book.entries), 1)
	amounts(t, "stock", *s.book.items[chairs].Stock, "0")
}

// If the database is unavailable, all members of a batch fail at once.
func TestUnavailableBatch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := open(t)
		s.book.commit, s.book.lost = failing(nil, fault.New(fault.DatabaseUnavailable, "away")), true
		got := s.together(standard(note("a")), standard(items(chairs, "11")), standard(note("b")))
		for n := range got {
			same(t, fmt.Sprint(n), fault.KindOf(got[n].err), fault.Unavailable)
		}
		same(t, "appends", s.book.appends, 2)
	})
}

// A batch that is delayed into the next month counts for that month. The issuer
// tries three times.
func TestNextMonth(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		late int // number of states of the previous month
		ok   bool
	}{{1, true}, {2, true}, {3, false}} {
		s := open(t)
		left := c.late
		s.book.onState = func(d *issue.State) {
			if left > 0 {
				left--
				d.Usage.Month = org.UsageMonth(morning.AddDate(0, -1, 0))
			}
		}
		_, err := s.issuer.Create(t.Context(), s.by, standard())
		same(t, fmt.Sprint(c.late, ": issued"), err == nil, c.ok)
		same(t, fmt.Sprint(c.late, ": documents"), len(s.book.entries) == 1, c.ok)
	}
}

// While a cause stops issuing, nothing is issued, but documents issued before
// are still found by their keys.
func TestNotReady(t *testing.T) {
	t.Parallel()
	var why error
	s := open(t, func(c *issue.Config) { c.Ready = func() error { return why } })
	before := s.create(key(standard(), "k"))
	why = ready.Refusal(ready.Disk)
	for name, r := range map[string]issue.Request{"valid": standard(note("x")), "invalid": standard(lines())} {
		_, err := s.issuer.Create(t.Context(), s.by, r)
		if e := faultOf(t, err); e.Kind() != fault.Unavailable || !errors.Is(err, issue.ErrUnwritten) || e.Again == 0 {
			t.Errorf("%s: %v, want unavailable, ErrUnwritten and Again", name, err)
		}
	}
	same(t, "found by its key", s.create(key(standard(), "k")).ID, before.ID)
	if _, err := s.issuer.Preview(t.Context(), s.by, standard()); err != nil {
		t.Errorf("Preview while issuing is stopped = %v, want no error", err)
	}
	why = errors.New("a cause only for the log")
	_, err := s.issuer.Create(t.Context(), s.by, standard(note("x")))
	same(t, "kind of an unknown cause", fault.KindOf(err), fault.Unavailable)
	same(t, "documents", len(s.book.entries), 1)
}

// If the key cannot be looked up either, the cause that stops issuing is
// returned.
func TestNotReadyAndNoLookup(t *testing.T) {
	t.Parallel()
	s := open(t, func(c *issue.Config) { c.Ready = func() error { return ready.Refusal(ready.Disk) } })
	s.book.looking = func() error { return errors.New("the database is unavailable") }
	_, err := s.issuer.Create(t.Context(), s.by, key(standard(), "k"))
	if e := faultOf(t, err); e.Again == 0 || !errors.Is(err, issue.ErrUnwritten) {
		t.Errorf("got %v, want the stopping cause with ErrUnwritten", err)
	}
}

// A refusal while a cause stops issuing is replaced by that cause: a wrong
// clock may have caused the refusal.
func TestNotReadyAfterARefusal(t *testing.T) {
	t.Parallel()
	answers := failing(nil, ready.Refusal(ready.Clock))
	s := open(t, func(c *issue.Config) { c.Ready = answers })
	_, err := s.issuer.Create(t.Context(), s.by, standard(lines()))
	same(t, "kind", fault.KindOf(err), fault.Unavailable)
}

// The check is repeated under the lock. If it asks for a recheck, Ready is
// called and the append is repeated, at most three times in total.
func TestStillReady(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		inside  []error
		outside []error // after the first call, which succeeds
		ok      bool
		appends int
	}{
		{"ready", nil, nil, true, 1},
		{"stopped", []error{ready.Refusal(ready.Chain)}, nil, false, 1},
		{"checked again", []error{ready.ErrRecheck}, nil, true, 2},
		{"checked again and stopped", []error{ready.ErrRecheck}, []error{ready.Refusal(ready.Chain)}, false, 1},
		{"checked twice", []error{ready.ErrRecheck, ready.ErrRecheck}, nil, true, 3},
		{"checked too often", []error{ready.ErrRecheck, ready.ErrRecheck, ready.ErrRecheck}, nil, false, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t, func(config *issue.Config) {
				config.Ready, config.StillReady = failing(append([]error{nil}, c.outside...)...), failing(c.inside...)
			})
			_, err := s.issuer.Create(t.Context(), s.by, standard())
			if (err == nil) != c.ok || !c.ok && (fault.KindOf(err) != fault.Unavailable || !errors.Is(err, issue.ErrUnwritten)) {
				t.Errorf("got %v, want ok: %t", err, c.ok)
			}
			same(t, "appends", s.book.appends, c.appends)
			same(t, "documents", len(s.book.entries) == 1, c.ok)
		})
	}
}

// continuity records its calls.
type continuity struct {
	refuses func() error
	asked   string
	told    []int64
}

func (c *continuity) Admit(organisation uuid.UUID, documents int64, stopped string) error {
	c.asked = fmt.Sprint(organisation, " ", documents, " ", stopped)
	return c.refuses()
}

func (c *continuity) Appended(of org.Tenant, documents int64, e *issue.Entries) {
	if of.ID() == organisationID && e != nil {
		c.told = append(c.told, documents)
	}
}

// Continuity is called with the number of documents, and after each append that
// wrote one.
func TestContinuity(t *testing.T) {
	t.Parallel()
	watch := &continuity{refuses: failing()}
	woken := 0
	s := open(t, func(c *issue.Config) { c.Continuity, c.Issued = watch, func() { woken++ } })
	s.create(standard())
	s.create(key(standard(), "k"))
	s.create(key(standard(), "k")) // writes nothing
	same(t, "asked", watch.asked, organisationID.String()+" 2 ")
	same(t, "told", fmt.Sprint(watch.told), "[1 2]")

	s.book.stopped = "recovery"
	watch.refuses = failing(ready.ErrRecheck, ready.Refusal(ready.Chain))
	_, err := s.issuer.Create(t.Context(), s.by, standard(note("x")))
	if fault.KindOf(err) != fault.Unavailable || !errors.Is(err, issue.ErrUnwritten) {
		t.Errorf("got %v, want unavailable and ErrUnwritten", err)
	}
	same(t, "asked", watch.asked, organisationID.String()+" 2 recovery")
	same(t, "told", fmt.Sprint(watch.told), "[1 2]")
	if woken < 2 {
		t.Errorf("the sender was woken %d times, want at least 2", woken)
	}
}
