package rules_test

import (
	"strings"
	"testing"

	"khatm/rules"
)

func TestArabicSentencesEndWithAFullStop(t *testing.T) {
	check := func(id string, texts ...rules.Words) {
		for _, w := range texts {
			if !strings.HasSuffix(w.AR, ".") || strings.HasSuffix(w.AR, "..") {
				t.Errorf("%s: Arabic %q does not end with one full stop", id, w.AR)
			}
		}
	}
	for _, r := range rules.Book() {
		check(r.ID, r.Says, r.Fix)
		if strings.HasSuffix(r.Applies.AR, ".") {
			t.Errorf("%s: %q ends with a full stop, want a phrase without one", r.ID, r.Applies.AR)
		}
	}
	for _, d := range rules.Demands() {
		check(d.ID, d.Says, d.Fix)
	}
}
