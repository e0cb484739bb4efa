package org_test

import (
	"bytes"
	"crypto/rand"
	"regexp"
	"strings"
	"testing"
	"time"

	"khatm/codes"
	"khatm/service/internal/org"
)

func TestInterface_5_3_RolesGrant(t *testing.T) {
	view := []org.Scope{org.InvoiceGet, org.ClientGet, org.ItemGet, org.DeviceGet}
	more := []org.Scope{org.InvoiceCreate, org.NoteCreate, org.ClientCreate, org.ItemCreate}
	cases := []struct {
		role        org.Role
		reads, adds bool
	}{
		{org.ViewInvoice, true, false},
		{org.CreateInvoice, true, true},
		{org.Accountant, true, true},
		{org.Admin, true, true},
		{"", false, false},
		{"viewinvoice", false, false},
	}
	for _, c := range cases {
		for _, s := range view {
			if got := c.role.Grants(s); got != c.reads {
				t.Errorf("role %q grants %s: %v, want %v", c.role, s, got, c.reads)
			}
		}
		for _, s := range more {
			if got := c.role.Grants(s); got != c.adds {
				t.Errorf("role %q grants %s: %v, want %v", c.role, s, got, c.adds)
			}
		}
		if c.role.Grants("billing.change") {
			t.Errorf("role %q grants the unknown scope billing.change", c.role)
		}
	}
	if got, want := len(org.Scopes()), len(view)+len(more); got != want {
		t.Errorf("%d scopes, want %d", got, want)
	}
}

func TestInterface_5_4_AdminCannotBeGivenToAKey(t *testing.T) {
	for _, r := range org.KeyRoles() {
		if r == org.Admin {
			t.Error("KeyRoles contains Admin")
		}
		if _, ok := codes.FindRole(string(r)); !ok {
			t.Errorf("role %s is not in the code list", r)
		}
	}
}

func TestInterface_5_3_AccountantIsAboveCreateInvoiceInTheAppOnly(t *testing.T) {
	least := map[org.Role][]org.Scope{
		org.ViewInvoice: {org.AttentionGet, org.CompanyGet, org.PaymentGet, org.ReasonGet, org.ViewManage},
		org.Accountant:  {org.EarlierCreate, org.ImportCreate, org.PaymentCreate, org.ReasonManage},
		org.Admin:       {org.CompanyChange, org.DeviceManage, org.KeyManage, org.MemberManage, org.OutboxGet, org.TrailGet},
	}
	rank := map[org.Role]int{org.ViewInvoice: 1, org.CreateInvoice: 2, org.Accountant: 3, org.Admin: 4}
	for lowest, scopes := range least {
		for _, s := range scopes {
			if got := s.Least(); got != lowest {
				t.Errorf("least role of %s = %s, want %s", s, got, lowest)
			}
			for role, n := range rank {
				if got, want := role.Grants(s), n >= rank[lowest]; got != want {
					t.Errorf("role %s grants %s: %v, want %v", role, s, got, want)
				}
			}
		}
	}
	for _, s := range org.Scopes() {
		if org.Accountant.Grants(s) != org.CreateInvoice.Grants(s) {
			t.Errorf("scope %s of keys is granted to only one of CreateInvoice and Accountant", s)
		}
	}
}

func TestInterface_5_4_ScopesOfPeopleAreNotForKeys(t *testing.T) {
	for _, s := range org.Scopes() {
		if s.Personal() {
			t.Errorf("scope %s of keys is only for people", s)
		}
	}
	for _, s := range []org.Scope{org.CompanyGet, org.PaymentCreate, org.ReasonManage, org.KeyManage} {
		for kind, want := range map[org.ActorKind]bool{org.KeyActor: false, org.PersonActor: true} {
			if got := (org.Actor{Kind: kind, Role: org.Admin}).May(s); got != want {
				t.Errorf("%s with role Admin may %s: %v, want %v", kind, s, got, want)
			}
		}
		if (org.Actor{Kind: org.KeyActor, Role: org.Accountant, Scopes: []org.Scope{s}}).May(s) {
			t.Errorf("a key with the scope %s may use it", s)
		}
	}
}

func TestInterface_5_5_ScopesNarrowAndNeverWiden(t *testing.T) {
	a := org.Actor{Role: org.ViewInvoice, Scopes: []org.Scope{org.InvoiceGet, org.InvoiceCreate}}
	for s, want := range map[org.Scope]bool{org.InvoiceGet: true, org.ClientGet: false, org.InvoiceCreate: false} {
		if got := a.May(s); got != want {
			t.Errorf("May(%s) = %v, want %v", s, got, want)
		}
	}
	a.Scopes = nil
	if !a.May(org.ClientGet) || a.May(org.ClientCreate) {
		t.Error("an actor without scopes must have exactly the permissions of its role")
	}
}

