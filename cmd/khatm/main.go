// Command khatm issues, checks and explains Saudi e-invoices.
package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/alecthomas/kong"

	"khatm/service/admin"
)

// version is set when a release is built.
var version = "development"

// commands are what khatm can do. One struct is the command line, its help and
// its documentation.
type commands struct {
	Demo      demo      `cmd:"" group:"Documents" help:"Run the service and the tax authority's simulator together, with a company that issues a few documents. Begin here."`
	Validate  validate  `cmd:"" group:"Documents" help:"Judge XML documents as the authority would, and say what to change."`
	Rules     listRules `cmd:"" group:"Documents" help:"List the authority's rules, or explain one."`
	PDF       pdf       `cmd:"" name:"pdf" group:"Documents" help:"Draw signed XML documents as PDF/A-3, with the XML embedded."`
	Hash      hash      `cmd:"" group:"Documents" help:"Print the invoice hash of XML documents."`
	Authority authority `cmd:"" group:"Documents" help:"Run the tax authority's simulator, for tests and trials."`
	Mood      mood      `cmd:"" group:"Documents" help:"Show or change the mood of a running simulator."`

	Serve   serve          `cmd:"" group:"Running the service" help:"Run the service."`
	Migrate migrate        `cmd:"" group:"Running the service" help:"Bring the tables of the database to this version of the program."`
	Backup  backup         `cmd:"" group:"Running the service" help:"Write the whole installation into one file, beside a running server."`
	Restore restore        `cmd:"" group:"Running the service" help:"Put a backup into an empty data folder or database, and prove it."`
	Doctor  doctor         `cmd:"" group:"Running the service" help:"Look at an installation and say what is wrong with it."`
	Recover recoverChains  `cmd:"" group:"Running the service" help:"Let issuing go on after a restored or replaced database: show what is missing, and continue the chains."`
	Clock   clockCommands  `cmd:"" group:"Running the service" help:"Confirm the clock that dates invoices, or release devices from dates in the future."`
	Vault   vaultCommands  `cmd:"" group:"Running the service" help:"Look after the master keys."`
	Outbox  outboxCommands `cmd:"" group:"Running the service" help:"Look at the letters that wait to be sent, and what became of others."`
	Audit   auditCommands  `cmd:"" group:"Running the service" help:"Prove what is kept."`

	Org     orgCommands     `cmd:"" group:"Those who are served" help:"Look after organisations: the sellers."`
	Branch  branchCommands  `cmd:"" group:"Those who are served" help:"Look after the places of an organisation."`
	Device  deviceCommands  `cmd:"" group:"Those who are served" help:"Look after the devices that issue, and their certificates."`
	User    userCommands    `cmd:"" group:"Those who are served" help:"Look after people who sign in."`
	Key     keyCommands     `cmd:"" group:"Those who are served" help:"Look after API keys."`
	Reason  reasonCommands  `cmd:"" group:"Those who are served" help:"Look after the reasons that invoices refer to."`
	Invoice invoiceCommands `cmd:"" group:"Those who are served" help:"Look after invoices of an older system."`
	Plan    planCommands    `cmd:"" group:"Those who are served" help:"Look after the plans."`

	Version showVersion `cmd:"" help:"Print the version."`
}

func main() {
	forgetEmpty()
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// forgetEmpty takes an empty variable for one that is not set: whoever starts
// containers often cannot leave one out.
func forgetEmpty() {
	for _, entry := range os.Environ() {
		if name, value, _ := strings.Cut(entry, "="); value == "" && strings.HasPrefix(name, "KHATM_") {
			_ = os.Unsetenv(name) // it can only fail for a name that there cannot be
		}
	}
}

// run is main without the process: it returns the exit code. A wrong command
// line is 2, work that did not succeed is 1.
func run(args []string, stdout, stderr io.Writer) int {
	var chosen commands
	exit := -1
	parser, err := kong.New(&chosen,
		kong.Name("khatm"),
		kong.Description("ختم: e-invoices for Saudi Arabia, from commercial facts to signed bytes."),
		kong.UsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}),
		kong.Writers(stdout, stderr),
		kong.Exit(func(code int) { exit = code }),
		kong.BindTo(stdout, (*io.Writer)(nil)),
		kong.Bind(newProgressLine(stdout, stderr)),
		kong.Bind(&console{os.Stdin, stdout, stderr}),
	)
	if err != nil {
		fmt.Fprintln(stderr, "khatm:", err)
		return 2
	}
	context, err := parser.Parse(args)
	if exit >= 0 {
		return exit // help was asked for and printed
	}
	if err != nil {
		fmt.Fprintf(stderr, "khatm: %v\nkhatm --help shows what there is\n", err)
		return 2
	}
	err = context.Run()
	var told exitCode
	switch {
	case errors.As(err, &told):
		return int(told)
	case err != nil:
		fmt.Fprint(stderr, "khatm: ", complaint(err), "\n")
		return 1
	}
	return 0
}

// complaint puts an error into words: if it is about what was given, a line
// for each flag.
func complaint(err error) string {
	problems := admin.Problems(err)
	if len(problems) == 0 {
		return err.Error()
	}
	text := "this cannot be taken as it is:"
	for _, p := range problems {
		text += "\n  " + cmp.Or(flagOf[p.Field], p.Field, "all of it") + ": " + p.Message
	}
	return text
}

type showVersion struct{}

func (showVersion) Run(out io.Writer) error {
	_, err := fmt.Fprintln(out, "khatm", version)
	return err
}
