package wire

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime/debug"
	"time"

	"github.com/go-chi/chi/v5"

	"khatm/service/internal/capacity"
	"khatm/service/internal/limit"
	"khatm/service/internal/org"
)

// Identities finds the identity behind a credential. For an invalid credential it
// returns an error of kind Unauthenticated.
type Identities interface {
	// Key returns the holder of an API key. from and until are the bounds of the
	// rate window of the call; an implementation that counts the call itself
	// returns the count in Holder.Calls.
	Key(ctx context.Context, text string, from, until time.Time) (org.Holder, error)
	// Session returns the signed-in person of a session token.
	Session(ctx context.Context, token string) (org.Visitor, error)
}

// FairUse counts the writes of an organisation in a month. TakeWrite is called
// before a write, and GiveWriteBack after a write that failed. TakeWrite returns
// false if the ceiling is reached.
type FairUse interface {
	TakeWrite(ctx context.Context, of org.Tenant, month time.Time, ceiling int) (bool, error)
	GiveWriteBack(ctx context.Context, of org.Tenant, month time.Time) error
}

// Config configures a Frame.
type Config struct {
	Identities Identities
	Limiter    *limit.Limiter
	Windows    Windows
	FairUse    FairUse          // nil if there is no fair-use limit
	Visits     Visits           // limits of public routes
	Capacity   *capacity.Limits // nil for no limits
	Streams    Streams          // limits of streams of events
	Proxies    []netip.Prefix

	Environment func() string // environment of the tax authority, sent with every response; empty if it is not chosen yet
	NewID       func() string
	Now         func() time.Time
	Log         *slog.Logger
	Observe     func(context.Context, Observation) // called after each response; may be nil
}

// Windows holds the rate limits, per minute unless stated otherwise.
type Windows struct {
	Key    int            // calls with a key
	Person int            // calls of a signed-in person, in all organisations
	IP     int            // calls of an address without credentials
	More   map[string]int // calls of a caller on the routes that name the window
	Hourly map[string]int // calls per hour for a subject chosen by a handler
}

// fault reports a window that a route names and that has no limit.
func (w Windows) fault(row *Route) error {
	if _, known := w.More[row.Window]; row.Window != "" && !known {
		return fmt.Errorf("%s %s: the rate window %q has no limit in Windows.More", row.Method, row.Path, row.Window)
	}
	for _, name := range row.Hourly {
		if _, known := w.Hourly[name]; !known {
			return fmt.Errorf("%s %s: the rate window %q has no limit in Windows.Hourly", row.Method, row.Path, name)
		}
	}
	return nil
}

// Observation describes a finished request for metrics.
type Observation struct {
	Operation string // name of the route; empty if none matched
	Method    string
	Status    int
	Took      time.Duration
}

// Frame is the HTTP handler that serves all surfaces.
type Frame struct {
	Config
	router  *chi.Mux
	rows    []Route
	open    []string        // paths that are not rate limited
	missing http.Handler    // page of addresses that do not exist; nil if there is none
	words   map[string]bool // fixed segments of our paths, safe to log

	streams openStreams
}

// New returns a frame without routes, which returns 404 for every path.
func New(c Config) *Frame {
	f := &Frame{Config: c, router: chi.NewRouter(), words: map[string]bool{}}
	f.router.NotFound(f.notFound)
	f.router.MethodNotAllowed(f.notAllowed)
	return f
}

// Surface adds routes below a base path such as "/v1". It panics if a route is
// declared wrongly or names a rate window that has no limit.
func (f *Frame) Surface(base string, rows []Route) {
	for _, row := range rows {
		row.prepare()
		if err := f.Windows.fault(&row); err != nil {
			panic(err)
		}
		row.base = base
		f.rows = append(f.rows, row)
		f.learn(base + row.Path)
		f.router.Method(row.Method, base+row.Path, f.operation(base, row))
	}
}

// Open adds a page without rate limit, for documentation and health.
func (f *Frame) Open(path string, page http.Handler) {
	f.open = append(f.open, path)
	f.learn(path)
	f.router.Method(http.MethodGet, path, page)
	f.router.Method(http.MethodHead, path, page)
}

// Missing sets the page that browsers get at addresses that do not exist. Calls below
// /v1 and /app get the usual error.
func (f *Frame) Missing(page http.Handler) { f.missing = page }

// Page adds an HTML page, whose handler enforces its own rate limits. Only the name
// and the path pattern are logged, never the values of path parameters.
func (f *Frame) Page(method, path, name string, page http.Handler) {
	f.learn(path)
	f.router.Method(method, path, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := callOf(r)
		c.row, c.path = name, path
		page.ServeHTTP(w, r)
	}))
}

