package service_test

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/wire"
)

// visitor is a kind of caller. If refused is set, it is the expected response
// to every call that needs credentials; otherwise role and only decide.
type visitor struct {
	name    string
	show    func(*http.Request) // adds the credentials
	refused *servicetest.Refusal
	role    org.Role
	only    org.Scope
	key     bool // a valid key, possibly restricted
	person  bool // a valid session, possibly restricted
	ended   bool // a token of no session, which may be a mistyped key
}

// TestInterface_5_AuthorisationMatrix calls every operation without credentials and
// as every visitor whose role or scope decides. The other visitors, who are refused
// whatever the operation requires, call one operation in refusedEvery, in turn, or
// every operation under testtool.All.
func TestInterface_5_AuthorisationMatrix(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		own := shop.RecordsOf(h.Key)
		clients, invoices := h.Total("/api/buyers/"), h.Total("/api/invoices/")
		cells, made := 0, map[string]int{}
		served := map[string]bool{}
		visitors := visitors(h)
		rows := slices.Concat(h.Service.KeyRows(), h.Service.AppRows())
		slices.SortStableFunc(rows, func(a, b wire.Route) int {
			first, _ := permissionOf(a)
			second, _ := permissionOf(b)
			return cmp.Compare(first.last, second.last)
		})
		for n, row := range rows {
			operation := operationOf(row)
			served[row.Base()+" "+operation] = true
			want, known := permissionOf(row)
			if !known {
				t.Errorf("%s is served, but has no entry in permissions", operation)
				continue
			}
			for m, v := range visitors {
				if m > 0 && v.refused != nil && (n+m)%refusedEvery != 0 && !testtool.All() {
					continue
				}
				got := h.Send(row.Method, own.At(row), v.show, servicetest.Body(shop, operation))
				cells++
				v.judge(t, operation, want, got)
				if got.Status/100 == 2 {
					made[operation]++
					for _, param := range servicetest.Changed(row) {
						own.App[param] = shop.AppRecord(param) // a draft may be issued or deleted now
					}
				}
			}
		}
		for base, table := range permissions {
			for operation := range table {
				if !served[base+" "+operation] {
					t.Errorf("%s of %s is in permissions, but not served", operation, base)
				}
			}
		}
		// Refused calls wrote nothing. The setup added a note.
		servicetest.Same(t, "clients", h.Total("/api/buyers/"), clients+made["POST /api/onboarding/organizations/clients/"])
		// Each refund that is reversed is replaced by another one, on a new credit note on
		// a new invoice.
		servicetest.Same(t, "invoices", h.Total("/api/invoices/"), invoices+made["POST /api/invoices/"]+made["POST /api/drafts/{draft_id}/issue/"]+2*made["POST /api/refunds/{refund_id}/reverse/"])
		notes, _ := h.Read(t, strings.TrimPrefix(own.Path("/api/invoices/{invoice_id}/notes/"), "/v1"))["notes"].([]any)
		servicetest.Same(t, "notes", len(notes), made["POST /api/invoices/{invoice_id}/notes/"]+1)
		t.Logf("%d calls: %d operations, %d visitors", cells, len(served), len(visitors))
	})
}

// refusedEvery is the number of operations of which a visitor who is always refused
// calls one.
const refusedEvery = 16

func operationOf(row wire.Route) string { return row.Method + " " + row.Path }

func (v visitor) judge(t *testing.T, operation string, want permission, got servicetest.Answer) {
	t.Helper()
	what := operation + " by " + v.name
	switch {
	case want.people && v.key:
		servicetest.KeyHere.Wants(t, what, got)
	case want.withoutOrg && v.person: // independent of the organisation
		if got.Status != want.status {
			t.Errorf("%s: got %d %s, want %d", what, got.Status, got.Body, want.status)
		}
	case want.people && v.ended:
		servicetest.NoSession.Wants(t, what, got)
	case !want.public && v.refused != nil:
		v.refused.Wants(t, what, got)
	case !want.public && !want.allows(v.role, v.only) && want.denied != nil:
		want.denied.Wants(t, what, got)
	case !want.public && !want.allows(v.role, v.only):
		servicetest.NoRight.Wants(t, what, got)
	case want.always != nil:
		want.always.Wants(t, what, got)
	case got.Status != want.status:
		t.Errorf("%s: got %d %s, want %d", what, got.Status, got.Body, want.status)
	}
	if challenge := got.Header.Get("WWW-Authenticate"); (challenge == "Bearer") != (got.Status == http.StatusUnauthorized) {
		t.Errorf("%s: WWW-Authenticate = %q with status %d, want Bearer exactly with 401", what, challenge, got.Status)
	}
}

