package server_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/service/internal/mail"
	"khatm/service/internal/mail/mailtest"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/share"
)

// A draft is shared, its recipient requests a code, and approves the draft with
// the code that arrives by e-mail.
func TestInterface_4_7_ApprovalCodeArrivesByMail(t *testing.T) {
	for _, language := range []string{"ar", "en"} {
		for _, e := range servicetest.UsualEngines() {
			t.Run(language+" "+e.Name, func(t *testing.T) {
				t.Parallel() // e-mails are sent once a second
				office := servicetest.MailServer(t, nil)
				h := servicetest.Open(t, settings(servicetest.MailsTo(office), func(c *server.Config) { e.Set(t, c) }))
				d := h.DraftSharing()
				to := share.Recipient{Name: "نورة", Email: "noura@buyer.example", Language: language}
				draft, err := d.Sharer().Create(d.Ctx, d.By, d.Request("4200.00"), to)
				d.Must(err)
				draft, err = d.Sharer().Share(d.Ctx, d.By, draft.ID)
				d.Must(err)
				token := d.Token(draft)
				invitation := servicetest.Arrived(t, office, 1)[0]
				subjects := map[string][2]string{
					"ar": {"طلب الموافقة على مسودة فاتورة من شركة ختم", "رمز الموافقة على مسودة الفاتورة من شركة ختم"},
					"en": {"Khatm Trading asks you to approve an invoice draft", "Your approval code for the invoice draft of Khatm Trading"},
				}[language]
				servicetest.Equal(t, "subject of the invitation", invitation.Subject, subjects[0])
				if !strings.Contains(invitation.Text, "/s/"+token) {
					t.Errorf("the invitation contains no link:\n%s", invitation.Text)
				}

				servicetest.Same(t, "asked", h.Shared(http.MethodPost, token, "otp/", "").Wants(t, http.StatusOK)["message"], any("A code was sent."))
				letters := servicetest.Arrived(t, office, 2)
				code := ""
				for _, l := range letters {
					if l.Subject != subjects[0] {
						servicetest.Equal(t, "subject of the code", l.Subject, subjects[1])
					}
					servicetest.Equal(t, "language", l.Header.Get("Content-Language"), language)
					if found := servicetest.SixDigits.FindString(strings.ReplaceAll(l.Text, "\r\n", "\n")); found != "" {
						code = found
					}
				}
				for _, r := range office.Taken() {
					if r.To != to.Email || r.From != "invoices@khatm.example" || !r.SignedIn {
						t.Errorf("e-mail sent from %s to %s, authenticated %v; want from invoices@khatm.example to the recipient, authenticated", r.From, r.To, r.SignedIn)
					}
				}
				h.Shared(http.MethodPost, token, "approve/", servicetest.Approval("نورة", code)).Wants(t, http.StatusOK)
				servicetest.Equal(t, "approved by", d.Again(draft).Approval.Email, to.Email)
				servicetest.Eventually(t, "both e-mails are recorded as sent", func() bool { return slices.Equal(d.States(), []mail.State{mail.Sent, mail.Sent}) })

				for _, secret := range []string{code, token, "hunter2", to.Email} {
					if strings.Contains(d.Log.String(), secret) {
						t.Errorf("the log contains %s", secret)
					}
				}
				metrics := d.Ask("/metrics").Body
				for _, line := range []string{`khatm_letters{state="sent"} 2`, `khatm_letters{state="queued"} 0`, `khatm_letter_attempts_total{outcome="sent"} 2`} {
					if !strings.Contains(metrics, line+"\n") {
						t.Errorf("the metrics do not contain %s", line)
					}
				}
			})
		}
	}
}

