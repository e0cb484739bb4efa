package guest_test

import (
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"

	"khatm/service/internal/fault"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/share"
)

// TestA4_LinkBeyondItsHourReadsNothing checks that calls beyond the hourly
// limit are refused before the document is read, so that they cost little.
func TestA4_LinkBeyondItsHourReadsNothing(t *testing.T) {
	const calls = 3 // of each kind
	h := servicetest.Open(t, func(c *server.Config) { c.Rates.PublicDaily, c.Rates.SharedHourly = 1<<30, 2*calls })
	d := h.DraftSharing()
	large := d.Request("4200.00")
	large.FormLines = slices.Repeat(large.FormLines, 2_000)
	draft, err := d.Sharer().Create(d.Ctx, d.By, large, servicetest.Recipient)
	d.Must(err)
	draft, err = d.Sharer().Share(d.Ctx, d.By, draft.ID)
	d.Must(err)
	token := d.Token(draft)
	taken := func(path string, want int) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range calls {
			w := httptest.NewRecorder()
			h.Service.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
			servicetest.Equal(t, path, w.Code, want)
		}
		runtime.ReadMemStats(&after)
		return (after.TotalAlloc - before.TotalAlloc) / calls
	}
	page, view := "/s/"+token, servicetest.SharedAt(token, "")
	opened := min(taken(page, http.StatusOK), taken(view, http.StatusOK))
	for _, path := range []string{page, view, page + "/pdf"} {
		if refused := taken(path, http.StatusTooManyRequests); refused > opened/20 {
			t.Errorf("a refused call of %s allocates %d KiB, a successful one %d KiB, want at most a twentieth", path, refused>>10, opened>>10)
		}
	}
}

// TestGuest_LinkThatIsWithdrawnMeanwhile checks that a link that is withdrawn
// while it is being opened returns 404.
func TestGuest_LinkThatIsWithdrawnMeanwhile(t *testing.T) {
	servicetest.OnSQLiteWith(t, servicetest.Wide, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft, token := d.Shared()
		_, err := d.Service.Store().ChangeDraft(d.Ctx, d.By, draft.ID, func(f *share.Folder) error {
			f.Shown = nil // as read after the link was withdrawn
			return nil
		})
		d.Must(err)
		for _, path := range []string{"", "/pdf"} {
			servicetest.Equal(t, "the page"+path, h.Page(http.MethodGet, "/s/"+token+path).Status, http.StatusNotFound)
		}
		for _, part := range []string{"", "pdf/"} {
			noLink.Wants(t, "the endpoint "+part, h.Shared(http.MethodGet, token, part, ""))
		}
	})
}

// TestInterface_8_AddressesOfFormsAreCounted checks that a GET of a form URL
// counts against the IP address.
func TestInterface_8_AddressesOfFormsAreCounted(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, func(c *server.Config) { c.Rates.IP = 3 })
	for n, want := range []int{http.StatusSeeOther, http.StatusSeeOther, http.StatusSeeOther, http.StatusTooManyRequests} {
		a := h.Page(http.MethodGet, "/s/nothing/"+[]string{"code", "approve"}[n%2])
		servicetest.Equal(t, "status", a.Status, want)
		if a.Header.Get("X-Ratelimit-Limit") == "" {
			t.Errorf("call %d has no rate limit headers: %v", n+1, a.Header)
		}
	}
}

// TestGuest_PageOfANote checks that the page shows the reason of a credit note.
func TestGuest_PageOfANote(t *testing.T) {
	servicetest.OnSQLiteWith(t, servicetest.Wide, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		original, _ := d.Issued(d.Standard())
		id, token := d.Issued(d.Note(381, original))
		why := d.Reason.Description
		servicetest.Same(t, "by the endpoint", h.Shared(http.MethodGet, token, "", "").Wants(t, http.StatusOK)["reason_text"], any(why))
		h.Page(http.MethodGet, "/s/"+token).Says(t, "the page of "+id.String(), why)
	})
}

// TestGuest_PageOfAnIssuedDraft checks that the page of an issued draft says so
// and has no form.
func TestGuest_PageOfAnIssuedDraft(t *testing.T) {
	servicetest.OnSQLiteWith(t, servicetest.Wide, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft, token := d.Shared()
		h.Shared(http.MethodPost, token, "approve/", servicetest.Approval("Noura", d.Code(token))).Wants(t, http.StatusOK)
		h.Page(http.MethodGet, "/s/"+token+"?lang=en").Says(t, "approved", "It becomes a tax document only when the seller issues it.", "Approved by the recipient")
		_, err := d.Sharer().Issue(d.Ctx, d.By, draft.ID)
		d.Must(err)
		english, arabic := h.Page(http.MethodGet, "/s/"+token+"?lang=en"), h.Page(http.MethodGet, "/s/"+token+"?lang=ar")
		english.Says(t, "issued", "Document issued", "Only the issued document is valid", "Noura")
		arabic.Says(t, "issued", "صدر المستند", "والعبرة بالمستند الصادر وحده")
		for _, over := range []string{"It becomes a tax document only", "<form"} {
			if strings.Contains(english.Body, over) {
				t.Errorf("the page of an issued draft contains %q", over)
			}
		}
	})
}

// TestInterface_8_LinkOfARejectedInvoice checks that the link of a rejected
// invoice cannot be renewed, because the new link would not work.
func TestInterface_8_LinkOfARejectedInvoice(t *testing.T) {
	servicetest.MostlySQLiteSending(t, "polite", func(t *testing.T, s *servicetest.Sending) {
		shop := s.OnboardedSeller()
		id := shop.Created(shop.Standard(servicetest.Fields{"form_lines": []any{shop.Line(servicetest.Fields{"vat_rate": 10})}}))
		shop.WantsFinal(id, "NOT_CLEARED")
		_, _, err := s.Service.Sharer().RenewInvoice(t.Context(), s.Operator(s.Org), id)
		if fault.KindOf(err) != fault.Conflict || !strings.Contains(err.Error(), "rejected this invoice") {
			t.Errorf("RenewInvoice returned %v, want a conflict", err)
		}
	})
}
