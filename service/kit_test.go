package service_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/account"
	"khatm/service/internal/device"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/store/storetest"
	"khatm/service/internal/trade"
)

// house is a running service with one organisation in it, reached over HTTP.
type house struct {
	t       testing.TB
	service *server.Server
	server  *httptest.Server
	clock   *storetest.Clock
	log     *logBook
	keys    *account.Accounts
	org     org.Organisation
	key     string // of role CreateInvoice
	clerk   string // somebody who can sign in; empty before they are asked for

	data, database string // where things are kept, as in server.Config
}

// logBook is what the service logged.
type logBook struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logBook) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logBook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// databases makes a new database of each engine and returns its address, which
// is empty for SQLite. Where there is no PostgreSQL it skips the test it is
// given, so that must be the subtest.
var databases = map[string]func(testing.TB) string{
	"SQLite":     func(testing.TB) string { return "" },
	"PostgreSQL": func(t testing.TB) string { return storetest.Postgres(t).URL },
}

// each runs a test on a service over SQLite and over PostgreSQL.
func each(t *testing.T, test func(t *testing.T, h *house)) {
	t.Helper()
	t.Parallel()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		test(t, open(t, nil))
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		url := storetest.Postgres(t).URL
		test(t, open(t, func(c *server.Config) { c.Database = url }))
	})
}

// onSQLite runs a test on the embedded database only: the SQL beneath it is
// tested on both engines elsewhere.
func onSQLite(t *testing.T, test func(t *testing.T, h *house)) {
	t.Helper()
	onSQLiteWith(t, nil, test)
}

// onSQLiteWith is onSQLite with settings of the test's own.
func onSQLiteWith(t *testing.T, change func(*server.Config), test func(t *testing.T, h *house)) {
	t.Helper()
	t.Parallel()
	test(t, open(t, change))
}

