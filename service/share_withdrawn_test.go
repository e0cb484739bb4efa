package service_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/mail"
	"khatm/service/internal/mail/mailtest"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/share"
)

// What was withdrawn while the mail server was away is not sent when it is back.
func TestMail_WithdrawnDraftIsNotSent(t *testing.T) {
	for _, e := range engines() {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel() // the postman goes round once a second
			listener := listenerAt(t, "127.0.0.1:0")
			address := listener.Addr().String()
			_ = listener.Close()
			h := open(t, func(c *server.Config) {
				e.set(t, c)
				c.SMTP, c.MailFrom = server.NewSecret("smtp://"+address+"?starttls=never"), mailFrom
			})
			w := h.writer()
			d := &desk{till: w.till, ctx: t.Context(), by: h.operator(h.org)}
			removed, unshared, again, kept := w.draftedBy(w.session), w.draftedBy(w.session), w.draftedBy(w.session), w.draftedBy(w.session)
			tokens := map[string]string{}
			for _, id := range []string{removed, unshared, again, kept} {
				tokens[id] = w.shared(id)
			}
			tried := func() bool {
				return !slices.ContainsFunc(d.letters(), func(l post) bool { return l.State == mail.Queued && l.Problem == "" })
			}
			becomes(t, "they were tried", tried)
			w.do(http.MethodDelete, removed, "", "").wants(t, http.StatusOK)
			w.do(http.MethodDelete, unshared, "share", "").wants(t, http.StatusOK)
			tokens[again] = w.shared(again)
			becomes(t, "so was the new one", tried)
			equal(t, "states", d.states(), []mail.State{mail.Queued, mail.Queued, mail.Expired, mail.Expired, mail.Expired})

			office := mailtest.OpenAt(t, mailtest.Config{Bare: true}, listenerAt(t, address))
			d.clock.Advance(10 * time.Second)
			var said string
			for _, l := range arrived(t, office, 2) {
				said += l.Text
			}
			for _, id := range []string{again, kept} {
				if !strings.Contains(said, "/s/"+tokens[id]) {
					t.Errorf("the link of %s did not arrive", id)
				}
			}
			becomes(t, "both are recorded", func() bool {
				return slices.Equal(d.states(), []mail.State{mail.Sent, mail.Sent, mail.Expired, mail.Expired, mail.Expired})
			})
		})
	}
}

// Of a draft that was thrown away the outbox tells nothing that it said.
func TestDrafts_LettersOfARemovedDraftAreForgotten(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		w := h.writer()
		id := w.draftedBy(w.session)
		if _, err := h.service.Sharer().AskCode(t.Context(), w.shared(id), share.From{}); err != nil {
			t.Fatal(err)
		}
		w.do(http.MethodDelete, id, "", "").wants(t, http.StatusOK)
		admin := h.session(org.Admin, h.org)
		letters, _ := h.as(admin, http.MethodGet, outboxPath, "").wants(t, http.StatusOK)["letters"].([]any)
		equal(t, "letters", len(letters), 2)
		for _, one := range letters {
			row, _ := one.(record)
			got := h.as(admin, http.MethodGet, outboxPath+idOf(row)+"/", "").wants(t, http.StatusOK)
			same(t, "a letter", []any{got["state"], got["subject"], got["text"], got["withheld"]}, []any{"expired", nil, nil, nil})
			kept, err := h.service.Store().AnyLetter(t.Context(), uuid.MustParse(idOf(row)))
			if err != nil || kept.Sealed != nil {
				t.Errorf("%d bytes are kept, %v", len(kept.Sealed), err)
			}
		}
	})
}

// A code for an older version is not sent; the invitation is, since its link
// shows the new one.
func TestDraft_CodeOfAnOlderVersionIsNotSent(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		d := h.desk()
		draft, token := d.shared()
		d.code(token)
		_, err := d.sharer().Change(d.ctx, d.by, draft.ID, 0, d.request("5000.00"), recipient)
		d.must(err)
		equal(t, "after a change", d.states(), []mail.State{mail.Expired, mail.Queued})
		_, err = d.sharer().Approve(d.ctx, token, "Noura", d.code(token), share.From{})
		d.must(err)
		equal(t, "after the approval", d.states(), []mail.State{mail.Expired, mail.Expired, mail.Queued})
	})
}
