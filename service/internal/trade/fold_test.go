package trade_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"khatm/service/internal/trade"
)

// same lists pairs of texts that must fold to the same text.
var same = []struct{ name, a, b string }{
	{"hamza above alef", "أحمد", "احمد"},
	{"hamza below alef", "إبراهيم", "ابراهيم"},
	{"madda on alef", "آلات", "الات"},
	{"alef wasla", "ٱلرياض", "الرياض"},
	{"hamza typed after the alef", "ا\u0654حمد", "أحمد"},
	{"high hamza", "ٵحمد", "احمد"},
	{"hamza on waw", "مؤسسة", "موسسه"},
	{"hamza on yeh", "الطائف", "الطايف"},
	{"hamza on the line", "الإحساء", "الاحسا"},
	{"two ways to end a word", "شيء", "شئ"},
	{"taa marbuta", "شركة", "شركه"},
	{"taa marbuta in two words", "شركة التقنية", "شركه التقنيه"},
	{"alef maqsura", "مصطفى", "مصطفي"},
	{"alef maqsura and yeh", "على", "علي"},
	{"tatweel", "الريـــاض", "الرياض"},
	{"tatweel at the end", "ختمـ", "ختم"},
	{"short vowels", "مُحَمَّد", "محمد"},
	{"tanween", "شكرًا", "شكرا"},
	{"sukun", "نُورْ", "نور"},
	{"superscript alef", "هٰذا", "هذا"},
	{"Koranic mark", "رحمۖ", "رحم"},
	{"all at once", "مُؤَسَّسَةُ الأَمَل", "موسسه الامل"},
	{"Arabic-Indic digits", "٣٠٠١٢٣", "300123"},
	{"Persian digits", "۴۵۶", "456"},
	{"digits of several scripts", "٤۴4", "444"},
	{"Arabic decimal point", "١٫٥ لتر", "1.5 لتر"},
	{"Arabic thousands", "١٬٥٠٠", "1500"},
	{"Persian kaf", "شرکة", "شركة"},
	{"Persian yeh", "علی", "علي"},
	{"Urdu heh", "ہادی", "هادي"},
	{"Urdu do-chashmi heh", "ھند", "هند"},
	{"letter of a brand", "ڤيتال", "فيتال"},
	{"Persian peh", "پيتزا", "بيتزا"},
	{"Gulf gaf", "گاردن", "كاردن"},
	{"lam-alef, isolated form", "ﻻ", "لا"},
	{"lam-alef with hamza, final form", "ﻷمل", "لامل"},
	{"presentation forms", "ﺷﺮﻛﺔ", "شركة"},
	{"ligature of the name of God", "عبدﷲ", "عبدالله"},
	{"loose form of shadda", "محم\uFE7Cد", "محمد"},
	{"loose form of two marks", "محم\uFC60د", "محمد"},
	{"case", "Al NOOR", "al noor"},
	{"accent", "Café Société", "cafe societe"},
	{"accent typed after its letter", "cafe\u0301", "café"},
	{"umlaut", "Müller & Söhne", "muller  sohne"},
	{"sharp s", "Straße", "STRASSE"},
	{"dotted capital I", "İstanbul", "istanbul"},
	{"dotless i", "Işık", "isik"},
	{"letters with a stroke", "Łódź Ørsted", "lodz orsted"},
	{"ligatures", "Æon ﬁne œuvre", "aeon fine oeuvre"},
	{"full width", "ＡＢＣ１２３", "abc123"},
	{"final sigma", "ΟΔΟΣ", "οδος"},
	{"white space", "  Al \t\n Noor\u00a0Co  ", "al noor co"},
	{"marks of direction", "\u200fشركة\u200e \u202bالنور\u202c", "شركة النور"},
	{"isolates", "\u2066Khatm\u2069", "khatm"},
	{"joiners that do not show", "خا\u200cنه\u200d", "خانه"},
	{"soft hyphen and byte order mark", "\ufeffTra\u00adding", "trading"},
	{"abbreviation", "W.L.L.", "wll"},
	{"dash in a number", "1010-183482", "1010183482"},
	{"dash in a name", "Al-Noor", "alnoor"},
	{"apostrophes", "Sa'ud O’Brien", "saud obrien"},
	{"transliterated ayn and hamza", "ʿAlāʾ", "ala"},
	{"underscore", "first_last", "firstlast"},
	{"punctuation between words", "جدة، الرياض؛ مكة", "جده الرياض مكه"},
	{"ampersand", "A&B", "a b"},
	{"slash and brackets", "Khatm (KSA)/Branch", "khatm ksa branch"},
	{"guillemets", "«ختم»", "ختم"},
	{"e-mail address", "Info@AlNoor.sa", "info alnoorsa"},
	{"control characters", "a\x00b", "a b"},
	{"not UTF-8", "a\xffb", "a b"},
	{"Hangul, composed or not", "\u1112\u1161\u11ab", "한"},
}