// visitors returns all kinds of callers.
func visitors(h *servicetest.Instance) []visitor {
	suspended, over, free := h.Organisation("Suspended", "business"), h.Organisation("Over", "business"), h.Organisation("Free", "free")
	second := h.Organisation("Second", "business")
	revoked := h.NewKey(h.Org, org.Accountant)
	h.Revoke(h.Org, revoked)
	list := []visitor{
		{name: "no credentials", show: func(*http.Request) {}, refused: &servicetest.NoToken},
		{name: "an empty header", show: servicetest.Header("Authorization", ""), refused: &servicetest.NoToken},
		{name: "a scheme without a key", show: servicetest.Header("Authorization", "Bearer"), refused: &servicetest.NoToken},
		{name: "a key without a scheme", show: servicetest.Header("Authorization", h.Key), refused: &servicetest.NoToken},
		{name: "Basic", show: servicetest.Header("Authorization", "Basic "+h.Key), refused: &servicetest.NoToken},
		{name: "Basic and a session", show: servicetest.Both(servicetest.Header("Authorization", "Basic YTpi"), servicetest.Cookie(h.Session(org.Admin, h.Org))), refused: &servicetest.NoToken},
		{name: "an unknown key", show: servicetest.Bearer("svc_0000000_" + h.Key[12:]), refused: &servicetest.NoKey},
		{name: "a wrong secret", show: servicetest.Bearer(h.Key[:12] + strings.Repeat("A", 43)), refused: &servicetest.NoKey},
		{name: "a truncated key", show: servicetest.Bearer(h.Key[:54]), refused: &servicetest.NoKey},
		{name: "a key with an extra character", show: servicetest.Bearer(h.Key + "A"), refused: &servicetest.NoKey},
		{name: "the public part of a key", show: servicetest.Bearer(h.Key[:12]), refused: &servicetest.NoKey},
		{name: "a revoked key", show: servicetest.Bearer(revoked), refused: &servicetest.NoKey},
		{name: "a key as a cookie", show: servicetest.Both(servicetest.Cookie(h.Key), servicetest.Header("Origin", h.HTTP.URL)), refused: &servicetest.NoSession},
		{name: "an unknown session", show: servicetest.Bearer("nobody"), refused: &servicetest.NoKey, ended: true},
		{name: "an ended session", show: servicetest.Bearer(servicetest.OverSession(h)), refused: &servicetest.NoKey, ended: true},
		{name: "key of a suspended organisation", show: servicetest.Bearer(h.NewKey(suspended, org.Accountant)), refused: &servicetest.Inactive, key: true},
		{name: "key of a deactivated organisation", show: servicetest.Bearer(h.NewKey(over, org.Accountant)), refused: &servicetest.NoKey},
		{name: "key of an organisation on the free plan", show: servicetest.Bearer(h.NewKey(free, org.Accountant)), refused: &servicetest.NoPlan, key: true},
		{name: "session in a suspended organisation", show: servicetest.Bearer(h.Session(org.Admin, suspended)), refused: &servicetest.Inactive, person: true},
		{name: "session in a deactivated organisation", show: servicetest.Bearer(h.Session(org.Admin, over)), refused: &servicetest.NoMember, person: true},
		{name: "session in no organisation", show: servicetest.Bearer(h.Session(org.Admin)), refused: &servicetest.NoMember, person: true},
		{name: "session in two organisations", show: servicetest.Bearer(h.Session(org.Admin, h.Org, second)), refused: &servicetest.WhichOrg, person: true},
		{name: "session that selects one of two organisations", show: servicetest.Both(servicetest.Bearer(h.Session(org.ViewInvoice, h.Org, second)), servicetest.ActiveOrg(h.Org)), role: org.ViewInvoice, person: true},
		{name: "session that selects a foreign organisation", show: servicetest.Both(servicetest.Bearer(h.Session(org.Admin, h.Org, second)), servicetest.ActiveOrg(free)), refused: &servicetest.NotHere, person: true},
		{name: "session as a cookie", show: servicetest.Both(servicetest.Cookie(h.Session(org.Admin, h.Org)), servicetest.Header("Origin", h.HTTP.URL)), role: org.Admin, person: true},
	}
	h.Status(suspended, org.Suspended)
	h.Status(over, org.Deactivated)
	for _, role := range []org.Role{"ViewInvoice", "CreateInvoice", "Accountant"} {
		list = append(list, visitor{name: string(role) + " key", show: servicetest.Bearer(h.NewKey(h.Org, role)), role: role, key: true})
	}
	for _, role := range []org.Role{"ViewInvoice", "CreateInvoice", "Accountant", "Admin"} {
		list = append(list, visitor{name: string(role) + " session", show: servicetest.Bearer(h.Session(role, h.Org)), role: role, person: true})
	}
	for _, only := range []org.Scope{"invoice.create", "invoice.get", "note.create", "client.create", "client.get", "item.create", "item.get", "device.get"} {
		list = append(list, visitor{name: "key for " + string(only), show: servicetest.Bearer(h.NewKey(h.Org, "CreateInvoice", only)), role: "CreateInvoice", only: only, key: true})
	}
	return list
}
