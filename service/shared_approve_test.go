package service_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/share"
)

// approval is a body that approves.
func approval(name, code string) string { return `{"name":"` + name + `","code":"` + code + `"}` }

// wrong is the answer to every code that does not approve.
var wrong = refusal{http.StatusBadRequest, `{"detail":"The code is not valid: it is wrong, over, or was tried too often. Check it; ten minutes after a code was sent a new one can be asked for."}` + "\n"}

func TestInterface_4_7_SharedOTP(t *testing.T) {
	onSQLiteWith(t, wide, func(t *testing.T, h *house) {
		d := h.desk()
		_, token := d.shared()
		before := len(d.letters())
		a := h.shared(http.MethodPost, token, "otp/", "")
		same(t, "asked", a.wants(t, http.StatusOK), record{
			"message": "A code was made for n***@buyer.example; if no e-mail comes, ask the sender.", "sent_to": "n***@buyer.example", "expires_at": "2026-11-15T12:10:00+03:00", "version": number(1), "branding": branding,
		})
		equal(t, "headers", []string{a.header.Get("X-Branding"), a.header.Get("X-Robots-Tag")}, []string{branding, "noindex, nofollow"})
		first := d.lastCode()
		if strings.Contains(a.body, first) {
			t.Error("the code stands in the answer")
		}
		equal(t, "letters", len(d.letters()), before+1)

		h.clock.Advance(10*time.Minute - time.Millisecond)
		again := h.shared(http.MethodPost, token, "otp/", "").wants(t, http.StatusOK)
		same(t, "asked again", []any{again["expires_at"], again["sent_to"], again["message"]}, []any{
			"2026-11-15T12:10:00+03:00", "n***@buyer.example", "A code was made before for n***@buyer.example and is still valid; if no e-mail comes, ask the sender.",
		})
		equal(t, "letters after asking again", len(d.letters()), before+1)

		h.clock.Advance(time.Millisecond)
		wrong.wants(t, "a code of ten minutes", h.shared(http.MethodPost, token, "approve/", approval("Noura", first)))
		h.shared(http.MethodPost, token, "otp/", "").wants(t, http.StatusOK)
		equal(t, "letters after ten minutes", len(d.letters()), before+2)
		h.shared(http.MethodPost, token, "approve/", approval("Noura", d.lastCode())).wants(t, http.StatusOK)
	})
}

