package service_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/org"
)

// opensPublicly is what the public face says to a token.
func (h *house) opensPublicly(token string) int {
	h.t.Helper()
	h.clock.Advance(24 * time.Hour) // ten calls a day are free
	return h.send(http.MethodGet, "/v1-3/api/public/shared/"+token+"/").status
}

func TestInterface_8_LinkOfAnInvoiceIsRenewedAndRevoked(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		id := shop.created(shop.simplified())
		admin := h.session(org.Admin, h.org)
		path := "/app/api/invoices/" + id.String() + "/share/"
		token := func(link any) string {
			t.Helper()
			_, token, found := strings.Cut(text(link), "/s/")
			if !found {
				t.Fatalf("the link is %v", link)
			}
			return token
		}
		first := token(shop.full(id)["share_link"])
		same(t, "the first link", h.opensPublicly(first), http.StatusOK)

		renewed := h.as(admin, http.MethodPost, path, "").wants(t, http.StatusOK)
		same(t, "expires", renewed["expires_at"], any("2026-12-16T12:00:00+03:00"))
		same(t, "the invoice shows it", shop.full(id)["share_link"], renewed["share_link"])
		second := token(renewed["share_link"])
		same(t, "the first link", h.opensPublicly(first), http.StatusNotFound)
		same(t, "the second link", h.opensPublicly(second), http.StatusOK)

		for range 2 { // revoking again is no mistake
			same(t, "revoked", h.as(admin, http.MethodDelete, path, "").wants(t, http.StatusOK), record{"message": "The link is over."})
			same(t, "the invoice shows none", shop.full(id)["share_link"], any(nil))
			same(t, "the second link", h.opensPublicly(second), http.StatusNotFound)
		}
		third := token(h.as(admin, http.MethodPost, path, "").wants(t, http.StatusOK)["share_link"])
		same(t, "the third link", h.opensPublicly(third), http.StatusOK)
		for _, secret := range []string{first, second, third} {
			if strings.Contains(h.log.String(), secret) {
				t.Error("the log has a token")
			}
		}
	})
}
