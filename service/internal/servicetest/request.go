package servicetest

import (
	"bytes"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"io"
	"io/fs"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	_ "modernc.org/sqlite"             // the driver "sqlite"

	"khatm/service/internal/api"
	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

// Send makes a request after applying the prepare functions, which may add
// headers, cookies or a body.
func (h *Instance) Send(method, path string, prepare ...func(*http.Request)) Answer {
	h.TB.Helper()
	r := h.Request(method, path, http.NoBody)
	for _, p := range prepare {
		p(r)
	}
	return h.Do(r)
}

// Header returns a function that sets a header.
func Header(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

// Bearer returns a function that sets an API key or a session token.
func Bearer(token string) func(*http.Request) { return Header("Authorization", "Bearer "+token) }

// Cookie returns a function that sets a session token as a cookie.
func Cookie(token string) func(*http.Request) {
	return func(r *http.Request) { r.AddCookie(&http.Cookie{Name: "accessToken", Value: token}) }
}

// JSONBody returns a function that sets a JSON body.
func JSONBody(text string) func(*http.Request) {
	return func(r *http.Request) {
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(text)), int64(len(text))
		r.Header.Set("Content-Type", "application/json")
	}
}

// FormBody returns a function that sets a multipart form as the body.
func FormBody(t testing.TB, parts ...Part) func(*http.Request) {
	t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for _, p := range parts {
		var to io.Writer
		var err error
		if p.Filename == "" {
			to, err = w.CreateFormField(p.Field)
		} else {
			to, err = w.CreateFormFile(p.Field, p.Filename)
		}
		if err == nil {
			_, err = io.WriteString(to, p.Content)
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

// OnePixelPNG returns a PNG with one pixel.
func OnePixelPNG() string {
	raw, err := base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// Records are the ids of records created over HTTP.
type Records struct {
	Buyer, Item, Invoice string

	App map[string]string // records of the app by path parameter
}

// NewRecords creates a client with a logo and an item with a picture.
func (h *Instance) NewRecords(key string) Records {
	h.TB.Helper()
	client := h.Send(http.MethodPost, "/v1/api/onboarding/organizations/clients/", Bearer(key),
		FormBody(h.TB, Part{"client_data", "", GoodClient()}, Part{"file", "logo.png", OnePixelPNG()}))
	item := h.Send(http.MethodPost, "/v1/api/items/", Bearer(key),
		FormBody(h.TB, Part{"item_data", "", GoodItem()}, Part{"image", "image.png", OnePixelPNG()}))
	return Records{Buyer: h.UUIDIn(client), Item: h.UUIDIn(item)}
}

// RecordsOf creates records of a seller: those of NewRecords, an invoice with a
// note, and those of AppRecords.
func (t *Seller) RecordsOf(key string) Records {
	t.TB.Helper()
	s := t.Instance.NewRecords(key)
	s.Invoice = t.createdBy(key, t.Standard(Fields{"notes": Note("of the stock")}))
	if a := t.Send(http.MethodPost, s.Path("/api/invoices/{invoice_id}/notes/"), Bearer(key), Body(t, "POST /api/invoices/{invoice_id}/notes/")); a.Status != http.StatusCreated {
		t.TB.Fatalf("add a note to the invoice: got %d %s, want 201", a.Status, a.Body)
	}
	s.App = t.AppRecords()
	return s
}

// createdBy posts an invoice with a key of the seller's organisation and
// returns its id.
func (t *Seller) createdBy(key, text string) string {
	t.TB.Helper()
	made := t.Send(http.MethodPost, t.Address, Bearer(key), JSONBody(text)).Wants(t.TB, http.StatusAccepted)
	id, _ := made["invoice_uuid"].(string)
	return id
}

// UUIDIn returns the id of a created record.
func (h *Instance) UUIDIn(a Answer) string {
	h.TB.Helper()
	id, given := a.JSON(h.TB)["uuid"].(string)
	if a.Status != http.StatusCreated || !given {
		h.TB.Fatalf("got %d %s, want 201 with a uuid", a.Status, a.Body)
	}
	return id
}

// Path fills the ids into a path of the API for keys.
func (s Records) Path(template string) string { return api.Base + s.Fill(template) }

// At fills the ids into the path of a route.
func (s Records) At(row wire.Route) string { return s.Fill(row.Address()) }

// Fill replaces the parameters of a path with the ids.
func (s Records) Fill(template string) string {
	pairs := []string{"{buyer_id}", s.Buyer, "{item_id}", s.Item, "{invoice_id}", s.Invoice, "{number}", "1"}
	for param, id := range s.App {
		pairs = append(pairs, "{"+param+"}", id)
	}
	return strings.NewReplacer(pairs...).Replace(template)
}

// Public returns the path of a public route, with an unknown token.
func (Records) Public(row wire.Route) string {
	return strings.NewReplacer("{token}", strings.Repeat("A", 43)).Replace(row.Address())
}

// Status sets the status of an organisation.
func (h *Instance) Status(o org.Organisation, status org.Status) {
	h.TB.Helper()
	if err := h.Service.Store().SetStatus(h.TB.Context(), h.Operator(o), status); err != nil {
		h.TB.Fatal(err)
	}
}

// Revoke revokes an API key.
func (h *Instance) Revoke(o org.Organisation, key string) {
	h.TB.Helper()
	if err := h.Service.Store().RevokeKey(h.TB.Context(), h.Operator(o), key[:12], h.Clock.Now()); err != nil {
		h.TB.Fatal(err)
	}
}

// Refusal is an error response with a fixed body. Body leaves out errors, and
// code unless it is part of the contract.
type Refusal struct {
	Status int
	Body   string
}

// Wants compares a response with the refusal.
func (r Refusal) Wants(t testing.TB, what string, got Answer) {
	t.Helper()
	body := Plain(got.Body)
	if strings.Contains(r.Body, `"code":`) {
		body = without(got.Body, "errors")
	}
	if got.Status != r.Status || body != r.Body {
		t.Errorf("%s: got %d %s, want %d %s", what, got.Status, got.Body, r.Status, r.Body)
	}
	if kind := got.Header.Get("Content-Type"); kind != "application/json" {
		t.Errorf("%s: Content-Type = %q, want application/json", what, kind)
	}
}

// Refusals, byte for byte. docs/contract.md section 7.3 lists those for API
// keys.
var (
	NoToken    = Refusal{http.StatusUnauthorized, `{"message":"Missing or invalid token","status":"false"}` + "\n"}
	NoKey      = Refusal{http.StatusUnauthorized, `{"message":"Invalid or revoked API key","status":"false"}` + "\n"}
	NoSession  = Refusal{http.StatusUnauthorized, `{"message":"The session is unknown or has expired. Sign in again.","status":"false"}` + "\n"}
	NoPlan     = Refusal{http.StatusForbidden, `{"message":"API access is not included in your current plan."}` + "\n"}
	NoRight    = Refusal{http.StatusForbidden, `{"message":"Your account does not have permission to perform this action."}` + "\n"}
	Inactive   = Refusal{http.StatusForbidden, `{"message":"The organisation's account is inactive. Contact support to activate it."}` + "\n"}
	NoMember   = Refusal{http.StatusForbidden, `{"message":"You are not a member of any organisation."}` + "\n"}
	NotHere    = Refusal{http.StatusForbidden, `{"message":"You are not a member of the organisation that X-Active-Org names."}` + "\n"}
	OtherSite  = Refusal{http.StatusForbidden, `{"message":"The request comes from another site."}` + "\n"}
	WhichOrg   = Refusal{http.StatusConflict, `{"code":"org_context_required","message":"You belong to several organisations; name one in the X-Active-Org header."}` + "\n"}
	NoBuyer    = Refusal{http.StatusNotFound, `{"message":"Buyer not found"}` + "\n"}
	NoItem     = Refusal{http.StatusNotFound, `{"message":"Item not found"}` + "\n"}
	NoInvoice  = Refusal{http.StatusNotFound, `{"message":"Invoice not found"}` + "\n"}
	NoCreating = Refusal{http.StatusForbidden, `{"message":"User is not authorised to create invoices."}` + "\n"}
	NoDeleting = Refusal{http.StatusForbidden, `{"message":"Invoice deletion is not allowed."}` + "\n"}
	Unprinted  = Refusal{http.StatusNotFound, `{"message":"Invoice PDF not found"}` + "\n"}
	Queued     = Refusal{http.StatusConflict, `{"message":"The invoice is queued for the authority already."}` + "\n"}
	NoSuchPath = Refusal{http.StatusNotFound, `{"message":"Not found"}` + "\n"}
)

// Number returns n as decoded from JSON.
func Number(n int) json.Number { return json.Number(strconv.Itoa(n)) }

// Record is a decoded JSON object. Numbers are json.Number.
type Record = map[string]any

// Same is Equal for values whose static types may differ.
func Same(t testing.TB, what string, got, want any) {
	t.Helper()
	Equal(t, what, got, want)
}

// Wants checks the status of a response and returns the decoded body.
func (a Answer) Wants(t testing.TB, status int) Record {
	t.Helper()
	if a.Status != status {
		t.Fatalf("got %d %s, want %d", a.Status, a.Body, status)
	}
	return a.JSON(t)
}

// Read returns a record or a list.
func (h *Instance) Read(t testing.TB, path string) Record {
	t.Helper()
	return h.Call(http.MethodGet, "/v1"+path, "").Wants(t, http.StatusOK)
}

// Total returns the number of records in a list of the API for keys.
func (h *Instance) Total(path string) int {
	h.TB.Helper()
	total, is := h.Read(h.TB, path)["total"].(json.Number)
	n, err := strconv.Atoi(total.String())
	if !is || err != nil {
		h.TB.Fatalf("total of %s: %v", path, err)
	}
	return n
}

// AddClient creates a client, which must succeed.
func (h *Instance) AddClient(t testing.TB, data string, more ...Part) Record {
	t.Helper()
	return h.TryClient(data, more...).Wants(t, http.StatusCreated)
}

// AddItem creates an item, which must succeed.
func (h *Instance) AddItem(t testing.TB, data string, more ...Part) Record {
	t.Helper()
	return h.TryItem(data, more...).Wants(t, http.StatusCreated)
}

// TryClient creates a client and returns the response.
func (h *Instance) TryClient(data string, more ...Part) Answer {
	h.TB.Helper()
	return h.Form("/v1/api/onboarding/organizations/clients/", append([]Part{{"client_data", "", data}}, more...)...)
}

// TryItem creates an item and returns the response.
func (h *Instance) TryItem(data string, more ...Part) Answer {
	h.TB.Helper()
	return h.Form("/v1/api/items/", append([]Part{{"item_data", "", data}}, more...)...)
}

// Change sends a PATCH.
func (h *Instance) Change(path, body string) Answer {
	h.TB.Helper()
	return h.Call(http.MethodPatch, "/v1"+path, body)
}

// Problems returns the messages of a 400, which may be a list or a single
// message.
func (a Answer) Problems(t testing.TB) []string {
	t.Helper()
	message := a.Wants(t, http.StatusBadRequest)["message"]
	all, is := message.([]any)
	if !is {
		all = []any{message}
	}
	lines := make([]string, len(all))
	for i := range all {
		lines[i], _ = all[i].(string)
	}
	return lines
}

// With returns a JSON object with some fields replaced. A json.RawMessage is
// used as is; Absent{} removes the field.
func With(t testing.TB, object string, changes Record) string {
	t.Helper()
	var o Record
	d := json.NewDecoder(strings.NewReader(object))
	d.UseNumber()
	if err := d.Decode(&o); err != nil {
		t.Fatal(err)
	}
	for name, value := range changes {
		if _, drop := value.(Absent); drop {
			delete(o, name)
			continue
		}
		o[name] = value
	}
	return AsJSON(t, o)
}

// Absent marks a field to remove.
type Absent struct{}

// AsJSON returns a value as JSON.
func AsJSON(t testing.TB, value any) string {
	t.Helper()
	out, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// Stranger creates a second organisation and an API key of it.
func (h *Instance) Stranger() (org.Organisation, string) {
	h.TB.Helper()
	o := h.Organisation("Other Trading", "business")
	return o, h.NewKey(o, org.CreateInvoice)
}

// Exec executes SQL directly on the database.
func (h *Instance) Exec(t testing.TB, query string, args ...any) {
	t.Helper()
	if _, err := h.direct(t).ExecContext(t.Context(), query, args...); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

// Count returns the number that a query selects directly from the database.
func (h *Instance) Count(query string) (n int) {
	h.TB.Helper()
	if err := h.direct(h.TB).QueryRowContext(h.TB.Context(), query).Scan(&n); err != nil {
		h.TB.Fatalf("%s: %v", query, err)
	}
	return n
}

// besideConnection is a connection to the database beside the service.
type besideConnection struct {
	mu sync.Mutex
	db *sql.DB // nil until used
}

func (c *besideConnection) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.db != nil {
		_ = c.db.Close()
	}
}

// direct returns a connection to the database beside the service. It stays open:
// SQLite reads the whole schema for each new one.
func (h *Instance) direct(t testing.TB) *sql.DB {
	t.Helper()
	if h.beside == nil { // not opened by start
		h.beside = &besideConnection{}
		h.TB.Cleanup(h.beside.close)
	}
	h.beside.mu.Lock()
	defer h.beside.mu.Unlock()
	if h.beside.db != nil {
		return h.beside.db
	}
	driver, source := "pgx", h.Database
	if source == "" {
		driver, source = "sqlite", "file:"+(&url.URL{Path: filepath.Join(h.Data, "khatm.db")}).EscapedPath()+"?_pragma=busy_timeout(10000)"
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxIdleConns(1)
	h.beside.db = db
	return db
}

// Pictures returns the names of all stored files of organisations.
func (h *Instance) Pictures(t testing.TB) []string {
	t.Helper()
	var found []string
	root := os.DirFS(filepath.Join(h.Data, "files"))
	err := fs.WalkDir(root, ".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.HasPrefix(path, "org/") {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	return found
}

// Names returns the values of a string field over a list of records.
func Names(t testing.TB, list any, field string) []string {
	t.Helper()
	rows, is := list.([]any)
	if !is {
		t.Fatalf("%v is not a list", list)
	}
	all := make([]string, len(rows))
	for i := range rows {
		row, _ := rows[i].(Record)
		all[i], _ = row[field].(string)
	}
	return all
}

// IDOf returns the id of a record.
func IDOf(r Record) string {
	id, _ := r["uuid"].(string)
	return id
}
