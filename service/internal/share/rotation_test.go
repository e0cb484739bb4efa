package share_test

import (
	"testing"

	"khatm/service/internal/servicetest"
	"khatm/service/internal/share"
	"khatm/service/internal/store"
)

// TestRotationKeepsLinksCodesAndLetters checks that links, codes and e-mails
// still work after the master key was rotated and the old key retired.
func TestRotationKeepsLinksCodesAndLetters(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		invoice := d.Created(d.Simplified())
		minted := shareToken(d.Seller, invoice)
		draft, token := d.Shared()
		code := d.Code(token)

		ring := h.Service.Vault()
		old := ring.Keys()[0].ID
		_, err := ring.Rotate()
		d.Must(err)
		_, _, err = h.Service.Store().RewrapSecrets(d.Ctx, func(s store.Secret) ([]byte, bool, error) { return ring.Rewrap(s.Purpose, s.Owner, s.Sealed) })
		d.Must(err)
		d.Must(ring.Retire(old))

		servicetest.Equal(t, "the link of an invoice", shareToken(d.Seller, invoice), minted)
		servicetest.Equal(t, "the link of a draft", d.Token(d.Again(draft)), token)
		servicetest.Equal(t, "the code in the e-mail", d.LastCode(), code)
		_, err = d.Sharer().Approve(d.Ctx, token, "Noura", code, share.From{})
		d.Must(err)
	})
}
