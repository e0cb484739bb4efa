package paper_test

import (
	"strings"
	"testing"

	"khatm/paper"
)

// TestWording checks printed texts that differ from the names in the code lists or that
// depend on the kind of document.
func TestWording(t *testing.T) {
	for _, c := range []struct {
		kind     string
		language paper.Language
		want     string
	}{
		{"388-export-z32-usd", paper.Bilingual, "trait: [فاتورة تصدير / Export invoice]\n"},
		{"381-export-z32-usd", paper.Bilingual, "trait: [تصدير / Export]\n"},
		{"383-export-z32-usd", paper.English, "trait: [Export]\n"},
		{"388-standard-all-usd-advance-two-rates", paper.English, "vat: [Zero rated supplies] [Z]"},
		{"388-export-z32-usd", paper.Bilingual, "vat: [التوريدات الخاضعة للضريبة بنسبة الصفر / Zero rated supplies] [Z]"},
		{"388-standard-s15-sar", paper.Bilingual, "الرقم\u00A0الفرعي\u00A07261"},
		{"credit", paper.Bilingual, "payment: [وسيلة الدفع / Payment means] [تحويل بنكي ¶ Credit transfer]\n"},
	} {
		t.Run(c.kind+"/"+string(c.language), func(t *testing.T) {
			said, err := paper.Said(sealed(t, facts(t, c.kind)).XML, paper.Options{Language: c.language})
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(said, c.want) {
				t.Errorf("the content lacks %q:\n%s", c.want, said)
			}
		})
	}
}

// Traits of a note do not call it an invoice.
func TestTraitsOfNotes(t *testing.T) {
	for kind, want := range map[string]string{
		"388-standard-s15-sar": "trait: [Third-party invoice]\ntrait: [Summary invoice]\n",
		"381-standard-s15-sar": "trait: [Third party]\ntrait: [Summary]\n",
	} {
		f := facts(t, kind)
		f.Transaction.ThirdParty, f.Transaction.Summary = true, true
		said, err := paper.Said(sealed(t, f).XML, paper.Options{Language: paper.English})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(said, want) {
			t.Errorf("%s: the content lacks %q:\n%s", kind, want, said)
		}
	}
}
