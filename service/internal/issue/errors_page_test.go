package issue_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"khatm/service/internal/issue"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const errorsPage = "../../../docs/errors.md"

// TestGoldenErrorsPage holds docs/errors.md to the admission table, of which it is
// made.
func TestGoldenErrorsPage(t *testing.T) {
	want := page()
	if *update {
		if err := os.WriteFile(errorsPage, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(errorsPage)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/errors.md is not what the refusals say: run make golden")
	}
}

func page() string {
	var b strings.Builder
	b.WriteString(`# Errors of an invoice

Generated from the code; do not edit. A create and a preview return each of these errors as a 400 with ` + "`message`" + `, ` + "`message_ar`" + `, ` + "`fix`" + ` and ` + "`fix_ar`" + `. Nothing is issued and no number is used. An error for a rule of the tax authority also has ` + "`rule_id`" + ` and ` + "`path`" + `: [rules.md](rules.md) lists the rules. For an invalid body, ` + "`message`" + ` is a list of ` + "`path: problem`" + `.

| Error | Message | Cause | What to do | بالعربية |
|---|---|---|---|---|
`)
	for _, r := range issue.Refusals() {
		cells := []string{r.Name, r.Message, r.Cause, r.Fix, r.MessageAR + " " + r.FixAR}
		for i, c := range cells {
			cells[i] = strings.NewReplacer("|", "\\|", "%s", "…", "%d", "…").Replace(c)
		}
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	return b.String()
}

func TestRefusalsSayWhatToDoInBothLanguages(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, r := range issue.Refusals() {
		if r.Name == "" || r.Message == "" || r.Cause == "" || r.Fix == "" || r.MessageAR == "" || r.FixAR == "" {
			t.Errorf("%q leaves something out", r.Name)
		}
		if seen[r.Name] {
			t.Errorf("%q stands twice", r.Name)
		}
		seen[r.Name] = true
		if strings.Count(r.Message, "%") != strings.Count(r.MessageAR, "%") {
			t.Errorf("%q has other values in Arabic", r.Name)
		}
	}
}
