package share_test

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
	"khatm/service/internal/servicetest"
	"khatm/service/internal/share"
)

// TestDraft_Letters checks that an e-mail contains the sender, the total, the
// link and, if it has one, the code and its validity, in the recipient's
// language.
func TestDraft_Letters(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		for _, one := range []struct {
			to         share.Recipient
			seller     string
			invitation []string
			code       []string
		}{
			{
				share.Recipient{Name: "Noura", Email: "noura@buyer.example", Language: "en"}, "Khatm Trading",
				[]string{"Hello Noura,", "approve", "9,660.00 SAR", "15 December 2026, 12:00", "If you did not expect"}, []string{"10 minutes", "If you did not request"},
			},
			{
				share.Recipient{Name: "نورة", Email: "nora@buyer.example", Language: "ar"}, "شركة ختم",
				[]string{"نورة", "ثم وافقوا عليها أو ارفضوها", "9,660.00 ر.س", "15 ديسمبر 2026، 12:00", "إذا لم تكونوا تتوقعون"}, []string{"للموافقة على مسودة الفاتورة", "استخدموا الرمز الآتي", "9,660.00 ر.س", "10 دقائق", "إذا لم تطلبوا"},
			},
			{
				share.Recipient{Email: "nobody@buyer.example", Language: "en"}, "Khatm Trading", []string{"Hello,\n"}, []string{"Hello,\n"},
			},
		} {
			draft, err := d.Sharer().Create(d.Ctx, d.By, d.Request("4200.00"), one.to)
			d.Must(err)
			draft, err = d.Sharer().Share(d.Ctx, d.By, draft.ID)
			d.Must(err)
			link, err := d.Sharer().LinkOf(draft)
			d.Must(err)
			invitation := d.Letters()[0]
			code := d.Code(d.Token(draft))
			letter := d.Letters()[0]

			for what, l := range map[string]servicetest.Mailbox{share.AboutInvitation: invitation, share.AboutCode: letter} {
				servicetest.Equal(t, "about", l.About, what)
				servicetest.Equal(t, "to", l.To, one.to.Email)
				servicetest.Equal(t, "language", l.Language, one.to.Language)
				servicetest.Equal(t, "of", l.Of.ID(), d.Of().ID())
				servicetest.Equal(t, "state", l.State, mail.Queued)
				for _, words := range []string{one.seller, "9,660.00 ", link} {
					if !strings.Contains(l.Text.Body, words) {
						t.Errorf("%s does not contain %q:\n%s", what, words, l.Text.Body)
					}
				}
				if !strings.Contains(l.Text.Subject, one.seller) || strings.ContainsAny(l.Text.Subject, "\r\n") || strings.Contains(l.Text.Subject, code) {
					t.Errorf("%s has the subject %q, want one line with the seller and without the code", what, l.Text.Subject)
				}
				if strings.Contains(l.Text.Subject+l.Text.Body, "%") {
					t.Errorf("%s has an unreplaced placeholder:\n%s", what, l.Text.Body)
				}
			}
			for _, words := range one.invitation {
				if !strings.Contains(invitation.Text.Body, words) {
					t.Errorf("the invitation does not contain %q:\n%s", words, invitation.Text.Body)
				}
			}
			for _, words := range append(one.code, "\n"+code+"\n") {
				if !strings.Contains(letter.Text.Body, words) {
					t.Errorf("the e-mail with the code does not contain %q:\n%s", words, letter.Text.Body)
				}
			}
			if strings.Contains(invitation.Text.Body, code) {
				t.Error("the invitation contains a code")
			}
			servicetest.Equal(t, "the invitation ends with the link", invitation.Expires, h.Clock.Now().Add(share.Life))
			servicetest.Equal(t, "the e-mail expires with the code", letter.Expires, h.Clock.Now().Add(share.CodeLife))
		}
	})
}

// TestK7_NoTokenOrCodeInPlainText checks that the database, the log and the audit
// trail contain no tokens, codes or e-mail texts in plain text.
func TestK7_NoTokenOrCodeInPlainText(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		secrets := map[string]string{}
		draft, token := d.Shared()
		code := d.Code(token)
		_, _ = d.Sharer().Approve(d.Ctx, token, "Noura", wrongFor(code), share.From{})
		_, _ = d.Sharer().Open(d.Ctx, token)
		_, err := d.Sharer().Approve(d.Ctx, token, "Noura", code, share.From{})
		d.Must(err)
		invoice, err := d.Sharer().Issue(d.Ctx, d.By, draft.ID)
		d.Must(err)
		renewed, _, err := d.Sharer().RenewInvoice(d.Ctx, d.By, invoice.ID)
		d.Must(err)
		_, renewed, _ = strings.Cut(renewed, "/s/")
		secrets["the token of a draft"], secrets["the token of an invoice"], secrets["an e-mail"] = token, renewed, "You are about to approve"
		raw, err := base64.RawURLEncoding.DecodeString(token)
		d.Must(err)
		secrets["the bytes of a token"], secrets["a token in hexadecimal"] = string(raw), hex.EncodeToString([]byte(token))
		d.Must(h.Service.SealTrail(d.Ctx))
		stolen, trail := h.CopyDatabase(), ""
		events, err := h.Service.Store().Events(d.Ctx, d.Of(), 1000)
		d.Must(err)
		for _, e := range events {
			trail += e.Action + e.Subject + e.Details + "\n"
		}
		for what, secret := range secrets {
			for where, text := range map[string]string{"the database": stolen, "the log": h.Log.String(), "the trail": trail} {
				if strings.Contains(text, secret) {
					t.Errorf("%s is readable in %s", what, where)
				}
			}
		}
		// Six digits may occur anywhere by chance, but not in the audit trail.
		if strings.Contains(trail, code) {
			t.Errorf("the code is in the trail:\n%s", trail)
		}
		if !strings.Contains(stolen, "draft approval code") || !strings.Contains(trail, "draft.approved") {
			t.Error("the searched texts lack expected content, so the search proves nothing")
		}
	})
}

