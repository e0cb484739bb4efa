package service_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/mail/mailtest"
	"khatm/service/internal/org"
	"khatm/service/internal/share"
)

func TestDrafts_LettersAreInTheOutboxOfAnAdmin(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		w := h.writer()
		d := &desk{till: w.till, ctx: t.Context(), by: h.operator(h.org)}
		admin := h.session(org.Admin, h.org)
		id := w.draftedBy(w.session)
		token := w.shared(id)
		if _, err := h.service.Sharer().AskCode(t.Context(), token, share.From{}); err != nil {
			t.Fatal(err)
		}
		list := h.as(admin, http.MethodGet, outboxPath, "").wants(t, http.StatusOK)
		letters, _ := list["letters"].([]any)
		if len(letters) != 2 || list["total"] != number(2) {
			t.Fatalf("the outbox is %v", list)
		}
		for n, about := range []string{"draft approval code", "draft invitation"} {
			row, _ := letters[n].(record)
			letter := idOf(row)
			want := record{
				"uuid": letter, "to": "sara@buyer.example", "language": "en", "about": about, "state": "queued", "attempts": number(0), "problem": "",
				"created_at": "2026-11-15T12:00:00+03:00", "sent_at": nil,
			}
			same(t, about, row, want)
			whole := h.as(admin, http.MethodGet, outboxPath+letter+"/", "").wants(t, http.StatusOK)
			said, why := text(whole["text"]), text(whole["withheld"])
			read := []string{"letter.read"}
			if about == share.AboutCode { // who reads it could approve in the recipient's name
				read = nil
				same(t, "the text of a code", []any{whole["subject"], whole["text"]}, []any{nil, nil})
				if !strings.Contains(why, "khatm outbox show") {
					t.Errorf("withheld: %q", why)
				}
			} else if !strings.Contains(said, token) || text(whole["subject"]) == "" || why != "" {
				t.Errorf("%s says %q, %q", about, said, why)
			}
			for _, name := range []string{"subject", "text", "withheld"} {
				delete(whole, name)
			}
			same(t, about, whole, want)
			equal(t, "the trail of "+about, d.deeds(uuid.MustParse(letter)), read)
			noRight.wants(t, about+" to who may only create", w.as(w.session, http.MethodGet, outboxPath+letter+"/", ""))
		}
		noRight.wants(t, "the outbox to who may only create", w.as(w.session, http.MethodGet, outboxPath, ""))
		for _, one := range letters {
			row, _ := one.(record)
			if err := h.service.Store().LetterSent(t.Context(), uuid.MustParse(idOf(row)), h.clock.Now()); err != nil {
				t.Fatal(err)
			}
			sent := h.as(admin, http.MethodGet, outboxPath+idOf(row)+"/", "").wants(t, http.StatusOK)
			same(t, "what was said is forgotten", []any{sent["state"], sent["sent_at"], sent["subject"], sent["text"]}, []any{"sent", "2026-11-15T12:00:00+03:00", nil, nil})
		}
		if strings.Contains(h.log.String(), token) {
			t.Error("the log has a token")
		}
	})
}

// What a tenant learns of a letter that was not sent is nothing of the
// operator's mail server.
func TestDrafts_ProblemOfALetterNamesNoServer(t *testing.T) {
	office := guardedOffice(t, func(step, _ string) error {
		if step == "to" {
			return mailtest.Refuse(550, "no such box at mx7.inner.example")
		}
		return nil
	})
	h := open(t, mailsTo(office))
	w := h.writer()
	w.shared(w.draftedBy(w.session))
	d := &desk{till: w.till, ctx: t.Context(), by: h.operator(h.org)}
	becomes(t, "it was refused", func() bool { return d.letters()[0].Problem != "" })
	if kept := d.letters()[0].Problem; !strings.Contains(kept, "mx7.inner.example") {
		t.Errorf("whoever runs the service is told %q", kept)
	}
	list := h.as(h.session(org.Admin, h.org), http.MethodGet, outboxPath, "").wants(t, http.StatusOK)
	row := first(t, list["letters"])
	same(t, "to the tenant", []any{row["state"], row["problem"]}, []any{"refused", "The mail server answers 550 to the recipient."})
}
