package admin

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"khatm/service/internal/device"
)

// Level is the severity of a finding.
type Level string

// The levels.
const (
	OK   Level = "ok"
	Warn Level = "warn" // works, but needs attention
	Fail Level = "fail" // does not work, or may lose data
)

// Finding is the result of one check of an installation.
type Finding struct {
	Check string `json:"check"`
	Level Level  `json:"level"`
	Says  string `json:"says"`
	Do    string `json:"do,omitempty"` // what to do about it
}

// Outside configures the checks of what is outside the installation.
type Outside struct {
	Authority    string       // environment of the authority; empty for that of the database
	AuthorityURL string       // URL of the authority in the settings; empty for the published one, or for Simulator
	Simulator    string       // URL of the simulator of a running server; empty if none runs
	Client       *http.Client // for calls to the authority
	Marks        string       // folder of the marks; empty for none
	Operations   string       // operations address of the server; empty to skip the check
	Archive      string       // location of the archive; empty for that of the servers
	TLS          TLS          // certificate of the server
	DiskFloor    uint64       // free space in bytes below which the server does not issue
}

// Examine checks whether a server with these settings could start and issue, and
// calls tell with each finding. It changes nothing, except that it creates the
// tables in an empty PostgreSQL database, as every command does, and writes a small
// file to the archive and to the location of uploaded files.
func Examine(ctx context.Context, c Config, outside Outside, tell func(Finding)) {
	x := examination{config: c, outside: outside, tell: tell}
	x.folder()
	x.certificate()
	a := x.database(ctx)
	if a != nil {
		defer a.Close()
		x.environment(ctx, a)
		x.secrets(ctx, a)
		x.trail(ctx, a)
		x.chains(ctx, a)
		x.documents(ctx, a)
		x.archive(ctx, a)
		x.uploads(ctx, a)
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

// examination is the state of one call of Examine.
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
		x.fail(check, fix, "documents are missing in the database: %s", firstFew(c.Missing))
	case c.Problem != "":
		x.fail(check, fix, "a server would not issue: %s", c.Problem)
	case !c.Marks:
		x.ok(check, "issuing is not stopped; there are no marks of a server in %q", x.outside.Marks)
	default:
		x.ok(check, "the database has every document recorded in the marks in %s", x.outside.Marks)
	}
}

// database opens the database as every command does, which checks its version,
// its settings and its tables. It returns nil if that fails.
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
	x.ok(check, "%s answers, its settings are safe, schema version %d", engine, schemaVersion())
	return a
}

// environment compares the environment in the settings with that of the database.
func (x *examination) environment(ctx context.Context, a *Admin) {
	const check = "environment"
	kept, err := a.store.Environment(ctx)
	switch {
	case err != nil:
		x.fail(check, "", "%v", err)
	case kept == "":
		if x.outside.Authority == "" {
			x.ok(check, "no environment of the authority is chosen yet; nothing is sent until it is")
			return
		}
		x.ok(check, "the database belongs to no environment yet; the first start of the server assigns it to %s", x.outside.Authority)
	case x.outside.Authority != "" && kept != device.Environment(x.outside.Authority):
		x.fail(check, fmt.Sprintf("set --authority %s or KHATM_AUTHORITY=%s, or use another database", kept, kept),
			"the database belongs to the authority's %s environment, but the settings say %s", kept, x.outside.Authority)
	default:
		x.outside.Authority = string(kept)
		x.ok(check, "the database belongs to the authority's %s environment", kept)
	}
}

// firstFew joins the first few names and counts the others.
func firstFew(names []string) string {
	const most = 5
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
