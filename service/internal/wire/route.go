package wire

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"time"

	"khatm/service/internal/org"
)

// Access says who may call an operation at all.
type Access int

// The kinds of access. The zero value is the narrowest.
const (
	Members  Access = iota // a key, or a signed-in person
	People                 // a signed-in person; a key is refused
	Anyone                 // no credential; one that is sent counts for nothing
	Public                 // no credential; somebody signed in is counted for their organisation
	Visitors               // a signed-in person, whichever organisations they reach, none included
)

// Route is one operation of a surface. The row feeds the router, the gate, the
// rate windows and the published document, so none of them can forget it.
type Route struct {
	Method  string
	Path    string // below the base, as "/api/buyers/{buyer_id}/"
	Name    string // the operation's id in the document, as "list-buyers"
	Tag     string // the chapter of the document
	Summary string
	Doc     string // what the summary leaves out, in Markdown
	Example string // JSON that is accepted: the body, or the one JSON part of a form

	Access  Access
	Scope   org.Scope // what role and scopes must cover; empty: any credential
	Refusal string    // the words of the 403, when not the usual ones
	Window  string    // a rate window besides the caller's own
	Uncount bool      // nobody is counted for calling it
	Free    bool      // a write that fair use does not count
	Hidden  bool      // served, and not in the document
	Strict  bool      // an unknown field of the body is refused
	Root    string    // what paths in a body begin with, as "client_data"
	Gather  bool      // required fields that are missing are told in one sentence
	MaxBody int64     // of a JSON body or a whole form; 0: the surface's

	// Turn is waited for before a JSON body of so many bytes is decoded, and ended
	// when its answer is made. nil: nobody waits.
	Turn func(ctx context.Context, size int) (end func(), err error)

	Cache  time.Duration // the answer is the same for everybody for so long
	Status int           // of success
	Errors []int         // refusals besides those the row implies

	// First is asked before a body is read, with the parameters of the path: for
	// what must hold, or be counted, however wrong the body is. Nil: nothing.
	First func(ctx context.Context, c Caller, param func(name string) string) error

	base    string // of its surface, once it has one
	in, out reflect.Type
	serve   func(ctx context.Context, c Caller, in any) (any, error)
}

// At puts rows below a base for the document of another surface, which shows
// them too, hidden or not.
func At(base string, rows []Route) []Route {
	rows = slices.Clone(rows)
	for i := range rows {
		rows[i].base, rows[i].Hidden = base, false
	}
	return rows
}

// Base is that of the surface that serves the row.
func (r Route) Base() string { return r.base }

// Address is the whole path of a row that is served.
func (r Route) Address() string { return r.base + r.Path }

// Caller is who calls, as the gate made it out.
type Caller struct {
	Actor   org.Actor    // zero where Access is Anyone or Visitors, and for strangers where it is Public
	Visitor *org.Visitor // who is signed in, where Access is Visitors
	Plan    org.Plan     // of the actor's organisation, as of this call
	Used    *org.Usage   // what was used of it this month; nil if nobody has asked yet
	Address string       // the caller's IP address
	Network string       // what the address is counted as, where Access is Anyone: of IPv6 its /64
	Request string       // the request's id

	// Spend takes the call from a further allowance, as Frame.Spend does.
	Spend func(ctx context.Context, a Allowance, subject string) error
	// Count takes the call from an hourly window of the frame, where Access is
	// Anyone, and gives what takes that back.
	Count func(ctx context.Context, window, subject string) (back func(), err error)
}

// Serve completes a row with the verb that does its work. In is what the verb
// reads: fields tagged path, query, body, form or file. Out is what it answers.
func Serve[In, Out any](row Route, verb func(context.Context, Caller, *In) (*Out, error)) Route {
	row.in, row.out = reflect.TypeFor[In](), reflect.TypeFor[Out]()
	row.serve = func(ctx context.Context, c Caller, in any) (any, error) {
		read, ok := in.(*In)
		if !ok {
			return nil, fmt.Errorf("%s reads %T, and was given %T", row.Name, read, in)
		}
		out, err := verb(ctx, c, read)
		if err != nil {
			return nil, err
		}
		return out, nil
	}
	return row
}
