package trade

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Fold normalises text for search, so that common spelling variants become
// equal. Both the stored text and the query are folded.
//
// It removes case, diacritics, tatweel and invisible characters; unifies the
// forms of hamza, ة and ه, and ى and ي; and converts digits to Latin. Dots,
// dashes and apostrophes within a word are removed (W.L.L. becomes wll, 1010-18
// becomes 101018), except the decimal point of a number. Everything else
// between words becomes one space, so an e-mail address is two words. Fold is
// idempotent.
func Fold(text string) string {
	text = norm.NFKD.String(strings.Map(withoutLooseMark, text))
	text = ligatures.Replace(strings.Map(foldLetter, text))
	return norm.NFC.String(strings.Join(strings.Fields(numberPoints(text)), " "))
}

// withoutLooseMark drops standalone presentation forms of Arabic diacritics and
// the acute accent, for which NFKD would insert a space into the word.
func withoutLooseMark(r rune) rune {
	switch {
	case 0xFC5E <= r && r <= 0xFC63, 0xFE70 <= r && r <= 0xFE7F, r == '´':
		return -1
	}
	return r
}

// foldLetter folds one character of decomposed text: to nothing (-1), to a
// space, or to a letter. The hamza of أ, ؤ, ئ and the accent of é are separate
// marks here.
func foldLetter(r rune) rune {
	if to, listed := letters[r]; listed {
		return to
	}
	r = latinDigit(r)
	switch {
	case 0x2B9 <= r && r <= 0x2BF: // ʿ, ʾ and similar
		return -1
	case unicode.IsLetter(r), unicode.IsNumber(r), r == '.':
		return unicode.ToLower(r)
	case unicode.IsMark(r) && !isDiacritic(r):
		return r
	case unicode.IsMark(r), unicode.Is(unicode.Cf, r):
		return -1
	}
	return ' '
}

// isDiacritic reports whether a mark only modifies a letter. In scripts such as
// Hindi, Thai and Japanese, some marks are letters.
func isDiacritic(mark rune) bool {
	voiced := mark == 0x3099 || mark == 0x309A
	return !voiced && unicode.In(mark, unicode.Inherited, unicode.Arabic)
}

// letters maps letters to what they fold to. Letters missing on an Arabic
// keyboard fold to what people type instead.
var letters = map[rune]rune{
	'ـ': -1, 'ء': -1, 'ٴ': -1,
	'ٱ': 'ا', 'ٲ': 'ا', 'ٳ': 'ا',
	'ة': 'ه', 'ۃ': 'ه', 'ہ': 'ه', 'ھ': 'ه', 'ە': 'ه',
	'ى': 'ي', 'ی': 'ي', 'ے': 'ي',
	'ک': 'ك', 'ڪ': 'ك', 'گ': 'ك',
	'پ': 'ب', 'چ': 'ج', 'ژ': 'ز', 'ڤ': 'ف',

	'ı': 'i', 'Ø': 'o', 'ø': 'o', 'Ł': 'l', 'ł': 'l', 'Đ': 'd', 'đ': 'd', 'Ð': 'd', 'ð': 'd', 'Ħ': 'h', 'ħ': 'h', 'ς': 'σ',

	'\'': -1, '`': -1, '‘': -1, '’': -1, '-': -1, '‐': -1, '‑': -1, '_': -1,
	'٬': -1, '٫': '.',
}

var ligatures = strings.NewReplacer("ß", "ss", "æ", "ae", "œ", "oe", "þ", "th")

// numberPoints removes dots that are not between two digits.
func numberPoints(text string) string {
	if !strings.Contains(text, ".") {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := range len(text) {
		if text[i] == '.' && (i == 0 || i+1 == len(text) || !isDigits(text[i-1:i], 1) || !isDigits(text[i+1:i+2], 1)) {
			continue
		}
		out = append(out, text[i])
	}
	return string(out)
}
