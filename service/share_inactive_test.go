package service_test

import (
	"net/http"
	"strings"
	"testing"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// notNow is the answer to whoever would approve a draft of an organisation that
// is not served.
var notNow = refusal{http.StatusBadRequest, `{"code":"seller_unserved","detail":"This draft cannot be approved at the moment. Ask the sender."}` + "\n"}

// Drafts of an organisation that is not served can be seen and not approved, and
// nobody is written to.
func TestDraft_OfAnInactiveOrganisation(t *testing.T) {
	eachWith(t, wide, func(t *testing.T, h *house) {
		d := h.desk()
		_, invoice := d.issued(d.standard())
		waiting, token := d.shared()
		asked, code := d.shared()
		six := d.code(code)
		done := d.approved()
		letters := len(d.letters())
		for _, status := range []org.Status{org.Suspended, org.Deactivated} {
			h.status(d.org, status)
			what := string(status) + ": "
			notNow.wants(t, what+"a code", h.shared(http.MethodPost, token, "otp/", ""))
			notNow.wants(t, what+"an approval", h.shared(http.MethodPost, code, "approve/", approval("Noura", six)))
			a := h.page(http.MethodPost, "/s/"+token+"/code?lang=en")
			equal(t, what+"a code on the page", a.status, http.StatusConflict)
			wellFormed(t, what+"the page", a.body)
			a.says(t, what+"the page", "This draft cannot be approved at the moment. Ask the seller.")
			a = h.page(http.MethodPost, "/s/"+code+"/approve?lang=en", filled("name", "Noura", "code", six, "version", "1"))
			equal(t, what+"an approval on the page", a.status, http.StatusConflict)
			a.says(t, what+"the page", "This draft cannot be approved at the moment. Ask the seller.", `value="Noura"`)
			_, err := d.sharer().Share(d.ctx, d.by, waiting.ID)
			turnedAway(t, what+"shared anew", err, fault.Forbidden, "inactive")
			if d.again(waiting).Share == nil || d.again(asked).Approval != nil {
				t.Error(what + "something was done")
			}
			equal(t, what+"letters", len(d.letters()), letters)

			for _, link := range []string{token, code, d.token(done), invoice} {
				h.shared(http.MethodGet, link, "", "").wants(t, http.StatusOK)
				equal(t, what+"its page", h.page(http.MethodGet, "/s/"+link).status, http.StatusOK)
			}
			given := h.shared(http.MethodPost, d.token(done), "approve/", approval("Noura", "")).wants(t, http.StatusOK)
			same(t, what+"what was approved before", given["name"], any("Noura"))
		}
		h.status(d.org, org.Active)
		h.shared(http.MethodPost, code, "approve/", approval("Noura", six)).wants(t, http.StatusOK)
		h.shared(http.MethodPost, token, "otp/", "").wants(t, http.StatusOK)
		equal(t, "letters once it is served again", len(d.letters()), letters+1)
		if trail := strings.Join(d.deeds(asked.ID), " "); strings.Contains(trail, "draft.code_refused") {
			t.Errorf("a try was counted: %s", trail)
		}
	})
}
