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
	"khatm/service/internal/app"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/wire"
)

// malformedIDs are invalid ids, as they appear in a path.
var malformedIDs = []string{
	"x", "1", "nil", "null", "-", "*", "{buyer_id}", "%20", "%00", "%D9%A1%D9%A2%D9%A3", "..%2f..%2fetc",
	"00000000-0000-0000-0000-00000000000", "00000000-0000-0000-0000-0000000000000", "00000000-0000-0000-0000-00000000000g",
	"00000000_0000_0000_0000_000000000000", "svc_0000000_", strings.Repeat("a", 2000),
}

func TestA3_AnothersIDAnswersAsARandomOne(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		other, shop := h.Organisation("Other", "business"), h.NewSeller()
		theirs := h.SellerOf(other).RecordsOf(h.NewKey(other, org.CreateInvoice))
		admin, before := h.Session(org.Admin, h.Org), h.Snapshot(other)
		compared := 0
		for _, row := range slices.Concat(h.Service.KeyRows(), h.Service.AppRows()) {
			if !strings.Contains(row.Path, "{") {
				continue
			}
			operation := row.Method + " " + row.Path
			show := servicetest.Bearer(h.Key)
			if row.Base() == app.Base {
				show = servicetest.Bearer(admin)
			}
			foreign := h.Send(row.Method, theirs.At(row), show, servicetest.Body(shop, operation))
			unknown := h.Send(row.Method, servicetest.WithID(row, uuid.NewString()), show, servicetest.Body(shop, operation))
			want := missing(t, row)
			want.Wants(t, operation+" of another organisation", foreign)
			want.Wants(t, operation+" with an unknown id", unknown)
			if d := cmp.Diff(servicetest.Telling(unknown), servicetest.Telling(foreign)); d != "" {
				t.Errorf("%s: responses to a foreign id and a random one differ:\n%s", operation, d)
			}
			for _, id := range malformedIDs {
				wantMalformed(h, row, id, show, servicetest.Body(shop, operation))
			}
			compared += 2 + len(malformedIDs)
		}
		if d := cmp.Diff(before, h.Snapshot(other)); d != "" {
			t.Errorf("records of the other organisation changed:\n%s", d)
		}
		t.Logf("%d answers compared", compared)
	})
}

// missing returns the expected response to an unknown id.
func missing(t *testing.T, row wire.Route) servicetest.Refusal {
	t.Helper()
	if row.Method == http.MethodDelete && row.Base() == api.Base {
		return servicetest.NoDeleting // for every id
	}
	want, known := servicetest.Missing(row)
	if !known {
		t.Errorf("%s %s: no resource in servicetest has records with its first parameter", row.Method, row.Path)
	}
	return want
}

// wantMalformed requests an invalid id and expects a 400 with a single problem
// of the parameter.
func wantMalformed(h *servicetest.Instance, row wire.Route, id string, prepare ...func(*http.Request)) {
	h.TB.Helper()
	method, path := row.Method, row.Path
	_, name, _ := strings.Cut(path, "{")
	name, _, _ = strings.Cut(name, "}")
	got := h.Send(method, servicetest.WithID(row, id), prepare...)
	if method == http.MethodDelete && row.Base() == api.Base {
		servicetest.NoDeleting.Wants(h.TB, path+" with "+id[:min(40, len(id))], got)
		return
	}
	told, _ := got.JSON(h.TB)["message"].([]any)
	if got.Status != http.StatusBadRequest || len(told) != 1 || !strings.HasPrefix(servicetest.Text(told[0]), name+": ") {
		h.TB.Errorf("%s %s with invalid id %.40q: got %d %.200s, want 400", method, path, id, got.Status, got.Body)
	}
}

func TestA3_AnothersIDInABodyDoesNothing(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		other := h.Organisation("Other", "business")
		theirs, mine := h.NewRecords(h.NewKey(other, org.CreateInvoice)), h.NewRecords(h.Key)
		before := h.Snapshot(other)
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
			foreign := strings.NewReplacer("ID", theirs.Buyer, "ITEM", theirs.Item, "ORG", other.ID.String()).Replace(c.known)
			random := strings.NewReplacer("ID", uuid.NewString(), "ITEM", uuid.NewString(), "ORG", uuid.NewString()).Replace(c.known)
			got, want := h.Call(c.method, mine.Path(c.path), foreign), h.Call(c.method, mine.Path(c.path), random)
			if d := cmp.Diff(servicetest.Telling(want), servicetest.Telling(got)); d != "" {
				t.Errorf("%s: responses to a foreign id and a random one differ:\n%s", c.name, d)
			}
			if c.field != "" && (got.Status != http.StatusBadRequest || !strings.Contains(got.Body, c.field+": ")) {
				t.Errorf("%s: got %d %s, want 400 for the field", c.name, got.Status, got.Body)
			}
		}
		created := h.Form("/v1/api/items/", servicetest.Part{Field: "item_data", Filename: "", Content: strings.Replace(servicetest.GoodItem(), "{", `{"uuid":"`+theirs.Item+`",`, 1)})
		if id := h.UUIDIn(created); id == theirs.Item {
			t.Errorf("an item was created with the foreign id %s", id)
		}
		if d := cmp.Diff(before, h.Snapshot(other)); d != "" {
			t.Errorf("records of the other organisation changed:\n%s", d)
		}
	})
}

// Lists contain only own records, even if the cursor or the search text is a
// foreign id.
func TestA3_ListsHoldOwnRecordsOnly(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		other := h.Organisation("Other", "business")
		theirKey := h.NewKey(other, org.CreateInvoice)
		var mine, theirs []string
		for range 3 {
			mine, theirs = append(mine, h.NewRecords(h.Key).Buyer), append(theirs, h.NewRecords(theirKey).Buyer)
		}
		foreign := servicetest.Text(h.As(theirKey, http.MethodGet, "/v1/api/buyers/?page_size=1", "").JSON(t)["next_cursor"])
		for _, query := range []string{"", "?cursor=" + foreign, "?search_text=" + url.QueryEscape(theirs[1]), "?search_text=" + url.QueryEscape("النور")} {
			a := h.Call(http.MethodGet, "/v1/api/buyers/"+query, "")
			if a.Status != http.StatusOK {
				t.Fatalf("%s: got %d %s, want 200", query, a.Status, a.Body)
			}
			for _, id := range theirs {
				if strings.Contains(a.Body, id) {
					t.Errorf("%s lists a client of another organisation", query)
				}
			}
		}
		all := h.Call(http.MethodGet, "/v1/api/buyers/", "")
		if slices.ContainsFunc(mine, func(id string) bool { return !strings.Contains(all.Body, id) }) {
			t.Error("the list lacks an own client")
		}
	})
}
