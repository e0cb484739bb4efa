package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"khatm/service/admin"
)

// doctor looks at an installation with the eyes of a server.
type doctor struct {
	listing
	authoritySetting
	marksSetting
	serverSetting
}

func (c doctor) Run(t *console, model *kong.Context) error {
	config, err := c.config()
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	marks, _ := c.folder()
	failed := false
	tell := func(f admin.Finding) {
		failed = failed || f.Level == admin.Fail
		c.print(t.out, f)
	}
	tell(settingsFinding(knownVariables(model.Model.Node), os.Environ()))
	outside := admin.Outside{Authority: c.Authority, Client: http.DefaultClient, Marks: marks, DiskFloor: c.floor()}
	if c.Operations != off {
		outside.Operations = reachable(c.Operations)
	}
	admin.Examine(ctx, config, outside, tell)
	if failed {
		return someFailed
	}
	return nil
}

func (c doctor) print(out io.Writer, f admin.Finding) {
	if c.JSON {
		_ = printJSON(out, f) // what cannot be printed cannot be complained about either
		return
	}
	fmt.Fprintf(out, "%-4s  %s: %s\n", f.Level, f.Check, f.Says)
	if f.Do != "" {
		fmt.Fprintf(out, "      → %s\n", f.Do)
	}
}

// settingsFinding looks for variables that mean to be settings and are none: a
// misspelt one would be passed over in silence.
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
			Check: "settings", Level: admin.Warn, Says: "nothing reads " + strings.Join(unknown, ", "),
			Do: "correct the name or unset it: khatm serve --help shows those that there are",
		}
	}
	return admin.Finding{Check: "settings", Level: admin.OK, Says: fmt.Sprintf("%d are given in the environment, all known", given)}
}

// knownVariables are all environment variables that some command reads.
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