// open starts a service, embedded unless change says otherwise. Rates are high
// enough not to be met by accident; tests of rates set their own.
func open(t testing.TB, change func(*server.Config)) *house {
	t.Helper()
	h := &house{t: t, clock: storetest.NewClock(), log: &logBook{}}
	c := server.Defaults()
	c.Data = t.TempDir()
	c.Now, c.Boot = h.clock.Now, nil
	c.Log = slog.New(slog.NewJSONHandler(h.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	c.Rates = generous()
	server.Passwords(&c, cheap)
	if change != nil {
		change(&c)
	}
	if c.Boot == nil { // moving the clock is time that passes
		now := c.Now
		c.Boot = func() time.Duration { return now().Sub(storetest.Start) }
	}
	var err error
	if h.service, err = server.New(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.service.Close)
	h.data, h.database = c.Data, c.Database
	h.server = httptest.NewServer(h.service.Handler())
	t.Cleanup(h.server.Close)
	h.keys = account.New(account.Config{Keeper: h.service.Store(), Now: c.Now, NewID: h.service.NewID, Random: rand.Reader, Cost: cheap})
	h.org = h.organisation("Khatm Trading", "business")
	h.key = h.newKey(h.org, org.CreateInvoice)
	return h
}

// cheap is what hashing a password costs in tests.
var cheap = account.Cost{Memory: 64, Passes: 1, Lanes: 1}

// generous are limits that no test meets by accident.
func generous() server.Rates {
	r := server.Defaults().Rates
	r.Key, r.Person, r.IP, r.Clients, r.SignIn, r.SignInPair, r.SignInEmail = 1<<30, 1<<30, 1<<30, 1<<30, 1<<30, 1<<30, 1<<30
	return r
}

// organisation registers one more organisation.
func (h *house) organisation(name, plan string) org.Organisation {
	h.t.Helper()
	o, err := h.keys.AddOrganisation(context.Background(), org.Operator(org.Tenant{}, "test"), org.Organisation{
		Name: name, NameArabic: "شركة ختم", VATNumber: "399999999900003", Identification: org.Identification{Type: "CRN", Value: "1010010000"},
		Address: org.Address{Street: "King Fahd Road", BuildingNumber: "1234", District: "Al Olaya", City: "Riyadh", PostalCode: "12345"},
		Plan:    plan,
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return o
}

// newKey issues a key.
func (h *house) newKey(o org.Organisation, role org.Role, scopes ...org.Scope) string {
	h.t.Helper()
	_, text, err := h.keys.IssueKey(context.Background(), h.operator(o), account.NewKey{Title: "test", Role: role, Scopes: scopes})
	if err != nil {
		h.t.Fatal(err)
	}
	return text
}

func (h *house) operator(o org.Organisation) org.Actor {
	return org.Operator(org.TenantOf(o.ID), "test")
}

// session signs a new person in as a member of the organisations, with a role.
func (h *house) session(role org.Role, in ...org.Organisation) string {
	h.t.Helper()
	ctx := context.Background()
	email := "p" + strings.ReplaceAll(uuid.NewString(), "-", "") + "@example.com"
	p, err := h.keys.AddPerson(ctx, org.Operator(org.Tenant{}, "test"), email, "Noura", "correct horse battery", org.Admin)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, o := range in {
		if _, err := h.keys.Join(ctx, h.operator(o), email, role); err != nil {
			h.t.Fatal(err)
		}
	}
	token, err := h.keys.OpenSession(ctx, p.ID)
	if err != nil {
		h.t.Fatal(err)
	}
	return token
}

// client, item and device put records where the surface will find them.
func (h *house) client(o org.Organisation, name string) trade.Client {
	h.t.Helper()
	c := trade.Client{
		ID: h.service.NewID(), Name: name, NameArabic: "عميل", VATNumber: "311111111100003",
		BusinessType: "6c6a6e49-1046-52e9-911b-8024397176c3", Industry: anyIndustry(),
		Address:   org.Address{Street: "Tahlia", BuildingNumber: "1234", District: "Olaya", City: "Riyadh", ProvinceState: "Riyadh", PostalCode: "12345"},
		CreatedAt: h.clock.Now(),
	}
	if problems := c.Check(); problems != nil {
		h.t.Fatal(problems)
	}
	if err := h.service.Store().AddClient(context.Background(), h.operator(o), c); err != nil {
		h.t.Fatal(err)
	}
	return c
}

func (h *house) device(o org.Organisation, change func(*device.Device)) device.Device {
	h.t.Helper()
	now := h.clock.Now()
	id := h.service.NewID()
	d := device.Device{
		ID: id, Environment: device.Simulator, CommonName: "TST-886431145-399999999900003", SerialNumber: "1-Khatm|2-1|3-" + id.String(),
		Location: "Riyadh", UnitName: "Head office", Industry: "Retail", InvoiceType: device.Both, Status: device.PCSIDGenerated,
		Production: &device.Certificate{NotBefore: now.AddDate(-1, 0, 0), NotAfter: now.AddDate(1, 0, 0)}, CreatedAt: now,
	}
	if change != nil {
		change(&d)
	}
	if err := h.service.Store().AddDevice(context.Background(), h.operator(o), d); err != nil {
		h.t.Fatal(err)
	}
	return d
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   string
}

// json reads the body.
func (a answer) json(t testing.TB) map[string]any {
	t.Helper()
	var v map[string]any
	d := json.NewDecoder(strings.NewReader(a.body))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%d %s: %v", a.status, a.body, err)
	}
	return v
}

// call makes a request with the house's key. Every answer of every test is held
// to the published document.
func (h *house) call(method, path, body string) answer { return h.as(h.key, method, path, body) }

// as makes a request with another credential; "" is none.
func (h *house) as(credential, method, path, body string) answer {
	h.t.Helper()
	r := h.request(method, path, strings.NewReader(body))
	if credential != "" {
		r.Header.Set("Authorization", "Bearer "+credential)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	return h.do(r)
}

func (h *house) request(method, path string, body io.Reader) *http.Request {
	h.t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), method, h.server.URL+path, body)
	if err != nil {
		h.t.Fatal(err)
	}
	return r
}

func (h *house) do(r *http.Request) answer {
	h.t.Helper()
	response, err := h.server.Client().Do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	a := answer{response.StatusCode, response.Header, string(body)}
	if err := held(h.service.Rows(), r, a); err != nil {
		h.t.Error(err)
	}
	return a
}

// part is a part of a form: a field, or a file if it has a name.
type part struct{ field, filename, content string }

// form posts a multipart form with the house's key.
func (h *house) form(path string, parts ...part) answer {
	h.t.Helper()
	return h.send(http.MethodPost, path, bearer(h.key), formBody(h.t, parts...))
}
