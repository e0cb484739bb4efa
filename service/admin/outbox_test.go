package admin_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/admin"
	"khatm/service/internal/mail"
	"khatm/service/internal/org"
	"khatm/service/internal/share"
)

// queue queues an e-mail as a server does and returns its id.
func (d *installation) queue(o admin.Organisation, to string, text mail.Text) uuid.UUID {
	d.t.Helper()
	ctx, by, now := context.Background(), org.Operator(of(o), "server"), d.clock.Now()
	draft := share.Draft{ID: d.config.NewID(), Version: 1, CreatedBy: "server", CreatedAt: now, ChangedAt: now}
	if err := d.store.AddDraft(ctx, by, draft); err != nil {
		d.t.Fatal(err)
	}
	plain, err := json.Marshal(text)
	if err != nil {
		d.t.Fatal(err)
	}
	l := mail.Letter{
		ID: d.config.NewID(), Of: of(o), To: to, Language: "ar", About: "draft approval code", CreatedAt: now, Expires: now.Add(10 * time.Minute), NextAt: now,
	}
	if l.Sealed, err = d.ring(false).Seal(mail.Purpose, l.ID.String(), plain); err != nil {
		d.t.Fatal(err)
	}
	_, err = d.store.ChangeDraft(ctx, by, draft.ID, func(f *share.Folder) error {
		f.Letters = []mail.Letter{l}
		return nil
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return l.ID
}

func TestOutbox(t *testing.T) {
	each(t, func(t *testing.T, d *installation) {
		ctx := t.Context()
		o := d.organisation("Khatm Trading")
		text := mail.Text{Subject: "رمز الموافقة على مسودة الفاتورة", Body: "رمز الموافقة:\n\n482913\n"}
		first, second, third := d.queue(o, "a@example.com", text), d.queue(o, "b@example.com", text), d.queue(o, "c@example.com", text)

		all, more, err := d.Letters(ctx, 2)
		if err != nil || !more || len(all) != 2 || all[0].ID != third || all[1].ID != second {
			t.Fatalf("Letters(2) = %+v, more %v, error %v, want the newest two and more", all, more, err)
		}
		if l := all[0]; l.Untried || l.Problem != "" || l.State != "queued" || l.To != "c@example.com" || l.CreatedAt.Format(time.RFC3339) != "2026-11-15T12:00:00+03:00" {
			t.Errorf("new e-mail = %+v, want it queued without a problem", l)
		}
		shown := must[admin.OpenedLetter](t)(d.OpenLetter(ctx, first.String()))
		if !shown.Kept || shown.Subject != text.Subject || shown.Text != text.Body {
			t.Errorf("opened e-mail = %+v, want the text %+v", shown, text)
		}

		// No server tries to send them.
		d.clock.Advance(6 * time.Second)
		for _, l := range must[[]admin.Letter](t)(firstOf(d.Letters(ctx, 10))) {
			if !l.Untried || !strings.Contains(l.Problem, "no mail server is configured") {
				t.Errorf("due e-mail after 6 seconds = %+v, want it untried", l)
			}
		}

		// One is sent, one fails and one is tried.
		if err := d.store.LetterSent(ctx, first, d.clock.Now()); err != nil {
			t.Fatal(err)
		}
		if _, err := d.store.DueLetters(ctx, d.clock.Now(), time.Minute, 10); err != nil {
			t.Fatal(err)
		}
		if err := d.store.LetterFailed(ctx, second, "550 no such user", nil); err != nil {
			t.Fatal(err)
		}
		all = must[[]admin.Letter](t)(firstOf(d.Letters(ctx, 10)))
		for n, want := range []struct {
			state, problem string
			attempts       int
		}{{"queued", "", 1}, {"refused", "550 no such user", 1}, {"sent", "", 0}} {
			if l := all[n]; l.State != want.state || l.Problem != want.problem || l.Attempts != want.attempts || l.Untried {
				t.Errorf("e-mail %d = %+v, want %+v", n, l, want)
			}
		}
		shown = must[admin.OpenedLetter](t)(d.OpenLetter(ctx, first.String()))
		if shown.Kept || shown.Text != "" || shown.SentAt == nil {
			t.Errorf("sent e-mail = %+v, want it without a text", shown)
		}
		for _, id := range []string{"x", uuid.NewString()} {
			if _, err := d.OpenLetter(ctx, id); err == nil || !strings.Contains(err.Error(), "see khatm outbox") {
				t.Errorf("OpenLetter(%s): error %v, want one about khatm outbox", id, err)
			}
		}
	})
}

func firstOf[T, U any](one T, _ U, err error) (T, error) { return one, err }
