package account_test

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/account"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/store/storetest"
)

func TestInterface_7_4_KeyThatCannotBeIssued(t *testing.T) {
	onSQLite(t, func(t *testing.T, r fixture) {
		cases := []struct {
			name string
			key  account.NewKey
			code string
		}{
			{"no title", account.NewKey{}, "invalid_request"},
			{"a title of spaces only", account.NewKey{Title: " \t "}, "invalid_request"},
			{"a title without visible characters", account.NewKey{Title: "\u200b"}, "invalid_request"},
			{"a title in reverse", account.NewKey{Title: "a\u202eb"}, "invalid_request"},
			{"a title on two lines", account.NewKey{Title: "a\u2028b"}, "invalid_request"},
			{"a title too long", account.NewKey{Title: strings.Repeat("ختم", 34)}, "invalid_request"},
			{"a title with a line break", account.NewKey{Title: "till\n7"}, "invalid_request"},
			{"a title with a NUL byte", account.NewKey{Title: "till\x007"}, "invalid_request"},
			{"a title that is not UTF-8", account.NewKey{Title: "till \xff"}, "invalid_request"},
			{"Admin", account.NewKey{Title: "till", Role: org.Admin}, "invalid_role"},
			{"an unknown role", account.NewKey{Title: "till", Role: "Owner"}, "invalid_role"},
			{"a role in another case", account.NewKey{Title: "till", Role: "viewinvoice"}, "invalid_role"},
			{"an unknown scope", account.NewKey{Title: "till", Scopes: []org.Scope{"invoice.delete"}}, "invalid_scopes"},
			{"no scope", account.NewKey{Title: "till", Scopes: []org.Scope{}}, "invalid_scopes"},
			{"an empty scope", account.NewKey{Title: "till", Scopes: []org.Scope{""}}, "invalid_scopes"},
			{"two scopes in one", account.NewKey{Title: "till", Scopes: []org.Scope{"client.get item.get"}}, "invalid_scopes"},
			{"a scope of people", account.NewKey{Title: "till", Role: org.Accountant, Scopes: []org.Scope{org.PaymentCreate}}, "invalid_scopes"},
			{"a scope above the role", account.NewKey{Title: "till", Role: org.ViewInvoice, Scopes: []org.Scope{org.ClientGet, org.InvoiceCreate}}, "invalid_scopes"},
		}
		for _, c := range cases {
			_, text, err := r.IssueKey(t.Context(), r.by, c.key)
			if text != "" {
				t.Errorf("%s: IssueKey returned a key, want an error", c.name)
			}
			t.Run(c.name, func(t *testing.T) { wantFault(t, err, fault.Invalid, c.code) })
		}
		if kept, err := r.store.Keys(t.Context(), r.by.Tenant); err != nil || len(kept) > 0 {
			t.Errorf("%d keys are stored, %v; want none", len(kept), err)
		}
	})
}

func TestInterface_5_2_KeyThatIsIssued(t *testing.T) {
	each(t, func(t *testing.T, r fixture) {
		cases := []struct {
			name   string
			key    account.NewKey
			role   org.Role
			scopes []org.Scope
			title  string
		}{
			{"default role", account.NewKey{Title: " صندوق ٧ "}, org.CreateInvoice, nil, "صندوق ٧"},
			{"100 letters", account.NewKey{Title: strings.Repeat("خ", 100), Role: org.Accountant}, org.Accountant, nil, strings.Repeat("خ", 100)},
			{"duplicate scopes", account.NewKey{Title: "till", Role: org.ViewInvoice, Scopes: []org.Scope{org.ItemGet, org.ClientGet, org.ItemGet}},
				org.ViewInvoice, []org.Scope{org.ClientGet, org.ItemGet}, "till"},
		}
		for _, c := range cases {
			key, text, err := r.IssueKey(t.Context(), r.by, c.key)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			holder, err := r.Key(t.Context(), text, time.Time{}, time.Time{})
			if err != nil || holder.Actor.Role != c.role || !slices.Equal(holder.Actor.Scopes, c.scopes) || holder.Actor.Tenant != r.by.Tenant ||
				key.Title != c.title || key.Name != text[:12] || holder.Actor.Name != text[:12] {
				t.Errorf("%s: holder = %+v of key %+v, %v; want the requested role, scopes and title", c.name, holder, key, err)
			}
		}
	})
}

// echo is a random source that always returns the same bytes.
type echo struct{}

func (echo) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 7
	}
	return len(p), nil
}