func TestInterface_4_7_SharedApproveIsOnceOnly(t *testing.T) {
	onSQLiteWith(t, wide, func(t *testing.T, h *house) {
		d := h.desk()
		draft, token := d.shared()
		wrong.wants(t, "never asked for", h.shared(http.MethodPost, token, "approve/", approval("Noura", "123456")))
		code := d.code(token)
		for what, c := range map[string]struct {
			body     string
			problems []string
		}{
			"no name":          {`{"code":"` + code + `"}`, []string{"name: Field required"}},
			"no code":          {`{"name":"Noura"}`, []string{"code: Field required"}},
			"nothing":          {`{}`, []string{"name: Field required", "code: Field required"}},
			"another field":    {`{"name":"Noura","code":"` + code + `","as":"x"}`, []string{"as: Extra inputs are not permitted"}},
			"version zero":     {`{"name":"Noura","code":"` + code + `","version":0}`, []string{"version: Input should be greater than or equal to 1"}},
			"a code as number": {`{"name":"Noura","code":` + strconv.Itoa(100000) + `}`, []string{"code: Input should be a valid string"}},
		} {
			equal(t, what, h.shared(http.MethodPost, token, "approve/", c.body).problems(t), c.problems)
		}
		for what, name := range map[string]string{"no letters": "  ", "too long": strings.Repeat("ن", 101), "two lines": `No\nura`} {
			refused := h.shared(http.MethodPost, token, "approve/", approval(name, code)).wants(t, http.StatusBadRequest)
			if textIn(refused, "detail") == "" {
				t.Errorf("%s: %v", what, refused)
			}
		}
		moved := h.shared(http.MethodPost, token, "approve/", `{"name":"Noura","code":"`+code+`","version":2}`).wants(t, http.StatusBadRequest)
		same(t, "who saw another version", moved["detail"], any("The draft was changed. Look at it again before you approve it."))
		wrong.wants(t, "wrong", h.shared(http.MethodPost, token, "approve/", approval("Noura", wrongCode(code))))
		h.clock.Advance(time.Minute)
		a := h.shared(http.MethodPost, token, "approve/", approval(" نورة القحطاني ", code))
		same(t, "approved", a.wants(t, http.StatusOK), record{
			"name": "نورة القحطاني", "approved_at": "2026-11-15T12:01:00+03:00", "version": number(1), "branding": branding,
		})
		equal(t, "header", a.header.Get("X-Branding"), branding)
		h.clock.Advance(time.Hour)
		for what, body := range map[string]string{
			"the same again": approval("نورة القحطاني", code), "another name": approval("Somebody Else", code), "another code": approval("Noura", "000000"), "no code at all": approval("", ""),
		} {
			equal(t, what, h.shared(http.MethodPost, token, "approve/", body).body, a.body)
		}
		view := h.shared(http.MethodGet, token, "", "").wants(t, http.StatusOK)
		same(t, "view", []any{view["state"], view["approval"]}, []any{"approved", record{"name": "نورة القحطاني", "approved_at": "2026-11-15T12:01:00+03:00"}})
		equal(t, "kept", d.again(draft).Approval.Name, "نورة القحطاني")
		refusal{http.StatusBadRequest, `{"detail":"This draft is approved already."}` + "\n"}.wants(t, "a code for what is approved", h.shared(http.MethodPost, token, "otp/", ""))
	})
}

// Five tries a code, whatever is tried through, and asking again gives no more.
func TestK6_BruteForceOverHTTP(t *testing.T) {
	onSQLiteWith(t, wide, func(t *testing.T, h *house) {
		d := h.desk()
		draft, token := d.shared()
		code := d.code(token)
		for n := range share.MostTries {
			body := approval("Mallory", wrongCode(code))
			if n%2 == 0 {
				wrong.wants(t, "a try", h.shared(http.MethodPost, token, "approve/", body))
				continue
			}
			a := h.page(http.MethodPost, "/s/"+token+"/approve?lang=en", filled("name", "Mallory", "code", wrongCode(code)))
			equal(t, "a try on the page", a.status, http.StatusBadRequest)
		}
		h.shared(http.MethodPost, token, "otp/", "").wants(t, http.StatusOK)
		equal(t, "asking again sends nothing", d.lastCode(), code)
		wrong.wants(t, "the right code after five wrong ones", h.shared(http.MethodPost, token, "approve/", approval("Noura", code)))
		a := h.page(http.MethodPost, "/s/"+token+"/approve?lang=en", filled("name", "Noura", "code", code))
		equal(t, "the same on the page", a.status, http.StatusBadRequest)
		if d.again(draft).Approval != nil {
			t.Error("approved")
		}

		// The next code has tries of its own; no link has more than twenty codes.
		for range share.MostCodes - 1 {
			h.clock.Advance(2 * time.Hour) // of the letters of a day there are less
			h.shared(http.MethodPost, token, "otp/", "").wants(t, http.StatusOK)
		}
		h.clock.Advance(share.CodeLife)
		refusal{http.StatusBadRequest, `{"detail":"No more codes can be sent for this link. Ask the sender for a new one."}` + "\n"}.
			wants(t, "the twenty-first code", h.shared(http.MethodPost, token, "otp/", ""))
		a = h.page(http.MethodPost, "/s/"+token+"/code?lang=en")
		equal(t, "and on the page", a.status, http.StatusConflict)
		a.says(t, "the page", "Too many codes were asked for, and none can be sent now.", `role="alert"`)
	})
}
