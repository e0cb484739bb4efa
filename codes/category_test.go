package codes_test

import (
	"testing"

	"khatm/codes"
	"khatm/money"
)

func TestCategories(t *testing.T) {
	want := []struct {
		code, key string
		rates     string
		freeText  bool
		reason    bool
	}{
		{"S", "STANDARD_RATED", "15 5 ", false, false},
		{"Z", "ZERO_RATED", "0 ", false, true},
		{"E", "EXEMPT", "0 ", false, true},
		{"O", "NOT_SUBJECT_TO_VAT", "0 ", true, true},
	}
	all := codes.Categories()
	if len(all) != len(want) {
		t.Fatalf("got %d categories, want %d", len(all), len(want))
	}
	for i, w := range want {
		c, ok := codes.FindCategory(w.code)
		if !ok || c.Entry != all[i].Entry {
			t.Fatalf("FindCategory(%q) = %v, %v; list has %v", w.code, c, ok, all[i])
		}
		rates := ""
		for _, r := range c.Rates() {
			rates += r.String() + " "
			if !c.Allows(r) {
				t.Errorf("Allows(%s) of its own rate %s = false, want true", w.code, r)
			}
		}
		if c.Key != w.key || rates != w.rates || c.FreeText != w.freeText || c.NeedsReason() != w.reason {
			t.Errorf("%s: got %s, rates %q, free text %v, needs reason %v, want %+v", w.code, c.Key, rates, c.FreeText, c.NeedsReason(), w)
		}
		checkEnglish(t, c.Key, c.EN)
		checkArabic(t, c.Key, c.AR)
	}
	if _, ok := codes.FindCategory("s"); ok {
		t.Error("FindCategory(s) found a category, want none")
	}
}

func TestCategoryAllows(t *testing.T) {
	standard, _ := codes.FindCategory(codes.StandardRated)
	for rate, want := range map[string]bool{"15": true, "15.00": true, "5.0": true, "0": false, "10": false, "15.01": false} {
		if got := standard.Allows(money.MustParse(rate)); got != want {
			t.Errorf("Allows(%s) of S = %v, want %v", rate, got, want)
		}
	}
}

func TestCategoryCannotBeChanged(t *testing.T) {
	codes.Categories()[0].Rates()[0] = money.FromInt(99)
	codes.Categories()[0].FreeText = true
	standard, _ := codes.FindCategory(codes.StandardRated)
	if standard.FreeText || !standard.Rates()[0].Equal(money.FromInt(15)) {
		t.Error("a caller can change the table")
	}
}
