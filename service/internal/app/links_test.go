package app_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

// opensPublicly returns the status of the public endpoint for a token.
func opensPublicly(h *servicetest.Instance, token string) int {
	h.TB.Helper()
	h.Clock.Advance(24 * time.Hour) // to stay below the limit of ten calls a day
	return h.Send(http.MethodGet, "/v1-3/api/public/shared/"+token+"/").Status
}

func TestInterface_8_LinkOfAnInvoiceIsRenewedAndRevoked(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		id := shop.Created(shop.Simplified())
		admin := h.Session(org.Admin, h.Org)
		path := "/app/api/invoices/" + id.String() + "/share/"
		token := func(link any) string {
			t.Helper()
			_, token, found := strings.Cut(servicetest.Text(link), "/s/")
			if !found {
				t.Fatalf("share_link = %v, want a path below /s/", link)
			}
			return token
		}
		first := token(shop.Full(id)["share_link"])
		servicetest.Same(t, "the first link", opensPublicly(h, first), http.StatusOK)

		renewed := h.As(admin, http.MethodPost, path, "").Wants(t, http.StatusOK)
		servicetest.Same(t, "expires", renewed["expires_at"], any("2026-12-16T12:00:00+03:00"))
		servicetest.Same(t, "the invoice shows it", shop.Full(id)["share_link"], renewed["share_link"])
		second := token(renewed["share_link"])
		servicetest.Same(t, "the first link", opensPublicly(h, first), http.StatusNotFound)
		servicetest.Same(t, "the second link", opensPublicly(h, second), http.StatusOK)

		for range 2 { // revoking again is not an error
			servicetest.Same(t, "revoked", h.As(admin, http.MethodDelete, path, "").Wants(t, http.StatusOK), servicetest.Record{"message": "The link no longer works."})
			servicetest.Same(t, "the invoice shows none", shop.Full(id)["share_link"], any(nil))
			servicetest.Same(t, "the second link", opensPublicly(h, second), http.StatusNotFound)
		}
		third := token(h.As(admin, http.MethodPost, path, "").Wants(t, http.StatusOK)["share_link"])
		servicetest.Same(t, "the third link", opensPublicly(h, third), http.StatusOK)
		for _, secret := range []string{first, second, third} {
			if strings.Contains(h.Log.String(), secret) {
				t.Error("the log contains a token")
			}
		}
	})
}
