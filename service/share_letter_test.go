package service_test

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/mail"
	"khatm/service/internal/org"
	"khatm/service/internal/share"
)

// A letter names the sender, the total, the link and, if it brings one, the
// code and how long it lives; in the recipient's language.
func TestDraft_Letters(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		d := h.desk()
		for _, one := range []struct {
			to         share.Recipient
			seller     string
			invitation []string
			code       []string
		}{
			{
				share.Recipient{Name: "Noura", Email: "noura@buyer.example", Language: "en"}, "Khatm Trading",
				[]string{"Hello Noura,", "approve", "9,660.00 SAR", "15 December 2026, 12:00", "If you did not expect"}, []string{"10 minutes", "If you did not ask"},
			},
			{
				share.Recipient{Name: "نورة", Email: "nora@buyer.example", Language: "ar"}, "شركة ختم",
				[]string{"نورة", "اعتماد", "9,660.00 ر.س", "15 ديسمبر 2026، 12:00", "إذا لم تكونوا تتوقعون"}, []string{"لاعتماد مسودة الفاتورة", "استخدموا الرمز الآتي", "9,660.00 ر.س", "10 دقائق", "إذا لم تطلبوا"},
			},
			{
				share.Recipient{Email: "nobody@buyer.example", Language: "en"}, "Khatm Trading", []string{"Hello,\n"}, []string{"Hello,\n"},
			},
		} {
			draft, err := d.sharer().Create(d.ctx, d.by, d.request("4200.00"), one.to)
			d.must(err)
			draft, err = d.sharer().Share(d.ctx, d.by, draft.ID)
			d.must(err)
			link, err := d.sharer().LinkOf(draft)
			d.must(err)
			invitation := d.letters()[0]
			code := d.code(d.token(draft))
			letter := d.letters()[0]

			for what, l := range map[string]post{share.AboutInvitation: invitation, share.AboutCode: letter} {
				equal(t, "about", l.About, what)
				equal(t, "to", l.To, one.to.Email)
				equal(t, "language", l.Language, one.to.Language)
				equal(t, "of", l.Of.ID(), d.of().ID())
				equal(t, "state", l.State, mail.Queued)
				for _, words := range []string{one.seller, "9,660.00 ", link} {
					if !strings.Contains(l.text.Body, words) {
						t.Errorf("%s does not say %q:\n%s", what, words, l.text.Body)
					}
				}
				if !strings.Contains(l.text.Subject, one.seller) || strings.ContainsAny(l.text.Subject, "\r\n") || strings.Contains(l.text.Subject, code) {
					t.Errorf("%s has the subject %q", what, l.text.Subject)
				}
				if strings.Contains(l.text.Subject+l.text.Body, "%") {
					t.Errorf("%s was not filled in:\n%s", what, l.text.Body)
				}
			}
			for _, words := range one.invitation {
				if !strings.Contains(invitation.text.Body, words) {
					t.Errorf("the invitation does not say %q:\n%s", words, invitation.text.Body)
				}
			}
			for _, words := range append(one.code, "\n"+code+"\n") {
				if !strings.Contains(letter.text.Body, words) {
					t.Errorf("the letter does not say %q:\n%s", words, letter.text.Body)
				}
			}
			if strings.Contains(invitation.text.Body, code) {
				t.Error("the invitation brings a code")
			}
			equal(t, "the invitation ends with the link", invitation.Expires, h.clock.Now().Add(share.Life))
			equal(t, "the letter ends with the code", letter.Expires, h.clock.Now().Add(share.CodeLife))
		}
	})
}

// Neither tokens nor codes nor letters are to be found in the database, the log
// or the trail.
func TestK7_NoTokenAndNoCodeIsToBeFound(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		d := h.desk()
		secrets := map[string]string{}
		draft, token := d.shared()
		code := d.code(token)
		_, _ = d.sharer().Approve(d.ctx, token, "Noura", wrongFor(code), share.From{})
		_, _ = d.sharer().Open(d.ctx, token)
		_, err := d.sharer().Approve(d.ctx, token, "Noura", code, share.From{})
		d.must(err)
		invoice, err := d.sharer().Issue(d.ctx, d.by, draft.ID)
		d.must(err)
		renewed, _, err := d.sharer().RenewInvoice(d.ctx, d.by, invoice.ID)
		d.must(err)
		_, renewed, _ = strings.Cut(renewed, "/s/")
		secrets["the token of a draft"], secrets["the token of an invoice"], secrets["a letter"] = token, renewed, "You are about to approve"
		raw, err := base64.RawURLEncoding.DecodeString(token)
		d.must(err)
		secrets["the bytes of a token"], secrets["a token in hexadecimal"] = string(raw), hex.EncodeToString([]byte(token))
		d.must(h.service.SealTrail(d.ctx))
		stolen, trail := h.steal(), ""
		events, err := h.service.Store().Events(d.ctx, d.of(), 1000)
		d.must(err)
		for _, e := range events {
			trail += e.Action + e.Subject + e.Details + "\n"
		}
		for what, secret := range secrets {
			for where, text := range map[string]string{"the database": stolen, "the log": h.log.String(), "the trail": trail} {
				if strings.Contains(text, secret) {
					t.Errorf("%s is in %s", what, where)
				}
			}
		}
		// Six digits may stand anywhere by chance; in the trail they would not.
		if strings.Contains(trail, code) {
			t.Errorf("the code is in the trail:\n%s", trail)
		}
		if !strings.Contains(stolen, "draft approval code") || !strings.Contains(trail, "draft.approved") {
			t.Error("what was looked at is not what it should be: the search proves nothing")
		}
	})
}

