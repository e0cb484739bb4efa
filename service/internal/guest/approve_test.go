package guest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/issue"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/share"
)

func noteOf(text string) issue.Note { return issue.Note{Language: "en", Text: text} }

func TestGuest_DraftIsApprovedOnItsPage(t *testing.T) {
	servicetest.OnSQLiteWith(t, servicetest.Wide, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft, token := d.Shared()
		at := "/s/" + token
		a := h.Page(http.MethodGet, at+"?lang=en")
		servicetest.WellFormed(t, "the page", a.Body)
		a.Says(t, "the page", "DRAFT – not a tax invoice", "n***@buyer.example", `inputmode="numeric"`, `autocomplete="one-time-code"`, `autocomplete="name"`,
			`<label for="name">`, `<label for="code">`, `method="post" action="`+at+`/code?lang=en"`, `action="`+at+`/approve?lang=en"`)
		for _, inner := range []string{servicetest.Recipient.Email, draft.ID.String(), "<figure"} {
			if strings.Contains(a.Body, inner) {
				t.Errorf("the page contains %q", inner)
			}
		}
		h.Page(http.MethodGet, at+"?lang=ar").Says(t, "the page in Arabic", "مسودة – ليست فاتورة ضريبية", "طلب الرمز", "الموافقة على المسودة")

		a = h.Page(http.MethodPost, at+"/code?lang=ar")
		servicetest.Equal(t, "asked", []any{a.Status, a.Header.Get("Location")}, []any{http.StatusSeeOther, at + "?lang=ar&said=sent#notice"})
		h.Page(http.MethodGet, at+"?lang=ar&said=sent").Says(t, "after asking", "أُنشئ لكم رمز", "<title>تم – ", `id="notice" role="status"`)
		letters := len(d.Letters())
		a = h.Page(http.MethodPost, at+"/code?lang=ar")
		servicetest.Equal(t, "asked again", a.Header.Get("Location"), at+"?lang=ar&said=again#notice")
		servicetest.Equal(t, "e-mails", len(d.Letters()), letters)
		code := d.LastCode()

		for what, c := range map[string]struct {
			name, code string
			says       []string
		}{
			"no name":    {"  ", code, []string{`id="name-wrong"`, "Enter your name."}},
			"long name":  {strings.Repeat("n", 101), code, []string{`id="name-wrong"`, "at most 100 characters"}},
			"no code":    {"Noura", "", []string{`id="code-wrong"`, "Enter the six digits", `value="Noura"`}},
			"wrong code": {"Noura", servicetest.WrongCode(code), []string{`id="code-wrong"`, "The code is wrong. You can try 4 more times.", `value="Noura"`, `aria-invalid="true"`}},
			"no digits":  {"Noura", "abcdef", []string{`id="code-wrong"`}},
			"override":   {"Noura\u202eA", code, []string{`id="name-wrong"`, "cannot be used"}},
		} {
			a := h.Page(http.MethodPost, at+"/approve?lang=en", servicetest.Filled("name", c.name, "code", c.code))
			servicetest.Equal(t, what, a.Status, http.StatusBadRequest)
			servicetest.WellFormed(t, what, a.Body)
			a.Says(t, what, append(c.says, "<title>Error – ")...)
			servicetest.Equal(t, what+": complaints", strings.Count(a.Body, `role="alert"`), 1)
		}
		a = h.Page(http.MethodPost, at+"/approve?lang=ar", servicetest.Filled("name", " \u200fنورة\u00a0القحطاني\u061c ", "version", "1", "code", " "+arabicDigits(code[:3])+" "+arabicDigits(code[3:])+" "))
		servicetest.Equal(t, "approved", []any{a.Status, a.Header.Get("Location")}, []any{http.StatusSeeOther, at + "?lang=ar&said=approved#notice"})
		a = h.Page(http.MethodGet, at+"?lang=en&said=approved")
		a.Says(t, "after that", "This draft is approved", "نورة القحطاني", "15 November 2026, 12:00", "Thank you.", "<title>Done – ")
		if strings.Contains(a.Body, "<form") {
			t.Error("the page of an approved draft has a form")
		}
		h.Clock.Advance(time.Hour)
		for _, path := range []string{"/approve", "/code"} {
			a = h.Page(http.MethodPost, at+path+"?lang=en", servicetest.Filled("name", "Another Person", "code", "000000"))
			servicetest.Equal(t, path+" once more", []any{a.Status, a.Header.Get("Location")}, []any{http.StatusSeeOther, at + "?lang=en#approval"})
		}
		servicetest.Equal(t, "the first approval", d.Again(draft).Approval.Name, "نورة القحطاني")
		_, err := d.Sharer().Issue(d.Ctx, d.By, draft.ID)
		d.Must(err)
		h.Page(http.MethodGet, at+"?lang=en").Says(t, "once it is issued", "The seller has since issued the document.", "DRAFT – not a tax invoice")
	})
}

