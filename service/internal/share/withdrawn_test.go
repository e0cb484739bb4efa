package share_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/internal/testtool"
	"khatm/service/internal/mail"
	"khatm/service/internal/mail/mailtest"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/share"
)

// TestMail_WithdrawnDraftIsNotSent checks that e-mails withdrawn while the mail
// server was unavailable are not sent later.
func TestMail_WithdrawnDraftIsNotSent(t *testing.T) {
	for _, e := range servicetest.UsualEngines() {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel() // e-mails are sent once a second
			listener := servicetest.ListenerAt(t, testtool.Loopback())
			address := listener.Addr().String()
			_ = listener.Close()
			h := servicetest.Open(t, func(c *server.Config) {
				e.Set(t, c)
				c.SMTP, c.MailFrom = server.NewSecret("smtp://"+address+"?starttls=never"), servicetest.MailFrom
			})
			w := h.DraftAuthor()
			d := &servicetest.DraftSharing{Seller: w.Seller, Ctx: t.Context(), By: h.Operator(h.Org)}
			removed, unshared, again, kept := w.DraftedBy(w.Session), w.DraftedBy(w.Session), w.DraftedBy(w.Session), w.DraftedBy(w.Session)
			tokens := map[string]string{}
			for _, id := range []string{removed, unshared, again, kept} {
				tokens[id] = w.Shared(id)
			}
			tried := func() bool {
				return !slices.ContainsFunc(d.Letters(), func(l servicetest.Mailbox) bool { return l.State == mail.Queued && l.Problem == "" })
			}
			servicetest.Eventually(t, "they were tried", tried)
			w.Do(http.MethodDelete, removed, "", "").Wants(t, http.StatusOK)
			w.Do(http.MethodDelete, unshared, "share", "").Wants(t, http.StatusOK)
			tokens[again] = w.Shared(again)
			servicetest.Eventually(t, "so was the new one", tried)
			servicetest.Equal(t, "states", d.States(), []mail.State{mail.Queued, mail.Queued, mail.Expired, mail.Expired, mail.Expired})

			smtpServer := mailtest.OpenAt(t, mailtest.Config{Bare: true}, servicetest.ListenerAt(t, address))
			d.Clock.Advance(10 * time.Second)
			var said string
			for _, l := range servicetest.Arrived(t, smtpServer, 2) {
				said += l.Text
			}
			for _, id := range []string{again, kept} {
				if !strings.Contains(said, "/s/"+tokens[id]) {
					t.Errorf("the link of draft %s did not arrive", id)
				}
			}
			servicetest.Eventually(t, "both are recorded", func() bool {
				return slices.Equal(d.States(), []mail.State{mail.Sent, mail.Sent, mail.Expired, mail.Expired, mail.Expired})
			})
		})
	}
}

// TestDrafts_LettersOfARemovedDraftAreForgotten checks that the outbox shows no
// text of the e-mails of a removed draft.
func TestDrafts_LettersOfARemovedDraftAreForgotten(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		w := h.DraftAuthor()
		id := w.DraftedBy(w.Session)
		if _, err := h.Service.Sharer().AskCode(t.Context(), w.Shared(id), share.From{}); err != nil {
			t.Fatal(err)
		}
		w.Do(http.MethodDelete, id, "", "").Wants(t, http.StatusOK)
		admin := h.Session(org.Admin, h.Org)
		letters, _ := h.As(admin, http.MethodGet, servicetest.OutboxPath, "").Wants(t, http.StatusOK)["letters"].([]any)
		servicetest.Equal(t, "e-mails", len(letters), 2)
		for _, one := range letters {
			row, _ := one.(servicetest.Record)
			got := h.As(admin, http.MethodGet, servicetest.OutboxPath+servicetest.IDOf(row)+"/", "").Wants(t, http.StatusOK)
			servicetest.Same(t, "an e-mail", []any{got["state"], got["subject"], got["text"], got["withheld"]}, []any{"expired", nil, nil, nil})
			kept, err := h.Service.Store().AnyLetter(t.Context(), uuid.MustParse(servicetest.IDOf(row)))
			if err != nil || kept.Sealed != nil {
				t.Errorf("%d bytes of the e-mail are stored, want none (error: %v)", len(kept.Sealed), err)
			}
		}
	})
}

// TestDraft_CodeOfAnOlderVersionIsNotSent checks that a queued code for an
// older version is not sent, but the invitation is, because its link shows the
// new version.
func TestDraft_CodeOfAnOlderVersionIsNotSent(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft, token := d.Shared()
		d.Code(token)
		_, err := d.Sharer().Change(d.Ctx, d.By, draft.ID, 0, d.Request("5000.00"), servicetest.Recipient)
		d.Must(err)
		servicetest.Equal(t, "after a change", d.States(), []mail.State{mail.Expired, mail.Queued})
		_, err = d.Sharer().Approve(d.Ctx, token, "Noura", d.Code(token), share.From{})
		d.Must(err)
		servicetest.Equal(t, "after the approval", d.States(), []mail.State{mail.Expired, mail.Expired, mail.Queued})
	})
}
