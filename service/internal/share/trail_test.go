package share_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/share"
)

// lastEvent returns the last entry of the audit trail about a draft with an
// action.
func lastEvent(d *servicetest.DraftSharing, subject uuid.UUID, action string) org.Event {
	d.TB.Helper()
	events, err := d.Service.Store().Events(d.Ctx, d.Of(), 1000)
	d.Must(err)
	for _, e := range events {
		if e.Subject == subject.String() && e.Action == action {
			return e
		}
	}
	d.TB.Fatalf("the audit trail has no %s", action)
	return org.Event{}
}

// TestK6_TheTrailSaysWhereFrom checks that the audit trail records IP address
// and request ID of requests for codes, attempts and approvals, and no codes.
func TestK6_TheTrailSaysWhereFrom(t *testing.T) {
	servicetest.MostlySQLiteWith(t, servicetest.Wide, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft, token := d.Shared()
		from := func(action string, a servicetest.Answer) org.Event {
			e := lastEvent(d, draft.ID, action)
			servicetest.Equal(t, action, []string{e.Address, e.Request, e.Actor}, []string{"127.0.0.1", a.Header.Get("X-Request-Id"), "shared link"})
			for _, one := range d.Letters() {
				if code := servicetest.SixDigits.FindString(one.Text.Body); code != "" && strings.Contains(e.Details, code) {
					t.Errorf("%s: the audit trail contains the code: %s", action, e.Details)
				}
			}
			return e
		}
		from("draft.code_sent", h.Shared(http.MethodPost, token, "otp/", ""))
		code := d.LastCode()
		var last servicetest.Answer
		for range share.MostTries {
			servicetest.Equal(t, "refusals before the fifth", strings.Contains(strings.Join(d.Events(draft.ID), " "), "refused"), false)
			last = h.Shared(http.MethodPost, token, "approve/", servicetest.Approval("Mallory", servicetest.WrongCode(code)))
		}
		from("draft.code_refused", last)
		h.Shared(http.MethodPost, token, "approve/", servicetest.Approval("Mallory", servicetest.WrongCode(code)))
		h.Clock.Advance(share.CodeLife)
		h.Shared(http.MethodPost, token, "otp/", "").Wants(t, http.StatusOK)
		from("draft.approved", h.Shared(http.MethodPost, token, "approve/", servicetest.Approval("Noura", d.LastCode())))
		servicetest.Equal(t, "the trail", d.Events(draft.ID), []string{
			"draft.created", "draft.shared", "draft.code_sent", "draft.code_refused", "draft.code_sent", "draft.approved",
		})
	})
}

// TestDraft_KeysOfDraftsAreReserved checks that the idempotency keys of drafts
// cannot be used by other requests.
func TestDraft_KeysOfDraftsAreReserved(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft := d.Draft()
		for _, key := range []string{"draft-" + draft.ID.String(), "DRAFT-" + strings.ToUpper(draft.ID.String())} {
			servicetest.Equal(t, key, d.CreateAs(key, d.Simplified()).Problems(t), []string{"Idempotency-Key: must not be draft- followed by a UUID, which is reserved for drafts"})
		}
		i, err := d.Sharer().Issue(d.Ctx, d.By, draft.ID)
		d.Must(err)
		issuedOnce(d, i.ID)
		// The key of an issued draft does not return its invoice either.
		servicetest.Equal(t, "once it is issued", d.CreateAs("draft-"+draft.ID.String(), d.Simplified()).Status, http.StatusBadRequest)
		d.CreateAs("draft-7", d.Simplified()).Wants(t, http.StatusAccepted)
	})
}

// TestDraft_LettersOfADay checks the limit of twenty e-mails a day to one
// address.
func TestDraft_LettersOfADay(t *testing.T) {
	servicetest.MostlySQLiteWith(t, servicetest.Wide, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft, token := d.Shared()
		for n := 1; n < share.DayTo; n++ {
			to := servicetest.Recipient
			if n%2 == 0 { // a different spelling of the same address
				to.Email = strings.ToUpper(to.Email)
			}
			made, err := d.Sharer().Create(d.Ctx, d.By, d.Request("4200.00"), to)
			d.Must(err)
			_, err = d.Sharer().Share(d.Ctx, d.By, made.ID)
			d.Must(err)
		}
		servicetest.Equal(t, "e-mails", len(d.Letters()), share.DayTo)
		servicetest.Refusal{Status: http.StatusBadRequest, Body: `{"code":"emails_refused","detail":"At most 20 e-mails a day are sent to one address. Try again tomorrow."}` + "\n"}.
			Wants(t, "a code", h.Shared(http.MethodPost, token, "otp/", ""))
		_, made := d.Tries(draft)
		servicetest.Equal(t, "codes", made, 0)
		one := d.Draft()
		_, err := d.Sharer().Share(d.Ctx, d.By, one.ID)
		wantFault(t, "the 21st", err, fault.Exhausted, "20 e-mails a day")
		servicetest.Equal(t, "the draft", d.Again(one).State(), share.Open)
		session := h.Session(org.CreateInvoice, d.Org)
		over := h.As(session, http.MethodPost, "/app/api/drafts/"+one.ID.String()+"/share/", "").Wants(t, http.StatusTooManyRequests)
		delete(over, "errors")
		servicetest.Same(t, "in the app", over, servicetest.Record{
			"code": "email_limit", "detail": "At most 20 e-mails a day are sent to one address. Try again tomorrow.", "window": "daily", "limit": servicetest.Number(20), "current": servicetest.Number(20),
		})

		other := servicetest.Recipient
		other.Email = "sara@buyer.example"
		_, err = d.Sharer().Change(d.Ctx, d.By, one.ID, 0, d.Request("1.00"), other)
		d.Must(err)
		_, err = d.Sharer().Share(d.Ctx, d.By, one.ID)
		d.Must(err)
		h.Clock.Advance(24 * 60 * 60 * 1e9)
		h.Shared(http.MethodPost, token, "otp/", "").Wants(t, http.StatusOK)
	})
}

// TestDraft_NamesOfRecipients checks that recipient names with addresses are
// refused.
func TestDraft_NamesOfRecipients(t *testing.T) {
	t.Parallel()
	d := servicetest.Open(t, nil).DraftSharing()
	for _, name := range []string{"Win at https://x.example", "Www.x.example", "evil-bank.com/login", "pay@evil.example"} {
		_, err := d.Sharer().Create(d.Ctx, d.By, d.Request("1.00"), share.Recipient{Name: name, Email: servicetest.Recipient.Email})
		wantFault(t, name, err, fault.Invalid, "recipient.name", "no web or e-mail address")
	}
}