// arabicDigits writes a number with Arabic digits.
func arabicDigits(text string) string {
	return strings.Map(func(r rune) rune { return r - '0' + '٠' }, text)
}

func TestGuest_FormsAreSmallAndPlain(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, servicetest.Wide)
	d := h.DraftSharing()
	_, token := d.Shared()
	code := d.Code(token)
	for what, prepare := range map[string]func(*http.Request){
		"JSON":                       servicetest.Typed("application/json", servicetest.Approval("Noura", code)),
		"a text":                     servicetest.Typed("text/plain", "name=Noura&code="+code),
		"no type":                    servicetest.Typed("", "name=Noura&code="+code),
		"too large":                  servicetest.Filled("name", "Noura", "code", code, "more", strings.Repeat("x", 20_000)),
		"broken":                     servicetest.Typed("application/x-www-form-urlencoded", "name=%zz&code="+code),
		"in the query":               servicetest.Filled(),
		"a name of 5,000 characters": servicetest.Filled("name", strings.Repeat("n", 5000), "code", code),
	} {
		a := h.Page(http.MethodPost, "/s/"+token+"/approve?lang=en&name=Noura&code="+code, prepare)
		servicetest.Equal(t, what, a.Status, http.StatusBadRequest)
		servicetest.WellFormed(t, what, a.Body)
	}
	view := h.Shared(http.MethodGet, token, "", "").Wants(t, http.StatusOK)
	servicetest.Same(t, "not approved", view["state"], any("shared"))
}

// TestGuest_DraftThatMovedIsLookedAtAgain checks that a visitor who saw an
// older version must check the draft again before a code is sent or the draft
// is approved.
func TestGuest_DraftThatMovedIsLookedAtAgain(t *testing.T) {
	servicetest.OnSQLiteWith(t, servicetest.Wide, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft, token := d.Shared()
		at := "/s/" + token
		hidden := `<input type="hidden" name="version" value="`
		a := h.Page(http.MethodGet, at+"?lang=en")
		servicetest.Equal(t, "forms that name the version", strings.Count(a.Body, hidden+`1">`), 2)
		_, err := d.Sharer().Change(d.Ctx, d.By, draft.ID, 0, d.Request("5000.00"), servicetest.Recipient)
		d.Must(err)
		letters := len(d.Letters())
		changed := map[string]string{"en": "The draft was changed. Check it again.", "ar": "عُدّلت المسودة. راجعوها من جديد."}
		moved := func(what, path, lang string, values ...string) {
			t.Helper()
			a := h.Page(http.MethodPost, at+path+"?lang="+lang, servicetest.Filled(append(values, "version", "1")...))
			servicetest.Equal(t, what, a.Status, http.StatusConflict)
			servicetest.WellFormed(t, what, a.Body)
			a.Says(t, what, changed[lang], hidden+`2">`, "11,500.00", `id="notice" role="alert"`)
			if before, _, _ := strings.Cut(a.Body, "<article"); !strings.Contains(before, changed[lang]) {
				t.Errorf("%s: the notice is not at the top of the page", what)
			}
			if strings.Contains(a.Body, "aria-invalid") {
				t.Errorf("%s: a field is marked as invalid", what)
			}
		}
		moved("asked", "/code", "en")
		moved("asked in Arabic", "/code", "ar")
		servicetest.Equal(t, "e-mails", len(d.Letters()), letters)
		code := d.Code(token)
		moved("approved", "/approve", "en", "name", "Noura", "code", code)
		moved("approved in Arabic", "/approve", "ar", "name", "Noura", "code", code)
		if d.Again(draft).Approval != nil {
			t.Error("a version that was not shown is approved")
		}
		for what, version := range map[string]string{"not a number": "x", "zero": "0", "negative": "-1"} {
			a := h.Page(http.MethodPost, at+"/approve", servicetest.Filled("name", "Noura", "code", code, "version", version))
			servicetest.Equal(t, what, a.Status, http.StatusBadRequest)
		}
		a = h.Page(http.MethodPost, at+"/approve", servicetest.Filled("name", "Noura", "code", code, "version", "2"))
		servicetest.Equal(t, "what is shown", a.Status, http.StatusSeeOther)
		servicetest.Equal(t, "the approved version", d.Again(draft).Approval.Version, 2)
	})
}

