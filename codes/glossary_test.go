package codes_test

import (
	"strings"
	"testing"

	"khatm/codes"
)

func TestWords(t *testing.T) {
	wantUnique(t, keysOf(codes.Words()))
	for _, w := range codes.Words() {
		checkEnglish(t, w.Key, w.EN)
		arabic := w.AR
		if w.Key == "page_of" { // the only word with placeholders
			arabic = strings.ReplaceAll(arabic, "%d", "1")
		}
		checkArabic(t, w.Key, arabic)
		if got, ok := codes.FindWord(w.Key); !ok || got != w || codes.MustWord(w.Key) != w {
			t.Errorf("FindWord(%q) = %v, %v, want %v", w.Key, got, ok, w)
		}
	}
	codes.Words()[0].EN = "changed"
	if codes.Words()[0].EN == "changed" {
		t.Error("a caller can change the table")
	}
}

func TestWordsContainEveryGroup(t *testing.T) {
	for _, group := range [][]codes.Word{codes.InvoiceStatuses(), codes.PaymentStatuses(), codes.Roles()} {
		for _, w := range group {
			if got := codes.MustWord(w.Key); got != w {
				t.Errorf("the glossary has %v for %s, want %v", got, w.Key, w)
			}
		}
	}
	for _, s := range codes.DeviceStatuses() {
		if got := codes.MustWord(s.Label.Key); got != s.Label {
			t.Errorf("the glossary has %v for %s, want %v", got, s.Label.Key, s.Label)
		}
	}
}

func TestMustWordPanicsOnAnUnknownKey(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("MustWord did not panic")
		}
	}()
	codes.MustWord("no_such_word")
}