// TestDraft_ChangedWhileItIsShared checks that the same link shows the new
// version after a change.
func TestDraft_ChangedWhileItIsShared(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft, token := d.Shared()
		h.Clock.Advance(time.Minute)
		changed, err := d.Sharer().Change(d.Ctx, d.By, draft.ID, 0, d.Request("5000.00"), share.Recipient{Name: "Noura A.", Email: servicetest.Recipient.Email, Language: "ar"})
		d.Must(err)
		servicetest.Equal(t, "version", changed.Version, 2)
		servicetest.Equal(t, "state", changed.State(), share.Shared)
		view, err := d.Sharer().Open(d.Ctx, token)
		d.Must(err)
		servicetest.Equal(t, "what is shown", *view.Draft, changed)
		servicetest.Equal(t, "its version", view.Draft.Shown.Version, 2)
		servicetest.Equal(t, "its total", view.Draft.Shown.Invoice.Record.Totals.Payable.Fixed2(), "11500.00")

		wrong := d.Request("5000.00")
		wrong.Transaction = "9999999"
		_, err = d.Sharer().Change(d.Ctx, d.By, draft.ID, 0, wrong, servicetest.Recipient)
		wantFault(t, "to an invalid invoice", err, fault.Invalid)
		_, err = d.Sharer().Change(d.Ctx, d.By, draft.ID, 0, d.Request("1.00"), share.Recipient{Email: "other@buyer.example"})
		wantFault(t, "to another recipient", err, fault.Conflict, servicetest.Recipient.Email)
		servicetest.Equal(t, "the draft", d.Again(draft), changed)

		approval, err := d.Sharer().Approve(d.Ctx, token, "Noura", d.Code(token), share.From{})
		d.Must(err)
		servicetest.Equal(t, "the approved version", approval.Version, 2)
	})
}

// TestDraft_UnfinishedIsKeptAndNotShared checks that a draft with errors can be
// stored but not shared or issued.
func TestDraft_UnfinishedIsKeptAndNotShared(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft, err := d.Sharer().Create(d.Ctx, d.By, issue.Request{}, share.Recipient{})
		d.Must(err)
		servicetest.Equal(t, "draft as stored", d.Again(draft), draft)
		servicetest.Equal(t, "language", draft.Recipient.Language, "ar")
		for what, do := range map[string]func() error{
			"preview": func() error { _, err := d.Sharer().Preview(d.Ctx, d.By, draft.ID); return err },
			"issue":   func() error { _, err := d.Sharer().Issue(d.Ctx, d.By, draft.ID); return err },
		} {
			if err := do(); fault.KindOf(err) != fault.Invalid && fault.KindOf(err) != fault.NotFound {
				t.Errorf("%s: error is %v, want Invalid or NotFound", what, err)
			}
		}
		_, err = d.Sharer().Share(d.Ctx, d.By, draft.ID)
		wantFault(t, "shared with nobody", err, fault.Conflict, "recipient")
		draft, err = d.Sharer().Change(d.Ctx, d.By, draft.ID, 0, issue.Request{}, servicetest.Recipient)
		d.Must(err)
		if _, err := d.Sharer().Share(d.Ctx, d.By, draft.ID); err == nil {
			t.Error("sharing an empty draft succeeded, want an error")
		}
		servicetest.Equal(t, "e-mails", len(d.Letters()), 0)
		servicetest.Equal(t, "the draft", d.Again(draft).State(), share.Open)
	})
}

func TestDraft_Recipients(t *testing.T) {
	t.Parallel()
	d := servicetest.Open(t, nil).DraftSharing()
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
		_, err := d.Sharer().Create(d.Ctx, d.By, d.Request("1"), to)
		wantFault(t, what, err, fault.Invalid, path)
	}
}

// TestDraft_OfAnotherOrganisation checks that an organisation cannot access the
// drafts of another.
func TestDraft_OfAnotherOrganisation(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft, _ := d.Shared()
		other := h.Operator(h.Organisation("Another", "business"))
		for what, do := range map[string]func() error{
			"read":    func() error { _, err := d.Sharer().Draft(d.Ctx, other.Tenant, draft.ID); return err },
			"preview": func() error { _, err := d.Sharer().Preview(d.Ctx, other, draft.ID); return err },
			"change": func() error {
				_, err := d.Sharer().Change(d.Ctx, other, draft.ID, 0, d.Request("1"), servicetest.Recipient)
				return err
			},
			"share":   func() error { _, err := d.Sharer().Share(d.Ctx, other, draft.ID); return err },
			"unshare": func() error { _, err := d.Sharer().Unshare(d.Ctx, other, draft.ID); return err },
			"issue":   func() error { _, err := d.Sharer().Issue(d.Ctx, other, draft.ID); return err },
			"remove":  func() error { return d.Sharer().Remove(d.Ctx, other, draft.ID) },
		} {
			wantFault(t, what, do(), fault.NotFound, "Draft not found")
		}
		list, err := d.Sharer().Drafts(d.Ctx, other.Tenant, share.Filter{}, org.Page{Size: 10, Number: 1})
		d.Must(err)
		servicetest.Equal(t, "drafts of another", list.Total+len(list.Rows), 0)
		servicetest.Equal(t, "the draft", d.Again(draft), draft)
	})
}
