package service_test

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"testing"

	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

// visitor is somebody who calls, and what is to become of it: refused is what
// every call gets that needs a credential; without it role and scope decide.
type visitor struct {
	name    string
	show    func(*http.Request) // how they show who they are
	refused *refusal
	role    org.Role
	only    org.Scope
	key     bool // a key that works, if not everywhere
	person  bool // a session that works, if not everywhere
}

func TestInterface_5_AuthorisationMatrix(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		shop := h.till()
		own, admin := shop.stockOf(h.key), h.session(org.Admin, h.org)
		cells, made := 0, map[string]int{}
		served := map[string]bool{}
		visitors := h.visitors()
		rows := slices.Concat(h.service.KeyRows(), h.service.AppRows())
		slices.SortStableFunc(rows, func(a, b wire.Route) int {
			return cmp.Compare(rights[operationOf(a)].last, rights[operationOf(b)].last)
		})
		for _, row := range rows {
			operation := operationOf(row)
			served[operation] = true
			want, known := rights[operation]
			if !known {
				t.Errorf("%s is served and nobody said who may call it", operation)
				continue
			}
			for _, v := range visitors {
				if strings.Contains(row.Path, "{draft_id}") {
					own.draft = shop.draftedBy(admin) // nobody has changed it yet
				}
				got := h.send(row.Method, own.at(row), v.show, body(shop, operation))
				cells++
				v.judge(t, operation, want, got)
				if got.status/100 == 2 {
					made[operation]++
				}
			}
		}
		for operation := range rights {
			if !served[operation] {
				t.Errorf("%s is not served", operation)
			}
		}
		// A refused call wrote nothing. The till has a client of its own.
		same(t, "clients", h.read(t, "/api/buyers/")["total"], any(number(made["POST /api/onboarding/organizations/clients/"]+2)))
		same(t, "invoices", h.read(t, "/api/invoices/")["total"], any(number(made["POST /api/invoices/"]+made["POST /api/drafts/{draft_id}/issue/"]+1)))
		notes, _ := h.read(t, strings.TrimPrefix(own.path("/api/invoices/{invoice_id}/notes/"), "/v1"))["notes"].([]any)
		same(t, "notes", len(notes), made["POST /api/invoices/{invoice_id}/notes/"]+1)
		t.Logf("%d cells: %d operations, %d ways to call", cells, len(served), len(visitors))
	})
}

func operationOf(row wire.Route) string { return row.Method + " " + row.Path }

func (v visitor) judge(t *testing.T, operation string, want right, got answer) {
	t.Helper()
	what := operation + " by " + v.name
	switch {
	case want.people && v.key:
		keyHere.wants(t, what, got)
	case want.lonely && v.person: // whatever the organisation
		if got.status != want.status {
			t.Errorf("%s: got %d %s, want %d", what, got.status, got.body, want.status)
		}
	case !want.public && v.refused != nil:
		v.refused.wants(t, what, got)
	case !want.public && !want.allows(v.role, v.only) && want.denied != nil:
		want.denied.wants(t, what, got)
	case !want.public && !want.allows(v.role, v.only):
		noRight.wants(t, what, got)
	case want.always != nil:
		want.always.wants(t, what, got)
	case got.status != want.status:
		t.Errorf("%s: got %d %s, want %d", what, got.status, got.body, want.status)
	}
	if challenge := got.header.Get("WWW-Authenticate"); (challenge == "Bearer") != (got.status == http.StatusUnauthorized) {
		t.Errorf("%s: WWW-Authenticate is %q on %d", what, challenge, got.status)
	}
}

