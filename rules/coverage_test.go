package rules_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"khatm/rules"
)

func TestBookMatchesOfficialList(t *testing.T) {
	official := map[string]rules.Flag{}
	for _, id := range strings.Fields(officialErrors) {
		official[id] = rules.Error
	}
	for _, id := range strings.Fields(officialWarnings) {
		official[id] = rules.Warning
	}
	if len(official) != 245 {
		t.Fatalf("the official list has %d rules, want 245", len(official))
	}
	seen := map[string]bool{}
	for _, r := range rules.Book() {
		if seen[r.ID] {
			t.Errorf("%s is in the book twice", r.ID)
		}
		seen[r.ID] = true
		switch flag, ok := official[r.ID]; {
		case !ok:
			t.Errorf("%s is not on the official list", r.ID)
		case flag != r.Flag:
			t.Errorf("%s: flag is %s, want %s", r.ID, r.Flag, flag)
		}
	}
	for id := range official {
		if !seen[id] {
			t.Errorf("%s is missing in the book", id)
		}
	}
}

func TestBookMarks(t *testing.T) {
	var sealed, dead []string
	for _, r := range rules.Book() {
		if r.Sealed {
			sealed = append(sealed, r.ID)
		}
		if r.Dead != "" {
			dead = append(dead, r.ID)
		}
	}
	slices.Sort(sealed)
	slices.Sort(dead)
	if want := strings.Fields(sealedRules); !slices.Equal(sealed, want) {
		t.Errorf("sealed rules are %v, want %v", sealed, want)
	}
	if want := strings.Fields(deadRules); !slices.Equal(dead, want) {
		t.Errorf("dead rules are %v, want %v", dead, want)
	}
}

func TestBookHasBothLanguages(t *testing.T) {
	for _, r := range rules.Book() {
		checkWords(t, r.ID+" applies", r.Applies)
		checkWords(t, r.ID+" says", r.Says)
		checkWords(t, r.ID+" fix", r.Fix)
		if hasArabic(r.Dead) {
			t.Errorf("%s: Dead is not in English", r.ID)
		}
	}
	for _, d := range rules.Demands() {
		checkWords(t, d.ID+" says", d.Says)
		checkWords(t, d.ID+" fix", d.Fix)
		if strings.HasPrefix(d.ID, "BR-") {
			t.Errorf("%s is not a rule of the sheets, so its id must not begin with BR-", d.ID)
		}
	}
}

func checkWords(t *testing.T, what string, w rules.Words) {
	t.Helper()
	switch {
	case strings.TrimSpace(w.EN) == "" || strings.TrimSpace(w.AR) == "":
		t.Errorf("%s: the English or the Arabic text is missing", what)
	case hasArabic(w.EN):
		t.Errorf("%s: Arabic letters in English: %s", what, w.EN)
	case !hasArabic(w.AR):
		t.Errorf("%s: no Arabic letters in %q", what, w.AR)
	}
	for _, text := range []string{w.EN, w.AR} {
		if text != strings.Join(strings.Fields(text), " ") {
			t.Errorf("%s: redundant blanks in %q", what, text)
		}
	}
}

func hasArabic(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Arabic, r) && unicode.IsLetter(r) })
}

// TestEachRuleFiresAndStaysQuiet checks for every rule that is not dead that the
// official sheets reported it on a mutant that aims at it, and that it passes on
// some document of the corpus.
func TestEachRuleFiresAndStaysQuiet(t *testing.T) {
	verdicts := recordedVerdicts(t)
	fires, aimed, quiet := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, s := range judgedCorpus(t) {
		for _, aim := range s.aims {
			aimed[aim] = true
		}
		v := verdicts[s.name]
		for _, r := range v.Rules {
			fires[r[0]] = true
		}
		for _, r := range s.opinion.results {
			if r.Status == rules.Passed {
				quiet[r.Rule.ID] = true
			}
		}
	}
	for _, r := range rules.Book() {
		switch {
		case r.Dead != "" && fires[r.ID]:
			t.Errorf("%s is marked as dead, but the official sheets reported it", r.ID)
		case r.Dead != "":
		case !aimed[r.ID]:
			t.Errorf("%s: no mutant aims at it", r.ID)
		case !fires[r.ID]:
			t.Errorf("%s: the official sheets never reported it on the corpus", r.ID)
		case !quiet[r.ID]:
			t.Errorf("%s: it passes on no document of the corpus", r.ID)
		}
	}
}
