package check_test

import (
	"bytes"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"khatm/check"
	"khatm/internal/testtool"
	"khatm/rules"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGoldenTable compares every row with a golden file, because callers read
// the texts and a change must be intended.
func TestGoldenTable(t *testing.T) {
	const file = "testdata/findings.golden"
	var got bytes.Buffer
	for _, id := range slices.Sorted(slices.Values(check.IDs())) {
		r := check.Find(id)
		fmt.Fprintf(&got, "%s\n  part %d %s opinion=%t\n  %s\n  %s\n  %s\n  %s\n", id, r.Part, r.Flag, r.Opinion, r.Says.EN, r.Says.AR, r.Fix.EN, r.Fix.AR)
		if a := r.Answer; a != (check.Answer{}) {
			fmt.Fprintf(&got, "  %s %s %s strict=%t ours=%t\n  %s\n  %s\n", a.Flag, a.Code, a.Category, a.Strict, a.Ours, a.Says.EN, a.Says.AR)
		}
	}
	testtool.Golden(t, *update, file, got.Bytes())
}

// An opinion is a warning and has no answer of the authority. Every other
// finding has one, of the same severity.
func TestSeverities(t *testing.T) {
	opinions := 0
	for _, id := range check.IDs() {
		r := check.Find(id)
		switch answered := r.Answer != (check.Answer{}); {
		case r.Opinion:
			opinions++
			if answered || r.Flag != rules.Warning || !check.IsOpinion(id) {
				t.Errorf("%s is an opinion: flag %s, answer %+v, want a warning without an answer", id, r.Flag, r.Answer)
			}
		case id == check.Unreadable:
		case !answered || r.Answer.Flag != r.Flag:
			t.Errorf("%s: flag %s, answer %+v, want an answer with this flag", id, r.Flag, r.Answer)
		}
	}
	if opinions == 0 {
		t.Error("no finding is an opinion")
	}
	for _, id := range []string{"BR-KSA-28", "UBL-ORDER", "SHEET-TIME", "unknown"} {
		if check.IsOpinion(id) {
			t.Errorf("IsOpinion(%s) = true, want false", id)
		}
	}
}

// Every text must exist in both languages, and an answer must have a code and a
// category.
func TestRowsAreComplete(t *testing.T) {
	arabic := func(r rune) bool { return unicode.Is(unicode.Arabic, r) }
	for _, id := range check.IDs() {
		r := check.Find(id)
		texts := []rules.Words{r.Says, r.Fix}
		if a := r.Answer; a != (check.Answer{}) {
			texts = append(texts, a.Says)
			if a.Code == "" || a.Category == "" || a.Flag != rules.Error && a.Flag != rules.Warning {
				t.Errorf("%s: the answer %+v is not complete", id, a)
			}
		}
		for _, w := range texts {
			if w.EN == "" || strings.ContainsFunc(w.EN, arabic) || !strings.ContainsFunc(w.AR, arabic) {
				t.Errorf("%s: texts %q and %q, want English and Arabic", id, w.EN, w.AR)
			}
			if !strings.HasSuffix(w.AR, ".") {
				t.Errorf("%s: Arabic %q does not end with a full stop", id, w.AR)
			}
		}
	}
}
