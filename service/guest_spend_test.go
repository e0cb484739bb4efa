package service_test

import (
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"

	"khatm/service/internal/fault"
	"khatm/service/internal/server"
	"khatm/service/internal/share"
)

// A link beyond its hour is refused before anything is read of what it leads to:
// whoever calls on in vain costs next to nothing, however large the draft is.
func TestA4_LinkBeyondItsHourReadsNothing(t *testing.T) {
	h := open(t, func(c *server.Config) { c.Rates.PublicDaily, c.Rates.SharedHourly = 1<<30, 20 })
	d := h.desk()
	large := d.request("4200.00")
	large.FormLines = slices.Repeat(large.FormLines, 2_000)
	draft, err := d.sharer().Create(d.ctx, d.by, large, recipient)
	d.must(err)
	draft, err = d.sharer().Share(d.ctx, d.by, draft.ID)
	d.must(err)
	token := d.token(draft)
	taken := func(path string, want int) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 10 {
			w := httptest.NewRecorder()
			h.service.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
			equal(t, path, w.Code, want)
		}
		runtime.ReadMemStats(&after)
		return (after.TotalAlloc - before.TotalAlloc) / 10
	}
	page, view := "/s/"+token, sharedAt(token, "")
	opened := min(taken(page, http.StatusOK), taken(view, http.StatusOK))
	for _, path := range []string{page, view, page + "/pdf"} {
		if refused := taken(path, http.StatusTooManyRequests); refused > opened/20 {
			t.Errorf("%s beyond the hour takes %d KiB, opened it takes %d", path, refused>>10, opened>>10)
		}
	}
}

// A link that is withdrawn while it is being opened opens nothing.
func TestGuest_LinkThatIsWithdrawnMeanwhile(t *testing.T) {
	onSQLiteWith(t, wide, func(t *testing.T, h *house) {
		d := h.desk()
		draft, token := d.shared()
		_, err := d.service.Store().ChangeDraft(d.ctx, d.by, draft.ID, func(f *share.Folder) error {
			f.Shown = nil // as it is read when the link has gone since
			return nil
		})
		d.must(err)
		for _, path := range []string{"", "/pdf"} {
			equal(t, "the page"+path, h.page(http.MethodGet, "/s/"+token+path).status, http.StatusNotFound)
		}
		for _, part := range []string{"", "pdf/"} {
			noLink.wants(t, "the endpoint "+part, h.shared(http.MethodGet, token, part, ""))
		}
	})
}

// Whoever opens the address of a form is counted as everybody who opens nothing.
func TestInterface_8_AddressesOfFormsAreCounted(t *testing.T) {
	h := open(t, func(c *server.Config) { c.Rates.IP = 3 })
	for n, want := range []int{http.StatusSeeOther, http.StatusSeeOther, http.StatusSeeOther, http.StatusTooManyRequests} {
		a := h.page(http.MethodGet, "/s/nothing/"+[]string{"code", "approve"}[n%2])
		equal(t, "status", a.status, want)
		if a.header.Get("X-Ratelimit-Limit") == "" {
			t.Errorf("call %d has no headers of limits: %v", n+1, a.header)
		}
	}
}

// Why a note was issued is seen.
func TestGuest_PageOfANote(t *testing.T) {
	onSQLiteWith(t, wide, func(t *testing.T, h *house) {
		d := h.desk()
		original, _ := d.issued(d.standard())
		id, token := d.issued(d.note(381, original))
		why := d.reason.Description
		same(t, "by the endpoint", h.shared(http.MethodGet, token, "", "").wants(t, http.StatusOK)["reason_text"], any(why))
		h.page(http.MethodGet, "/s/"+token).says(t, "the page of "+id.String(), why)
	})
}

// The page of a draft that was issued says so, and asks for nothing.
func TestGuest_PageOfAnIssuedDraft(t *testing.T) {
	onSQLiteWith(t, wide, func(t *testing.T, h *house) {
		d := h.desk()
		draft, token := d.shared()
		h.shared(http.MethodPost, token, "approve/", approval("Noura", d.code(token))).wants(t, http.StatusOK)
		h.page(http.MethodGet, "/s/"+token+"?lang=en").says(t, "approved", "It becomes an invoice only when the seller issues it.", "Approved by the recipient")
		_, err := d.sharer().Issue(d.ctx, d.by, draft.ID)
		d.must(err)
		english, arabic := h.page(http.MethodGet, "/s/"+token+"?lang=en"), h.page(http.MethodGet, "/s/"+token+"?lang=ar")
		english.says(t, "issued", "Issued as an invoice", "only the invoice counts", "Noura")
		arabic.says(t, "issued", "صدرت بها فاتورة", "والفاتورة وحدها هي المعتبرة")
		for _, over := range []string{"It becomes an invoice only", "<form"} {
			if strings.Contains(english.body, over) {
				t.Errorf("an issued draft still says %q", over)
			}
		}
	})
}

// The link of an invoice that the authority has rejected is not renewed: it
// would never open anything.
func TestInterface_8_LinkOfARejectedInvoice(t *testing.T) {
	eachSending(t, "polite", func(t *testing.T, s *sending) {
		shop := s.shop()
		id := shop.created(shop.standard(fields{"form_lines": []any{shop.line(fields{"vat_rate": 10})}}))
		shop.wantsFinal(id, "NOT_CLEARED")
		_, _, err := s.service.Sharer().RenewInvoice(t.Context(), s.operator(s.org), id)
		if fault.KindOf(err) != fault.Conflict || !strings.Contains(err.Error(), "rejected this invoice") {
			t.Errorf("renewed: %v", err)
		}
	})
}
