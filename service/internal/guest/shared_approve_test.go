package guest_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/servicetest"
	"khatm/service/internal/share"
)

// invalid is the response to a code that is not counted as an attempt: it has not
// six digits, has expired, or was never requested.
var invalid = servicetest.Refusal{Status: http.StatusBadRequest, Body: `{"code":"invalid_code","detail":"The code is not valid: it must have six digits, and may have expired. Check it, or request a new one ten minutes after the last one was sent."}` + "\n"}

// triedOut is the text about a code that was entered wrongly five times.
const triedOut = "The code was entered wrongly five times and is no longer valid. Request a new one ten minutes after the last one was sent."

// wrongCode returns the response to a wrong code.
func wrongCode(detail string, left int) servicetest.Refusal {
	return servicetest.Refusal{Status: http.StatusBadRequest, Body: `{"code":"wrong_code","detail":"` + detail + `","tries_left":` + strconv.Itoa(left) + "}\n"}
}

func TestInterface_4_7_SharedOTP(t *testing.T) {
	servicetest.OnSQLiteWith(t, servicetest.Wide, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		_, token := d.Shared()
		before := len(d.Letters())
		a := h.Shared(http.MethodPost, token, "otp/", "")
		servicetest.Same(t, "asked", a.Wants(t, http.StatusOK), servicetest.Record{
			"message": "A code was created for n***@buyer.example; if no e-mail arrives, ask the sender.", "sent_to": "n***@buyer.example", "expires_at": "2026-11-15T12:10:00+03:00", "version": servicetest.Number(1), "branding": servicetest.Branding,
		})
		servicetest.Equal(t, "headers", []string{a.Header.Get("X-Branding"), a.Header.Get("X-Robots-Tag")}, []string{servicetest.Branding, "noindex, nofollow"})
		first := d.LastCode()
		if strings.Contains(a.Body, first) {
			t.Error("the response contains the code")
		}
		servicetest.Equal(t, "e-mails", len(d.Letters()), before+1)

		h.Clock.Advance(10*time.Minute - time.Millisecond)
		again := h.Shared(http.MethodPost, token, "otp/", "").Wants(t, http.StatusOK)
		servicetest.Same(t, "asked again", []any{again["expires_at"], again["sent_to"], again["message"]}, []any{
			"2026-11-15T12:10:00+03:00", "n***@buyer.example", "A code was created before for n***@buyer.example and is still valid; if no e-mail arrives, ask the sender.",
		})
		servicetest.Equal(t, "e-mails after asking again", len(d.Letters()), before+1)

		h.Clock.Advance(time.Millisecond)
		invalid.Wants(t, "a code after ten minutes", h.Shared(http.MethodPost, token, "approve/", servicetest.Approval("Noura", first)))
		h.Shared(http.MethodPost, token, "otp/", "").Wants(t, http.StatusOK)
		servicetest.Equal(t, "e-mails after ten minutes", len(d.Letters()), before+2)
		h.Shared(http.MethodPost, token, "approve/", servicetest.Approval("Noura", d.LastCode())).Wants(t, http.StatusOK)
	})
}

