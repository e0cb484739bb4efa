package admin

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"khatm/service/internal/device"
)

// Level says how bad a finding is.
type Level string

// The levels.
const (
	OK   Level = "ok"
	Warn Level = "warn" // it works, and somebody should look
	Fail Level = "fail" // it does not work, or will lose something
)

// Finding is what one check of an installation found.
type Finding struct {
	Check string `json:"check"`
	Level Level  `json:"level"`
	Says  string `json:"says"`
	Do    string `json:"do,omitempty"` // what to do about it
}

// Outside is what lies outside the installation: which authority, and how it
// is reached.
type Outside struct {
	Authority  string
	Client     *http.Client
	Marks      string // folder of the marks; empty: there are none
	Operations string // address at which the server shows whether it issues; empty: not asked
	DiskFloor  uint64 // free space below which the server does not issue
}

// Examine looks at an installation with the eyes of a server that would start
// with these settings, and tells each finding as it comes. It changes nothing,
// except that an empty PostgreSQL is given its tables, as by any command.
func Examine(ctx context.Context, c Config, outside Outside, tell func(Finding)) {
	x := examination{config: c, outside: outside, tell: tell}
	x.folder()
	a := x.database(ctx)
	if a != nil {
		defer a.Close()
		x.environment(ctx, a)
		x.secrets(ctx, a)
		x.trail(ctx, a)
		x.chains(ctx, a)
		x.documents(ctx, a)
		x.databaseClock(ctx, a)
	}
	x.authority(ctx)
	if a != nil {
		x.organisations(ctx, a)
		x.stampedCopies(ctx, a)
		x.ahead(ctx, a)
	}
	x.issuing(ctx)
}

// examination is an Examine under way.
type examination struct {
	config  Config
	outside Outside
	tell    func(Finding)
}

func (x *examination) ok(check, format string, args ...any) {
	x.tell(Finding{Check: check, Level: OK, Says: fmt.Sprintf(format, args...)})
}

func (x *examination) warn(check, do, format string, args ...any) {
	x.tell(Finding{Check: check, Level: Warn, Says: fmt.Sprintf(format, args...), Do: do})
}

func (x *examination) fail(check, do, format string, args ...any) {
	x.tell(Finding{Check: check, Level: Fail, Says: fmt.Sprintf(format, args...), Do: do})
}

// chains compares the database with the marks.
func (x *examination) chains(ctx context.Context, a *Admin) {
	const check, fix = "chains", "run khatm recover"
	var folders []string
	if x.outside.Marks != "" {
		folders = append(folders, x.outside.Marks)
	}
	c, err := a.ShowContinuity(ctx, folders)
	switch {
	case err != nil:
		x.fail(check, "", "%v", err)
	case c.Stopped:
		x.fail(check, fix, "issuing is stopped because the database may be older than the invoices already issued: %s", c.Reason)
	case len(c.Missing) > 0:
		x.fail(check, fix, "the database lacks documents: %s", some(c.Missing))
	case c.Problem != "":
		x.fail(check, fix, "a server would not issue: %s", c.Problem)
	case !c.Marks:
		x.ok(check, "issuing goes on; no server has recorded in %q what it has issued", x.outside.Marks)
	default:
		x.ok(check, "the database has everything that was recorded in %s", x.outside.Marks)
	}
}

// database opens the database as any command would, which looks at its
// version, its settings and its tables.
func (x *examination) database(ctx context.Context) *Admin {
	const check = "database"
	a, err := Open(ctx, x.config)
	if err != nil {
		x.fail(check, "", "%v", err)
		return nil
	}
	engine, err := a.store.Engine(ctx)
	if err != nil {
		x.fail(check, "", "%v", err)
		a.Close()
		return nil
	}
	x.ok(check, "%s answers, with safe settings and tables of version %d", engine, schemaVersion())
	return a
}

// environment holds the authority that was chosen against the one that the
// database is tied to.
func (x *examination) environment(ctx context.Context, a *Admin) {
	const check = "environment"
	kept, err := a.store.Environment(ctx)
	switch {
	case err != nil:
		x.fail(check, "", "%v", err)
	case kept == "":
		x.ok(check, "the database is not tied to an environment yet; the first server ties it to %s", x.outside.Authority)
	case kept != device.Environment(x.outside.Authority):
		x.fail(check, fmt.Sprintf("say --authority %s, or KHATM_AUTHORITY=%s, or use another database", kept, kept),
			"the database belongs to the authority's %s environment and the settings say %s", kept, x.outside.Authority)
	default:
		x.ok(check, "the database belongs to the authority's %s environment", kept)
	}
}

// some names the first few of many.
func some(names []string) string {
	const most = 5
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
