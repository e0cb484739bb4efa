package servicetest

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/org"
	"khatm/service/internal/server"
)

// Both returns a function that applies two changes to a request.
func Both(first, second func(*http.Request)) func(*http.Request) {
	return func(r *http.Request) { first(r); second(r) }
}

// ActiveOrg returns a function that sets the organisation that a user acts for.
func ActiveOrg(o org.Organisation) func(*http.Request) {
	return Header("X-Active-Org", o.ID.String())
}

// keyBodies returns the valid request bodies of the API for keys by operation.
func keyBodies() map[string]body {
	invoice := func(shop *Seller) func(*http.Request) {
		return JSONBody(shop.Standard(Fields{"notes": Note(uuid.NewString())})) // a unique note, so that the duplicate guard accepts it
	}
	object := func(text string) body {
		return func(*Seller) func(*http.Request) { return JSONBody(text) }
	}
	return map[string]body{
		"POST /api/invoices/":                    invoice,
		"POST /api/invoices/preview/":            invoice,
		"POST /api/invoices/{invoice_id}/notes/": object(`{"title":"Delivery","details":"Left at the gate."}`),
		"PATCH /api/buyers/{buyer_id}/":          object(`{"city":"Jeddah"}`),
		"PATCH /api/items/{item_id}/":            object(`{"description":"As new"}`),
		"POST /api/onboarding/organizations/clients/": func(shop *Seller) func(*http.Request) {
			return FormBody(shop.TB, Part{"client_data", "", GoodClient()})
		},
		"POST /api/items/": func(shop *Seller) func(*http.Request) {
			return FormBody(shop.TB, Part{"item_data", "", GoodItem()})
		},
	}
}

// Telling returns the status, headers and body of a response, without the
// headers that differ in every response.
func Telling(a Answer) map[string]any {
	h := a.Header.Clone()
	for _, name := range []string{"X-Request-Id", "Date", "X-Ratelimit-Remaining"} {
		h.Del(name)
	}
	return map[string]any{"status": a.Status, "header": h, "body": a.Body}
}

// Snapshot returns everything that an organisation can read about itself.
func (h *Instance) Snapshot(o org.Organisation) []string {
	h.TB.Helper()
	key := h.reader(o)
	var all []string
	for _, path := range []string{"/v1/api/buyers/", "/v1/api/items/", "/v1/api/devices/", "/v1/api/usage/current/", "/v1/api/invoices/"} {
		all = append(all, h.As(key, http.MethodGet, path, "").Body)
	}
	admin := h.Session(org.Admin, o)
	for _, r := range resources() {
		for _, path := range r.lists {
			all = append(all, h.As(admin, http.MethodGet, path, "").Body)
		}
	}
	return all
}

// reader returns an API key of an organisation for Snapshot. It is created only
// once, because the keys are part of what Snapshot returns.
func (h *Instance) reader(o org.Organisation) string {
	h.TB.Helper()
	if h.readers[o.ID] == "" {
		h.readers[o.ID] = h.NewKey(o, org.ViewInvoice)
	}
	return h.readers[o.ID]
}

// Text returns a JSON value that is a string, or "".
func Text(v any) string {
	s, _ := v.(string)
	return s
}

// Tenants are two sellers of different organisations, the API key of the
// second, and ids of the second that an invoice may reference.
type Tenants struct {
	Mine, Theirs            *Seller
	Key                     string
	Original, Advance       uuid.UUID // of Theirs, accepted
	Item, Line, OwnOriginal string
}

// Tenants returns two sellers with records of every kind.
func (h *Instance) Tenants() Tenants {
	h.TB.Helper()
	r := Tenants{Mine: h.NewSeller(), Theirs: h.SellerOf(h.Organisation("Other", "business"))}
	r.Key = h.NewKey(r.Theirs.Org, org.CreateInvoice)
	issued := func(text string) uuid.UUID {
		return r.Theirs.Accepted(uuid.MustParse(r.Theirs.createdBy(r.Key, text)))
	}
	r.Original = issued(r.Theirs.Standard())
	r.Advance = issued(r.Theirs.Standard(Fields{"type_code": 386}))
	r.Item = r.Theirs.Stocked("Their paper", nil).ID.String()
	whole := h.As(r.Key, http.MethodGet, "/v1/api/invoices/"+r.Original.String()+"/", "").Wants(h.TB, http.StatusOK)
	r.Line = Names(h.TB, whole["lines"], "uuid")[0]
	r.OwnOriginal = r.Mine.Accepted(r.Mine.Created(r.Mine.Standard())).String()
	return r
}

// FairUse enables the fair-use allowance.
func FairUse(c *server.Config) { c.FairUse = true }

// Allow sets the monthly fair-use allowance of the instance's plan.
func (h *Instance) Allow(writes int) {
	h.TB.Helper()
	h.Plan(func(p *org.Plan) { p.Writes = writes })
}

// Plan changes the instance's plan.
func (h *Instance) Plan(change func(*org.Plan)) {
	h.TB.Helper()
	_, err := h.Service.Store().ChangePlan(h.TB.Context(), h.Operator(h.Org), "business", func(p *org.Plan) error { change(p); return nil })
	if err != nil {
		h.TB.Fatal(err)
	}
}

// NewItem creates an item with an API key.
func (h *Instance) NewItem(key string) Answer {
	return h.Send(http.MethodPost, "/v1/api/items/", Bearer(key), FormBody(h.TB, Part{"item_data", "", GoodItem()}))
}

// Spent returns the refusal of a write beyond the allowance.
func Spent(limit string) Refusal {
	return Refusal{http.StatusForbidden, `{"code":"fair_use_limit","detail":"Your organisation has used its fair-use allowance of writes for this month. ` +
		`Reads still work. To write again, wait until next month or choose a larger plan.","limit":` + limit + "}\n"}
}

// Secrets maps names to secret strings that must not leak.
type Secrets map[string]string

// WantNone fails if text contains a secret, as plain text, URL-encoded or in
// base64.
func (c Secrets) WantNone(t *testing.T, where, text string, but ...string) {
	t.Helper()
	for what, secret := range c {
		if len(but) > 0 && but[0] == what {
			continue
		}
		for _, form := range []string{secret, url.QueryEscape(secret), base64.StdEncoding.EncodeToString([]byte(secret)), base64.RawURLEncoding.EncodeToString([]byte(secret))} {
			if at := strings.Index(text, form); at >= 0 {
				t.Errorf("%s contains %s: …%.300s", where, what, text[max(0, at-100):])
				break
			}
		}
	}
}

// MasterKey is a recognisable master key.
var MasterKey = base64.StdEncoding.EncodeToString([]byte("canary canary canary canary 3141"))

// OverSession returns a session that has ended.
func OverSession(h *Instance) string {
	token := h.Session(org.Admin, h.Org)
	ctx := h.TB.Context()
	if err := h.Keys.SignOut(ctx, token); err != nil {
		h.TB.Fatal(err)
	}
	return token
}
