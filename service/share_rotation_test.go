package service_test

import (
	"testing"

	"khatm/service/internal/share"
	"khatm/service/internal/store"
)

// After a master key was rotated and the old one retired, links are shown again,
// codes approve and letters can be read.
func TestRotationKeepsLinksCodesAndLetters(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		d := h.desk()
		invoice := d.created(d.simplified())
		minted := d.shareToken(invoice)
		draft, token := d.shared()
		code := d.code(token)

		ring := h.service.Vault()
		old := ring.Keys()[0].ID
		_, err := ring.Rotate()
		d.must(err)
		_, _, err = h.service.Store().RewrapSecrets(d.ctx, func(s store.Secret) ([]byte, bool, error) { return ring.Rewrap(s.Purpose, s.Owner, s.Sealed) })
		d.must(err)
		d.must(ring.Retire(old))

		equal(t, "the link of an invoice", d.shareToken(invoice), minted)
		equal(t, "the link of a draft", d.token(d.again(draft)), token)
		equal(t, "the code in the letter", d.lastCode(), code)
		_, err = d.sharer().Approve(d.ctx, token, "Noura", code, share.From{})
		d.must(err)
	})
}