func TestInterface_5_1_KeyForm(t *testing.T) {
	form := regexp.MustCompile(`^svc_[A-Za-z0-9]{7}_[A-Za-z0-9_-]{43}$`)
	seen := map[string]bool{}
	for range 500 {
		text, err := org.NewKeyText(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		name, digest, ok := org.SplitKey(text)
		if !form.MatchString(text) || !ok || len(name) != 12 || !strings.HasPrefix(text, name) || seen[text] {
			t.Fatalf("NewKeyText = %q with name %q, want a new key of the specified form", text, name)
		}
		if !org.SameDigest(digest[:], digest[:]) || org.SameDigest(digest[:], make([]byte, 32)) {
			t.Fatal("SameDigest must be true for equal digests and false for others")
		}
		seen[text] = true
	}
	good, _ := org.NewKeyText(rand.Reader)
	for _, bad := range []string{"", "svc_", good + "x", good[1:], strings.Replace(good, "svc_", "SVC_", 1), good[:54] + "!", good + "\n"} {
		if _, _, ok := org.SplitKey(bad); ok {
			t.Errorf("SplitKey accepts %q", bad)
		}
	}
}

// A random source that ends must cause an error, not a short key. Bytes that
// would favour some characters must be discarded.
func TestNewKeyTextNeedsRandomness(t *testing.T) {
	if _, err := org.NewKeyText(strings.NewReader("short")); err == nil {
		t.Error("NewKeyText made a key from five random bytes")
	}
	uneven := bytes.Repeat([]byte{255, 0}, 400) // 255 ≥ 248 is discarded
	text, err := org.NewKeyText(bytes.NewReader(uneven))
	if err != nil || !strings.HasPrefix(text, "svc_AAAAAAA_") {
		t.Errorf("NewKeyText = %q, %v; want the prefix svc_AAAAAAA_", text, err)
	}
}

func TestCeilings(t *testing.T) {
	cases := []struct{ allowance, invoices, writes int }{
		{org.Unlimited, org.Unlimited, org.Unlimited},
		{0, 0, 0}, {1, 1, 2}, {9, 9, 10}, {10, 11, 11}, {25, 27, 28}, {100, 110, 110}, {300, 330, 330}, {5001, 5501, 5502},
	}
	for _, c := range cases {
		p := org.Plan{Invoices: c.allowance, Writes: c.allowance}
		if p.InvoiceCeiling() != c.invoices || p.WriteCeiling() != c.writes {
			t.Errorf("allowance %d: ceilings of invoices and writes = %d and %d, want %d and %d", c.allowance, p.InvoiceCeiling(), p.WriteCeiling(), c.invoices, c.writes)
		}
	}
}

func TestInterface_2_11_Grace(t *testing.T) {
	cases := []struct {
		limit, used             int
		grace, exceeded, allows bool
	}{
		{10, 0, false, false, true},
		{10, 10, false, false, true},
		{10, 11, true, true, false},
		{100, 100, false, false, true},
		{100, 101, true, false, true},
		{100, 109, true, false, true},
		{100, 110, true, true, false},
		{5, 5, false, true, false}, // ten percent of five, rounded down, is 0
		{0, 0, false, true, false},
		{org.Unlimited, 1 << 40, false, false, true},
	}
	for _, c := range cases {
		u := org.Usage{Plan: org.Plan{Invoices: c.limit}, Invoices: c.used}
		if u.GraceUsed() != c.grace || u.GraceExceeded() != c.exceeded || u.InvoicesAllowed() != c.allows {
			t.Errorf("%d of %d invoices used: grace used %v, exceeded %v, allowed %v; want %v, %v, %v", c.used, c.limit, u.GraceUsed(), u.GraceExceeded(), u.InvoicesAllowed(), c.grace, c.exceeded, c.allows)
		}
	}
}

func TestInterface_2_11_MonthIsThatOfUTC(t *testing.T) {
	riyadh := time.FixedZone("+03", 3*60*60)
	at := time.Date(2026, 12, 1, 2, 59, 59, 0, riyadh) // still November in UTC
	if got := org.UsageMonth(at).Format(time.DateOnly); got != "2026-11-01" {
		t.Errorf("UsageMonth = %s, want 2026-11-01", got)
	}
}
