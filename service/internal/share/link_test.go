package share_test

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/share"
)

// gone checks that err is the common error of every token that does not work.
func gone(t testing.TB, what string, err error) {
	t.Helper()
	var got, want *fault.Error
	if !errors.As(err, &got) || !errors.As(share.ErrGone(), &want) {
		t.Errorf("%s: error is %v, want a fault", what, err)
		return
	}
	servicetest.Equal(t, what, *got, *want)
}

// shareToken returns the token in share_link of an invoice.
func shareToken(t *servicetest.Seller, id uuid.UUID) string {
	t.TB.Helper()
	link, is := t.Full(id)["share_link"].(string)
	if !is {
		t.TB.Fatal("share_link is missing")
	}
	_, token, _ := strings.Cut(link, "/s/")
	return token
}

// everyVerb calls every operation with a token and returns the errors.
func everyVerb(d *servicetest.DraftSharing, token string) map[string]error {
	_, open := d.Sharer().Open(d.Ctx, token)
	_, ask := d.Sharer().AskCode(d.Ctx, token, share.From{})
	_, approve := d.Sharer().Approve(d.Ctx, token, "Noura", "123456", share.From{})
	return map[string]error{"open": open, "ask": ask, "approve": approve}
}

// TestK7_LinksThatOpenNothing checks that unknown, expired and revoked links
// return the same error, and that a link is valid for exactly thirty days.
func TestK7_LinksThatOpenNothing(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		var unknown [32]byte
		_, _ = rand.Read(unknown[:])
		tokens := map[string]string{"unknown": base64.RawURLEncoding.EncodeToString(unknown[:]), "empty": "", "strange": "../../\x00", "long": strings.Repeat("x", 1<<16)}

		invoice := d.Created(d.Simplified())
		tokens["an invoice's, revoked"] = shareToken(d.Seller, invoice)
		d.Must(d.Sharer().RevokeInvoice(d.Ctx, d.By, invoice))
		draft, token := d.Shared()
		tokens["a draft's, revoked"] = token
		_, err := d.Sharer().Unshare(d.Ctx, d.By, draft.ID)
		d.Must(err)
		draft, token = d.Shared()
		tokens["a draft's, removed"] = token
		d.Must(d.Sharer().Remove(d.Ctx, d.By, draft.ID))
		tokens["a standard invoice's that is not cleared"] = shareToken(d.Seller, d.Created(d.Standard()))

		_, drafts := d.Shared()
		issued := shareToken(d.Seller, d.Created(d.Simplified(servicetest.Fields{"notes": servicetest.Note("another")})))
		h.Clock.Advance(share.Life - time.Millisecond)
		for what, token := range map[string]string{"a draft's": drafts, "an invoice's": issued} {
			if _, err := d.Sharer().Open(d.Ctx, token); err != nil {
				t.Errorf("%s, just before it expires: %v", what, err)
			}
		}
		h.Clock.Advance(time.Millisecond)
		tokens["a draft's, over"], tokens["an invoice's, over"] = drafts, issued
		for what, token := range tokens {
			for verb, err := range everyVerb(d, token) {
				gone(t, verb+" "+what, err)
			}
		}
	})
}

// TestSharedInvoiceCannotBeApproved checks the error for approving an invoice.
func TestSharedInvoiceCannotBeApproved(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		id := d.Created(d.Simplified())
		did := everyVerb(d, shareToken(d.Seller, id))
		d.Must(did["open"])
		wantFault(t, "a code for an invoice", did["ask"], fault.Invalid, "needs no approval")
		wantFault(t, "an approval of an invoice", did["approve"], fault.Invalid, "needs no approval")
		view, err := d.Sharer().Open(d.Ctx, shareToken(d.Seller, id))
		d.Must(err)
		if view.Draft != nil || view.Issued == nil || view.Issued.ID != id || view.Of != d.Of() {
			t.Errorf("the link shows %+v, want the invoice", view)
		}
	})
}

// TestSharedInvoiceIsSeenWhenItIsOne checks that a link shows a standard
// invoice once it is cleared, a simplified one at once, and a rejected one
// never.
func TestSharedInvoiceIsSeenWhenItIsOne(t *testing.T) {
	servicetest.MostlySQLiteSending(t, "", func(t *testing.T, s *servicetest.Sending) {
		shop := s.OnboardedSeller()
		wrong := servicetest.Fields{"form_lines": []any{shop.Line(servicetest.Fields{"vat_rate": 10})}}
		for _, one := range []struct {
			body, status string
			seen         bool
		}{
			{shop.Standard(), "CLEARED", true},
			{shop.Simplified(), "REPORTED", true},
			{shop.Standard(wrong), "NOT_CLEARED", false},
			{shop.Simplified(wrong), "NOT_REPORTED", false},
		} {
			id := shop.Created(one.body)
			shop.WantsFinal(id, one.status)
			_, err := s.Service.Sharer().Open(t.Context(), shareToken(shop, id))
			if one.seen && err != nil {
				t.Errorf("link of an invoice that is %s: %v", one.status, err)
			}
			if !one.seen {
				gone(t, one.status, err)
			}
		}
	})
}

// TestInterface_2_7_ShareLinkIsThatWhichWorks checks that share_link is null if
// the link is expired or revoked, and the new link after a renewal.
func TestInterface_2_7_ShareLinkIsThatWhichWorks(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		id := d.Created(d.Simplified())
		shown := func() (links []any) {
			whole := d.Full(id)["share_link"]
			servicetest.Equal(t, "in the list", servicetest.First(t, d.Read(t, "/api/invoices/?page_size=10")["invoices"])["share_link"], whole)
			return []any{whole}
		}
		minted := shareToken(d.Seller, id)
		renewed, expires, err := d.Sharer().RenewInvoice(d.Ctx, d.By, id)
		d.Must(err)
		servicetest.Equal(t, "expires", expires, h.Clock.Now().Add(share.Life))
		servicetest.Equal(t, "after renewal", shown(), []any{renewed})
		_, err = d.Sharer().Open(d.Ctx, minted)
		gone(t, "the first link", err)
		_, token, _ := strings.Cut(renewed, "/s/")
		_, err = d.Sharer().Open(d.Ctx, token)
		d.Must(err)

		h.Clock.Advance(share.Life - time.Millisecond)
		servicetest.Equal(t, "a moment before its end", shown(), []any{renewed})
		h.Clock.Advance(time.Millisecond)
		servicetest.Equal(t, "after it has expired", shown(), []any{nil})
		renewed, _, err = d.Sharer().RenewInvoice(d.Ctx, d.By, id)
		d.Must(err)
		servicetest.Equal(t, "renewed after its end", shown(), []any{renewed})
		d.Must(d.Sharer().RevokeInvoice(d.Ctx, d.By, id))
		servicetest.Equal(t, "after it was revoked", shown(), []any{nil})
		servicetest.Equal(t, "the trail", d.Events(id), []string{"invoice.create", "share.renewed", "share.renewed", "share.revoked"})

		stranger := h.Operator(h.Organisation("Another", "business"))
		_, _, err = d.Sharer().RenewInvoice(d.Ctx, stranger, id)
		wantFault(t, "an invoice of another organisation", err, fault.NotFound, "Invoice not found")
		wantFault(t, "an invoice of another organisation", d.Sharer().RevokeInvoice(d.Ctx, stranger, id), fault.NotFound, "Invoice not found")
	})
}