// visitors are all the ways to call.
func (h *house) visitors() []visitor {
	suspended, over, free := h.organisation("Suspended", "business"), h.organisation("Over", "business"), h.organisation("Free", "free")
	second := h.organisation("Second", "business")
	revoked := h.newKey(h.org, org.Accountant)
	h.revoke(h.org, revoked)
	list := []visitor{
		{name: "nobody", show: func(*http.Request) {}, refused: &noToken},
		{name: "an empty header", show: header("Authorization", ""), refused: &noToken},
		{name: "a scheme alone", show: header("Authorization", "Bearer"), refused: &noToken},
		{name: "a key without scheme", show: header("Authorization", h.key), refused: &noToken},
		{name: "Basic", show: header("Authorization", "Basic "+h.key), refused: &noToken},
		{name: "Basic beside a session", show: both(header("Authorization", "Basic YTpi"), cookie(h.session(org.Admin, h.org))), refused: &noToken},
		{name: "an unknown key", show: bearer("svc_0000000_" + h.key[12:]), refused: &noKey},
		{name: "another secret", show: bearer(h.key[:12] + strings.Repeat("A", 43)), refused: &noKey},
		{name: "a key cut short", show: bearer(h.key[:54]), refused: &noKey},
		{name: "a key with more", show: bearer(h.key + "A"), refused: &noKey},
		{name: "a public name", show: bearer(h.key[:12]), refused: &noKey},
		{name: "a revoked key", show: bearer(revoked), refused: &noKey},
		{name: "a key as cookie", show: both(cookie(h.key), header("Origin", h.server.URL)), refused: &noSession},
		{name: "an unknown session", show: bearer("nobody"), refused: &noKey},
		{name: "a session that is over", show: bearer(h.overSession()), refused: &noKey},
		{name: "key of a suspended organisation", show: bearer(h.newKey(suspended, org.Accountant)), refused: &inactive, key: true},
		{name: "key of a deactivated organisation", show: bearer(h.newKey(over, org.Accountant)), refused: &noKey},
		{name: "key without a plan for it", show: bearer(h.newKey(free, org.Accountant)), refused: &noPlan, key: true},
		{name: "session in a suspended organisation", show: bearer(h.session(org.Admin, suspended)), refused: &inactive, person: true},
		{name: "session in a deactivated organisation", show: bearer(h.session(org.Admin, over)), refused: &noMember, person: true},
		{name: "session in no organisation", show: bearer(h.session(org.Admin)), refused: &noMember, person: true},
		{name: "session in two organisations", show: bearer(h.session(org.Admin, h.org, second)), refused: &whichOrg, person: true},
		{name: "session that names one of two", show: both(bearer(h.session(org.ViewInvoice, h.org, second)), activeOrg(h.org)), role: org.ViewInvoice, person: true},
		{name: "session that names another's", show: both(bearer(h.session(org.Admin, h.org, second)), activeOrg(free)), refused: &notHere, person: true},
		{name: "session as cookie", show: both(cookie(h.session(org.Admin, h.org)), header("Origin", h.server.URL)), role: org.Admin, person: true},
	}
	h.status(suspended, org.Suspended)
	h.status(over, org.Deactivated)
	for _, role := range []org.Role{"ViewInvoice", "CreateInvoice", "Accountant"} {
		list = append(list, visitor{name: string(role) + " key", show: bearer(h.newKey(h.org, role)), role: role, key: true})
	}
	for _, role := range []org.Role{"ViewInvoice", "CreateInvoice", "Accountant", "Admin"} {
		list = append(list, visitor{name: string(role) + " session", show: bearer(h.session(role, h.org)), role: role, person: true})
	}
	for _, only := range []org.Scope{"invoice.create", "invoice.get", "note.create", "client.create", "client.get", "item.create", "item.get", "device.get"} {
		list = append(list, visitor{name: "key for " + string(only), show: bearer(h.newKey(h.org, "CreateInvoice", only)), role: "CreateInvoice", only: only, key: true})
	}
	return list
}

// overSession is a session whose time is over.
func (h *house) overSession() string {
	token := h.session(org.Admin, h.org)
	ctx := h.t.Context()
	if err := h.keys.SignOut(ctx, token); err != nil {
		h.t.Fatal(err)
	}
	return token
}

func both(first, second func(*http.Request)) func(*http.Request) {
	return func(r *http.Request) { first(r); second(r) }
}

func activeOrg(o org.Organisation) func(*http.Request) {
	return header("X-Active-Org", o.ID.String())
}
