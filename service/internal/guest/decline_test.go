package guest_test

import (
	"net/http"
	"strings"
	"testing"

	"khatm/service/internal/servicetest"
	"khatm/service/internal/share"
)

func TestGuest_DraftIsDeclinedOnItsPage(t *testing.T) {
	servicetest.OnSQLiteWith(t, servicetest.Wide, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft, token := d.Shared()
		at := "/s/" + token
		h.Page(http.MethodGet, at+"?lang=en").Says(t, "the page", `<a class="button main" href="#approval">Approve or decline</a>`, `formaction="`+at+`/decline?lang=en"`, `<label for="comment">`)
		h.Page(http.MethodGet, at+"?lang=ar").Says(t, "the page in Arabic", "الموافقة أو الرفض", "رفض")
		code := d.Code(token)
		for what, c := range map[string]struct {
			code, comment string
			says          []string
		}{
			"long comment": {code, strings.Repeat("x", 501), []string{`id="comment-wrong"`, "at most 500 characters", "<details class=\"decline\" open=\"\">"}},
			"control":      {code, "a\x01b", []string{`id="comment-wrong"`, "cannot be used"}},
			"no code":      {"", "three <b>", []string{`id="code-wrong"`, "three &lt;b&gt;", "<details class=\"decline\" open=\"\">"}},
			"wrong code":   {servicetest.WrongCode(code), "three", []string{`id="code-wrong"`, "The code is wrong. You can try 4 more times."}},
		} {
			a := h.Page(http.MethodPost, at+"/decline?lang=en", servicetest.Filled("name", "Noura", "code", c.code, "comment", c.comment))
			servicetest.Equal(t, what, a.Status, http.StatusBadRequest)
			servicetest.WellFormed(t, what, a.Body)
			a.Says(t, what, c.says...)
		}
		a := h.Page(http.MethodPost, at+"/decline?lang=ar", servicetest.Filled("name", "Noura", "code", servicetest.WrongCode(code)))
		a.Says(t, "three tries left", "الرمز غير صحيح. بقيت 3 محاولات.")
		a = h.Page(http.MethodPost, at+"/decline?lang=ar", servicetest.Filled("name", "Noura", "code", servicetest.WrongCode(code)))
		a.Says(t, "two tries left", "بقيت محاولتان.")
		a = h.Page(http.MethodPost, at+"/decline?lang=en", servicetest.Filled("name", "Noura", "code", code, "version", "1", "comment", "Three, not two.\nThanks"))
		servicetest.Equal(t, "declined", []any{a.Status, a.Header.Get("Location")}, []any{http.StatusSeeOther, at + "?lang=en&said=declined#notice"})
		a = h.Page(http.MethodGet, at+"?lang=en&said=declined")
		servicetest.WellFormed(t, "after that", a.Body)
		a.Says(t, "after that", "This draft was declined", "Declined by the recipient", "Three, not two.", "Thank you. The seller can see your answer")
		if strings.Contains(a.Body, "<form") || strings.Contains(a.Body, `class="jump"`) {
			t.Error("the page of a declined draft has a form or a button")
		}
		for _, path := range []string{"/approve", "/decline", "/code"} {
			a = h.Page(http.MethodPost, at+path+"?lang=en", servicetest.Filled("name", "Another", "code", "000000"))
			servicetest.Equal(t, path+" once more", []any{a.Status, a.Header.Get("Location")}, []any{http.StatusSeeOther, at + "?lang=en#approval"})
		}
		servicetest.Equal(t, "state", d.Again(draft).State(), share.Declined)
	})
}

func TestSharedDecline(t *testing.T) {
	servicetest.OnSQLiteWith(t, servicetest.Wide, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft, token := d.Shared()
		code := d.Code(token)
		decline := func(body string) servicetest.Answer { return h.Shared(http.MethodPost, token, "decline/", body) }
		for what, c := range map[string]struct {
			body     string
			problems []string
		}{
			"nothing":      {`{}`, []string{"name: Field required", "code: Field required"}},
			"unknown":      {`{"name":"Noura","code":"` + code + `","why":"x"}`, []string{"why: unknown field"}},
			"long comment": {`{"name":"Noura","code":"` + code + `","comment":"` + strings.Repeat("x", 501) + `"}`, []string{"comment: must have at most 500 characters"}},
		} {
			servicetest.Equal(t, what, decline(c.body).Problems(t), c.problems)
		}
		wrongCode("The code is wrong. It can be tried 4 more times.", 4).Wants(t, "wrong code", decline(servicetest.Approval("Noura", servicetest.WrongCode(code))))
		answer := servicetest.Record{
			"name": "Noura", "comment": "Three", "declined_at": "2026-11-15T12:00:00+03:00", "version": servicetest.Number(1), "branding": servicetest.Branding,
		}
		servicetest.Same(t, "declined", decline(`{"name":"Noura","code":"`+code+`","comment":"Three","version":1}`).Wants(t, http.StatusOK), answer)
		servicetest.Same(t, "declined again", decline(`{"name":"X","code":"000000"}`).Wants(t, http.StatusOK), answer)
		view := h.Shared(http.MethodGet, token, "", "").Wants(t, http.StatusOK)
		servicetest.Same(t, "state", view["state"], any("declined"))
		servicetest.Same(t, "decline", view["decline"], any(servicetest.Record{"name": "Noura", "comment": "Three", "declined_at": "2026-11-15T12:00:00+03:00"}))
		servicetest.Equal(t, "stored", d.Again(draft).State(), share.Declined)
	})
}
