package servicetest

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"khatm/codes"
	"khatm/internal/testtool"
	"khatm/service/internal/account"
	"khatm/service/internal/device"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/store/storetest"
	"khatm/service/internal/trade"
	"khatm/service/internal/vault"
)

// Instance is a running service with one organisation, called over HTTP.
type Instance struct {
	TB      testing.TB
	Service *server.Server
	HTTP    *httptest.Server
	Clock   *storetest.Clock
	Log     *testtool.Buffer
	Keys    *account.Accounts
	Org     org.Organisation
	Key     string               // API key with role CreateInvoice
	clerk   string               // e-mail address of a user who can sign in; empty until created
	readers map[uuid.UUID]string // API keys of Snapshot, by organisation

	beside *besideConnection // of Exec and Count; copies of the instance share it

	Data, Database string // as in server.Config
}

// Databases maps each engine to a function that creates a database and returns
// its URL, which is empty for SQLite. Without PostgreSQL it skips the given
// test, which should therefore be a subtest.
var Databases = map[string]func(testing.TB) string{
	"SQLite":     func(testing.TB) string { return "" },
	"PostgreSQL": func(t testing.TB) string { return storetest.Postgres(t).URL },
}

// EachEngine runs a test on a service with SQLite and with PostgreSQL.
func EachEngine(t *testing.T, test func(t *testing.T, h *Instance)) {
	t.Helper()
	EachEngineWith(t, func(*server.Config) {}, test)
}

// EachEngineWith is EachEngine with changed settings.
func EachEngineWith(t *testing.T, change func(*server.Config), test func(t *testing.T, h *Instance)) {
	t.Helper()
	t.Parallel()
	runOn(t, Engines(), change, test)
}

// OnSQLite runs a test with SQLite only. Other tests cover the SQL on both
// engines.
func OnSQLite(t *testing.T, test func(t *testing.T, h *Instance)) {
	t.Helper()
	OnSQLiteWith(t, nil, test)
}

// OnSQLiteWith is OnSQLite with changed settings.
func OnSQLiteWith(t *testing.T, change func(*server.Config), test func(t *testing.T, h *Instance)) {
	t.Helper()
	t.Parallel()
	test(t, Open(t, change))
}

// Unused starts a service like Open, but without an organisation.
func Unused(t testing.TB, change func(*server.Config)) *Instance {
	t.Helper()
	return start(t, change)
}

// Open starts a service, with SQLite unless change sets a database. Its rate
// limits are too high to be reached by accident.
func Open(t testing.TB, change func(*server.Config)) *Instance {
	t.Helper()
	h := start(t, change)
	h.Org = h.Organisation("Khatm Trading", "business")
	h.Key = h.NewKey(h.Org, org.CreateInvoice)
	return h
}

