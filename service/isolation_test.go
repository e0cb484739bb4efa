package service_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"khatm/service/internal/api"
	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

// Ids that are no uuid, as a path carries them.
var malformedIDs = []string{
	"x", "1", "nil", "null", "-", "*", "{buyer_id}", "%20", "%00", "%D9%A1%D9%A2%D9%A3", "..%2f..%2fetc",
	"00000000-0000-0000-0000-00000000000", "00000000-0000-0000-0000-0000000000000", "00000000-0000-0000-0000-00000000000g",
	"00000000_0000_0000_0000_000000000000", "svc_0000000_", strings.Repeat("a", 2000),
}

func TestA3_AnothersIDAnswersAsARandomOne(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		other, shop := h.organisation("Other", "business"), h.till()
		theirs := h.tillOf(other).stockOf(h.newKey(other, org.CreateInvoice))
		admin, before := h.session(org.Admin, h.org), h.snapshot(other)
		random := stock{uuid.NewString(), uuid.NewString(), uuid.NewString(), uuid.NewString(), uuid.NewString()}
		compared := 0
		for _, row := range slices.Concat(h.service.KeyRows(), h.service.AppRows()) {
			if !strings.Contains(row.Path, "{") {
				continue
			}
			operation := row.Method + " " + row.Path
			show := bearer(h.key)
			if row.Access == wire.People {
				show = bearer(admin)
			}
			foreign := h.send(row.Method, theirs.at(row), show, body(shop, operation))
			unknown := h.send(row.Method, random.at(row), show, body(shop, operation))
			want := missing(row.Method, row.Path)
			want.wants(t, operation+" of another organisation", foreign)
			want.wants(t, operation+" of nobody", unknown)
			if d := cmp.Diff(telling(unknown), telling(foreign)); d != "" {
				t.Errorf("%s tells another's id from a random one:\n%s", operation, d)
			}
			for _, id := range malformedIDs {
				h.wantMalformed(row, id, show, body(shop, operation))
			}
			compared += 2 + len(malformedIDs)
		}
		if d := cmp.Diff(before, h.snapshot(other)); d != "" {
			t.Errorf("another's records changed:\n%s", d)
		}
		t.Logf("%d answers compared", compared)
	})
}

// missing is the answer to an id that is nobody's.
func missing(method, path string) refusal {
	switch {
	case method == http.MethodDelete && path == "/api/invoices/{invoice_id}/":
		return noDeleting // whatever it is
	case strings.Contains(path, "{item_id}"):
		return noItem
	case strings.Contains(path, "{invoice_id}"):
		return noInvoice
	case strings.Contains(path, "{draft_id}"):
		return noDraft
	case strings.Contains(path, "{letter_id}"):
		return noLetter
	}
	return noBuyer
}

// wantMalformed asks for an id that is none: a 400 whose message is a list, with
// the parameter's name before the problem.
func (h *house) wantMalformed(row wire.Route, id string, prepare ...func(*http.Request)) {
	h.t.Helper()
	method, path := row.Method, row.Path
	_, name, _ := strings.Cut(path, "{")
	name, _, _ = strings.Cut(name, "}")
	got := h.send(method, stock{id, id, id, id, id}.at(row), prepare...)
	if method == http.MethodDelete && row.Base() == api.Base {
		noDeleting.wants(h.t, path+" with "+id[:min(40, len(id))], got)
		return
	}
	told, _ := got.json(h.t)["message"].([]any)
	if got.status != http.StatusBadRequest || len(told) != 1 || !strings.HasPrefix(text(told[0]), name+": ") {
		h.t.Errorf("%s %s with %.40q: got %d %.200s", method, path, id, got.status, got.body)
	}
}

// telling is what an answer tells, without what is new in each.
func telling(a answer) map[string]any {
	h := a.header.Clone()
	for _, name := range []string{"X-Request-Id", "Date", "X-Ratelimit-Remaining"} {
		h.Del(name)
	}
	return map[string]any{"status": a.status, "header": h, "body": a.body}
}