// What is changed is what the recipient sees next, under the same link.
func TestDraft_ChangedWhileItIsShared(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		d := h.desk()
		draft, token := d.shared()
		h.clock.Advance(time.Minute)
		changed, err := d.sharer().Change(d.ctx, d.by, draft.ID, 0, d.request("5000.00"), share.Recipient{Name: "Noura A.", Email: recipient.Email, Language: "ar"})
		d.must(err)
		equal(t, "version", changed.Version, 2)
		equal(t, "state", changed.State(), share.Shared)
		view, err := d.sharer().Open(d.ctx, token)
		d.must(err)
		equal(t, "what is shown", *view.Draft, changed)
		equal(t, "its version", view.Draft.Shown.Version, 2)
		equal(t, "its total", view.Draft.Shown.Invoice.Record.Totals.Payable.Fixed2(), "11500.00")

		wrong := d.request("5000.00")
		wrong.Transaction = "9999999"
		_, err = d.sharer().Change(d.ctx, d.by, draft.ID, 0, wrong, recipient)
		turnedAway(t, "to something that cannot be issued", err, fault.Invalid)
		_, err = d.sharer().Change(d.ctx, d.by, draft.ID, 0, d.request("1.00"), share.Recipient{Email: "other@buyer.example"})
		turnedAway(t, "to another recipient", err, fault.Conflict, recipient.Email)
		equal(t, "the draft", d.again(draft), changed)

		approval, err := d.sharer().Approve(d.ctx, token, "Noura", d.code(token), share.From{})
		d.must(err)
		equal(t, "the approved version", approval.Version, 2)
	})
}

// A draft may be unfinished, but what it is shared as may not.
func TestDraft_UnfinishedIsKeptAndNotShared(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		d := h.desk()
		draft, err := d.sharer().Create(d.ctx, d.by, issue.Request{}, share.Recipient{})
		d.must(err)
		equal(t, "as it is kept", d.again(draft), draft)
		equal(t, "language", draft.Recipient.Language, "ar")
		for what, do := range map[string]func() error{
			"preview": func() error { _, err := d.sharer().Preview(d.ctx, d.by, draft.ID); return err },
			"issue":   func() error { _, err := d.sharer().Issue(d.ctx, d.by, draft.ID); return err },
		} {
			if err := do(); fault.KindOf(err) != fault.Invalid && fault.KindOf(err) != fault.NotFound {
				t.Errorf("%s: %v", what, err)
			}
		}
		_, err = d.sharer().Share(d.ctx, d.by, draft.ID)
		turnedAway(t, "shared with nobody", err, fault.Conflict, "recipient")
		draft, err = d.sharer().Change(d.ctx, d.by, draft.ID, 0, issue.Request{}, recipient)
		d.must(err)
		if _, err := d.sharer().Share(d.ctx, d.by, draft.ID); err == nil {
			t.Error("nothing was shared")
		}
		equal(t, "letters", len(d.letters()), 0)
		equal(t, "the draft", d.again(draft).State(), share.Open)
	})
}

func TestDraft_Recipients(t *testing.T) {
	d := open(t, nil).desk()
	for what, to := range map[string]share.Recipient{
		"recipient.email: no address":    {Email: "noura"},
		"recipient.email: no domain":     {Email: "noura@localhost"},
		"recipient.email: two addresses": {Email: "a@b.example, c@d.example"},
		"recipient.email: a header":      {Email: "a@b.example\r\nBcc: c@d.example"},
		"recipient.email: a name":        {Email: "Noura <a@b.example>"},
		"recipient.email: Arabic":        {Email: "نورة@b.example"},
		"recipient.email: Arabic domain": {Email: "noura@مثال.السعودية"},
		"recipient.email: an IP address": {Email: "a@[10.0.0.1]"},
		"recipient.email: too long":      {Email: strings.Repeat("a", 250) + "@b.example"},
		"recipient.name: two lines":      {Name: "Noura\r\nBcc: x"},
		"recipient.name: too long":       {Name: strings.Repeat("n", 101)},
		"recipient.language: French":     {Language: "fr"},
	} {
		path, _, _ := strings.Cut(what, ": ")
		_, err := d.sharer().Create(d.ctx, d.by, d.request("1"), to)
		turnedAway(t, what, err, fault.Invalid, path)
	}
}

// Drafts are their organisation's own.
func TestDraft_OfAnotherOrganisation(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		d := h.desk()
		draft, _ := d.shared()
		other := h.operator(h.organisation("Another", "business"))
		for what, do := range map[string]func() error{
			"read":    func() error { _, err := d.sharer().Draft(d.ctx, other.Tenant, draft.ID); return err },
			"preview": func() error { _, err := d.sharer().Preview(d.ctx, other, draft.ID); return err },
			"change": func() error {
				_, err := d.sharer().Change(d.ctx, other, draft.ID, 0, d.request("1"), recipient)
				return err
			},
			"share":   func() error { _, err := d.sharer().Share(d.ctx, other, draft.ID); return err },
			"unshare": func() error { _, err := d.sharer().Unshare(d.ctx, other, draft.ID); return err },
			"issue":   func() error { _, err := d.sharer().Issue(d.ctx, other, draft.ID); return err },
			"remove":  func() error { return d.sharer().Remove(d.ctx, other, draft.ID) },
		} {
			turnedAway(t, what, do(), fault.NotFound, "Draft not found")
		}
		list, err := d.sharer().Drafts(d.ctx, other.Tenant, org.Page{Size: 10, Number: 1})
		d.must(err)
		equal(t, "drafts of another", list.Total+len(list.Rows), 0)
		equal(t, "the draft", d.again(draft), draft)
	})
}