// An e-mail stays in the database until a service with a mail server sends it.
func TestMail_LettersOutliveTheServiceThatWroteThem(t *testing.T) {
	t.Parallel()
	for _, e := range servicetest.Engines() {
		t.Run(e.Name, func(t *testing.T) {
			var where server.Config
			e.Set(t, &where)
			where.Data = t.TempDir()
			there := func(c *server.Config) { c.Data, c.Database = where.Data, where.Database }
			first := servicetest.Open(t, there).DraftSharing()
			first.Shared()
			servicetest.Equal(t, "without a server", first.States(), []mail.State{mail.Queued})
			first.Service.Close()

			office := servicetest.MailServer(t, nil)
			second := servicetest.Open(t, settings(there, servicetest.MailsTo(office)))
			got := servicetest.Arrived(t, office, 1)[0]
			servicetest.Equal(t, "about", got.Subject, "Khatm Trading asks you to approve an invoice draft")
			servicetest.Eventually(t, "the e-mail is recorded as sent", func() bool {
				counted, err := second.Service.Store().CountLetters(context.Background(), second.Clock.Now())
				return err == nil && counted[mail.Sent] == 1 && counted[mail.Queued] == 0
			})
		})
	}
}

// E-mails are sent after a mail server was unavailable for a while.
func TestMail_ServerThatComesBack(t *testing.T) {
	t.Parallel()
	listener := servicetest.ListenerAt(t, testtool.Loopback())
	address := listener.Addr().String()
	_ = listener.Close()
	d := servicetest.Open(t, func(c *server.Config) {
		c.SMTP, c.MailFrom = server.NewSecret("smtp://"+address+"?starttls=never"), servicetest.MailFrom
	}).DraftSharing()
	d.Shared()
	servicetest.Eventually(t, "an attempt", func() bool { return d.Letters()[0].Problem != "" })
	l := d.Letters()[0]
	if l.State != mail.Queued || l.Attempts != 1 || !strings.Contains(l.Problem, "connection refused") {
		t.Errorf("e-mail is %s after %d attempts: %s; want queued after 1", l.State, l.Attempts, l.Problem)
	}
	office := mailtest.OpenAt(t, mailtest.Config{Bare: true}, servicetest.ListenerAt(t, address))
	d.Clock.Advance(10 * time.Second)
	servicetest.Arrived(t, office, 1)
}

// A server with an unknown certificate receives neither the password nor the
// e-mail.
func TestMail_UnknownCertificateGetsNoPassword(t *testing.T) {
	t.Parallel()
	office := servicetest.MailServer(t, nil)
	d := servicetest.Open(t, func(c *server.Config) { c.SMTP, c.MailFrom = server.NewSecret(office.URL()), servicetest.MailFrom }).DraftSharing()
	d.Shared()
	servicetest.Eventually(t, "an attempt", func() bool { return d.Letters()[0].Problem != "" })
	if problem := d.Letters()[0].Problem; !strings.Contains(problem, "certificate") || strings.Contains(problem, "hunter2") {
		t.Errorf("problem %q, want one about the certificate without the password", problem)
	}
	if text := d.Log.String() + d.Ask("/metrics").Body; strings.Contains(text, "hunter2") || strings.Contains(text, "office@khatm") {
		t.Error("the log or the metrics contain the user or the password")
	}
	if len(office.Taken()) != 0 {
		t.Error("the e-mail was sent")
	}
}

// SweepLetters deletes e-mails that are older than the given time, unless they
// are still queued.
func TestMail_OldLettersAreForgotten(t *testing.T) {
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		d.Shared()
		expired := d.Letters()[0]
		d.Clock.Advance(share.Life)
		d.Must(d.Service.Store().ExpireLetters(d.Ctx, d.Clock.Now()))
		d.Shared()
		servicetest.Equal(t, "before", d.States(), []mail.State{mail.Queued, mail.Expired})

		at := expired.CreatedAt
		d.Must(d.Service.Store().SweepLetters(d.Ctx, at))
		servicetest.Equal(t, "at the time itself", d.States(), []mail.State{mail.Queued, mail.Expired})
		d.Must(d.Service.Store().SweepLetters(d.Ctx, d.Clock.Now().Add(time.Hour)))
		servicetest.Equal(t, "after", d.States(), []mail.State{mail.Queued})
	})
}
