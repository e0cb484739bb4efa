package service_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/issue"
	"khatm/service/internal/share"
)

func noteOf(text string) issue.Note { return issue.Note{Language: "en", Text: text} }

func TestGuest_DraftIsApprovedOnItsPage(t *testing.T) {
	onSQLiteWith(t, wide, func(t *testing.T, h *house) {
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
		h.page(http.MethodGet, at+"?lang=ar").says(t, "the page in Arabic", "مسودة – ليست فاتورة ضريبية", "طلب الرمز", "اعتماد المسودة")

		a = h.page(http.MethodPost, at+"/code?lang=ar")
		equal(t, "asked", []any{a.status, a.header.Get("Location")}, []any{http.StatusSeeOther, at + "?lang=ar&said=sent#notice"})
		h.page(http.MethodGet, at+"?lang=ar&said=sent").says(t, "after asking", "أُنشئ لكم رمز", "<title>تم – ", `id="notice" role="status"`)
		letters := len(d.letters())
		a = h.page(http.MethodPost, at+"/code?lang=ar")
		equal(t, "asked again", a.header.Get("Location"), at+"?lang=ar&said=again#notice")
		equal(t, "letters", len(d.letters()), letters)
		code := d.lastCode()

		for what, c := range map[string]struct {
			name, code string
			says       []string
		}{
			"no name":    {"  ", code, []string{`id="name-wrong"`, "Enter your name."}},
			"long name":  {strings.Repeat("n", 101), code, []string{`id="name-wrong"`, "at most 100 characters"}},
			"no code":    {"Noura", "", []string{`id="code-wrong"`, "Enter the six digits", `value="Noura"`}},
			"wrong code": {"Noura", wrongCode(code), []string{`id="code-wrong"`, "not right, not valid any more", `value="Noura"`, `aria-invalid="true"`}},
			"no digits":  {"Noura", "abcdef", []string{`id="code-wrong"`}},
			"strange":    {"Noura\u202eA", code, []string{`id="name-wrong"`, "cannot be used"}},
		} {
			a := h.page(http.MethodPost, at+"/approve?lang=en", filled("name", c.name, "code", c.code))
			equal(t, what, a.status, http.StatusBadRequest)
			wellFormed(t, what, a.body)
			a.says(t, what, append(c.says, "<title>Error – ")...)
			equal(t, what+": complaints", strings.Count(a.body, `role="alert"`), 1)
		}
		a = h.page(http.MethodPost, at+"/approve?lang=ar", filled("name", " \u200fنورة\u00a0القحطاني\u061c ", "version", "1", "code", " "+arabicDigits(code[:3])+" "+arabicDigits(code[3:])+" "))
		equal(t, "approved", []any{a.status, a.header.Get("Location")}, []any{http.StatusSeeOther, at + "?lang=ar&said=approved#notice"})
		a = h.page(http.MethodGet, at+"?lang=en&said=approved")
		a.says(t, "after that", "This draft is approved", "نورة القحطاني", "15 November 2026, 12:00", "Thank you.", "<title>Done – ")
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

// Who looked at another version than the one that is shown by now looks again
// before anything is sent or approved.
func TestGuest_DraftThatMovedIsLookedAtAgain(t *testing.T) {
	onSQLiteWith(t, wide, func(t *testing.T, h *house) {
		d := h.desk()
		draft, token := d.shared()
		at := "/s/" + token
		hidden := `<input type="hidden" name="version" value="`
		a := h.page(http.MethodGet, at+"?lang=en")
		equal(t, "forms that name the version", strings.Count(a.body, hidden+`1">`), 2)
		_, err := d.sharer().Change(d.ctx, d.by, draft.ID, 0, d.request("5000.00"), recipient)
		d.must(err)
		letters := len(d.letters())
		changed := map[string]string{"en": "The draft was changed. Look at it again.", "ar": "عُدّلت المسودة. يُرجى مراجعتها من جديد."}
		moved := func(what, path, lang string, values ...string) {
			t.Helper()
			a := h.page(http.MethodPost, at+path+"?lang="+lang, filled(append(values, "version", "1")...))
			equal(t, what, a.status, http.StatusConflict)
			wellFormed(t, what, a.body)
			a.says(t, what, changed[lang], hidden+`2">`, "11,500.00", `id="notice" role="alert"`)
			if before, _, _ := strings.Cut(a.body, "<article"); !strings.Contains(before, changed[lang]) {
				t.Errorf("%s: it is not said at the top", what)
			}
			if strings.Contains(a.body, "aria-invalid") {
				t.Errorf("%s: a field is blamed", what)
			}
		}
		moved("asked", "/code", "en")
		moved("asked in Arabic", "/code", "ar")
		equal(t, "letters", len(d.letters()), letters)
		code := d.code(token)
		moved("approved", "/approve", "en", "name", "Noura", "code", code)
		moved("approved in Arabic", "/approve", "ar", "name", "Noura", "code", code)
		if d.again(draft).Approval != nil {
			t.Error("what was not looked at is approved")
		}
		for what, version := range map[string]string{"no number": "x", "none": "0", "negative": "-1"} {
			a := h.page(http.MethodPost, at+"/approve", filled("name", "Noura", "code", code, "version", version))
			equal(t, what, a.status, http.StatusBadRequest)
		}
		a = h.page(http.MethodPost, at+"/approve", filled("name", "Noura", "code", code, "version", "2"))
		equal(t, "what is shown", a.status, http.StatusSeeOther)
		equal(t, "the approved version", d.again(draft).Approval.Version, 2)
	})
}

// After five wrong tries there is no code before its time is over, and that is
// what is said.
func TestGuest_UsedUpCodeIsToldSo(t *testing.T) {
	onSQLiteWith(t, wide, func(t *testing.T, h *house) {
		d := h.desk()
		_, token := d.shared()
		code := d.code(token)
		for range share.MostTries {
			h.page(http.MethodPost, "/s/"+token+"/approve", filled("name", "Noura", "code", wrongCode(code)))
		}
		a := h.page(http.MethodPost, "/s/"+token+"/code?lang=en")
		equal(t, "asked again", a.status, http.StatusConflict)
		wellFormed(t, "asked again", a.body)
		a.says(t, "asked again", "is used up", "15 November 2026, 12:10", `role="alert"`, "<title>Error – ")
		got := h.shared(http.MethodPost, token, "otp/", "").wants(t, http.StatusOK)
		same(t, "told to programs", []any{got["message"], got["expires_at"]}, []any{
			"The code is used up: it was tried wrongly too often. A new one can be asked for from expires_at on.", "2026-11-15T12:10:00+03:00",
		})
		h.clock.Advance(share.CodeLife)
		equal(t, "then", h.page(http.MethodPost, "/s/"+token+"/code").status, http.StatusSeeOther)
	})
}

// An address can be written by anybody: what it says of a draft must be true.
func TestGuest_NoticesFitTheState(t *testing.T) {
	h := open(t, wide)
	d := h.desk()
	_, waiting := d.shared()
	approved, done := d.shared()
	_, err := d.sharer().Approve(d.ctx, done, "Noura", d.code(done), share.From{})
	d.must(err)
	said := func(token, word string) bool {
		return strings.Contains(h.page(http.MethodGet, "/s/"+token+"?lang=en&said="+word).body, `id="notice"`)
	}
	for _, word := range []string{"approved", "none", "used", "nonsense", ""} {
		equal(t, "of one that waits: "+word, said(waiting, word), false)
	}
	for _, word := range []string{"sent", "again", "none", "nonsense"} {
		equal(t, "of an approved one: "+word, said(done, word), false)
	}
	equal(t, "asked", said(waiting, "sent") && said(waiting, "again"), true)
	equal(t, "approved", said(done, "approved"), true)
	_, err = d.sharer().Issue(d.ctx, d.by, approved.ID)
	d.must(err)
	equal(t, "issued since", said(done, "approved"), false)
}
