package share_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"khatm/service/internal/fault"
	"khatm/service/internal/mail"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/share"
)

// asPerson returns the kit with drafts created by a person with an e-mail
// address.
func asPerson(h *servicetest.Instance) *servicetest.DraftSharing {
	d := h.DraftSharing()
	d.By.Name = "mona@seller.example"
	return d
}

// TestDraft_Declined declines a draft, changes it, shares it again and approves
// it.
func TestDraft_Declined(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := asPerson(h)
		draft, token := d.Shared()
		code := d.Code(token)
		_, err := d.Sharer().Decline(d.Ctx, token, "Noura", servicetest.WrongCode(code), "", share.From{})
		refusedCode(t, "a wrong code", err)
		servicetest.Equal(t, "state after a wrong code", d.Again(draft).State(), share.Shared)

		given, err := d.Sharer().Decline(d.Ctx, token, " نورة ", code, " The quantity is 3.\r\nSee evil.example ", share.From{Seen: 1})
		d.Must(err)
		want := share.Decline{Name: "نورة", Email: servicetest.Recipient.Email, Comment: "The quantity is 3.\nSee evil.example", At: h.Clock.Now(), Version: 1}
		servicetest.Equal(t, "the answer", given, want)
		declined := d.Again(draft)
		servicetest.Equal(t, "state", declined.State(), share.Declined)
		servicetest.Equal(t, "as stored", *declined.Decline, want)
		again, err := d.Sharer().Decline(d.Ctx, token, "Another", "000000", "other", share.From{})
		d.Must(err)
		servicetest.Equal(t, "declined again", again, want)
		servicetest.Equal(t, "the trail", d.Events(draft.ID), []string{"draft.created", "draft.shared", "draft.code_sent", "draft.declined"})

		letter := d.Letters()[0]
		servicetest.Equal(t, "e-mail", []any{letter.About, letter.To, letter.State}, []any{share.AboutDecline, "mona@seller.example", mail.Queued})
		for _, text := range []string{"نورة", "The quantity is 3.", "> See evil. example", "9,660.00 SAR", "9,660.00 ر.س", "declined the draft"} {
			if !strings.Contains(letter.Text.Body, text) {
				t.Errorf("the e-mail does not contain %q:\n%s", text, letter.Text.Body)
			}
		}
		if strings.Contains(letter.Text.Body+letter.Text.Subject, "%") || strings.Contains(letter.Text.Body, "evil.example") {
			t.Errorf("the e-mail has a placeholder or a link:\n%s\n%s", letter.Text.Subject, letter.Text.Body)
		}

		_, err = d.Sharer().Approve(d.Ctx, token, "Noura", code, share.From{})
		wantFault(t, "approve after declining", err, fault.Invalid, "was declined")
		_, err = d.Sharer().AskCode(d.Ctx, token, share.From{})
		wantFault(t, "a code after declining", err, fault.Invalid, "was declined")

		changed, err := d.Sharer().Change(d.Ctx, d.By, draft.ID, 1, d.Request("6300.00"), servicetest.Recipient)
		d.Must(err)
		servicetest.Equal(t, "state after a change", changed.State(), share.Declined)
		_, err = d.Sharer().Open(d.Ctx, token)
		gone(t, "the link after a change", err)
		servicetest.Equal(t, "the e-mail after a change", d.Letters()[0].State, mail.Queued)

		shared, err := d.Sharer().Share(d.Ctx, d.By, draft.ID)
		d.Must(err)
		servicetest.Equal(t, "state after sharing again", shared.State(), share.Shared)
		token = d.Token(shared)
		_, err = d.Sharer().Approve(d.Ctx, token, "Noura", d.Code(token), share.From{})
		d.Must(err)
		servicetest.Equal(t, "state at the end", d.Again(draft).State(), share.Approved)
		_, err = d.Sharer().Decline(d.Ctx, token, "Noura", code, "", share.From{})
		wantFault(t, "decline after approving", err, fault.Invalid, "already approved")
	})
}

// TestDraft_DeclinedIsOpenAfterUnshare checks that a seller can issue a declined
// draft only after withdrawing its link.
func TestDraft_DeclinedIsOpenAfterUnshare(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		declined := d.Declined()
		_, err := d.Sharer().Issue(d.Ctx, d.By, declined.ID)
		wantFault(t, "issue", err, fault.Conflict, "declined")
		open, err := d.Sharer().Unshare(d.Ctx, d.By, declined.ID)
		d.Must(err)
		servicetest.Equal(t, "state", open.State(), share.Open)
		_, err = d.Sharer().Issue(d.Ctx, d.By, declined.ID)
		d.Must(err)
		d.Must(d.Sharer().Remove(d.Ctx, d.By, d.Declined().ID))
	})
}

// TestDraft_DeclinedWithoutALetter checks that the answer counts when the
// organisation may send no further e-mail to the seller.
func TestDraft_DeclinedWithoutALetter(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := asPerson(h)
		for n := range share.DayTo + 1 {
			to := servicetest.Recipient
			to.Email = fmt.Sprintf("noura%d@buyer.example", n)
			draft, err := d.Sharer().Create(d.Ctx, d.By, d.Request("4200.00"), to)
			d.Must(err)
			draft, err = d.Sharer().Share(d.Ctx, d.By, draft.ID)
			d.Must(err)
			token := d.Token(draft)
			_, err = d.Sharer().Decline(d.Ctx, token, "Noura", d.Code(token), "", share.From{})
			d.Must(err)
			servicetest.Equal(t, "state", d.Again(draft).State(), share.Declined)
		}
		sent := 0
		for _, l := range d.Letters() {
			if l.About == share.AboutDecline {
				sent++
			}
		}
		servicetest.Equal(t, "e-mails to the seller", sent, share.DayTo)
	})
}

func TestCleanComment(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"":                          "",
		"  \u200f الكمية\u00a03 \n": "الكمية 3",
		"one\r\ntwo\rthree\tfour":   "one\ntwo\nthree four",
		strings.Repeat("ش", 500):    strings.Repeat("ش", 500),
		"می\u200cخواهم":             "می\u200cخواهم",
	} {
		if got, err := share.CleanComment(typed); got != want || err != nil {
			t.Errorf("CleanComment(%q) = %q, %v; want %q", typed, got, err, want)
		}
	}
	for typed, want := range map[string]error{
		strings.Repeat("ش", 501): share.ErrLongComment,
		"a\x00b":                 share.ErrStrangeComment,
		"a\u202eb":               share.ErrStrangeComment,
		"a\xffb":                 share.ErrStrangeComment,
	} {
		if _, err := share.CleanComment(typed); !errors.Is(err, want) {
			t.Errorf("CleanComment(%q): %v, want %v", typed, err, want)
		}
	}
}