// CountAddress counts a request for a page in the rate window of the client
// address, like a call without credentials.
func (f *Frame) CountAddress(w http.ResponseWriter, r *http.Request) error {
	return f.count(r.Context(), w.Header(), f.identify(r, Anyone))
}

// Origin returns the client address and the id of a request.
func (f *Frame) Origin(r *http.Request) (address, request string) {
	c := callOf(r)
	return c.address.String(), c.id
}

// Blame records why a page could not be served, for the log.
func (f *Frame) Blame(r *http.Request, cause error) { callOf(r).blame(r, cause) }

// ServeHTTP assigns a request id, sets the common headers and turns a panic into
// an internal error.
func (f *Frame) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := f.Now()
	c := &call{id: f.NewID(), address: f.clientAddress(r)}
	a := &answered{ResponseWriter: w}
	commonHeaders(a.Header(), c.id, f.Environment())
	r = r.WithContext(context.WithValue(capacity.WithAddress(r.Context(), subjectOf(c.address)), callKey{}, c))
	defer func() {
		p := recover()
		aborted := p == http.ErrAbortHandler //nolint:errorlint // net/http compares it with ==
		if p != nil && !aborted {
			f.panicked(a, r, p)
		}
		f.finished(a, r, c, f.Now().Sub(began))
		if aborted {
			panic(p) // net/http closes the connection
		}
	}()
	f.router.ServeHTTP(a, r)
}

// call collects information about a request for the log.
type call struct {
	id      string
	address netip.Addr
	row     string
	path    string   // path pattern of the route; empty if none matched
	public  bool     // errors have a detail instead of a message
	ignored []string // paths of unknown fields in the body
	root    string   // prefix of the paths of problems that the body does not have
	actor   string   // claimed identity, even if it was refused
	cause   error    // cause of an error, which the response does not show
	cut     bool     // the response was aborted after it began, because of an error of the server
	left    bool     // the client closed the connection, which is the reason for the error
	stalled bool     // the server gave up reading the body, which cancels the context of the request
}

// blame records the cause of an error, and whether it is that the client has
// closed the connection.
func (c *call) blame(r *http.Request, cause error) {
	c.cause = cause
	c.left = r.Context().Err() != nil && !c.stalled && !errors.Is(cause, errPanic)
}

type callKey struct{}

func callOf(r *http.Request) *call {
	c, ok := r.Context().Value(callKey{}).(*call)
	if !ok {
		return &call{}
	}
	return c
}

// unsetEnvironment is the value of X-Khatm-Environment while the environment of
// the database is not chosen.
const unsetEnvironment = "unset"

func commonHeaders(h http.Header, id, environment string) {
	v := [...]string{cmp.Or(environment, unsetEnvironment), id, "nosniff", "no-referrer", "no-store", "default-src 'none'; frame-ancestors 'none'"}
	// Names in canonical form, and one allocation for all values.
	h["X-Khatm-Environment"], h["X-Request-Id"], h["X-Content-Type-Options"] = v[0:1:1], v[1:2:2], v[2:3:3]
	h["Referrer-Policy"], h["Cache-Control"], h["Content-Security-Policy"] = v[3:4:4], v[4:5:5], v[5:6:6]
}

// panicked answers a request whose handler panicked. The client gets an internal
// error with the request id; the details are logged.
func (f *Frame) panicked(a *answered, r *http.Request, p any) {
	c := callOf(r)
	f.Log.ErrorContext(r.Context(), "panic", "request", c.id, "operation", c.row, "panic", p, "stack", string(debug.Stack()))
	if a.status == 0 {
		f.refuse(a, r, errPanic)
	}
}

// finished logs and observes a request. The query is not logged, because it may
// contain names.
func (f *Frame) finished(a *answered, r *http.Request, c *call, took time.Duration) {
	level, status := slog.LevelInfo, a.status
	switch {
	case c.left:
		status = statusClientClosed
	case c.cut:
		status = http.StatusInternalServerError
	}
	more := []any{}
	if c.cause != nil {
		if !c.left {
			level = slog.LevelError
		}
		more = append(more, "cause", c.cause.Error())
	}
	if f.Log.Enabled(r.Context(), level) {
		f.Log.Log(r.Context(), level, "call", append([]any{
			"request", c.id, "method", r.Method, "path", cmp.Or(c.path, f.loggable(r.URL.Path)), "operation", c.row, "status", status,
			"bytes", a.bytes, "ms", float64(took.Microseconds()) / 1000, "actor", c.actor, "address", c.address.String(),
		}, more...)...)
	}
	if f.Observe != nil {
		f.Observe(r.Context(), Observation{Operation: c.row, Method: r.Method, Status: status, Took: took})
	}
}

// answered records the status and size of a response.
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

// Rows returns the routes of all surfaces.
func (f *Frame) Rows() []Route { return f.rows }
