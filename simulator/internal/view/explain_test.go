package view

import (
	"slices"
	"strings"
	"testing"

	"khatm/check"
	"khatm/rules"
	"khatm/simulator/internal/journal"
	"khatm/simulator/internal/mood"
)

// TestEveryExplanationIsInArabic checks every rule, every finding of the
// verifier and of the schema, and every fault.
func TestEveryExplanationIsInArabic(t *testing.T) {
	var all []journal.Reason
	for _, r := range rules.Book() {
		all = append(all, journal.Reason{Kind: "refused", Code: r.ID, Cause: r.Says.EN, Fix: r.Fix.EN})
	}
	for _, id := range check.IDs() {
		row := check.Find(id)
		reason := journal.Reason{Kind: "refused", Code: row.Answer.Code, Cause: row.Says.EN, Fix: row.Fix.EN}
		if row.Opinion {
			reason.Kind, reason.Code = "opinion", id
		}
		all = append(all, reason)
	}
	for _, d := range rules.Demands() {
		all = append(all, journal.Reason{Kind: "refused", Code: "XSD_ZATCA_INVALID", Cause: d.Says.EN, Fix: d.Fix.EN})
	}
	for _, k := range mood.Knobs() {
		all = append(all, journal.Reason{Kind: "fault", Code: k.Name, Cause: k.Does, Fix: "x"})
	}
	for _, r := range all {
		shown := arabic.explain([]journal.Reason{r})[0]
		if !isArabic(shown.Says) || !isArabic(shown.Fix) || shown.English || shown.Detail == "" {
			t.Errorf("reason %+v in Arabic is %+v", r, shown)
		}
		if in := english.explain([]journal.Reason{r})[0]; !strings.EqualFold(strings.TrimSuffix(in.Says, "."), strings.TrimSuffix(r.Cause, ".")) || in.Fix != r.Fix || in.Detail != "" {
			t.Errorf("reason %+v in English is %+v", r, in)
		}
	}
	for key, w := range ownExplanations {
		if !isArabic(w.says) || !isArabic(w.fix) {
			t.Errorf("explanation of %s is %+v, want Arabic texts", key, w)
		}
	}
	if len(faultWords) != len(mood.Knobs()) {
		t.Errorf("%d faults are described in Arabic, want %d", len(faultWords), len(mood.Knobs()))
	}
}

// A finding that shares its code with others is explained by its own advice.
func TestFindingsWithTheSameCode(t *testing.T) {
	texts := map[string]bool{}
	for _, id := range check.IDs() {
		if row := check.Find(id); row.Answer.Code == "invalid-certificate" && !row.Opinion {
			texts[arabicOf(journal.Reason{Kind: "refused", Code: row.Answer.Code, Fix: row.Fix.EN}).fix] = true
			if got := arabicOf(journal.Reason{Kind: "refused", Code: row.Answer.Code, Fix: row.Fix.EN}); got.fix != row.Fix.AR {
				t.Errorf("%s: advice %q, want %q", id, got.fix, row.Fix.AR)
			}
		}
	}
	if len(texts) < 2 {
		t.Errorf("%d advices for invalid-certificate, want several", len(texts))
	}
}

// An unknown reason keeps its English text on an Arabic page.
func TestUnknownReason(t *testing.T) {
	got := arabic.explain([]journal.Reason{{Kind: "new kind", Code: "new", Cause: "uuid of the request: x", Field: "elsewhere", Fix: "Do it."}})[0]
	if got.Says != "Uuid of the request: x." || got.Fix != "Do it." || !got.English || got.Kind != "warning" {
		t.Errorf("unknown reason = %+v", got)
	}
	for field, want := range map[string]string{"uuid": "uuid of the request.", "": "Uuid of the request."} {
		if got := sentence("uuid of the request", field); got != want {
			t.Errorf("sentence with field %q = %q, want %q", field, got, want)
		}
	}
	if got := sentence("invoiceHash is wrong.", ""); got != "invoiceHash is wrong." {
		t.Errorf("sentence = %q, want it unchanged", got)
	}
}

// Names in backquotes become code.
func TestAdvice(t *testing.T) {
	got := explanation{Fix: "Set `vat_rate` to 15 or `x"}.Advice()
	want := []textPart{{"Set ", false}, {"vat_rate", true}, {" to 15 or ", false}, {"x", true}}
	if !slices.Equal(got, want) {
		t.Errorf("Advice() = %+v, want %+v", got, want)
	}
}

func isArabic(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r >= 0x0621 && r <= 0x064A }) && strings.HasSuffix(text, ".")
}
