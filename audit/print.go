package audit

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode"
)

// shown is the number of faults printed for each invariant.
const shown = 10

// Print writes the report for users: a line for each device, the faults by
// invariant with what to do, the remarks, and a summary.
func (r *Report) Print(out io.Writer) error {
	r.printDevices(out)
	for _, c := range clauses {
		r.printBroken(out, c)
	}
	fmt.Fprintln(out)
	for _, text := range r.Remarks {
		fmt.Fprintf(out, "note: %s\n", oneLine(text))
	}
	_, err := fmt.Fprintln(out, r.Summary())
	return err
}

func (r *Report) printDevices(out io.Writer) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "DEVICE\tDOCUMENTS\tCOUNTERS\tCLEARED\tREPORTED\tREJECTED\tUNANSWERED\tFAULTS")
	for _, l := range r.Devices {
		counters := "-"
		if l.Documents > 0 {
			counters = fmt.Sprintf("%d to %d", l.First, l.Last)
		}
		verdict := "none"
		if l.Faults > 0 {
			verdict = fmt.Sprint(l.Faults)
		}
		fmt.Fprintf(table, "%s\t%d\t%s\t%d\t%d\t%d\t%d\t%s\n", l.label(), l.Documents, counters, l.Cleared, l.Reported, l.Rejected, l.Unanswered, verdict)
	}
	_ = table.Flush() // Print returns the error of its last line
}

// label returns the name of a device with a part of its id, because names may
// repeat.
func (l *Line) label() string {
	const short = 8
	id := l.Device.String()
	if l.Name == "" {
		return id
	}
	return oneLine(l.Name) + " (" + id[len(id)-short:] + ")"
}

func (r *Report) printBroken(out io.Writer, c clause) {
	total := r.Broken[c.id]
	if total == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s is violated, %s. It requires: %s.\n", c.id, times(total), c.promise)
	n := int64(0)
	for _, f := range r.Faults {
		if f.Invariant == c.id && n < shown {
			n++
			fmt.Fprintf(out, "  - %s%s\n", r.device(f), oneLine(f.String()))
		}
	}
	if total > n {
		fmt.Fprintf(out, "  … and %d more\n", total-n)
	}
	fmt.Fprintf(out, "  What to do: %s\n", c.remedy)
}

// device returns the label of the device of a fault, for the beginning of a
// line.
func (r *Report) device(f Fault) string {
	if line := r.lines[f.Device]; line != nil {
		return line.label() + ", "
	}
	return ""
}

// Summary returns the report in one line.
func (r *Report) Summary() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s, %s of the audit trail", count(r.Documents, "document"), count(int64(len(r.Devices)), "device"), count(r.Entries, "entry"))
	if r.Authority != nil {
		fmt.Fprintf(&b, ", %s of the authority's journal", count(r.Authority.Records, "record"))
	}
	if r.Clients != nil {
		fmt.Fprintf(&b, ", %s of the clients' journal", count(r.Clients.Records, "record"))
	}
	if r.Sound() {
		return b.String() + ": everything is right"
	}
	return b.String() + ": " + count(r.Total(), "fault")
}

func count(n int64, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case strings.HasSuffix(what, "y"):
		what = strings.TrimSuffix(what, "y") + "ie"
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func times(n int64) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// oneLine replaces control characters, which could affect the terminal.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
}
