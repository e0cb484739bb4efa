package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"khatm/service/admin"
)

// doctor checks an installation with the settings of its server.
type doctor struct {
	listing
	authoritySetting
	marksSetting
	serverSetting
	addressSetting
	Archive string `env:"KHATM_ARCHIVE" placeholder:"LOCATION" help:"Archive of the server (default: the one that the servers of this installation use)."`
}

func (c doctor) Run(t *console, model *kong.Context) error {
	return c.withConfig(func(ctx context.Context, config admin.Config) error {
		marks, _ := c.folder()
		failed := false
		tell := func(f admin.Finding) {
			failed = failed || f.Level == admin.Fail
			c.print(t.out, f)
		}
		tell(settingsFinding(knownVariables(model.Model.Node), os.Environ()))
		outside := admin.Outside{Authority: c.Authority, AuthorityURL: c.AuthorityURL, Client: http.DefaultClient, Marks: marks, Archive: c.Archive, DiskFloor: c.floor(), TLS: c.certificate()}
		if at, runs := findEmbedded(ctx, c.Data); runs {
			outside.Simulator = at.URL
		}
		if c.Operations != off {
			outside.Operations = reachable(c.Operations)
		}
		admin.Examine(ctx, config, outside, tell)
		if failed {
			return someFailed
		}
		return nil
	})
}

// certificate returns the certificate of the server.
func (c doctor) certificate() admin.TLS {
	at := c.addressSetting.config()
	t := admin.TLS{Cert: at.TLS.Cert, Key: at.TLS.Key, ACME: at.TLS.ACME, URL: at.URL}
	if t.ACME != "" {
		t.Cert = at.TLS.ACMEFile(c.Data)
		t.Key, t.URL = t.Cert, at.PublicURL()
	}
	return t
}

func (c doctor) print(out io.Writer, f admin.Finding) {
	if c.JSON {
		_ = printJSON(out, f) // standard output is gone, so there is nowhere to report the error
		return
	}
	fmt.Fprintf(out, "%-4s  %s: %s\n", f.Level, f.Check, f.Says)
	if f.Do != "" {
		fmt.Fprintf(out, "      → %s\n", f.Do)
	}
}

// settingsFinding warns about KHATM_ variables that no command reads, because a
// misspelt variable is otherwise ignored silently.
func settingsFinding(known, environment []string) admin.Finding {
	var unknown []string
	given := 0
	for _, entry := range environment {
		name, _, _ := strings.Cut(entry, "=")
		switch {
		case !strings.HasPrefix(name, "KHATM_"):
		case slices.Contains(known, name):
			given++
		default:
			unknown = append(unknown, name)
		}
	}
	if unknown != nil {
		slices.Sort(unknown)
		return admin.Finding{
			Check: "settings", Level: admin.Warn, Says: "unknown environment variables: " + strings.Join(unknown, ", "),
			Do: "correct or unset them: khatm serve --help lists the known ones",
		}
	}
	return admin.Finding{Check: "settings", Level: admin.OK, Says: fmt.Sprintf("%d KHATM_ environment variables, all known", given)}
}

// knownVariables returns all environment variables that a command reads.
func knownVariables(of *kong.Node) []string {
	names := []string{masterKeyVariable}
	_ = kong.Visit(of, func(node kong.Visitable, next kong.Next) error {
		if flag, is := node.(*kong.Flag); is {
			names = append(names, flag.Envs...)
		}
		return next(nil)
	})
	return names
}
