package wire

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime/debug"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"khatm/service/internal/limit"
	"khatm/service/internal/org"
)

// Identities finds who stands behind a credential. A credential that does not
// work is a fault of kind Unauthenticated.
type Identities interface {
	// Key is asked with the rate window that the call is in. If it counts the
	// call itself, it says how many there were.
	Key(ctx context.Context, text string, from, until time.Time) (org.Holder, error)
	Session(ctx context.Context, token string) (org.Visitor, error)
}

// FairUse counts the writes of a month. It is asked before a write and told
// when the write came to nothing.
type FairUse interface {
	TakeWrite(ctx context.Context, of org.Tenant, month time.Time, ceiling int) (bool, error)
	GiveWriteBack(ctx context.Context, of org.Tenant, month time.Time) error
}

// Config is what a frame is made of.
type Config struct {
	Identities Identities
	Limiter    *limit.Limiter
	Windows    Windows
	FairUse    FairUse // nil: off
	Visits     Visits  // what may be had of public rows
	Uploads    Uploads // zero: the usual
	Proxies    []netip.Prefix
	NewID      func() string
	Now        func() time.Time
	Log        *slog.Logger
	Observe    func(context.Context, Observation) // nil: nobody watches
}

// Windows are the rate windows of the frame, a minute each unless they say
// otherwise.
type Windows struct {
	Key    int            // calls of a key
	Person int            // calls of somebody signed in, over all organisations
	IP     int            // calls without credentials, of an address
	More   map[string]int // calls of a caller on rows that name the window
	Hourly map[string]int // calls on a subject that a verb names, an hour
}

// Observation is what may be counted of an answer.
type Observation struct {
	Operation string // the row's name; empty where there was none
	Method    string
	Status    int
	Took      time.Duration
}

// Frame serves surfaces.
type Frame struct {
	Config
	router *chi.Mux
	forms  budget
	rows   []Route
	open   []string        // paths of pages that nobody is counted for
	words  map[string]bool // what our paths are made of, besides parameters
}

// New makes a frame without surfaces: every path is a 404 in our shape.
func New(c Config) *Frame {
	f := &Frame{Config: c, router: chi.NewRouter(), words: map[string]bool{}, forms: budget{by: map[uuid.UUID]int64{}}}
	f.Uploads = cmp.Or(f.Uploads, usualUploads)
	f.router.NotFound(f.notFound)
	f.router.MethodNotAllowed(f.notAllowed)
	return f
}

// Surface adds rows below a base, as "/v1".
func (f *Frame) Surface(base string, rows []Route) {
	for _, row := range rows {
		row.prepare()
		row.base = base
		f.rows = append(f.rows, row)
		f.learn(base + row.Path)
		f.router.Method(row.Method, base+row.Path, f.operation(base, row))
	}
}

// Open adds a page that nobody is counted for: documentation and health.
func (f *Frame) Open(path string, page http.Handler) {
	f.open = append(f.open, path)
	f.learn(path)
	f.router.Method(http.MethodGet, path, page)
	f.router.Method(http.MethodHead, path, page)
}

// Page adds a page for people, which counts its callers itself. Only its name
// and its path as given are logged, never what stands in the place of a parameter.
func (f *Frame) Page(method, path, name string, page http.Handler) {
	f.learn(path)
	f.router.Method(method, path, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := callOf(r)
		c.row, c.path = name, path
		page.ServeHTTP(w, r)
	}))
}

// CountAddress takes a page's call from the minute of the address that it comes
// from, as calls without credentials are taken.
func (f *Frame) CountAddress(w http.ResponseWriter, r *http.Request) error {
	return f.count(r.Context(), w.Header(), f.identify(r, Anyone))
}

// Origin is where a page's call comes from: the address, and the request's id.
func (f *Frame) Origin(r *http.Request) (address, request string) {
	c := callOf(r)
	return c.address.String(), c.id
}

// Blame says why a page could not be served, for the line of the log.
func (f *Frame) Blame(r *http.Request, cause error) { callOf(r).cause = cause }

// ServeHTTP gives the request an id and the answer its common headers, and
// turns a panic into an answer without detail.
func (f *Frame) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := f.Now()
	c := &call{id: f.NewID(), address: f.clientAddress(r)}
	a := &answered{ResponseWriter: w}
	commonHeaders(a.Header(), c.id)
	r = r.WithContext(context.WithValue(r.Context(), callKey{}, c))
	defer func() {
		if p := recover(); p != nil {
			f.panicked(a, r, p)
		}
		f.finished(a, r, c, f.Now().Sub(began))
	}()
	f.router.ServeHTTP(a, r)
}

// call is what the frame learns of a request on its way, for the log.
type call struct {
	id      string
	address netip.Addr
	row     string
	path    string // as the row has it; empty where there was none
	actor   string // who it says it is: it may have been refused
	cause   error  // of an answer that does not tell it
}

type callKey struct{}

func callOf(r *http.Request) *call {
	c, ok := r.Context().Value(callKey{}).(*call)
	if !ok {
		return &call{}
	}
	return c
}

func commonHeaders(h http.Header, id string) {
	h.Set("X-Request-ID", id)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
}

// panicked answers for code of ours that broke. Whoever called learns that,
// and an id to ask by; the rest goes to the log.
func (f *Frame) panicked(a *answered, r *http.Request, p any) {
	if p == http.ErrAbortHandler { //nolint:errorlint // the server compares it so
		panic(p)
	}
	c := callOf(r)
	f.Log.ErrorContext(r.Context(), "panic", "request", c.id, "operation", c.row, "panic", p, "stack", string(debug.Stack()))
	if a.status == 0 {
		f.refuse(a, r, errPanic)
	}
}

// finished writes one line for each request. The query is left out: it may
// hold names.
func (f *Frame) finished(a *answered, r *http.Request, c *call, took time.Duration) {
	level := slog.LevelInfo
	more := []any{}
	if c.cause != nil {
		if a.status != statusLeft {
			level = slog.LevelError
		}
		more = append(more, "cause", c.cause.Error())
	}
	if f.Log.Enabled(r.Context(), level) {
		f.Log.Log(r.Context(), level, "call", append([]any{
			"request", c.id, "method", r.Method, "path", cmp.Or(c.path, f.loggable(r.URL.Path)), "operation", c.row, "status", a.status,
			"bytes", a.bytes, "ms", float64(took.Microseconds()) / 1000, "actor", c.actor, "address", c.address.String(),
		}, more...)...)
	}
	if f.Observe != nil {
		f.Observe(r.Context(), Observation{Operation: c.row, Method: r.Method, Status: a.status, Took: took})
	}
}

// answered remembers what was answered.
type answered struct {
	http.ResponseWriter
	status int
	bytes  int
}

// WriteHeader implements [http.ResponseWriter].
func (a *answered) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (a *answered) Write(p []byte) (int, error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	n, err := a.ResponseWriter.Write(p)
	a.bytes += n
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (a *answered) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// Rows is the route table as served, for whoever must see all of it.
func (f *Frame) Rows() []Route { return f.rows }
