package service_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/org"
	"khatm/service/internal/share"
)

func TestDrafts_LettersAreInTheOutboxOfAnAdmin(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		w := h.writer()
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
			if said := text(whole["text"]); !strings.Contains(said, token) || text(whole["subject"]) == "" {
				t.Errorf("%s says %q", about, said)
			}
			delete(whole, "subject")
			delete(whole, "text")
			same(t, about, whole, want)
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
