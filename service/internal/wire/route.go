package wire

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"time"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// Access defines who may call an operation.
type Access int

// The kinds of access. The zero value is the most restrictive.
const (
	Members  Access = iota // an API key or a signed-in person
	People                 // a signed-in person; a key is refused
	Anyone                 // no credential needed; credentials are ignored
	Public                 // no credential needed; calls of a signed-in person count for their organisation
	Visitors               // a signed-in person, even without an organisation
)

// Route is one operation of a surface. The router, authorization, rate limits and
// the published document all use it, so that none of them can leave it out.
type Route struct {
	Method  string
	Path    string // below the base, such as "/api/buyers/{buyer_id}/"
	Name    string // operation id in the document, such as "list-buyers"
	Tag     string // group in the document
	Summary string
	Doc     string // description beyond the summary, in Markdown
	Example string // valid JSON for the body, or for the only JSON part of a form

	Examples []Example // of a JSON body, instead of Example

	Access  Access
	Scope   org.Scope // required permission; empty for any credential
	Refusal string    // message of the 403, if not the default
	Window  string    // additional rate window, in Windows.More
	Hourly  []string  // windows for Caller.Count, in Windows.Hourly
	Uncount bool      // not rate limited
	Free    bool      // a write that does not count for fair use
	Hidden  bool      // served, but not in the document
	Strict  bool      // refuse unknown fields in the body
	Root    string    // prefix of the paths of problems in the body, such as "client_data"
	Ignores []string  // documented fields of the body that are ignored; not listed in X-Khatm-Ignored
	Whole   bool      // the handler reads or writes whole invoices, which may be large
	Long    bool      // the handler takes longer than ten milliseconds, though it needs little memory
	Gather  bool      // report all missing required fields in one problem
	MaxBody int64     // maximum size of a JSON body or a whole form; 0 for the default

	// Memory returns how much memory a JSON body of the given size needs until the
	// response is encoded. 0 means that it needs little memory and time and is not
	// limited. If it is nil, a default applies.
	Memory func(size int) int64

	Cache  time.Duration // the response is the same for every caller and may be cached this long
	Status int           // of success
	Codes  []fault.Code  // codes of errors besides those that follow from the other fields

	// Malformed is the code of an invalid request instead of ValidationFailed, if
	// docs/contract.md requires another. May be empty.
	Malformed fault.Code

	// First is called before the body is read, with the path parameters, for checks
	// and counts that must happen even if the body is invalid. May be nil.
	First func(ctx context.Context, c Caller, param func(name string) string) error

	base    string // base path of its surface, once it is added to one
	in, out reflect.Type
	serve   func(ctx context.Context, c Caller, in any) (any, error)
}

// At returns the routes as served below base, for inclusion in the document of
// another surface. Hidden routes become visible.
func At(base string, rows []Route) []Route {
	rows = slices.Clone(rows)
	for i := range rows {
		rows[i].base, rows[i].Hidden = base, false
	}
	return rows
}

// Base returns the base path of the surface that serves the route.
func (r Route) Base() string { return r.base }

// Address returns the complete path of the route.
func (r Route) Address() string { return r.base + r.Path }

// Caller describes the authenticated caller of a route.
type Caller struct {
	Actor   org.Actor    // zero if Access is Anyone or Visitors, or if it is Public and nobody is signed in
	Visitor *org.Visitor // signed-in person, if Access is Visitors
	Plan    org.Plan     // of the actor's organisation
	Used    *org.Usage   // usage of the plan this month; nil if it was not looked up
	Address string       // IP address of the caller
	Network string       // rate limit subject of the address, if Access is not Public: for IPv6 the /64 prefix
	Request string       // request id

	// Spend counts the call against another allowance, like Frame.Spend.
	Spend func(ctx context.Context, a Allowance, subject string) error
	// Count counts the call in one of the windows that the route names in Hourly.
	// back removes it from the window. It is nil if Access is Public.
	Count func(ctx context.Context, window, subject string) (back func(), err error)
}

// Serve sets the handler of a route. In is the struct the handler reads, with
// fields tagged path, query, header, body, form, file or files; Out is its
// response.
func Serve[In, Out any](row Route, verb func(context.Context, Caller, *In) (*Out, error)) Route {
	row.in, row.out = reflect.TypeFor[In](), reflect.TypeFor[Out]()
	row.serve = func(ctx context.Context, c Caller, in any) (any, error) {
		read, ok := in.(*In)
		if !ok {
			return nil, fmt.Errorf("%s reads %T, got %T", row.Name, read, in)
		}
		out, err := verb(ctx, c, read)
		if err != nil {
			return nil, err
		}
		return out, nil
	}
	return row
}
