package issue_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const errorsPage = "../../../docs/errors.md"

// TestGoldenErrorsPage checks docs/errors.md, which is generated from the
// refusals and from the codes of package fault.
func TestGoldenErrorsPage(t *testing.T) {
	want := page()
	testtool.Golden(t, *update, errorsPage, []byte(want))
}

const pageStart = `# Errors

This page is generated; do not edit it. Every error response has a ` + "`code`" + ` and a list ` + "`errors`" + ` with one element for each problem: ` + "`path`" + ` (the field, as in the body that was sent, such as ` + "`form_lines[0].vat_rate`" + `; absent if no single field is the cause), ` + "`code`, `message`, `message_ar`, `fix`, `fix_ar`" + `. Programs should test ` + "`code`" + `, never a text. A code keeps its meaning. The OpenAPI document lists the codes of each operation. The refusal beyond the monthly allowance of invoices (403, with ` + "`upgrade_url`" + `) and an error in the service (500) have no list ` + "`errors`" + `; the former has no ` + "`code`" + ` either.

## Errors of an invoice

Each of these errors is returned with status 400, by create and by preview, with ` + "`message`" + `, ` + "`message_ar`" + `, ` + "`fix`" + ` and ` + "`fix_ar`" + `. No invoice was issued and no number was used. An error by a rule of the tax authority (` + "`rule_violated`" + `) also has ` + "`rule_id`" + ` and ` + "`path`" + `; [rules.md](rules.md) lists the rules. An error about ` + "`reason_id`" + ` lists the active reasons of the organisation in ` + "`reasons`" + ` (at most 100). An invalid body is refused with ` + "`validation_failed`" + ` and a ` + "`message`" + ` list of ` + "`path: problem`" + `.

| Code | Error | Message | Cause | What to do | بالعربية |
|---|---|---|---|---|---|
`

const pageRest = `
## Other errors

The codes of invalid fields, such as ` + "`field_required`" + `, are in the list ` + "`errors`" + ` of a response with the code ` + "`validation_failed`" + `.

| Code | Status | Meaning | What to do | بالعربية |
|---|---|---|---|---|
`

var statusOf = map[fault.Kind]int{
	fault.Internal: 500, fault.Invalid: 400, fault.Unauthenticated: 401, fault.Forbidden: 403, fault.NotFound: 404,
	fault.NotAllowed: 405, fault.Conflict: 409, fault.Exhausted: 429, fault.Unavailable: 503,
}

func page() string {
	var b strings.Builder
	row := func(cells ...string) {
		for i, c := range cells {
			cells[i] = strings.NewReplacer("|", "\\|", "%s", "…", "%d", "…").Replace(c)
		}
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	b.WriteString(pageStart)
	for _, r := range issue.Refusals() {
		row("`"+string(r.Code)+"`", r.Name, r.Message, r.Cause, r.Fix, r.MessageAR+" "+r.FixAR)
	}
	b.WriteString(pageRest)
	for _, e := range fault.Entries() {
		if e.Silent {
			continue
		}
		row("`"+string(e.Code)+"`", fmt.Sprint(statusOf[e.Kind]), e.Says, e.Fix, e.SaysAR+" "+e.FixAR)
	}
	return b.String()
}

// TestInvoiceCodesAreThoseOfTheRefusals compares the codes that package fault
// registers for invoices with the refusals, in both directions.
func TestInvoiceCodesAreThoseOfTheRefusals(t *testing.T) {
	t.Parallel()
	described := map[fault.Code]bool{fault.RuleViolated: true}
	for _, r := range issue.Refusals() {
		if described[r.Code] {
			t.Errorf("two refusals have the code %q", r.Code)
		}
		described[r.Code] = true
		if r.Code.Kind() != fault.Invalid {
			t.Errorf("%s: code %q is not registered as invalid", r.Name, r.Code)
		}
	}
	for _, e := range fault.Entries() {
		described[e.Code] = true
	}
	for _, c := range fault.OfCreate() {
		if !described[c] {
			t.Errorf("no text describes the code %q", c)
		}
	}
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
