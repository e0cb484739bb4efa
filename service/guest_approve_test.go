package service_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/issue"
)

func noteOf(text string) issue.Note { return issue.Note{Language: "en", Text: text} }

func TestGuest_DraftIsApprovedOnItsPage(t *testing.T) {
	eachWith(t, wide, func(t *testing.T, h *house) {
		d := h.desk()
		draft, token := d.shared()
		at := "/s/" + token
		a := h.page(http.MethodGet, at+"?lang=en")
		wellFormed(t, "the page", a.body)
		a.says(t, "the page", "DRAFT – not a tax invoice", "n***@buyer.example", `inputmode="numeric"`, `autocomplete="one-time-code"`, `autocomplete="name"`,
			`<label for="name">`, `<label for="code">`, `method="post" action="`+at+`/code?lang=en"`, `action="`+at+`/approve?lang=en"`)
		for _, inner := range []string{recipient.Email, draft.ID.String(), "<svg"} {
			if strings.Contains(a.body, inner) {
				t.Errorf("the page has %q in it", inner)
			}
		}
		h.page(http.MethodGet, at+"?lang=ar").says(t, "the page in Arabic", "مسودة – ليست فاتورة ضريبية", "أرسل لي الرمز", "اعتماد المسودة")

		a = h.page(http.MethodPost, at+"/code?lang=ar")
		equal(t, "asked", []any{a.status, a.header.Get("Location")}, []any{http.StatusSeeOther, at + "?lang=ar&said=sent#approval"})
		h.page(http.MethodGet, at+"?lang=ar&said=sent").says(t, "after asking", "الرمز في طريقه إليك")
		letters := len(d.letters())
		a = h.page(http.MethodPost, at+"/code?lang=ar")
		equal(t, "asked again", a.header.Get("Location"), at+"?lang=ar&said=again#approval")
		equal(t, "letters", len(d.letters()), letters)
		code := d.lastCode()

		for what, c := range map[string]struct {
			name, code string
			says       []string
		}{
			"no name":    {"  ", code, []string{`id="name-wrong"`, "Enter your name."}},
			"long name":  {strings.Repeat("n", 101), code, []string{`id="name-wrong"`, "at most 100 characters"}},
			"no code":    {"Noura", "", []string{`id="code-wrong"`, "Enter the six digits", `value="Noura"`}},
			"wrong code": {"Noura", wrongCode(code), []string{`id="code-wrong"`, "not right, or not valid any more", `value="Noura"`, `aria-invalid="true"`}},
			"no digits":  {"Noura", "abcdef", []string{`id="code-wrong"`}},
		} {
			a := h.page(http.MethodPost, at+"/approve?lang=en", filled("name", c.name, "code", c.code))
			equal(t, what, a.status, http.StatusBadRequest)
			wellFormed(t, what, a.body)
			a.says(t, what, c.says...)
		}
		a = h.page(http.MethodPost, at+"/approve?lang=ar", filled("name", " نورة القحطاني ", "code", " "+arabicDigits(code[:3])+" "+arabicDigits(code[3:])+" "))
		equal(t, "approved", []any{a.status, a.header.Get("Location")}, []any{http.StatusSeeOther, at + "?lang=ar&said=approved#approval"})
		a = h.page(http.MethodGet, at+"?lang=en&said=approved")
		a.says(t, "after that", "This draft is approved", "نورة القحطاني", "15 November 2026, 12:00", "Thank you.")
		if strings.Contains(a.body, "<form") {
			t.Error("an approved draft can be approved")
		}
		h.clock.Advance(time.Hour)
		for _, path := range []string{"/approve", "/code"} {
			a = h.page(http.MethodPost, at+path+"?lang=en", filled("name", "Somebody Else", "code", "000000"))
			equal(t, path+" once more", []any{a.status, a.header.Get("Location")}, []any{http.StatusSeeOther, at + "?lang=en#approval"})
		}
		equal(t, "the first approval", d.again(draft).Approval.Name, "نورة القحطاني")
		_, err := d.sharer().Issue(d.ctx, d.by, draft.ID)
		d.must(err)
		h.page(http.MethodGet, at+"?lang=en").says(t, "once it is issued", "The seller has issued the invoice since.", "DRAFT – not a tax invoice")
	})
}

// arabicDigits writes a number as an Arabic keyboard does.
func arabicDigits(text string) string {
	return strings.Map(func(r rune) rune { return r - '0' + '٠' }, text)
}

func TestGuest_FormsAreSmallAndPlain(t *testing.T) {
	h := open(t, wide)
	d := h.desk()
	_, token := d.shared()
	code := d.code(token)
	for what, prepare := range map[string]func(*http.Request){
		"JSON":          typed("application/json", approval("Noura", code)),
		"a text":        typed("text/plain", "name=Noura&code="+code),
		"no type":       typed("", "name=Noura&code="+code),
		"too large":     filled("name", "Noura", "code", code, "more", strings.Repeat("x", 5000)),
		"broken":        typed("application/x-www-form-urlencoded", "name=%zz&code="+code),
		"in the query":  filled(),
		"a name of 5 k": filled("name", strings.Repeat("n", 5000), "code", code),
	} {
		a := h.page(http.MethodPost, "/s/"+token+"/approve?lang=en&name=Noura&code="+code, prepare)
		equal(t, what, a.status, http.StatusBadRequest)
		wellFormed(t, what, a.body)
	}
	view := h.shared(http.MethodGet, token, "", "").wants(t, http.StatusOK)
	same(t, "not approved", view["state"], any("shared"))
}
