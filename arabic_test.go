package khatm_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode"

	"khatm/codes"
)

// TestArabicTexts checks the words and the punctuation of every Arabic text in
// the code. It reads the string literals of non-test files, so that a new table
// of texts is checked without being listed here.
func TestArabicTexts(t *testing.T) {
	report(t, arabicFaults(thisTree(t)))
}

// arabicFaults reports Arabic string literals with a word to avoid, with
// punctuation of another script, or with a field name in a text for people.
// Struct tags are English with examples; the samples are texts of taxpayers.
func arabicFaults(all []source) []string {
	var faults []string
	for _, s := range all {
		if s.isTest() || s.path == "codes/avoid.go" || s.dir == "sample" {
			continue
		}
		ast.Inspect(s.tree, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(literal.Value)
			if err != nil || !strings.ContainsFunc(text, isArabicLetter) || strings.Contains(text, ` doc:"`) {
				return true
			}
			for _, fault := range arabicTextFaults(text) {
				faults = append(faults, fmt.Sprintf("%s: %s in %q", s.at(literal.Pos()), fault, text))
			}
			if name := fieldName.FindString(text); name != "" && slices.Contains(forPeople, s.dir) {
				faults = append(faults, fmt.Sprintf("%s: field name %s in %q, write its Arabic name", s.at(literal.Pos()), name, text))
			}
			return true
		})
	}
	return faults
}

// forPeople are the packages whose texts are for buyers and accountants, who do
// not know the field names of the API.
var forPeople = []string{"codes", "paper", "service/internal/guest", "service/internal/share"}

var fieldName = regexp.MustCompile(`[a-z]+_[a-z_]+|cbc:|cac:`)

// arabicRule is a pattern that no Arabic text may match, with advice for a text
// that does.
type arabicRule struct {
	pattern *regexp.Regexp
	advice  string
}

var punctuation = []arabicRule{
	{regexp.MustCompile(`\p{Arabic}\)?[,;?]`), "use the Arabic comma, semicolon or question mark"},
	{regexp.MustCompile(`\p{Arabic} +[،؛؟.:]`), "remove the space before the punctuation mark"},
	{regexp.MustCompile(`[،؛؟][^\s»)\n]`), "add a space after the punctuation mark"},
	{regexp.MustCompile(`\p{Arabic}  +\p{Arabic}`), "remove the second space"},
	{regexp.MustCompile(`(^|[^\p{L}])و [A-Za-z]`), "remove the space after و"},
	{regexp.MustCompile(`[٠-٩۰-۹]`), "use Western digits"},
}

// arabicTextFaults returns the faults of one text.
func arabicTextFaults(text string) []string {
	var faults []string
	for _, r := range slices.Concat(avoidedWords(), punctuation) {
		if found := r.pattern.FindString(text); found != "" {
			faults = append(faults, fmt.Sprintf("%q, %s", found, r.advice))
		}
	}
	if strings.Count(text, "القيمة المضافة") != strings.Count(text, "ضريبة القيمة المضافة") {
		faults = append(faults, "write ضريبة القيمة المضافة")
	}
	return faults
}

// avoidedWords returns the expressions that the glossary rules out.
var avoidedWords = sync.OnceValue(func() []arabicRule {
	var all []arabicRule
	for _, a := range codes.AvoidedWords() {
		advice := "reword the sentence"
		if w, ok := codes.FindWord(a.Key); ok {
			advice = "the glossary says " + w.AR
		}
		all = append(all, arabicRule{avoidedPattern(a.AR), advice})
	}
	return all
})

// avoidedPattern matches an expression as whole words, with the prefixes and
// endings that Arabic writes together with a word.
func avoidedPattern(expression string) *regexp.Regexp {
	const prefix, ending = `(^|[^\p{L}\p{M}])[وف]?[بكل]?(ال|ل)?`, `(ً?ا|ه|ها|هم|ك|كم|ين|ان|ات)?($|[^\p{L}\p{M}])`
	word := regexp.QuoteMeta(expression)
	if bare, ok := strings.CutPrefix(expression, "ال"); ok {
		word = `(` + word + `|لل` + regexp.QuoteMeta(bare) + `)`
	}
	if strings.HasSuffix(expression, " ب") {
		return regexp.MustCompile(prefix + word)
	}
	return regexp.MustCompile(prefix + word + ending)
}

func isArabicLetter(r rune) bool { return unicode.Is(unicode.Arabic, r) && unicode.IsLetter(r) }

func TestArabicFaultsAreSeen(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"يجب أن يتضمن المستند بندًا واحدًا على الأقل.", ""},
		{"يجب أن يتضمن المستند سطرًا واحدًا على الأقل.", "the glossary says البند"},
		{"المبلغ الصافي للسطر.", "the glossary says البند"},
		{"مجموع الأسطر.", "the glossary says البند"},
		{"المسطرة الصافية.", ""},
		{"شركة النور للتجارة", ""},
		{"اسم الشركة.", "the glossary says المنشأة"},
		{"مفتاح الشهادة.", "the glossary says شهادة الختم التشفيري"},
		{"الرقم التسلسلي للشهادة.", "the glossary says شهادة الختم التشفيري"},
		{"شهادة الختم التشفيري.", ""},
		{"اعتماد المسودة", "the glossary says الموافقة على المسودة"},
		{"بانتظار اعتماد الهيئة", ""},
		{"تمت الموافقة من قِبل المستلم.", "reword the sentence"},
		{"خُصمت من قبل.", ""},
		{"إجمالي القيمة المضافة", "write ضريبة القيمة المضافة"},
		{"إجمالي لضريبة القيمة المضافة", ""},
		{"الاسم, العنوان", "Arabic comma"},
		{"الاسم ، العنوان", "remove the space before"},
		{"الاسم،العنوان", "add a space after"},
		{"الحقلان lines و form_lines", "remove the space after و"},
		{"خلال ١٠ دقائق", "Western digits"},
	} {
		got := strings.Join(arabicTextFaults(c.text), "; ")
		if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("faults of %q = %q, want %q", c.text, got, c.want)
		}
	}
}
