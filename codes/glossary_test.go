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
		if w.Key == "page_of" { // the only word with numbers to fill in
			arabic = strings.ReplaceAll(arabic, "%d", "1")
		}
		checkArabic(t, w.Key, arabic)
		if got, ok := codes.FindWord(w.Key); !ok || got != w || codes.MustWord(w.Key) != w {
			t.Errorf("FindWord(%q) = %v, %v", w.Key, got, ok)
		}
	}
	codes.Words()[0].EN = "changed"
	if codes.Words()[0].EN == "changed" {
		t.Error("a caller can change the table")
	}
}

func TestWordsHoldEveryGroup(t *testing.T) {
	for _, group := range [][]codes.Word{codes.InvoiceStatuses(), codes.PaymentStatuses(), codes.Roles()} {
		for _, w := range group {
			if codes.MustWord(w.Key) != w {
				t.Errorf("%s is said twice", w.Key)
			}
		}
	}
	for _, s := range codes.DeviceStatuses() {
		if codes.MustWord(s.Label.Key) != s.Label {
			t.Errorf("%s is said twice", s.Label.Key)
		}
	}
}

func TestMustWordPanicsOnAnUnknownKey(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	codes.MustWord("no_such_word")
}
