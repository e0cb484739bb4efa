package issue_test

import (
	"flag"
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/service/internal/issue"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const errorsPage = "../../../docs/errors.md"

// TestGoldenErrorsPage checks docs/errors.md, which is generated from the
// refusals.
func TestGoldenErrorsPage(t *testing.T) {
	want := page()
	testtool.Golden(t, *update, errorsPage, []byte(want))
}

func page() string {
	var b strings.Builder
	b.WriteString(`# Errors of an invoice

This page is generated; do not edit it. Each of these errors is returned with status 400, by create and by preview, with ` + "`message`" + `, ` + "`message_ar`" + `, ` + "`fix`" + ` and ` + "`fix_ar`" + `. No invoice was issued and no number was used. An error by a rule of the tax authority also has ` + "`rule_id`" + ` and ` + "`path`" + `; [rules.md](rules.md) lists the rules. An invalid body is refused with a ` + "`message`" + ` list of ` + "`path: problem`" + `.

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
			t.Errorf("refusal %q has an empty field", r.Name)
		}
		if seen[r.Name] {
			t.Errorf("refusal %q exists twice", r.Name)
		}
		seen[r.Name] = true
		for _, text := range []string{r.MessageAR, r.FixAR} {
			if !strings.HasSuffix(text, ".") {
				t.Errorf("%q: Arabic %q does not end with a full stop", r.Name, text)
			}
		}
		if strings.Count(r.Message, "%") != strings.Count(r.MessageAR, "%") {
			t.Errorf("refusal %q has a different number of values in Arabic", r.Name)
		}
	}
}