// snapshot is everything that an organisation can read of itself.
func (h *house) snapshot(o org.Organisation) []string {
	h.t.Helper()
	key := h.newKey(o, org.ViewInvoice)
	var all []string
	for _, path := range []string{"/v1/api/buyers/", "/v1/api/items/", "/v1/api/devices/", "/v1/api/usage/current/", "/v1/api/invoices/"} {
		all = append(all, h.as(key, http.MethodGet, path, "").body)
	}
	admin := h.session(org.Admin, o)
	for _, path := range []string{draftsPath, outboxPath} {
		all = append(all, h.as(admin, http.MethodGet, path, "").body)
	}
	return all
}

func TestA3_AnothersIDInABodyDoesNothing(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		other := h.organisation("Other", "business")
		theirs, mine := h.stock(h.newKey(other, org.CreateInvoice)), h.stock(h.key)
		before := h.snapshot(other)
		cases := []struct {
			name, method, path, known, field string
		}{
			{"business type of a client", http.MethodPatch, "/api/buyers/{buyer_id}/", `{"business_type":"ID"}`, "business_type"},
			{"industry of a client", http.MethodPatch, "/api/buyers/{buyer_id}/", `{"industry":"ID"}`, "industry"},
			{"id of a client", http.MethodPatch, "/api/buyers/{buyer_id}/", `{"uuid":"ID","city":"Mecca"}`, ""},
			{"organisation of a client", http.MethodPatch, "/api/buyers/{buyer_id}/", `{"org_id":"ORG","organisation":"ORG","city":"Mecca"}`, ""},
			{"id of an item", http.MethodPatch, "/api/items/{item_id}/", `{"uuid":"ITEM","description":"Mine"}`, ""},
		}
		for _, c := range cases {
			foreign := strings.NewReplacer("ID", theirs.buyer, "ITEM", theirs.item, "ORG", other.ID.String()).Replace(c.known)
			random := strings.NewReplacer("ID", uuid.NewString(), "ITEM", uuid.NewString(), "ORG", uuid.NewString()).Replace(c.known)
			got, want := h.call(c.method, mine.path(c.path), foreign), h.call(c.method, mine.path(c.path), random)
			if d := cmp.Diff(telling(want), telling(got)); d != "" {
				t.Errorf("%s: another's id is told from a random one:\n%s", c.name, d)
			}
			if c.field != "" && (got.status != http.StatusBadRequest || !strings.Contains(got.body, c.field+": ")) {
				t.Errorf("%s: got %d %s", c.name, got.status, got.body)
			}
		}
		created := h.form("/v1/api/items/", part{"item_data", "", strings.Replace(goodItem(), "{", `{"uuid":"`+theirs.item+`",`, 1)})
		if id := h.uuidIn(created); id == theirs.item {
			t.Errorf("an item was created under the id %s of another's", id)
		}
		if d := cmp.Diff(before, h.snapshot(other)); d != "" {
			t.Errorf("another's records changed:\n%s", d)
		}
	})
}

// A cursor is an id, and a search may be one.
func TestA3_ListsHoldOwnRecordsOnly(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		other := h.organisation("Other", "business")
		theirKey := h.newKey(other, org.CreateInvoice)
		var mine, theirs []string
		for range 3 {
			mine, theirs = append(mine, h.stock(h.key).buyer), append(theirs, h.stock(theirKey).buyer)
		}
		foreign := text(h.as(theirKey, http.MethodGet, "/v1/api/buyers/?page_size=1", "").json(t)["next_cursor"])
		for _, query := range []string{"", "?cursor=" + foreign, "?search_text=" + url.QueryEscape(theirs[1]), "?search_text=" + url.QueryEscape("النور")} {
			a := h.call(http.MethodGet, "/v1/api/buyers/"+query, "")
			if a.status != http.StatusOK {
				t.Fatalf("%s: got %d %s", query, a.status, a.body)
			}
			for _, id := range theirs {
				if strings.Contains(a.body, id) {
					t.Errorf("%s lists another's client", query)
				}
			}
		}
		all := h.call(http.MethodGet, "/v1/api/buyers/", "")
		if slices.ContainsFunc(mine, func(id string) bool { return !strings.Contains(all.body, id) }) {
			t.Error("an own client is missing")
		}
	})
}

func text(v any) string {
	s, _ := v.(string)
	return s
}
