package service_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/share"
)

// deed is the last entry of the trail about a draft, of an action.
func (d *desk) deed(subject uuid.UUID, action string) org.Event {
	d.t.Helper()
	events, err := d.service.Store().Events(d.ctx, d.of(), 1000)
	d.must(err)
	for _, e := range events {
		if e.Subject == subject.String() && e.Action == action {
			return e
		}
	}
	d.t.Fatalf("the trail has no %s", action)
	return org.Event{}
}

// TestK6_TheTrailSaysWhereFrom: whoever asks for a code, tries and approves is in
// the trail with address and request, and no code is.
func TestK6_TheTrailSaysWhereFrom(t *testing.T) {
	eachWith(t, wide, func(t *testing.T, h *house) {
		d := h.desk()
		draft, token := d.shared()
		from := func(action string, a answer) org.Event {
			e := d.deed(draft.ID, action)
			equal(t, action, []string{e.Address, e.Request, e.Actor}, []string{"127.0.0.1", a.header.Get("X-Request-Id"), "shared link"})
			for _, one := range d.letters() {
				if code := sixDigits.FindString(one.text.Body); code != "" && strings.Contains(e.Details, code) {
					t.Errorf("%s: the trail has the code: %s", action, e.Details)
				}
			}
			return e
		}
		from("draft.code_sent", h.shared(http.MethodPost, token, "otp/", ""))
		code := d.lastCode()
		var last answer
		for range share.MostTries {
			equal(t, "refusals before the fifth", strings.Contains(strings.Join(d.deeds(draft.ID), " "), "refused"), false)
			last = h.shared(http.MethodPost, token, "approve/", approval("Mallory", wrongCode(code)))
		}
		from("draft.code_refused", last)
		h.shared(http.MethodPost, token, "approve/", approval("Mallory", wrongCode(code)))
		h.clock.Advance(share.CodeLife)
		h.shared(http.MethodPost, token, "otp/", "").wants(t, http.StatusOK)
		from("draft.approved", h.shared(http.MethodPost, token, "approve/", approval("Noura", d.lastCode())))
		equal(t, "the trail", d.deeds(draft.ID), []string{
			"draft.created", "draft.shared", "draft.code_sent", "draft.code_refused", "draft.code_sent", "draft.approved",
		})
	})
}

// The key that a draft is issued with is nobody else's.
func TestDraft_KeysOfDraftsAreReserved(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		d := h.desk()
		draft := d.draft()
		for _, key := range []string{"draft-" + draft.ID.String(), "DRAFT-" + strings.ToUpper(draft.ID.String())} {
			equal(t, key, d.createAs(key, d.simplified()).problems(t), []string{"Idempotency-Key: A key of this form belongs to a draft. Choose another"})
		}
		i, err := d.sharer().Issue(d.ctx, d.by, draft.ID)
		d.must(err)
		d.issuedOnce(i.ID)
		// Also of a draft that is issued, nothing is answered again.
		equal(t, "once it is issued", d.createAs("draft-"+draft.ID.String(), d.simplified()).status, http.StatusBadRequest)
		d.createAs("draft-7", d.simplified()).wants(t, http.StatusAccepted)
	})
}

// Nobody is flooded in our name: twenty letters a day to one address.
func TestDraft_LettersOfADay(t *testing.T) {
	eachWith(t, wide, func(t *testing.T, h *house) {
		d := h.desk()
		draft, token := d.shared()
		for n := 1; n < share.DayTo; n++ {
			to := recipient
			if n%2 == 0 { // written in another way it is the same address
				to.Email = strings.ToUpper(to.Email)
			}
			made, err := d.sharer().Create(d.ctx, d.by, d.request("4200.00"), to)
			d.must(err)
			_, err = d.sharer().Share(d.ctx, d.by, made.ID)
			d.must(err)
		}
		equal(t, "letters", len(d.letters()), share.DayTo)
		refusal{http.StatusBadRequest, `{"detail":"No more than 20 letters a day are sent to one address. Try again tomorrow."}` + "\n"}.
			wants(t, "a code", h.shared(http.MethodPost, token, "otp/", ""))
		_, made := d.tries(draft)
		equal(t, "codes", made, 0)
		one := d.draft()
		_, err := d.sharer().Share(d.ctx, d.by, one.ID)
		turnedAway(t, "the 21st", err, fault.Exhausted, "20 letters a day")
		equal(t, "the draft", d.again(one).State(), share.Open)
		session := h.session(org.CreateInvoice, d.org)
		over := h.as(session, http.MethodPost, "/app/api/drafts/"+one.ID.String()+"/share/", "").wants(t, http.StatusTooManyRequests)
		same(t, "in the app", over, record{
			"detail": "No more than 20 letters a day are sent to one address. Try again tomorrow.", "window": "daily", "limit": number(20), "current": number(20),
		})

		other := recipient
		other.Email = "sara@buyer.example"
		_, err = d.sharer().Change(d.ctx, d.by, one.ID, 0, d.request("1.00"), other)
		d.must(err)
		_, err = d.sharer().Share(d.ctx, d.by, one.ID)
		d.must(err)
		h.clock.Advance(24 * 60 * 60 * 1e9)
		h.shared(http.MethodPost, token, "otp/", "").wants(t, http.StatusOK)
	})
}

// A name in a letter leads nowhere.
func TestDraft_NamesOfRecipients(t *testing.T) {
	d := open(t, nil).desk()
	for _, name := range []string{"Win at https://x.example", "Www.x.example", "evil-bank.com/login", "pay@evil.example"} {
		_, err := d.sharer().Create(d.ctx, d.by, d.request("1.00"), share.Recipient{Name: name, Email: recipient.Email})
		turnedAway(t, name, err, fault.Invalid, "recipient.name", "no web or e-mail address")
	}
}
