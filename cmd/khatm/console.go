package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"khatm/audit"
)

// console is the standard input and output of a command. Only the result goes to
// out, so that scripts can use it; notes for the user go to err.
type console struct {
	in       io.Reader
	out, err io.Writer
}

// say prints a note for the user to err.
func (c *console) say(format string, args ...any) { fmt.Fprintf(c.err, format+"\n", args...) }

// progress returns a function that shows a count on a terminal, every thousand
// items, and a function that clears it.
func (c *console) progress(what string) (show func(n int64), end func()) {
	line := &progressLine{}
	if isTerminal(c.err) {
		line.out = c.err
	}
	return func(n int64) {
		if line.out != nil && n%1000 == 0 {
			fmt.Fprintf(line.out, "\r%d %s ", n, what)
			line.shown = true
		}
	}, line.clear
}

// bar returns a function that shows a progress bar on a terminal, and a function
// that ends it.
func (c *console) bar() (show func(done, total int64), end func()) {
	out := io.Discard
	if isTerminal(c.err) {
		out = c.err
	}
	bar := audit.NewBar(out)
	return bar.Show, bar.End
}

// printJSON prints one JSON object per line.
func printJSON[T any](out io.Writer, rows ...T) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for _, row := range rows {
		if err := encoder.Encode(row); err != nil {
			return err
		}
	}
	return nil
}

// printTable prints rows as a table, or as JSON.
func printTable[T any](out io.Writer, asJSON bool, rows []T, header string, cells func(T) []any) error {
	if asJSON {
		return printJSON(out, rows...)
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, strings.ReplaceAll(strings.ToUpper(header), ", ", "\t"))
	for _, row := range rows {
		var texts []string
		for _, cell := range cells(row) {
			texts = append(texts, oneLine(fmt.Sprint(cell)))
		}
		fmt.Fprintln(table, strings.Join(texts, "\t"))
	}
	return table.Flush()
}

// oneLine replaces control characters by spaces, so that a text stays in its
// cell and cannot control the terminal. An empty text becomes "-".
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
	if text == "" {
		return "-"
	}
	return text
}

// printCard prints a record with one name and value per line. Empty values are
// left out.
func printCard(out io.Writer, pairs ...[2]string) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, p := range pairs {
		if p[1] != "" {
			fmt.Fprintf(table, "%s\t%s\n", p[0], oneLine(p[1]))
		}
	}
	return table.Flush()
}

// day formats a time for tables.
func day(t time.Time) string { return t.Format("2006-01-02 15:04") }
