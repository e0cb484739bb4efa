package service_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/mail"
	"khatm/service/internal/mail/mailtest"
	"khatm/service/internal/server"
	"khatm/service/internal/share"
)

// A draft is shared, its recipient asks for a code, and the code that arrives
// by mail approves it.
func TestInterface_4_7_ApprovalCodeArrivesByMail(t *testing.T) {
	for _, language := range []string{"ar", "en"} {
		for _, e := range engines() {
			t.Run(language+" "+e.name, func(t *testing.T) {
				t.Parallel() // the postman goes round once a second
				office := guardedOffice(t, nil)
				h := open(t, settings(mailsTo(office), func(c *server.Config) { e.set(t, c) }))
				d := h.desk()
				to := share.Recipient{Name: "نورة", Email: "noura@buyer.example", Language: language}
				draft, err := d.sharer().Create(d.ctx, d.by, d.request("4200.00"), to)
				d.must(err)
				draft, err = d.sharer().Share(d.ctx, d.by, draft.ID)
				d.must(err)
				token := d.token(draft)
				invitation := arrived(t, office, 1)[0]
				subjects := map[string][2]string{
					"ar": {"طلب اعتماد مسودة فاتورة من شركة ختم", "رمز اعتماد مسودة الفاتورة من شركة ختم"},
					"en": {"Khatm Trading asks you to approve an invoice draft", "Your approval code for the invoice draft of Khatm Trading"},
				}[language]
				equal(t, "subject of the invitation", invitation.Subject, subjects[0])
				if !strings.Contains(invitation.Text, "/s/"+token) {
					t.Errorf("the invitation brings no link:\n%s", invitation.Text)
				}

				same(t, "asked", h.shared(http.MethodPost, token, "otp/", "").wants(t, http.StatusOK)["message"], any("A code was sent."))
				letters := arrived(t, office, 2)
				code := ""
				for _, l := range letters {
					if l.Subject != subjects[0] {
						equal(t, "subject of the code", l.Subject, subjects[1])
					}
					equal(t, "language", l.Header.Get("Content-Language"), language)
					if found := sixDigits.FindString(strings.ReplaceAll(l.Text, "\r\n", "\n")); found != "" {
						code = found
					}
				}
				for _, r := range office.Taken() {
					if r.To != to.Email || r.From != "invoices@khatm.example" || !r.SignedIn {
						t.Errorf("handed over from %s to %s, signed in %v", r.From, r.To, r.SignedIn)
					}
				}
				h.shared(http.MethodPost, token, "approve/", approval("نورة", code)).wants(t, http.StatusOK)
				equal(t, "approved by", d.again(draft).Approval.Email, to.Email)
				becomes(t, "both are recorded", func() bool { return slices.Equal(d.states(), []mail.State{mail.Sent, mail.Sent}) })

				for _, secret := range []string{code, token, "hunter2", to.Email} {
					if strings.Contains(d.log.String(), secret) {
						t.Errorf("%s is in the log", secret)
					}
				}
				metrics := d.ask("/metrics").body
				for _, line := range []string{`khatm_letters{state="sent"} 2`, `khatm_letters{state="queued"} 0`, `khatm_letter_attempts_total{outcome="sent"} 2`} {
					if !strings.Contains(metrics, line+"\n") {
						t.Errorf("the metrics have no line %s", line)
					}
				}
			})
		}
	}
}

// A letter waits in the database while there is nobody to send it, or no
// server to hand it to.
func TestMail_LettersOutliveTheServiceThatWroteThem(t *testing.T) {
	for _, e := range engines() {
		t.Run(e.name, func(t *testing.T) {
			var where server.Config
			e.set(t, &where)
			where.Data = t.TempDir()
			there := func(c *server.Config) { c.Data, c.Database = where.Data, where.Database }
			first := open(t, there).desk()
			first.shared()
			equal(t, "without a server", first.states(), []mail.State{mail.Queued})
			first.service.Close()

			office := guardedOffice(t, nil)
			second := open(t, settings(there, mailsTo(office)))
			got := arrived(t, office, 1)[0]
			equal(t, "about", got.Subject, "Khatm Trading asks you to approve an invoice draft")
			becomes(t, "it is recorded", func() bool {
				counted, err := second.service.Store().CountLetters(context.Background(), second.clock.Now())
				return err == nil && counted[mail.Sent] == 1 && counted[mail.Queued] == 0
			})
		})
	}
}

// A server that is away for a while keeps nothing from arriving.
func TestMail_ServerThatComesBack(t *testing.T) {
	listener := listenerAt(t, "127.0.0.1:0")
	address := listener.Addr().String()
	_ = listener.Close()
	d := open(t, func(c *server.Config) {
		c.SMTP, c.MailFrom = server.NewSecret("smtp://"+address+"?starttls=never"), mailFrom
	}).desk()
	d.shared()
	becomes(t, "it was tried", func() bool { return d.letters()[0].Problem != "" })
	l := d.letters()[0]
	if l.State != mail.Queued || l.Attempts != 1 || !strings.Contains(l.Problem, "connection refused") {
		t.Errorf("%s after %d attempts: %s", l.State, l.Attempts, l.Problem)
	}
	office := mailtest.OpenAt(t, mailtest.Config{Bare: true}, listenerAt(t, address))
	d.clock.Advance(10 * time.Second)
	arrived(t, office, 1)
}

// Nobody in between is believed, and the password is told to nobody.
func TestMail_CertificateOfNobodyKeepsThePassword(t *testing.T) {
	office := guardedOffice(t, nil)
	d := open(t, func(c *server.Config) { c.SMTP, c.MailFrom = server.NewSecret(office.URL()), mailFrom }).desk()
	d.shared()
	becomes(t, "it was tried", func() bool { return d.letters()[0].Problem != "" })
	if problem := d.letters()[0].Problem; !strings.Contains(problem, "certificate") || strings.Contains(problem, "hunter2") {
		t.Error(problem)
	}
	if text := d.log.String() + d.ask("/metrics").body; strings.Contains(text, "hunter2") || strings.Contains(text, "office@khatm") {
		t.Error("user or password are in the log or the metrics")
	}
	if len(office.Taken()) != 0 {
		t.Error("it was handed over")
	}
}

// What a letter was about is forgotten after 90 days, unless it still waits.
func TestMail_OldLettersAreForgotten(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		d := h.desk()
		d.shared()
		expired := d.letters()[0]
		d.clock.Advance(share.Life)
		d.must(d.service.Store().ExpireLetters(d.ctx, d.clock.Now()))
		d.shared()
		equal(t, "before", d.states(), []mail.State{mail.Queued, mail.Expired})

		at := expired.CreatedAt
		d.must(d.service.Store().SweepLetters(d.ctx, at))
		equal(t, "at the time itself", d.states(), []mail.State{mail.Queued, mail.Expired})
		d.must(d.service.Store().SweepLetters(d.ctx, d.clock.Now().Add(time.Hour)))
		equal(t, "after", d.states(), []mail.State{mail.Queued})
	})
}
