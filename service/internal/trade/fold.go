package trade

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Fold writes a text so that spellings which people take for the same come out
// equal. Search compares folded words: what is searched and what is asked for
// both go through here.
//
// Case, diacritics, tatweel and marks that do not show are gone; hamza forms,
// ة and ه, ى and ي are one; digits are Latin. Dots, dashes and apostrophes
// within a word are gone (W.L.L. is wll, 1010-18 is 101018), but not the point
// of a number. All else that stands between words is one blank, so that an
// e-mail address is two words. Folding twice changes nothing.
func Fold(text string) string {
	text = norm.NFKD.String(strings.Map(withoutLooseMark, text))
	text = ligatures.Replace(strings.Map(foldLetter, text))
	return norm.NFC.String(strings.Join(strings.Fields(numberPoints(text)), " "))
}

// withoutLooseMark drops the presentation forms of Arabic diacritics and the
// acute accent that stand alone: NFKD would put a blank into the word.
func withoutLooseMark(r rune) rune {
	switch {
	case 0xFC5E <= r && r <= 0xFC63, 0xFE70 <= r && r <= 0xFE7F, r == '´':
		return -1
	}
	return r
}

// foldLetter folds one character of a decomposed text: to nothing (-1), to a
// blank, or to a letter. The hamza of أ, ؤ, ئ and the accent of é are marks of
// their own by now.
func foldLetter(r rune) rune {
	if to, listed := letters[r]; listed {
		return to
	}
	r = latinDigit(r)
	switch {
	case 0x2B9 <= r && r <= 0x2BF: // ʿ, ʾ and their like
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

// isDiacritic tells marks that change how a letter is read from those that are
// letters of their script, as in Hindi, Thai and Japanese.
func isDiacritic(mark rune) bool {
	voiced := mark == 0x3099 || mark == 0x309A
	return !voiced && unicode.In(mark, unicode.Inherited, unicode.Arabic)
}

// letters are those that fold to another. Letters that an Arabic keyboard does
// not have fold to what people type in their place.
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

// numberPoints drops the dots that do not stand between two digits.
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
