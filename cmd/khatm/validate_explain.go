package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"khatm/rules"
)

// labels are the words of the readable output, by key.
var labels = map[string]rules.Words{
	"clean":      {EN: "clean", AR: "سليمة"},
	"warned":     {EN: "accepted with warnings", AR: "مقبولة مع تحذيرات"},
	"failed":     {EN: "would be rejected", AR: "سترفضها الهيئة"},
	"unreadable": {EN: "cannot be read", AR: "تعذّرت قراءتها"},
	"usual":      {EN: "form: usual", AR: "الشكل: معتاد"},
	"unusual":    {EN: "form: unusual; this is our opinion, not a check of the authority", AR: "الشكل: غير معتاد؛ وهذا رأينا، وليس من فحوص الهيئة"},
	"error":      {EN: "error", AR: "خطأ"},
	"warning":    {EN: "warning", AR: "تحذير"},
	"opinion":    {EN: "opinion", AR: "رأي"},
	"at":         {EN: "at", AR: "الموضع"},
	"field":      {EN: "field", AR: "الحقل"},
	"is":         {EN: "is", AR: "القيمة الحالية"},
	"should be":  {EN: "should be", AR: "المطلوب"},
	"fix":        {EN: "fix", AR: "الحل"},
}

// explain prints the two verdicts, each with the location and the fix of its
// findings.
func explain(out io.Writer, v verdict, language string) error {
	var text strings.Builder
	fmt.Fprintf(&text, "%s: %s\n", v.File, labels[string(v.Status)].In(language))
	for _, f := range v.Findings {
		if !f.Opinion {
			describe(&text, string(f.Flag), f, language)
		}
	}
	if v.Form != "" {
		fmt.Fprintf(&text, "  %s\n", labels[string(v.Form)].In(language))
	}
	for _, f := range v.Findings {
		if f.Opinion {
			describe(&text, "opinion", f, language)
		}
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// describe prints a finding.
func describe(out io.Writer, kind string, f finding, language string) {
	word := func(key string) string { return labels[key].In(language) }
	fmt.Fprintf(out, "  %s %s: %s\n", word(kind), f.ID, f.Message)
	want := f.Want
	if language == "ar" && strings.Contains(want, " ") {
		want = "" // an English description; the Arabic message says the same
	}
	for _, row := range [][2]string{
		{"at", f.Path}, {"field", f.Field}, {"is", f.Got}, {"should be", want}, {"fix", f.Fix},
	} {
		if row[1] != "" {
			fmt.Fprintf(out, "      %s: %s\n", word(row[0]), row[1])
		}
	}
}

// progressLine shows progress in one line of a terminal. If out is nil, it shows
// nothing.
type progressLine struct {
	out   io.Writer
	shown bool
}

// newProgressLine returns a progress line on standard error if that is a terminal
// and standard output is not, so that the two do not mix.
func newProgressLine(stdout, stderr io.Writer) *progressLine {
	if !isTerminal(stderr) || isTerminal(stdout) {
		return &progressLine{}
	}
	return &progressLine{out: stderr}
}

// isTerminal reports whether w is a terminal. The null device is a character device
// as well, but not a terminal.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

func (p *progressLine) show(counts map[status]int, total int) {
	if p.out == nil {
		return
	}
	done := counts[clean] + counts[warned] + counts[failed] + counts[unreadable]
	fmt.Fprintf(p.out, "\r%d of %d checked, %d failed ", done, total, counts[failed]+counts[unreadable])
	p.shown = true
}

func (p *progressLine) clear() {
	if p.shown {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
