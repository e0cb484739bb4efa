package app_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/mail/mailtest"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/share"
)

func TestDrafts_LettersAreInTheOutboxOfAnAdmin(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		w := h.DraftAuthor()
		d := &servicetest.DraftSharing{Seller: w.Seller, Ctx: t.Context(), By: h.Operator(h.Org)}
		admin := h.Session(org.Admin, h.Org)
		id := w.DraftedBy(w.Session)
		token := w.Shared(id)
		if _, err := h.Service.Sharer().AskCode(t.Context(), token, share.From{}); err != nil {
			t.Fatal(err)
		}
		list := h.As(admin, http.MethodGet, servicetest.OutboxPath, "").Wants(t, http.StatusOK)
		letters, _ := list["letters"].([]any)
		if len(letters) != 2 || list["total"] != servicetest.Number(2) {
			t.Fatalf("outbox = %v, want 2 e-mails", list)
		}
		for state, want := range map[string]int{"queued": 2, "sent": 0, "refused": 0, "expired": 0} {
			only := h.As(admin, http.MethodGet, servicetest.OutboxPath+"?state="+state, "").Wants(t, http.StatusOK)
			servicetest.Same(t, "e-mails that are "+state, only["total"], any(servicetest.Number(want)))
		}
		for n, about := range []string{"draft approval code", "draft invitation"} {
			row, _ := letters[n].(servicetest.Record)
			letter := servicetest.IDOf(row)
			want := servicetest.Record{
				"uuid": letter, "to": "sara@buyer.example", "language": "en", "about": about, "state": "queued", "attempts": servicetest.Number(0), "problem": "",
				"created_at": "2026-11-15T12:00:00+03:00", "sent_at": nil,
			}
			servicetest.Same(t, about, row, want)
			whole := h.As(admin, http.MethodGet, servicetest.OutboxPath+letter+"/", "").Wants(t, http.StatusOK)
			said, why := servicetest.Text(whole["text"]), servicetest.Text(whole["withheld"])
			read := []string{"letter.read"}
			if about == share.AboutCode { // a reader could approve in the recipient's name
				read = nil
				servicetest.Same(t, "the text of a code", []any{whole["subject"], whole["text"]}, []any{nil, nil})
				if !strings.Contains(why, "khatm outbox show") {
					t.Errorf("withheld = %q, want a reference to khatm outbox show", why)
				}
				if arabic := servicetest.Text(whole["withheld_ar"]); !strings.HasPrefix(arabic, "في الرسالة رمز أو رابط") {
					t.Errorf("withheld_ar = %q", arabic)
				}
			} else if !strings.Contains(said, token) || servicetest.Text(whole["subject"]) == "" || why != "" {
				t.Errorf("e-mail %s has the text %q, withheld %q; want the text with the link, not withheld", about, said, why)
			}
			for _, name := range []string{"subject", "text", "withheld", "withheld_ar"} {
				delete(whole, name)
			}
			servicetest.Same(t, about, whole, want)
			servicetest.Equal(t, "the trail of "+about, d.Events(uuid.MustParse(letter)), read)
			servicetest.NoRight.Wants(t, about+" to who may only create", w.As(w.Session, http.MethodGet, servicetest.OutboxPath+letter+"/", ""))
		}
		servicetest.NoRight.Wants(t, "the outbox with role CreateInvoice", w.As(w.Session, http.MethodGet, servicetest.OutboxPath, ""))
		for _, one := range letters {
			row, _ := one.(servicetest.Record)
			if err := h.Service.Store().LetterSent(t.Context(), uuid.MustParse(servicetest.IDOf(row)), h.Clock.Now()); err != nil {
				t.Fatal(err)
			}
			sent := h.As(admin, http.MethodGet, servicetest.OutboxPath+servicetest.IDOf(row)+"/", "").Wants(t, http.StatusOK)
			servicetest.Same(t, "sent e-mail without its text", []any{sent["state"], sent["sent_at"], sent["subject"], sent["text"]}, []any{"sent", "2026-11-15T12:00:00+03:00", nil, nil})
		}
		if strings.Contains(h.Log.String(), token) {
			t.Error("the log contains a token")
		}
	})
}

// An organisation must learn nothing about the operator's mail server from the
// problem of an e-mail.
func TestDrafts_ProblemOfALetterNamesNoServer(t *testing.T) {
	t.Parallel()
	office := servicetest.MailServer(t, func(step, _ string) error {
		if step == "to" {
			return mailtest.Refuse(550, "no such box at mx7.inner.example")
		}
		return nil
	})
	h := servicetest.Open(t, servicetest.MailsTo(office))
	w := h.DraftAuthor()
	w.Shared(w.DraftedBy(w.Session))
	d := &servicetest.DraftSharing{Seller: w.Seller, Ctx: t.Context(), By: h.Operator(h.Org)}
	servicetest.Eventually(t, "the e-mail is refused", func() bool { return d.Letters()[0].Problem != "" })
	if kept := d.Letters()[0].Problem; !strings.Contains(kept, "mx7.inner.example") {
		t.Errorf("problem for the operator = %q, want the name of the mail server", kept)
	}
	list := h.As(h.Session(org.Admin, h.Org), http.MethodGet, servicetest.OutboxPath, "").Wants(t, http.StatusOK)
	row := servicetest.First(t, list["letters"])
	servicetest.Same(t, "state and problem for the organisation", []any{row["state"], row["problem"]}, []any{"refused", "The mail server answers 550 to the recipient."})
}
