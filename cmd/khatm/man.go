package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"
)

// manual writes the manual pages: one of khatm and one of each command. Their
// texts are those of --help.
type manual struct {
	Dir string `arg:"" help:"Folder for the pages, such as /usr/local/share/man/man1. It is created if it does not exist."`
}

// Run writes the pages.
func (m manual) Run(app *kong.Kong) error {
	if err := os.MkdirAll(m.Dir, 0o755); err != nil {
		return err
	}
	for name, text := range manualPages(app.Model.Node, thisBuild()) {
		if err := os.WriteFile(filepath.Join(m.Dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// manualPages returns the manual pages by the name of their file.
func manualPages(root *kong.Node, b build) map[string]string {
	pages := map[string]string{"khatm.1": rootPage(root, b)}
	for _, child := range root.Children {
		if !child.Hidden {
			pages["khatm-"+child.Name+".1"] = commandPage(child, b)
		}
	}
	return pages
}

// page is a manual page in the man macros of roff.
type page struct{ strings.Builder }

func newPage(name string, b build, help string) *page {
	p := &page{}
	day, _, _ := strings.Cut(b.Time, "T")
	p.line(".TH %s 1 %q %q %q", strings.ToUpper(name), day, "khatm "+b.Version, "Khatm manual")
	p.section("NAME")
	summary, _, _ := strings.Cut(help, ". ")
	p.line(`%s \- %s`, roff(name), roff(strings.TrimSuffix(summary, ".")))
	return p
}

// line writes a line that is already escaped.
func (p *page) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

func (p *page) section(title string) { p.line(".SH %s", title) }

// text writes a line of text.
func (p *page) text(text string) { p.line("%s", roff(text)) }

// item writes an entry of a list.
func (p *page) item(term, text string) {
	p.line(".TP\n.B %s", roff(term))
	p.text(text)
}

// roff escapes a text.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n", " ").Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}

func rootPage(root *kong.Node, b build) string {
	p := newPage("khatm", b, root.Help)
	p.section("SYNOPSIS")
	p.line(".B khatm\n.I command\n.RI [ flags ]")
	p.section("DESCRIPTION")
	p.text(root.Help)
	p.line(".PP")
	p.text("Every setting is a flag and an environment variable KHATM_...; the manual page of a command, such as khatm-serve(1), lists them.")
	p.section("COMMANDS")
	group := ""
	for _, child := range root.Children {
		if child.Hidden {
			continue
		}
		if g := child.ClosestGroup(); g != nil && g.Title != group {
			group = g.Title
			p.line(".SS %s", roff(group))
		} else if g == nil && group != "" {
			group = ""
			p.line(".SS Other commands")
		}
		p.item("khatm-"+child.Name+"(1)", child.Help)
	}
	p.section("EXIT STATUS")
	p.text("0 if the command succeeded, 1 if it failed, 2 if the command line is wrong.")
	return p.String()
}

func commandPage(node *kong.Node, b build) string {
	p := newPage("khatm-"+node.Name, b, node.Help)
	p.section("SYNOPSIS")
	for i, leaf := range leaves(node) {
		if i > 0 {
			p.line(".br")
		}
		p.line(".B %s", roff("khatm "+leaf.Summary()))
	}
	p.section("DESCRIPTION")
	p.text(node.Help)
	if node.Leaf() {
		p.arguments(node, ".SH %s", "ARGUMENTS", "OPTIONS")
	} else {
		p.section("COMMANDS")
		for _, leaf := range leaves(node) {
			p.line(".SS %s", roff("khatm "+leaf.Path()))
			p.text(leaf.Help)
			p.arguments(leaf, ".PP\n%s", "Arguments:", "Options:")
		}
	}
	p.section("SEE ALSO")
	p.line(`.BR khatm (1)`)
	return p.String()
}

// arguments lists the arguments and flags of a command, each list with a title.
func (p *page) arguments(node *kong.Node, heading, arguments, options string) {
	if len(node.Positional) > 0 {
		p.line(heading, arguments)
	}
	for _, argument := range node.Positional {
		p.item(argument.Summary(), kong.DefaultHelpValueFormatter(argument))
	}
	if len(node.Flags) > 0 {
		p.line(heading, options)
	}
	for _, flag := range node.Flags {
		if !flag.Hidden {
			p.item(flag.String(), kong.DefaultHelpValueFormatter(flag.Value))
		}
	}
}

// leaves returns the command itself, or its subcommands that can be run.
func leaves(node *kong.Node) []*kong.Node {
	if node.Leaf() {
		return []*kong.Node{node}
	}
	return node.Leaves(true)
}
