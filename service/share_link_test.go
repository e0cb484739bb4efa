package service_test

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/share"
)

// gone demands the one answer to every token that opens nothing.
func gone(t testing.TB, what string, err error) {
	t.Helper()
	var got, want *fault.Error
	if !errors.As(err, &got) || !errors.As(share.ErrGone(), &want) {
		t.Errorf("%s: %v", what, err)
		return
	}
	equal(t, what, *got, *want)
}

// shareToken is the token of an invoice's link as the interface gives it out.
func (t *till) shareToken(id uuid.UUID) string {
	t.t.Helper()
	link, is := t.full(id)["share_link"].(string)
	if !is {
		t.t.Fatal("there is no link")
	}
	_, token, _ := strings.Cut(link, "/s/")
	return token
}

// everyVerb does everything that can be done with a token.
func (d *desk) everyVerb(token string) map[string]error {
	_, open := d.sharer().Open(d.ctx, token)
	_, ask := d.sharer().AskCode(d.ctx, token, share.From{})
	_, approve := d.sharer().Approve(d.ctx, token, "Noura", "123456", share.From{})
	return map[string]error{"open": open, "ask": ask, "approve": approve}
}

// TestK7_LinksThatOpenNothing: unknown, over and revoked are told alike, and
// thirty days are thirty days.
func TestK7_LinksThatOpenNothing(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		d := h.desk()
		var unknown [32]byte
		_, _ = rand.Read(unknown[:])
		tokens := map[string]string{"unknown": base64.RawURLEncoding.EncodeToString(unknown[:]), "empty": "", "strange": "../../\x00", "long": strings.Repeat("x", 1<<16)}

		invoice := d.created(d.simplified())
		tokens["an invoice's, revoked"] = d.shareToken(invoice)
		d.must(d.sharer().RevokeInvoice(d.ctx, d.by, invoice))
		draft, token := d.shared()
		tokens["a draft's, revoked"] = token
		_, err := d.sharer().Unshare(d.ctx, d.by, draft.ID)
		d.must(err)
		draft, token = d.shared()
		tokens["a draft's, removed"] = token
		d.must(d.sharer().Remove(d.ctx, d.by, draft.ID))
		tokens["a standard invoice's that is not cleared"] = d.shareToken(d.created(d.standard()))

		_, drafts := d.shared()
		issued := d.shareToken(d.created(d.simplified(fields{"notes": note("another")})))
		h.clock.Advance(share.Life - time.Millisecond)
		for what, token := range map[string]string{"a draft's": drafts, "an invoice's": issued} {
			if _, err := d.sharer().Open(d.ctx, token); err != nil {
				t.Errorf("%s, a moment before its end: %v", what, err)
			}
		}
		h.clock.Advance(time.Millisecond)
		tokens["a draft's, over"], tokens["an invoice's, over"] = drafts, issued
		for what, token := range tokens {
			for verb, err := range d.everyVerb(token) {
				gone(t, verb+" "+what, err)
			}
		}
	})
}

// An invoice needs no approval, and says so to whoever may see it.
func TestSharedInvoiceCannotBeApproved(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		d := h.desk()
		id := d.created(d.simplified())
		did := d.everyVerb(d.shareToken(id))
		d.must(did["open"])
		turnedAway(t, "a code for an invoice", did["ask"], fault.Invalid, "needs no approval")
		turnedAway(t, "an approval of an invoice", did["approve"], fault.Invalid, "needs no approval")
		view, err := d.sharer().Open(d.ctx, d.shareToken(id))
		d.must(err)
		if view.Draft != nil || view.Issued == nil || view.Issued.ID != id || view.Of != d.of() {
			t.Errorf("the link shows %+v", view)
		}
	})
}

// Whoever has the link sees a standard invoice once it is cleared, a simplified
// one at once, and none that was rejected.
func TestSharedInvoiceIsSeenWhenItIsOne(t *testing.T) {
	eachSending(t, "", func(t *testing.T, s *sending) {
		shop := s.shop()
		wrong := fields{"form_lines": []any{shop.line(fields{"vat_rate": 10})}}
		for _, one := range []struct {
			body, status string
			seen         bool
		}{
			{shop.standard(), "CLEARED", true},
			{shop.simplified(), "REPORTED", true},
			{shop.standard(wrong), "NOT_CLEARED", false},
			{shop.simplified(wrong), "NOT_REPORTED", false},
		} {
			id := shop.created(one.body)
			shop.wantsFinal(id, one.status)
			_, err := s.service.Sharer().Open(t.Context(), shop.shareToken(id))
			if one.seen && err != nil {
				t.Errorf("%s: %v", one.status, err)
			}
			if !one.seen {
				gone(t, one.status, err)
			}
		}
	})
}

// share_link is null once the link is over or revoked, and the new one when it
// was renewed.
func TestInterface_2_7_ShareLinkIsThatWhichWorks(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		d := h.desk()
		id := d.created(d.simplified())
		shown := func() (links []any) {
			whole := d.full(id)["share_link"]
			equal(t, "in the list", first(t, d.read(t, "/api/invoices/?page_size=10")["invoices"])["share_link"], whole)
			return []any{whole}
		}
		minted := d.shareToken(id)
		renewed, expires, err := d.sharer().RenewInvoice(d.ctx, d.by, id)
		d.must(err)
		equal(t, "expires", expires, h.clock.Now().Add(share.Life))
		equal(t, "after renewal", shown(), []any{renewed})
		_, err = d.sharer().Open(d.ctx, minted)
		gone(t, "the first link", err)
		_, token, _ := strings.Cut(renewed, "/s/")
		_, err = d.sharer().Open(d.ctx, token)
		d.must(err)

		h.clock.Advance(share.Life - time.Millisecond)
		equal(t, "a moment before its end", shown(), []any{renewed})
		h.clock.Advance(time.Millisecond)
		equal(t, "when it is over", shown(), []any{nil})
		renewed, _, err = d.sharer().RenewInvoice(d.ctx, d.by, id)
		d.must(err)
		equal(t, "renewed after its end", shown(), []any{renewed})
		d.must(d.sharer().RevokeInvoice(d.ctx, d.by, id))
		equal(t, "when it is revoked", shown(), []any{nil})
		equal(t, "the trail", d.deeds(id), []string{"invoice.create", "share.renewed", "share.renewed", "share.revoked"})

		stranger := h.operator(h.organisation("Another", "business"))
		_, _, err = d.sharer().RenewInvoice(d.ctx, stranger, id)
		turnedAway(t, "another's invoice", err, fault.NotFound, "Invoice not found")
		turnedAway(t, "another's invoice", d.sharer().RevokeInvoice(d.ctx, stranger, id), fault.NotFound, "Invoice not found")
	})
}