// TestGuest_UsedUpCodeIsToldSo checks that after five wrong attempts the page
// says when a new code can be requested.
func TestGuest_UsedUpCodeIsToldSo(t *testing.T) {
	servicetest.OnSQLiteWith(t, servicetest.Wide, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		_, token := d.Shared()
		code := d.Code(token)
		for range share.MostTries {
			h.Page(http.MethodPost, "/s/"+token+"/approve", servicetest.Filled("name", "Noura", "code", servicetest.WrongCode(code)))
		}
		a := h.Page(http.MethodPost, "/s/"+token+"/code?lang=en")
		servicetest.Equal(t, "asked again", a.Status, http.StatusConflict)
		servicetest.WellFormed(t, "asked again", a.Body)
		a.Says(t, "asked again", "is no longer valid", "15 November 2026, 12:10", `role="alert"`, "<title>Error – ")
		got := h.Shared(http.MethodPost, token, "otp/", "").Wants(t, http.StatusOK)
		servicetest.Same(t, "shown to programs", []any{got["message"], got["expires_at"]}, []any{
			"The code was tried too often and is no longer valid. A new one can be requested after expires_at.", "2026-11-15T12:10:00+03:00",
		})
		h.Clock.Advance(share.CodeLife)
		servicetest.Equal(t, "then", h.Page(http.MethodPost, "/s/"+token+"/code").Status, http.StatusSeeOther)
	})
}

// TestGuest_NoticesFitTheState checks that a notice in the URL is shown only if
// it can be true: anyone can write such a URL.
func TestGuest_NoticesFitTheState(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, servicetest.Wide)
	d := h.DraftSharing()
	_, waiting := d.Shared()
	approved, done := d.Shared()
	_, err := d.Sharer().Approve(d.Ctx, done, "Noura", d.Code(done), share.From{})
	d.Must(err)
	said := func(token, word string) bool {
		return strings.Contains(h.Page(http.MethodGet, "/s/"+token+"?lang=en&said="+word).Body, `id="notice"`)
	}
	for _, word := range []string{"approved", "none", "used", "nonsense", ""} {
		servicetest.Equal(t, "of a waiting draft: "+word, said(waiting, word), false)
	}
	for _, word := range []string{"sent", "again", "none", "nonsense"} {
		servicetest.Equal(t, "of an approved draft: "+word, said(done, word), false)
	}
	servicetest.Equal(t, "asked", said(waiting, "sent") && said(waiting, "again"), true)
	servicetest.Equal(t, "approved", said(done, "approved"), true)
	_, err = d.Sharer().Issue(d.Ctx, d.By, approved.ID)
	d.Must(err)
	servicetest.Equal(t, "issued since", said(done, "approved"), false)
}