func TestInterface_7_4_KeyIDUnavailable(t *testing.T) {
	c := storetest.SQLite(t)
	r := newFixture(t, c, echo{})
	if _, _, err := r.IssueKey(t.Context(), r.by, account.NewKey{Title: "the first"}); err != nil {
		t.Fatal(err)
	}
	_, text, err := r.IssueKey(t.Context(), r.by, account.NewKey{Title: "the second"})
	wantFault(t, err, fault.Unavailable, "key_id_unavailable")
	if text != "" {
		t.Error("IssueKey returned a key that was not stored")
	}
}

// takenOnce is a Keeper that reports the first name as taken.
type takenOnce struct {
	account.Keeper
	calls int
}

func (k *takenOnce) AddKey(ctx context.Context, by org.Actor, key org.Key, digest []byte) error {
	if k.calls++; k.calls == 1 {
		return account.ErrNameTaken
	}
	return k.Keeper.AddKey(ctx, by, key, digest)
}

func TestTakenNameIsDrawnAgain(t *testing.T) {
	r := newFixture(t, storetest.SQLite(t), rand.Reader)
	keeper := &takenOnce{Keeper: r.store}
	again := account.New(account.Config{Keeper: keeper, Now: r.clock.Now, NewID: storetest.NewIDs(), Random: rand.Reader})
	_, text, err := again.IssueKey(t.Context(), r.by, account.NewKey{Title: "till"})
	if err != nil || keeper.calls != 2 {
		t.Fatalf("IssueKey called AddKey %d times, %v; want 2", keeper.calls, err)
	}
	if _, err := r.Key(t.Context(), text, time.Time{}, time.Time{}); err != nil {
		t.Errorf("the issued key does not work: %v", err)
	}
}

// empty is a random source that fails.
type empty struct{}

func (empty) Read([]byte) (int, error) { return 0, errors.New("no entropy") }

func TestFailingRandomSourceMakesNoSecret(t *testing.T) {
	r := newFixture(t, storetest.SQLite(t), empty{})
	if _, text, err := r.IssueKey(t.Context(), r.by, account.NewKey{Title: "till"}); err == nil || text != "" {
		t.Errorf("IssueKey without randomness returned the key %q", text)
	}
	if _, err := r.AddPerson(t.Context(), r.by, "noura@example.com", "Noura", "correct horse battery", org.Admin); err == nil {
		t.Error("AddPerson without randomness stored a password")
	}
}

func TestInterface_5_2_DigestAloneIsKept(t *testing.T) {
	onSQLite(t, func(t *testing.T, r fixture) {
		_, text, err := r.IssueKey(t.Context(), r.by, account.NewKey{Title: "till"})
		if err != nil {
			t.Fatal(err)
		}
		kept, err := r.store.KeyHolder(t.Context(), account.KeyLookup{Name: text[:12]})
		if want := sha256.Sum256([]byte(text)); err != nil || !slices.Equal(kept.Digest, want[:]) {
			t.Errorf("stored digest = %x, %v; want %x", kept.Digest, err, want)
		}
	})
}

func TestInterface_7_3_KeysThatDoNotWorkAreToldAlike(t *testing.T) {
	onSQLite(t, func(t *testing.T, r fixture) {
		_, text, err := r.IssueKey(t.Context(), r.by, account.NewKey{Title: "till"})
		if err != nil {
			t.Fatal(err)
		}
		_, revoked, err := r.IssueKey(t.Context(), r.by, account.NewKey{Title: "old till"})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.store.RevokeKey(t.Context(), r.by, revoked[:12], r.clock.Now()); err != nil {
			t.Fatal(err)
		}
		for name, key := range map[string]string{
			"empty": "", "name only": text[:12], "too short": text[:54], "too long": text + "A", "a line break": text + "\n",
			"wrong secret": text[:12] + strings.Repeat("x", 43), "wrong name": "svc_0000000_" + text[12:], "wrong prefix": "key" + text[3:],
			"revoked": revoked, "Cyrillic letter": text[:54] + "а",
		} {
			holder, err := r.Key(t.Context(), key, time.Time{}, time.Time{})
			if holder.Actor.Name != "" || holder.Actor.Role != "" {
				t.Errorf("%s: Key returned the holder %+v for an invalid key", name, holder)
			}
			t.Run(name, func(t *testing.T) { wantFault(t, err, fault.Unauthenticated, "") })
			if err == nil || err.Error() != "Invalid or revoked API key" {
				t.Errorf("%s: error = %v, want the same text as for every invalid key", name, err)
			}
		}
	})
}
