package judge

import (
	"strings"
	"testing"
	"unicode"
)

// TestEveryEntrySpeaksBothLanguages checks that every message is complete in
// English and Arabic.
func TestEveryEntrySpeaksBothLanguages(t *testing.T) {
	all := []entry{xsdValid, xsdInvalid, notSimplified, notStandard, otherUUID, otherHash, rulesAborted, otherTaxpayer, invalidCertificate}
	for _, words := range quoted {
		all = append(all, entry{severity: warning, code: "rule", category: saudi, says: words})
	}
	for _, e := range all {
		if e.code == "" || e.category == "" || e.says.EN == "" {
			t.Errorf("entry = %+v, want a code, a category and an English text", e)
		}
		arabic := func(r rune) bool { return unicode.Is(unicode.Arabic, r) }
		if strings.ContainsFunc(e.says.EN, arabic) || !strings.ContainsFunc(e.says.AR, arabic) {
			t.Errorf("%s: texts are %q and %q, want English and Arabic", e.code, e.says.EN, e.says.AR)
		}
		if !strings.HasSuffix(e.says.AR, ".") && e.code != xsdInvalid.code { // the parser's own text follows that one
			t.Errorf("%s: Arabic text is %q, want a full stop at the end", e.code, e.says.AR)
		}
	}
}
