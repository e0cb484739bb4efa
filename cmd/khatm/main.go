// Command khatm issues, checks and explains Saudi e-invoices.
package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"khatm/service/admin"
)

// commands is the command line of khatm: kong parses it and prints its help.
type commands struct {
	ShowVersion versionFlag `name:"version" help:"Print the version."`

	Demo      demo              `cmd:"" group:"Documents" help:"Run the service with a simulator of the tax authority and a sample company that issues a few documents. Start here."`
	Validate  validate          `cmd:"" group:"Documents" help:"Check XML documents as the authority would, and explain how to fix them."`
	Rules     rulesCommands     `cmd:"" group:"Documents" help:"List the authority's rules, explain one, or compare two versions of its rule sheets."`
	PDF       pdf               `cmd:"" name:"pdf" group:"Documents" help:"Convert signed XML documents to PDF/A-3, with the XML embedded."`
	Hash      hash              `cmd:"" group:"Documents" help:"Print the invoice hash of XML documents."`
	Authority authorityCommands `cmd:"" group:"Documents" help:"Run a simulator of the tax authority, for tests and trials; record calls to the real one and compare them."`
	Mood      mood              `cmd:"" group:"Documents" help:"Show or change the mood of a running simulator: how reliably it answers."`

	Serve     serve          `cmd:"" group:"Running the service" help:"Run the service."`
	SetupLink setupLink      `cmd:"" name:"setup-link" group:"Running the service" help:"Print a link that creates the first account and organisation of a new installation."`
	GoLive    goLive         `cmd:"" name:"go-live" group:"Running the service" help:"Copy an organisation with its clients, items, reasons and members into a new installation for another environment of the authority. Invoices are not copied."`
	Migrate   migrate        `cmd:"" group:"Running the service" help:"Upgrade the database to this version of khatm."`
	Backup    backup         `cmd:"" group:"Running the service" help:"Back up the whole installation into one file. The server may keep running."`
	Restore   restore        `cmd:"" group:"Running the service" help:"Restore a backup into an empty data folder or database, and audit the result."`
	Doctor    doctor         `cmd:"" group:"Running the service" help:"Check an installation: report what is wrong and how to fix it."`
	Recover   recoverChains  `cmd:"" group:"Running the service" help:"Resume issuing after the database was restored or replaced: show what is missing, and continue the chains."`
	Repair    repair         `cmd:"" group:"Running the service" help:"Repair damaged documents from the archive. The server may keep running."`
	Clock     clockCommands  `cmd:"" group:"Running the service" help:"Confirm the clock that dates invoices, or release devices whose last invoice is dated in the future."`
	Vault     vaultCommands  `cmd:"" group:"Running the service" help:"Manage the master keys."`
	Outbox    outboxCommands `cmd:"" group:"Running the service" help:"Show e-mails: queued, sent and failed."`
	Audit     auditCommands  `cmd:"" group:"Running the service" help:"Verify the stored documents and the audit trail."`
	Export    exportPeriod   `cmd:"" group:"Running the service" help:"Write the documents of a period into a folder for an auditor, with an index and a script that verifies them. The server may keep running."`

	Org     orgCommands     `cmd:"" group:"Managing organisations" help:"Manage organisations (the sellers)."`
	Branch  branchCommands  `cmd:"" group:"Managing organisations" help:"Manage the branches of an organisation."`
	Device  deviceCommands  `cmd:"" group:"Managing organisations" help:"Manage the devices that issue invoices, and their certificates."`
	User    userCommands    `cmd:"" group:"Managing organisations" help:"Manage users: people who sign in."`
	Key     keyCommands     `cmd:"" group:"Managing organisations" help:"Manage API keys."`
	Reason  reasonCommands  `cmd:"" group:"Managing organisations" help:"Manage the reasons that invoices and notes refer to."`
	Invoice invoiceCommands `cmd:"" group:"Managing organisations" help:"Register invoices of an older system."`
	Plan    planCommands    `cmd:"" group:"Managing organisations" help:"Manage the plans that organisations subscribe to."`

	Version    showVersion `cmd:"" help:"Print the version, the commit and the version of Go."`
	Completion completion  `cmd:"" help:"Print a script that completes commands and flags in a shell."`
	Complete   complete    `cmd:"" hidden:"" help:"Complete a command line, for the scripts of khatm completion."`
	Man        manual      `cmd:"" help:"Write the manual pages."`
}

func main() {
	unsetEmptyVariables()
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// unsetEmptyVariables unsets KHATM_ variables that are empty, because container
// platforms often cannot leave a variable out.
func unsetEmptyVariables() {
	for _, entry := range os.Environ() {
		if name, value, _ := strings.Cut(entry, "="); value == "" && strings.HasPrefix(name, "KHATM_") {
			_ = os.Unsetenv(name) // fails only for invalid names
		}
	}
}

// run parses and executes a command line and returns the exit code: 2 if the
// command line is wrong, 1 if the command failed.
func run(args []string, stdout, stderr io.Writer) int {
	var chosen commands
	exit := -1
	parser, err := kong.New(&chosen,
		kong.Name("khatm"),
		kong.Description("ختم: creates, signs, checks and submits Saudi e-invoices."),
		kong.UsageOnError(),
		kong.IgnoreFields(unusedCommands(args)),
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
		return exit // kong has printed the help
	}
	if err != nil {
		fmt.Fprintf(stderr, "khatm: %v\nRun khatm --help for a list of commands, or khatm COMMAND --help for its flags.\n", err)
		return 2
	}
	err = context.Run()
	var code exitCode
	switch {
	case errors.As(err, &code):
		return int(code)
	case err != nil:
		fmt.Fprint(stderr, "khatm: ", errorText(err), "\n")
		return 1
	}
	return 0
}

// needAll are the commands that read the definitions of all commands.
var needAll = []string{"doctor", "complete", "man"}

// unusedCommands returns a regular expression for the fields of commands that kong may
// skip: all commands except the one that the first argument names. Examining all of
// them takes longer than most commands run. If the first argument is not a command,
// none is skipped, so that the help lists them all.
func unusedCommands(args []string) string {
	const none = "^$"
	if len(args) == 0 || slices.Contains(needAll, args[0]) {
		return none
	}
	of := reflect.TypeFor[commands]()
	var others []string
	found := false
	for i := range of.NumField() {
		field := of.Field(i)
		if _, is := field.Tag.Lookup("cmd"); !is {
			continue
		}
		if cmp.Or(field.Tag.Get("name"), strings.ToLower(field.Name)) == args[0] {
			found = true
			continue
		}
		others = append(others, field.Name)
	}
	if !found {
		return none
	}
	return "^" + of.Name() + `\.(` + strings.Join(others, "|") + ")$"
}

// errorText returns the text of an error. If the error is about the input, it
// has one line per invalid flag.
func errorText(err error) string {
	problems := admin.Problems(err)
	if len(problems) == 0 {
		return err.Error()
	}
	text := "invalid input:"
	for _, p := range problems {
		list, _, _ := strings.Cut(p.Field, ".") // such as totals in totals.0.vat_rate
		text += "\n  " + cmp.Or(flagOf[p.Field], flagOf[list], p.Field, "input") + ": " + p.Message
	}
	return text
}