func TestInterface_4_7_SharedApproveIsOnceOnly(t *testing.T) {
	servicetest.OnSQLiteWith(t, servicetest.Wide, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft, token := d.Shared()
		invalid.Wants(t, "never asked for", h.Shared(http.MethodPost, token, "approve/", servicetest.Approval("Noura", "123456")))
		code := d.Code(token)
		for what, c := range map[string]struct {
			body     string
			problems []string
		}{
			"no name":          {`{"code":"` + code + `"}`, []string{"name: Field required"}},
			"no code":          {`{"name":"Noura"}`, []string{"code: Field required"}},
			"nothing":          {`{}`, []string{"name: Field required", "code: Field required"}},
			"another field":    {`{"name":"Noura","code":"` + code + `","as":"x"}`, []string{"as: unknown field"}},
			"version zero":     {`{"name":"Noura","code":"` + code + `","version":0}`, []string{"version: must be at least 1"}},
			"a code as number": {`{"name":"Noura","code":` + strconv.Itoa(100000) + `}`, []string{"code: must be a string"}},
		} {
			servicetest.Equal(t, what, h.Shared(http.MethodPost, token, "approve/", c.body).Problems(t), c.problems)
		}
		for what, name := range map[string]string{"no letters": "  ", "too long": strings.Repeat("ن", 101), "two lines": `No\nura`} {
			refused := h.Shared(http.MethodPost, token, "approve/", servicetest.Approval(name, code)).Wants(t, http.StatusBadRequest)
			if servicetest.TextIn(refused, "detail") == "" {
				t.Errorf("%s: detail is empty in %v", what, refused)
			}
		}
		moved := h.Shared(http.MethodPost, token, "approve/", `{"name":"Noura","code":"`+code+`","version":2}`).Wants(t, http.StatusBadRequest)
		servicetest.Same(t, "who saw another version", moved["detail"], any("The draft was changed. Reload it and check it before you approve it."))
		wrongCode("The code is wrong. It can be tried 4 more times.", 4).Wants(t, "wrong", h.Shared(http.MethodPost, token, "approve/", servicetest.Approval("Noura", servicetest.WrongCode(code))))
		h.Clock.Advance(time.Minute)
		a := h.Shared(http.MethodPost, token, "approve/", servicetest.Approval(" نورة القحطاني ", code))
		servicetest.Same(t, "approved", a.Wants(t, http.StatusOK), servicetest.Record{
			"name": "نورة القحطاني", "approved_at": "2026-11-15T12:01:00+03:00", "version": servicetest.Number(1), "branding": servicetest.Branding,
		})
		servicetest.Equal(t, "header", a.Header.Get("X-Branding"), servicetest.Branding)
		h.Clock.Advance(time.Hour)
		for what, body := range map[string]string{
			"the same again": servicetest.Approval("نورة القحطاني", code), "another name": servicetest.Approval("Somebody Else", code), "another code": servicetest.Approval("Noura", "000000"), "no code at all": servicetest.Approval("", ""),
		} {
			servicetest.Equal(t, what, h.Shared(http.MethodPost, token, "approve/", body).Body, a.Body)
		}
		view := h.Shared(http.MethodGet, token, "", "").Wants(t, http.StatusOK)
		servicetest.Same(t, "view", []any{view["state"], view["approval"]}, []any{"approved", servicetest.Record{"name": "نورة القحطاني", "approved_at": "2026-11-15T12:01:00+03:00"}})
		servicetest.Equal(t, "kept", d.Again(draft).Approval.Name, "نورة القحطاني")
		servicetest.Refusal{Status: http.StatusBadRequest, Body: `{"detail":"This draft is already approved."}` + "\n"}.Wants(t, "a code for an approved draft", h.Shared(http.MethodPost, token, "otp/", ""))
	})
}

// TestK6_BruteForceOverHTTP checks that a code has five attempts over endpoints
// and page together, and that requesting a code again adds none.
func TestK6_BruteForceOverHTTP(t *testing.T) {
	servicetest.OnSQLiteWith(t, servicetest.Wide, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft, token := d.Shared()
		code := d.Code(token)
		for n := range share.MostTries {
			body := servicetest.Approval("Mallory", servicetest.WrongCode(code))
			if n%2 == 0 {
				detail := map[int]string{0: "It can be tried 4 more times.", 2: "It can be tried 2 more times."}[n]
				if n == 4 {
					wrongCode(triedOut, 0).Wants(t, "the last try", h.Shared(http.MethodPost, token, "approve/", body))
					continue
				}
				wrongCode("The code is wrong. "+detail, share.MostTries-1-n).Wants(t, "a try", h.Shared(http.MethodPost, token, "approve/", body))
				continue
			}
			a := h.Page(http.MethodPost, "/s/"+token+"/approve?lang=en", servicetest.Filled("name", "Mallory", "code", servicetest.WrongCode(code)))
			servicetest.Equal(t, "a try on the page", a.Status, http.StatusBadRequest)
		}
		h.Shared(http.MethodPost, token, "otp/", "").Wants(t, http.StatusOK)
		servicetest.Equal(t, "asking again sends nothing", d.LastCode(), code)
		wrongCode(triedOut, 0).Wants(t, "the right code after five wrong ones", h.Shared(http.MethodPost, token, "approve/", servicetest.Approval("Noura", code)))
		a := h.Page(http.MethodPost, "/s/"+token+"/approve?lang=en", servicetest.Filled("name", "Noura", "code", code))
		servicetest.Equal(t, "the same on the page", a.Status, http.StatusBadRequest)
		if d.Again(draft).Approval != nil {
			t.Error("the draft was approved")
		}

		// Each new code has its own attempts; a link has at most twenty codes.
		for range share.MostCodes - 1 {
			h.Clock.Advance(2 * time.Hour) // stays below the daily limit of e-mails
			h.Shared(http.MethodPost, token, "otp/", "").Wants(t, http.StatusOK)
		}
		h.Clock.Advance(share.CodeLife)
		servicetest.Refusal{Status: http.StatusBadRequest, Body: `{"detail":"No more codes can be sent for this link. Ask the sender for a new link."}` + "\n"}.
			Wants(t, "the twenty-first code", h.Shared(http.MethodPost, token, "otp/", ""))
		a = h.Page(http.MethodPost, "/s/"+token+"/code?lang=en")
		servicetest.Equal(t, "and on the page", a.Status, http.StatusConflict)
		a.Says(t, "the page", "Too many codes were requested, so no code can be sent now.", `role="alert"`)
	})
}
