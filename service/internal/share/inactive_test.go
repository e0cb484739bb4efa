package share_test

import (
	"net/http"
	"strings"
	"testing"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

// notNow is the response to an approval of a draft whose organisation is
// suspended or deactivated.
var notNow = servicetest.Refusal{Status: http.StatusBadRequest, Body: `{"code":"seller_unserved","detail":"This draft cannot be approved at the moment. Ask the sender."}` + "\n"}

// TestDraft_OfAnInactiveOrganisation checks that drafts of a suspended or
// deactivated organisation can be viewed but not approved, and that no e-mail
// is sent.
func TestDraft_OfAnInactiveOrganisation(t *testing.T) {
	servicetest.MostlySQLiteWith(t, servicetest.Wide, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		_, invoice := d.Issued(d.Standard())
		waiting, token := d.Shared()
		asked, code := d.Shared()
		six := d.Code(code)
		done := d.Approved()
		letters := len(d.Letters())
		for _, status := range []org.Status{org.Suspended, org.Deactivated} {
			h.Status(d.Org, status)
			what := string(status) + ": "
			notNow.Wants(t, what+"a code", h.Shared(http.MethodPost, token, "otp/", ""))
			notNow.Wants(t, what+"an approval", h.Shared(http.MethodPost, code, "approve/", servicetest.Approval("Noura", six)))
			a := h.Page(http.MethodPost, "/s/"+token+"/code?lang=en")
			servicetest.Equal(t, what+"a code on the page", a.Status, http.StatusConflict)
			servicetest.WellFormed(t, what+"the page", a.Body)
			a.Says(t, what+"the page", "This draft cannot be approved at the moment. Ask the seller.")
			a = h.Page(http.MethodPost, "/s/"+code+"/approve?lang=en", servicetest.Filled("name", "Noura", "code", six, "version", "1"))
			servicetest.Equal(t, what+"an approval on the page", a.Status, http.StatusConflict)
			a.Says(t, what+"the page", "This draft cannot be approved at the moment. Ask the seller.", `value="Noura"`)
			_, err := d.Sharer().Share(d.Ctx, d.By, waiting.ID)
			wantFault(t, what+"shared again", err, fault.Forbidden, "inactive")
			if d.Again(waiting).Share == nil || d.Again(asked).Approval != nil {
				t.Error(what + "a draft was changed")
			}
			servicetest.Equal(t, what+"letters", len(d.Letters()), letters)

			for _, link := range []string{token, code, d.Token(done), invoice} {
				h.Shared(http.MethodGet, link, "", "").Wants(t, http.StatusOK)
				servicetest.Equal(t, what+"its page", h.Page(http.MethodGet, "/s/"+link).Status, http.StatusOK)
			}
			given := h.Shared(http.MethodPost, d.Token(done), "approve/", servicetest.Approval("Noura", "")).Wants(t, http.StatusOK)
			servicetest.Same(t, what+"what was approved before", given["name"], any("Noura"))
		}
		h.Status(d.Org, org.Active)
		h.Shared(http.MethodPost, code, "approve/", servicetest.Approval("Noura", six)).Wants(t, http.StatusOK)
		h.Shared(http.MethodPost, token, "otp/", "").Wants(t, http.StatusOK)
		servicetest.Equal(t, "e-mails once the organisation is active again", len(d.Letters()), letters+1)
		if trail := strings.Join(d.Events(asked.ID), " "); strings.Contains(trail, "draft.code_refused") {
			t.Errorf("an attempt was counted: %s", trail)
		}
	})
}