// different lists pairs of texts that must fold to different texts.
var different = []struct{ name, a, b string }{
	{"other letter", "نور", "نار"},
	{"dots", "بيت", "نبت"},
	{"heh and hah", "هادي", "حادي"},
	{"taa and taa marbuta", "شركت", "شركة"},
	{"dad and zah", "ضل", "ظل"},
	{"seen and sad", "سيف", "صيف"},
	{"thal and zain", "ذكي", "زكي"},
	{"ghain and ain", "غالي", "عالي"},
	{"doubled letter", "محمد", "محممد"},
	{"waw and yeh", "نور", "نير"},
	{"alef in the middle", "خالد", "خلد"},
	{"other digit", "٣٠٠", "٣٠١"},
	{"order of digits", "12", "21"},
	{"point of a number", "1.5 L", "15 L"},
	{"two words", "al noor", "alnoor"},
	{"Latin letters", "noor", "nour"},
	{"script", "khatm", "ختم"},
	{"vowel signs of Hindi", "कि", "के"},
	{"vowel signs of Thai", "กิ", "กุ"},
	{"voiced mark of Japanese", "が", "か"},
	{"half-voiced mark of Japanese", "パ", "ハ"},
	{"nothing", "", "ا"},
}

func TestFoldUnifiesSpellings(t *testing.T) {
	for _, c := range same {
		t.Run(c.name, func(t *testing.T) {
			if a, b := trade.Fold(c.a), trade.Fold(c.b); a != b {
				t.Errorf("Fold(%q) = %q, Fold(%q) = %q; want the same", c.a, a, c.b, b)
			}
		})
	}
}

func TestFoldKeepsDifferentWordsApart(t *testing.T) {
	for _, c := range different {
		t.Run(c.name, func(t *testing.T) {
			if a, b := trade.Fold(c.a), trade.Fold(c.b); a == b {
				t.Errorf("Fold(%q) and Fold(%q) are both %q, want different texts", c.a, c.b, a)
			}
		})
	}
}

func TestFold(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"Arabic name", "  شَرِكَةُ الإبداعِ للتّجارة  ", "شركه الابداع للتجاره"},
		{"Latin name", "Al-Noor Trading Co. (W.L.L.)", "alnoor trading co wll"},
		{"e-mail address", "Sales.Dept+ksa@al-noor.com.sa", "salesdept ksa alnoorcomsa"},
		{"VAT number in groups", "٣١٠ ١٧٥ ٣٩٧ ٤٠٠ ٠٠٣", "310 175 397 400 003"},
		{"point of a number", "زيت 1.5 لتر.", "زيت 1.5 لتر"},
		{"several points", "v1.2.3 ... 4. 5", "v1.2.3 4 5"},
		{"points in a row", "1..2", "12"},
		{"superscript and fraction", "m² ½", "m2 1 2"},
		{"only marks", "ـًٌٍ \u200f«»", ""},
		{"hamza alone", "ء", ""},
		{"other scripts stay", "हिन्दी 日本 ไทย", "हिन्दी 日本 ไทย"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := trade.Fold(c.text); got != c.want {
				t.Errorf("Fold(%q) = %q, want %q", c.text, got, c.want)
			}
		})
	}
}

// isFolded reports whether text is a possible result of Fold.
func isFolded(text string) bool {
	return utf8.ValidString(text) && trade.Fold(text) == text &&
		text == strings.Join(strings.Fields(text), " ") && text == strings.ToLower(text)
}

func TestFoldIsIdempotent(t *testing.T) {
	// Beyond the second plane there are only Chinese letters, which are kept, and
	// tags.
	for r := rune(0); r < 0x20000; r++ {
		for _, text := range []string{string(r), "1" + string(r) + "2", "لا" + string(r) + "\u0654b"} {
			if once := trade.Fold(text); !isFolded(once) {
				t.Errorf("%U: Fold(%q) = %q, folded again %q; want the same", r, text, once, trade.Fold(once))
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(
			rapid.String(),
			rapid.StringOfN(rapid.SampledFrom([]rune("اأإآءؤئىيةهـًّٰ.-'12٣۴ aÉ\u0301\u0654\u200f\u1112\u1161ßﻻ@،")), -1, 40, -1),
		).Draw(t, "text")
		if once := trade.Fold(text); !isFolded(once) {
			t.Errorf("Fold(%q) = %q, folded again %q; want the same", text, once, trade.Fold(once))
		}
	})
}

func FuzzFold(f *testing.F) {
	for _, c := range same {
		f.Add(c.a)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if once := trade.Fold(text); !isFolded(once) {
			t.Errorf("Fold(%q) = %q, folded again %q; want the same", text, once, trade.Fold(once))
		}
	})
}

func BenchmarkFold(b *testing.B) {
	const text = "شركة النور للتجارة Al Noor Trading Co. 310175397400003 info@alnoor.sa"
	for b.Loop() {
		trade.Fold(text)
	}
}
