package service_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"khatm/service/internal/api"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/store/storetest"
	"khatm/service/internal/wire"
)

// eachWith is each with settings of the test's own.
func eachWith(t *testing.T, change func(*server.Config), test func(t *testing.T, h *house)) {
	t.Helper()
	t.Parallel()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		test(t, open(t, change))
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		url := storetest.Postgres(t).URL
		test(t, open(t, func(c *server.Config) { change(c); c.Database = url }))
	})
}

// send makes a request that prepare completes: with a header of its own, a
// cookie, or nothing.
func (h *house) send(method, path string, prepare ...func(*http.Request)) answer {
	h.t.Helper()
	r := h.request(method, path, http.NoBody)
	for _, p := range prepare {
		p(r)
	}
	return h.do(r)
}

// What send can put on a request.
func header(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

func bearer(token string) func(*http.Request) { return header("Authorization", "Bearer "+token) }

func cookie(token string) func(*http.Request) {
	return func(r *http.Request) { r.AddCookie(&http.Cookie{Name: "accessToken", Value: token}) }
}

func jsonBody(text string) func(*http.Request) {
	return func(r *http.Request) {
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(text)), int64(len(text))
		r.Header.Set("Content-Type", "application/json")
	}
}

func formBody(t testing.TB, parts ...part) func(*http.Request) {
	t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for _, p := range parts {
		var to io.Writer
		var err error
		if p.filename == "" {
			to, err = w.CreateFormField(p.field)
		} else {
			to, err = w.CreateFormFile(p.field, p.filename)
		}
		if err == nil {
			_, err = io.WriteString(to, p.content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return func(r *http.Request) {
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body.Bytes())), int64(body.Len())
		r.Header.Set("Content-Type", w.FormDataContentType())
	}
}

// dot is a picture of one pixel.
func dot() string {
	raw, err := base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// stock is a client with a logo and an item with a picture, made over HTTP.
type stock struct{ buyer, item, invoice, draft, letter string }

func (h *house) stock(key string) stock {
	h.t.Helper()
	client := h.send(http.MethodPost, "/v1/api/onboarding/organizations/clients/", bearer(key),
		formBody(h.t, part{"client_data", "", goodClient()}, part{"file", "logo.png", dot()}))
	item := h.send(http.MethodPost, "/v1/api/items/", bearer(key),
		formBody(h.t, part{"item_data", "", goodItem()}, part{"image", "image.png", dot()}))
	return stock{buyer: h.uuidIn(client), item: h.uuidIn(item)}
}

// stockOf is the stock of a till, which has an invoice with a note on it too, a
// draft, and a letter about another.
func (t *till) stockOf(key string) stock {
	t.t.Helper()
	s := t.house.stock(key)
	s.invoice = t.createdBy(key, t.standard(fields{"notes": note("of the stock")}))
	if a := t.send(http.MethodPost, s.path("/api/invoices/{invoice_id}/notes/"), bearer(key), body(t, "POST /api/invoices/{invoice_id}/notes/")); a.status != http.StatusCreated {
		t.t.Fatalf("%d %s", a.status, a.body)
	}
	admin := t.session(org.Admin, t.org)
	s.draft = t.draftedBy(admin)
	t.as(admin, http.MethodPost, draftsPath+t.draftedBy(admin)+"/share/", "").wants(t.t, http.StatusOK)
	s.letter = idOf(first(t.t, t.as(admin, http.MethodGet, outboxPath, "").wants(t.t, http.StatusOK)["letters"]))
	return s
}

// createdBy posts an invoice with a key of the till's organisation, and gives
// its id.
func (t *till) createdBy(key, text string) string {
	t.t.Helper()
	made := t.send(http.MethodPost, t.address, bearer(key), jsonBody(text)).wants(t.t, http.StatusAccepted)
	id, _ := made["invoice_uuid"].(string)
	return id
}

func (h *house) uuidIn(a answer) string {
	h.t.Helper()
	id, given := a.json(h.t)["uuid"].(string)
	if a.status != http.StatusCreated || !given {
		h.t.Fatalf("got %d %s, want a record", a.status, a.body)
	}
	return id
}

// path puts ids into a path of the key surface.
func (s stock) path(template string) string { return api.Base + s.fill(template) }

// at puts ids into the path of a row.
func (s stock) at(row wire.Route) string { return s.fill(row.Address()) }

func (s stock) fill(template string) string {
	return strings.NewReplacer("{buyer_id}", s.buyer, "{item_id}", s.item, "{invoice_id}", s.invoice, "{draft_id}", s.draft, "{letter_id}", s.letter, "{number}", "1").Replace(template)
}

// public is the address of a public row, with a token that is nobody's.
func (stock) public(row wire.Route) string {
	return strings.NewReplacer("{token}", strings.Repeat("A", 43)).Replace(row.Address())
}

// status suspends or deactivates an organisation, or makes it active again.
func (h *house) status(o org.Organisation, status org.Status) {
	h.t.Helper()
	if err := h.service.Store().SetStatus(h.t.Context(), h.operator(o), status); err != nil {
		h.t.Fatal(err)
	}
}

// revoke revokes a key by its text.
func (h *house) revoke(o org.Organisation, key string) {
	h.t.Helper()
	if err := h.service.Store().RevokeKey(h.t.Context(), h.operator(o), key[:12], h.clock.Now()); err != nil {
		h.t.Fatal(err)
	}
}

// refusal is an answer that is the same to whoever gets it.
type refusal struct {
	status int
	body   string
}

func (r refusal) wants(t testing.TB, what string, got answer) {
	t.Helper()
	if got.status != r.status || got.body != r.body {
		t.Errorf("%s: got %d %s, want %d %s", what, got.status, got.body, r.status, r.body)
	}
	if kind := got.header.Get("Content-Type"); kind != "application/json" {
		t.Errorf("%s: Content-Type is %q", what, kind)
	}
}

// The refusals of interface 7.3, to the byte.
var (
	noToken    = refusal{http.StatusUnauthorized, `{"message":"Missing or invalid token","status":"false"}` + "\n"}
	noKey      = refusal{http.StatusUnauthorized, `{"message":"Invalid or revoked API key","status":"false"}` + "\n"}
	noSession  = refusal{http.StatusUnauthorized, `{"message":"The session is unknown or over. Sign in again.","status":"false"}` + "\n"}
	noPlan     = refusal{http.StatusForbidden, `{"message":"API access is not included in your current plan."}` + "\n"}
	noRight    = refusal{http.StatusForbidden, `{"message":"Your account does not have permission to perform this action."}` + "\n"}
	inactive   = refusal{http.StatusForbidden, `{"message":"The organisation's account is inactive. Contact support to activate it."}` + "\n"}
	noMember   = refusal{http.StatusForbidden, `{"message":"You are not a member of any organisation."}` + "\n"}
	notHere    = refusal{http.StatusForbidden, `{"message":"You are not a member of the organisation that X-Active-Org names."}` + "\n"}
	otherSite  = refusal{http.StatusForbidden, `{"message":"The request comes from another site."}` + "\n"}
	whichOrg   = refusal{http.StatusConflict, `{"code":"org_context_required","message":"You belong to several organisations; name one in the X-Active-Org header."}` + "\n"}
	noBuyer    = refusal{http.StatusNotFound, `{"message":"Buyer not found"}` + "\n"}
	noItem     = refusal{http.StatusNotFound, `{"message":"Item not found"}` + "\n"}
	noInvoice  = refusal{http.StatusNotFound, `{"message":"Invoice not found"}` + "\n"}
	noCreating = refusal{http.StatusForbidden, `{"message":"User is not authorised to create invoices."}` + "\n"}
	noDeleting = refusal{http.StatusForbidden, `{"message":"Invoice deletion is not allowed."}` + "\n"}
	unprinted  = refusal{http.StatusNotFound, `{"message":"Invoice PDF not found"}` + "\n"}
	queued     = refusal{http.StatusConflict, `{"message":"The invoice is queued for the authority already."}` + "\n"}
	noSuchPath = refusal{http.StatusNotFound, `{"message":"Not found"}` + "\n"}
)

// number is a count as JSON has it.
func number(n int) json.Number { return json.Number(strconv.Itoa(n)) }