func start(t testing.TB, change func(*server.Config)) *Instance {
	t.Helper()
	h := &Instance{TB: t, Clock: storetest.NewClock(), Log: &testtool.Buffer{}, readers: map[uuid.UUID]string{}, beside: &besideConnection{}}
	t.Cleanup(h.beside.close)
	c := server.Defaults()
	server.MaxWait(&c, Patience) // also on a busy machine
	c.Data = t.TempDir()
	c.Now, c.Boot = h.Clock.Now, nil
	c.Log = slog.New(slog.NewJSONHandler(h.Log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	c.Rates = HighLimits()
	server.Passwords(&c, cheap)
	if change != nil {
		change(&c)
	}
	server.Connections(&c, storetest.Connections(c.Database))
	if c.Boot == nil { // boot time follows the test clock
		now := c.Now
		c.Boot = func() time.Duration { return now().Sub(storetest.Start) }
	}
	if c.Database == "" && isNew(t, c.Data) {
		storetest.Migrated(t, c.Data)
	}
	var err error
	if h.Service, err = server.New(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Service.Close)
	h.Data, h.Database = c.Data, c.Database
	h.HTTP = httptest.NewServer(h.Service.Handler())
	t.Cleanup(h.HTTP.Close)
	if transport, is := h.HTTP.Client().Transport.(*http.Transport); is {
		transport.MaxIdleConnsPerHost = 100 // concurrent calls keep their connections
	}
	h.Keys = account.New(account.Config{Keeper: h.Service.Store(), Now: c.Now, NewID: h.Service.NewID, Random: rand.Reader, Cost: cheap})
	return h
}

// isNew creates a folder if needed and reports whether it is empty.
func isNew(t testing.TB, dir string) bool {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return len(entries) == 0
}

// cheap is the cost of password hashing in tests.
var cheap = account.Cost{Memory: 64, Passes: 1, Lanes: 1}

// HighLimits returns rate limits that no test reaches by accident.
func HighLimits() server.Rates {
	r := server.Defaults().Rates
	r.Key, r.Person, r.IP, r.Clients, r.SignIn, r.Link, r.SignInPair, r.SignInEmail, r.SignInCode = 1<<30, 1<<30, 1<<30, 1<<30, 1<<30, 1<<30, 1<<30, 1<<30, 1<<30
	r.Reset, r.ResetPair = 1<<30, 1<<30
	r.SignUp, r.SignUpPair = 1<<30, 1<<30
	return r
}

// Organisation adds an organisation and returns it.
func (h *Instance) Organisation(name, plan string) org.Organisation {
	h.TB.Helper()
	o, err := h.Keys.AddOrganisation(context.Background(), org.Operator(org.Tenant{}, "test"), org.Organisation{
		Name: name, NameArabic: "شركة ختم", VATNumber: "399999999900003", Identification: org.Identification{Type: "CRN", Value: "1010010000"},
		Address: org.Address{Street: "King Fahd Road", BuildingNumber: "1234", District: "Al Olaya", City: "Riyadh", PostalCode: "12345"},
		Plan:    plan,
	})
	if err != nil {
		h.TB.Fatal(err)
	}
	return o
}

// NewKey creates an API key and returns its text.
func (h *Instance) NewKey(o org.Organisation, role org.Role, scopes ...org.Scope) string {
	h.TB.Helper()
	_, text, err := h.Keys.IssueKey(context.Background(), h.Operator(o), account.NewKey{Title: "test", Role: role, Scopes: scopes})
	if err != nil {
		h.TB.Fatal(err)
	}
	return text
}

// Operator returns an operator acting for an organisation.
func (h *Instance) Operator(o org.Organisation) org.Actor {
	return org.Operator(org.TenantOf(o.ID), "test")
}

// Session creates a user who is a member of the organisations, and returns a
// session.
func (h *Instance) Session(role org.Role, in ...org.Organisation) string {
	h.TB.Helper()
	ctx := context.Background()
	email := "p" + strings.ReplaceAll(uuid.NewString(), "-", "") + "@example.com"
	p, err := h.Keys.AddPerson(ctx, org.Operator(org.Tenant{}, "test"), email, "Noura", "correct horse battery", org.Admin)
	if err != nil {
		h.TB.Fatal(err)
	}
	for _, o := range in {
		if _, err := h.Keys.Join(ctx, h.Operator(o), email, role); err != nil {
			h.TB.Fatal(err)
		}
	}
	token, err := h.Keys.OpenSession(ctx, p.ID)
	if err != nil {
		h.TB.Fatal(err)
	}
	return token
}

// Client adds a client to an organisation and returns it.
func (h *Instance) Client(o org.Organisation, name string) trade.Client {
	h.TB.Helper()
	c := trade.Client{
		ID: h.Service.NewID(), Name: name, NameArabic: "عميل", VATNumber: "311111111100003",
		BusinessType: "6c6a6e49-1046-52e9-911b-8024397176c3", Industry: AnyIndustry(),
		Address:   org.Address{Street: "Tahlia", BuildingNumber: "1234", District: "Olaya", City: "Riyadh", ProvinceState: "Riyadh", PostalCode: "12345"},
		CreatedAt: h.Clock.Now(),
	}
	if problems := c.Check(); problems != nil {
		h.TB.Fatal(problems)
	}
	if err := h.Service.Store().AddClient(context.Background(), h.Operator(o), c); err != nil {
		h.TB.Fatal(err)
	}
	return c
}

// Device adds a device to an organisation and returns it.
func (h *Instance) Device(o org.Organisation, change func(*device.Device)) device.Device {
	h.TB.Helper()
	now := h.Clock.Now()
	id := h.Service.NewID()
	d := device.Device{
		ID: id, Environment: device.Simulator, CommonName: "TST-886431145-399999999900003", SerialNumber: "1-Khatm|2-1|3-" + id.String(),
		Location: "Riyadh", UnitName: "Head office", Industry: "Retail", InvoiceType: device.Both, Status: device.PCSIDGenerated,
		Production: &device.Certificate{NotBefore: now.AddDate(-1, 0, 0), NotAfter: now.AddDate(1, 0, 0)}, CreatedAt: now,
	}
	if change != nil {
		change(&d)
	}
	if err := h.Service.Store().AddDevice(context.Background(), h.Operator(o), d); err != nil {
		h.TB.Fatal(err)
	}
	return d
}

// Answer is an HTTP response.
type Answer struct {
	Status int
	Header http.Header
	Body   string
}

// JSON returns the decoded body.
func (a Answer) JSON(t testing.TB) map[string]any {
	t.Helper()
	var v map[string]any
	d := json.NewDecoder(strings.NewReader(a.Body))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("decode the response %d %s: %v", a.Status, a.Body, err)
	}
	return v
}

// Call makes a request with the instance's key. Like every call, it checks the
// response against the OpenAPI document.
func (h *Instance) Call(method, path, body string) Answer { return h.As(h.Key, method, path, body) }

// As makes a request with another credential, or none if it is "".
func (h *Instance) As(credential, method, path, body string) Answer {
	h.TB.Helper()
	r := h.Request(method, path, strings.NewReader(body))
	if credential != "" {
		r.Header.Set("Authorization", "Bearer "+credential)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	return h.Do(r)
}

// Request returns a request to the instance.
func (h *Instance) Request(method, path string, body io.Reader) *http.Request {
	h.TB.Helper()
	r, err := http.NewRequestWithContext(context.Background(), method, h.HTTP.URL+path, body)
	if err != nil {
		h.TB.Fatal(err)
	}
	return r
}

// answer sends a request and reads the answer.
func (h *Instance) answer(client *http.Client, r *http.Request) Answer {
	h.TB.Helper()
	response, err := client.Do(r)
	if err != nil {
		h.TB.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		h.TB.Fatal(err)
	}
	return Answer{response.StatusCode, response.Header, string(body)}
}

// Do sends a request and checks the answer against the OpenAPI document.
func (h *Instance) Do(r *http.Request) Answer {
	h.TB.Helper()
	a := h.answer(h.HTTP.Client(), r)
	if err := CheckAnswer(h.Service.Rows(), r, a); err != nil {
		h.TB.Error(err)
	}
	return a
}

// Part is a part of a multipart form: a field, or a file if Filename is set.
type Part struct{ Field, Filename, Content string }

// Form posts a multipart form with the instance's key.
func (h *Instance) Form(path string, parts ...Part) Answer {
	h.TB.Helper()
	return h.Send(http.MethodPost, path, Bearer(h.Key), FormBody(h.TB, parts...))
}

// AnyIndustry returns the id of an industry.
func AnyIndustry() string { return codes.Industries()[0].UUID }

// GoodClient returns valid client_data.
func GoodClient() string {
	return `{"buyer_name":"Al Noor Trading","buyer_name_arabic":"شركة النور للتجارة","vat_registration_number":"311111111100003",
		"business_type":"6c6a6e49-1046-52e9-911b-8024397176c3","industry":"` + AnyIndustry() + `",
		"street":"King Fahd Road","building_number":"1234","district":"Al Olaya","city":"Riyadh","province_state":"Riyadh Province","postal_code":"12345",
		"contact_email":"accounts@alnoor.example","additional_buyer_id":[{"type_id":"CRN","value":"1010010000"}]}`
}

// GoodItem returns valid item_data.
func GoodItem() string {
	return `{"item_name":"Laptop 15 inch","item_net_price":"4200.00","unit_of_measure":"PCE","vat_category_code":"S","vat_rate":15}`
}

// Quiet returns a logger that discards everything.
func Quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// ring loads the master keys of the instance.
func (h *Instance) ring() *vault.Ring {
	h.TB.Helper()
	ring, err := vault.Load(vault.Config{File: filepath.Join(h.Data, "master.key"), Random: rand.Reader, Now: h.Clock.Now})
	if err != nil {
		h.TB.Fatal(err)
	}
	return ring
}

// UsagePath is the endpoint of the current usage.
const UsagePath = "/v1/api/usage/current/"

// CopyDatabase returns all stored data as text, while the service is running.
func (h *Instance) CopyDatabase() string {
	h.TB.Helper()
	var all strings.Builder
	files := 0
	err := filepath.WalkDir(h.Data, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		// Use another process: closing a file of SQLite here would release its locks.
		text, err := exec.Command("cat", path).Output()
		all.Write(text)
		files++
		return err
	})
	if err != nil || files == 0 {
		h.TB.Fatalf("read %d files of the data folder: %v", files, err)
	}
	if h.Database != "" {
		all.WriteString(h.dump())
	}
	return all.String()
}

// dump returns every row of every table as PostgreSQL prints it.
func (h *Instance) dump() string {
	h.TB.Helper()
	ctx := h.TB.Context()
	conn, err := pgx.Connect(ctx, h.Database)
	if err != nil {
		h.TB.Fatal(err)
	}
	defer func() { _ = conn.Close(ctx) }()
	rows, err := conn.Query(ctx, `SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()`)
	if err != nil {
		h.TB.Fatal(err)
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(tables) < 10 {
		h.TB.Fatalf("found tables %v, %v; want at least 10", tables, err)
	}
	var all strings.Builder
	for _, table := range tables {
		name := pgx.Identifier{table}.Sanitize()
		rows, err := conn.Query(ctx, `SELECT `+name+`::text FROM `+name)
		if err != nil {
			h.TB.Fatal(err)
		}
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			h.TB.Fatal(err)
		}
		all.WriteString(strings.Join(lines, "\n"))
	}
	return all.String()
}
