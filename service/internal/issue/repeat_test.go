package issue_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
)

// A request with the same key and data returns the first document, at any time
// and whatever has changed since. The same key with other data is refused.
func TestIdempotencyKey(t *testing.T) {
	t.Parallel()
	s := open(t)
	r := key(standard(items(chairs, "10")), "ticket-1")
	first := s.create(r)
	s.now = s.now.Add(30 * 24 * time.Hour)
	again := s.create(r) // not refused, although the stock is gone
	same(t, "id", again.ID, first.ID)
	same(t, "number", again.Number, first.Number)
	same(t, "key", first.IdempotencyKey, "ticket-1")

	_, err := s.issuer.Create(t.Context(), s.by, key(standard(note("other")), "ticket-1"))
	same(t, "refusal", refusalOf(err), "idempotency key")
	same(t, "documents", len(s.book.entries), 1)
	amounts(t, "stock", *s.book.items[chairs].Stock, "0")
}

// Earlier returns the document of an idempotency key.
func TestEarlierUseOfAKey(t *testing.T) {
	t.Parallel()
	s := open(t)
	r := key(standard(), "ticket-1")
	first := s.create(r)
	for k, want := range map[string]bool{"ticket-1": true, "ticket-2": false, "TICKET-1": false} {
		got, known, err := s.issuer.Earlier(t.Context(), s.by.Tenant, k)
		if err != nil || known != want {
			t.Errorf("key %s: known = %t, %v; want %t", k, known, err, want)
		}
		if known && (got.Invoice.ID != first.ID || got.Digest != r.Digest) {
			t.Errorf("key %s: got %+v, want the first document", k, got)
		}
	}
}

// A refused request does not use its key.
func TestRefusedRequestKeepsItsKey(t *testing.T) {
	t.Parallel()
	s := open(t)
	same(t, "refusal", refusalOf(s.refused(key(standard(items(chairs, "11")), "ticket-1"))), "stock")
	got := s.create(key(standard(items(chairs, "3")), "ticket-1"))
	same(t, "number", got.Number, "INV-2026-000001")
}

// A request with the key of a damaged document is refused, and nothing is
// issued.
func TestKeyOfADamagedDocument(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.book.keys["ticket-1"] = issue.Issued{Invoice: ledger.Invoice{ID: unknownID, Damage: &ledger.Damage{Invoice: unknownID, What: "XML"}}}
	_, err := s.issuer.Create(t.Context(), s.by, key(standard(), "ticket-1"))
	same(t, "kind", fault.KindOf(err), fault.Unavailable)
	same(t, "documents", len(s.book.entries), 0)
}

// Without a key, the same data is refused for five minutes, with the location
// of the first document and the seconds to wait.
func TestDuplicateGuard(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		after   time.Duration
		seconds int // 0 if issued
	}{
		{0, 300},
		{time.Nanosecond, 300},
		{500 * time.Millisecond, 300},
		{time.Second, 299},
		{4*time.Minute + 59*time.Second, 1},
		{5*time.Minute - time.Nanosecond, 1},
		{5 * time.Minute, 0},
		{-time.Minute, 300}, // the clock stepped back
	} {
		t.Run(c.after.String(), func(t *testing.T) {
			t.Parallel()
			s := open(t)
			first := s.create(standard())
			s.now = s.now.Add(c.after)
			got, err := s.issuer.Create(t.Context(), s.by, standard())
			if c.seconds == 0 {
				same(t, "number", got.Number, "INV-2026-000002")
				return
			}
			same(t, "refusal", refusalOf(err), "duplicate")
			e := faultOf(t, err)
			same(t, "location", e.Fields["location"], any(issue.Location(first.ID)))
			if want := fmt.Sprintf("wait %d seconds", c.seconds); !strings.Contains(e.Message, want) {
				t.Errorf("message %q, want one with %q", e.Message, want)
			}
			if _, err := s.issuer.Preview(t.Context(), s.by, standard()); err != nil {
				t.Errorf("Preview of a duplicate = %v, want no error", err)
			}
		})
	}
}

