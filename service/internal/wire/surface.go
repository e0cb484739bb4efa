package wire

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"khatm/service/internal/capacity"
	"khatm/service/internal/fault"
)

// prepare sets the defaults of a route. It panics if the route is declared
// wrongly.
func (r *Route) prepare() {
	r.Status = cmp.Or(r.Status, http.StatusOK)
	if err := r.fault(); err != nil {
		panic(err)
	}
}

// refusal returns the message for a caller without the required role or scopes.
func (r *Route) refusal() string {
	return cmp.Or(r.Refusal, "Your account does not have permission to perform this action.")
}

// operation returns the handler of a route: authorize, decode, run, respond.
func (f *Frame) operation(base string, row Route) http.HandlerFunc {
	root := row.bodyRoot()
	return func(w http.ResponseWriter, r *http.Request) {
		c := callOf(r)
		c.row, c.path, c.root, c.public = row.Name, base+row.Path, root, row.Access == Public
		a, r, leave, err := f.enter(w, r, &row)
		if err != nil {
			drain(w, r)
			f.refuse(w, r, err)
			return
		}
		defer leave()
		answer, err := f.perform(r, &row, a)
		defer answer.buffer.Release() // after it was sent
		nameIgnored(w.Header(), c.ignored)
		if err != nil {
			drain(w, r)
			f.refuse(w, r, err)
			return
		}
		if answer.events.eventful != nil {
			answer.buffer.Release()
			leave()
			f.stream(w, r, &row, a, answer)
			return
		}
		f.send(w, r, &row, answer)
	}
}

// enter admits a call. Until the caller is known, the call counts for its
// address, and then for its organisation. The returned request has a context for
// the claims of the caller. leave must be called after the response, unless there
// is an error.
func (f *Frame) enter(w http.ResponseWriter, r *http.Request, row *Route) (c Caller, admitted *http.Request, leave func(), err error) {
	if row.Uncount {
		c, err = f.admit(w, r, row)
		return c, r, func() {}, err
	}
	arrival, err := f.arrivals().Acquire(r.Context(), 1)
	if err != nil {
		return Caller{}, r, nil, err
	}
	c, err = f.admit(w, r, row)
	arrival.Release()
	if err != nil {
		return c, r, nil, err
	}
	if of := c.Actor.Tenant.ID(); of != uuid.Nil {
		r = r.WithContext(capacity.WithOrganisation(r.Context(), of))
	}
	call, err := f.Capacity.Call(r.Context())
	return c, r, call.Release, err
}

// arrivals returns the pool of calls whose caller is not known yet.
func (f *Frame) arrivals() *capacity.Pool {
	if f.Capacity == nil {
		return nil
	}
	return f.Capacity.Calls
}

// perform decodes the request and runs the route's handler. Fair use is settled
// before the response is sent, so that a client that retries at once finds a
// failed write given back.
func (f *Frame) perform(r *http.Request, row *Route, c Caller) (answer written, err error) {
	settle, err := f.fairUse(r, row, c.Actor.Tenant, c.Plan)
	if err != nil {
		return written{}, err
	}
	done := false // also if the handler panics
	defer func() { settle(done) }()
	answer, err = f.do(r, row, c)
	done = err == nil
	return answer, err
}

func (f *Frame) do(r *http.Request, row *Route, c Caller) (answer written, err error) {
	buffer, err := f.buffer(r, row)
	if err != nil {
		return written{}, err
	}
	defer func() {
		if answer.buffer == nil { // also if the handler panics
			buffer.Release()
		}
	}()
	if row.First != nil {
		if err := row.First(r.Context(), c, func(name string) string { return pathValue(r, name) }); err != nil {
			return written{}, err
		}
	}
	in, job, err := f.bind(r, *row)
	defer job.End()
	if err != nil {
		return written{}, row.refused(err)
	}
	out, err := row.serve(job.Context(r.Context()), c, in)
	if err != nil {
		return written{}, row.refused(err)
	}
	if answer, err = encode(out, row.Cache == 0 && AcceptsGzip(r.Header)); err != nil {
		return written{}, err
	}
	if err := f.hold(r, &answer, buffer); err != nil {
		return written{}, err
	}
	answer.buffer = buffer
	return answer, nil
}

// hold adds the response to the claim of a call, which is held until the client has
// read it. A read that does not fit is refused; a write has happened.
func (f *Frame) hold(r *http.Request, answer *written, buffer *capacity.Claim) error {
	answer.held = int64(answer.size())
	if answer.stream != nil && answer.stream.more {
		answer.held = max(answer.held, partBytes)
	}
	if answer.held <= smallAnswer {
		return nil
	}
	if writes(r.Method) {
		buffer.Grow(answer.held)
		return nil
	}
	err := buffer.Extend(r.Context(), answer.held)
	if err != nil && answer.stream != nil {
		answer.stream.close()
	}
	return err
}

func (f *Frame) send(w http.ResponseWriter, r *http.Request, row *Route, answer written) {
	maps.Copy(w.Header(), answer.header)
	if answer.stream != nil {
		defer answer.stream.close()
		if !answer.stream.more {
			w.Header().Set("Content-Length", strconv.Itoa(answer.size()))
		}
		f.sendParts(w, r, row, answer)
		return
	}
	if row.Cache > 0 {
		writeCached(w, r, row, answer.body)
		return
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(answer.body)))
	w.WriteHeader(row.Status)
	_, _ = w.Write(answer.body)
}

// notFound answers requests that match no route. They count against the rate
// limits.
func (f *Frame) notFound(w http.ResponseWriter, r *http.Request) {
	if f.missing != nil && isVisit(r) {
		f.missing.ServeHTTP(w, r)
		return
	}
	message := "Not found"
	if path := routed(r) + "/"; !strings.HasSuffix(path, "//") && f.router.Match(chi.NewRouteContext(), r.Method, path) {
		message = "Not found. Paths end with a slash: " + printable(path)
	}
	f.stray(w, r, fault.New(fault.PathNotFound, "%s", message))
}

// isVisit reports whether a browser opens an address that is not one of an API.
func isVisit(r *http.Request) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) && !strings.HasPrefix(first, "v1") && first != "app" &&
		strings.Contains(r.Header.Get("Accept"), "text/html")
}

// notAllowed answers requests whose path exists, but only with other methods.
func (f *Frame) notAllowed(w http.ResponseWriter, r *http.Request) {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		if f.router.Match(chi.NewRouteContext(), method, routed(r)) {
			allowed = append(allowed, method)
		}
	}
	if allowed == nil { // the router checks for unknown methods before it looks at the path
		f.notFound(w, r)
		return
	}
	list := strings.Join(allowed, ", ")
	w.Header().Set("Allow", list)
	f.stray(w, r, fault.New(fault.MethodNotAllowed, "Method not allowed. This path allows %s.", list))
}

// routed returns the path as the router saw it: escaped, if it has unusual
// escapes.
func routed(r *http.Request) string { return cmp.Or(r.URL.RawPath, r.URL.Path) }

func (f *Frame) stray(w http.ResponseWriter, r *http.Request, refusal error) {
	if !slices.Contains(f.open, r.URL.Path) {
		who := f.identify(r, Members)
		if err := f.count(r.Context(), w.Header(), who); err != nil {
			drain(w, r)
			f.refuse(w, r, err)
			return
		}
	}
	drain(w, r)
	f.refuse(w, r, refusal)
}
