// Command khatm issues, checks and explains Saudi e-invoices.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/alecthomas/kong"
)

// version is set when a release is built.
var version = "development"

// commands are what khatm can do. One struct is the command line, its help and
// its documentation.
type commands struct {
	Demo      demo        `cmd:"" help:"Build, stamp and verify a standard and a simplified invoice, and show them."`
	Validate  validate    `cmd:"" help:"Judge XML documents as the authority would, and say what to change."`
	Rules     listRules   `cmd:"" help:"List the authority's rules, or explain one."`
	Hash      hash        `cmd:"" help:"Print the invoice hash of XML documents."`
	Authority authority   `cmd:"" help:"Run the tax authority's double, for tests and trials."`
	Version   showVersion `cmd:"" help:"Print the version."`
}

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is main without the process: it returns the exit code. A wrong command
// line is 2, work that did not succeed is 1.
func run(args []string, stdout, stderr io.Writer) int {
	var chosen commands
	exit := -1
	parser, err := kong.New(&chosen,
		kong.Name("khatm"),
		kong.Description("ختم: e-invoices for Saudi Arabia, from commercial facts to signed bytes."),
		kong.UsageOnError(),
		kong.Writers(stdout, stderr),
		kong.Exit(func(code int) { exit = code }),
		kong.BindTo(stdout, (*io.Writer)(nil)),
		kong.Bind(newProgressLine(stdout, stderr)),
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
		fmt.Fprintln(stderr, "khatm:", err)
		return 1
	}
	return 0
}

type showVersion struct{}

func (showVersion) Run(out io.Writer) error {
	_, err := fmt.Fprintln(out, "khatm", version)
	return err
}