// The guard compares data and key: equal sales with different keys are two
// documents.
func TestDuplicateGuardAndKeys(t *testing.T) {
	t.Parallel()
	s := open(t)
	for n, r := range []issue.Request{
		standard(), key(standard(), "a"), key(standard(), "b"), standard(note("other data")), standard(from(secondDevice)),
	} {
		same(t, "number", s.create(r).Number, fmt.Sprintf("INV-2026-%06d", n+1))
	}
}

// A draft is issued only if the request has the current claim on it.
func TestClaimOfADraft(t *testing.T) {
	t.Parallel()
	draft, mine, theirs := id(70), id(71), id(72)
	for _, c := range []struct {
		name string
		held map[string]bool
		with issue.Claim
		ok   bool
	}{
		{"no draft", nil, issue.Claim{}, true},
		{"held", map[string]bool{"mine": true}, issue.Claim{Draft: draft, ID: mine}, true},
		{"held by another", map[string]bool{"theirs": true}, issue.Claim{Draft: draft, ID: mine}, false},
		{"not claimed", nil, issue.Claim{Draft: draft, ID: mine}, false},
		{"a claim without an id", nil, issue.Claim{Draft: draft}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			if c.held["mine"] {
				s.book.claims[draft] = mine
			}
			if c.held["theirs"] {
				s.book.claims[draft] = theirs
			}
			r := standard()
			r.Claim = c.with
			_, err := s.issuer.Create(t.Context(), s.by, r)
			if (err == nil) != c.ok || !c.ok && fault.KindOf(err) != fault.Conflict {
				t.Errorf("got error %v, want ok: %t", err, c.ok)
			}
			same(t, "documents", len(s.book.entries) == 1, c.ok)
		})
	}
}

// The allowance of a plan plus ten percent of grace can be used, and no more.
func TestAllowance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		plan, used int
		ok         bool
	}{
		{25, 0, true}, {25, 25, true}, {25, 26, true}, {25, 27, false}, {25, 28, false}, {9, 8, true}, {9, 9, false}, {0, 0, false}, {-1, 1_000_000, true},
	} {
		t.Run(fmt.Sprint(c.plan, "/", c.used), func(t *testing.T) {
			t.Parallel()
			s := open(t)
			s.book.plan.Invoices, s.book.used = c.plan, c.used
			if _, err := s.issuer.Preview(t.Context(), s.by, standard()); err != nil {
				t.Errorf("Preview beyond the allowance = %v, want no error", err)
			}
			_, err := s.issuer.Create(t.Context(), s.by, standard())
			if c.ok {
				if err != nil {
					t.Errorf("Create within the allowance = %v, want no error", err)
				}
				return
			}
			e := faultOf(t, err)
			same(t, "kind", e.Kind(), fault.Forbidden)
			same(t, "usage", e.Fields["current_usage"], any(c.used))
			same(t, "limit", e.Fields["limit"], any(c.plan))
			same(t, "plan", e.Fields["plan_name"], any("Business"))
			same(t, "upgrade", e.Fields["upgrade_url"], any("https://khatm.example/plans"))
		})
	}
}

// An invoice that the callback of CreateIf refuses is not issued.
func TestCreateIf(t *testing.T) {
	t.Parallel()
	s := open(t)
	no := errors.New("no")
	var asked ledger.Record
	_, err := s.issuer.CreateIf(t.Context(), s.by, standard(), func(r ledger.Record) error {
		asked = r
		return no
	})
	if !errors.Is(err, no) {
		t.Errorf("CreateIf = %v, want the error of the callback", err)
	}
	amounts(t, "payable of the record", asked.Totals.Payable, "115")
	same(t, "documents", len(s.book.entries), 0)
}
