package mail_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/mail"
	"khatm/service/internal/mail/mailtest"
)

func TestTransportHandsOver(t *testing.T) {
	const user, password = "office@example.sa", "p@ss/w:rd %ü"
	cases := []struct {
		name     string
		server   mailtest.Config
		signedIn bool
	}{
		{"STARTTLS", mailtest.Config{}, false},
		{"STARTTLS and PLAIN", mailtest.Config{Ways: []string{"LOGIN", "PLAIN"}, User: user, Password: password}, true},
		{"STARTTLS and LOGIN", mailtest.Config{Ways: []string{"LOGIN"}, User: user, Password: password}, true},
		{"TLS and PLAIN", mailtest.Config{Implicit: true, Ways: []string{"PLAIN"}, User: user, Password: password}, true},
		{"TLS", mailtest.Config{Implicit: true}, false},
		{"TLS 1.2", mailtest.Config{TLS: func(c *tls.Config) { c.MaxVersion = tls.VersionTLS12 }}, false},
		{"a relay without TLS", mailtest.Config{Bare: true}, false},
		{"SMTPUTF8 offered", mailtest.Config{UTF8: true}, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			server := mailtest.Open(t, c.server)
			if f := send(t, transportTo(t, server.URL(), server.Roots(), 0)); f != nil {
				t.Fatal(f)
			}
			taken := server.Taken()
			if len(taken) != 1 {
				t.Fatalf("%d messages arrived, want 1", len(taken))
			}
			got := taken[0]
			if got.From != "invoices@example.sa" || got.To != "buyer@example.com" || got.SignedIn != c.signedIn {
				t.Errorf("envelope = %+v, want from invoices@example.sa to buyer@example.com, signed in: %t", got, c.signedIn)
			}
			if got.Body != "" || got.UTF8 {
				t.Errorf("MAIL FROM announced BODY=%s SMTPUTF8=%v, want neither", got.Body, got.UTF8)
			}
			letter := got.Read(t)
			if letter.Subject != arabicSubject {
				t.Errorf("subject is %q, want %q", letter.Subject, arabicSubject)
			}
			if want := strings.ReplaceAll(arabicBody, "\n", "\r\n"); letter.Text != want {
				t.Errorf("text is %q, want %q", letter.Text, want)
			}
		})
	}
}

func TestTransportToAServerWithoutExtensions(t *testing.T) {
	url := script{"EHLO": "502 what?"}.speak(t)
	if f := send(t, transportTo(t, url, nil, 0)); f != nil {
		t.Fatal(f)
	}
}

func TestTransportIsRefused(t *testing.T) {
	refuse := func(step string, code int) mailtest.Config {
		return mailtest.Config{Judge: func(at, _ string) error {
			if at == step {
				return mailtest.Refuse(code, "482913 is what it said")
			}
			return nil
		}}
	}
	cases := []struct {
		name   string
		server mailtest.Config
		step   string
		code   int
		final  bool
		words  string
	}{
		{"sender for now", refuse("from", 451), "sender", 451, false, "451 4.1.1 482913"},
		{"sender for good", refuse("from", 550), "sender", 550, false, "550"}, // our own setting is wrong
		{"recipient for now", refuse("to", 450), "recipient", 450, false, "450 4.1.1 482913"},
		{"recipient for good", refuse("to", 550), "recipient", 550, true, "550 5.1.1 482913"},
		{"recipient, because of missing authentication", refuse("to", 530), "recipient", 530, false, "530"},
		{"message for now", refuse("message", 452), "message", 452, false, "answers 452 4.1.1 to the message"},
		{"message for good", refuse("message", 554), "message", 554, true, "answers 554 5.1.1 to the message"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			server := mailtest.Open(t, c.server)
			f := send(t, transportTo(t, server.URL(), server.Roots(), 0))
			if f == nil {
				t.Fatal("the message was accepted, want a failure")
			}
			if f.Step != c.step || f.Code != c.code || f.Final != c.final || !strings.Contains(f.Error(), c.words) {
				t.Errorf("step %s, code %d, final %t: %v; want %s, %d, %t and %q", f.Step, f.Code, f.Final, f, c.step, c.code, c.final, c.words)
			}
			if c.step == "message" && strings.Contains(f.Error(), "482913") {
				t.Errorf("the failure quotes a reply to the message: %v", f)
			}
			if got, want := mail.Outline(f.Error()), fmt.Sprintf("The mail server answers %d to the %s.", c.code, c.step); got != want {
				t.Errorf("Outline returned %q, want %q", got, want)
			}
		})
	}
}

func TestTransportRefusesItself(t *testing.T) {
	t.Run("no STARTTLS offered", func(t *testing.T) {
		server := mailtest.Open(t, mailtest.Config{Bare: true})
		demandFailure(t, send(t, transportTo(t, "smtp://"+server.Address(), nil, 0)), "offers no STARTTLS")
	})
	t.Run("an untrusted certificate", func(t *testing.T) {
		server := mailtest.Open(t, mailtest.Config{})
		other := mailtest.Open(t, mailtest.Config{})
		demandFailure(t, send(t, transportTo(t, server.URL(), other.Roots(), 0)), "certificate")
	})
	t.Run("a certificate of another host", func(t *testing.T) {
		server := mailtest.Open(t, mailtest.Config{Implicit: true})
		url := strings.Replace(server.URL(), "127.0.0.1", "localhost", 1)
		demandFailure(t, send(t, transportTo(t, url, server.Roots(), 0)), "certificate")
	})
	t.Run("TLS 1.1", func(t *testing.T) {
		server := mailtest.Open(t, mailtest.Config{TLS: func(c *tls.Config) { c.MinVersion, c.MaxVersion = tls.VersionTLS10, tls.VersionTLS11 }})
		demandFailure(t, send(t, transportTo(t, server.URL(), server.Roots(), 0)), "tls")
	})
	t.Run("smtps:// to a server without TLS", func(t *testing.T) {
		server := mailtest.Open(t, mailtest.Config{})
		demandFailure(t, send(t, transportTo(t, "smtps://"+server.Address(), server.Roots(), 0)), "does not speak TLS")
	})
	t.Run("no authentication offered", func(t *testing.T) {
		server := mailtest.Open(t, mailtest.Config{User: "u", Password: "hunter2secret"})
		demandFailure(t, send(t, transportTo(t, server.URL(), server.Roots(), 0)), "does not offer authentication")
	})
	t.Run("no supported authentication method", func(t *testing.T) {
		server := mailtest.Open(t, mailtest.Config{Ways: []string{"CRAM-MD5"}, User: "u", Password: "hunter2secret"})
		demandFailure(t, send(t, transportTo(t, server.URL(), server.Roots(), 0)), "PLAIN nor LOGIN")
	})
	t.Run("no server", func(t *testing.T) {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		_ = listener.Close()
		demandFailure(t, send(t, transportTo(t, "smtp://"+listener.Addr().String(), nil, 0)), "refused")
	})
}

// demandFailure checks that a failure is not final and contains the given words.
func demandFailure(t *testing.T, f *mail.Failure, words string) {
	t.Helper()
	switch {
	case f == nil:
		t.Fatal("the message was accepted, want a failure")
	case f.Final || !strings.Contains(f.Error(), words):
		t.Errorf("failure is %q (final: %v), want it not final with %q", f, f.Final, words)
	}
	// The outline reveals nothing about the server.
	if told := mail.Outline(f.Error()); !strings.HasPrefix(told, "The ") || strings.ContainsAny(told, ":[/") || strings.Contains(told, "127") || strings.Contains(told, "localhost") {
		t.Errorf("Outline returned %q, want a sentence that does not reveal the server", told)
	}
}

// TestOutlineQuotesNobody checks that a server's reply cannot imitate our own
// text.
func TestOutlineQuotesNobody(t *testing.T) {
	for problem, want := range map[string]string{
		"": "",
		"mail.example.sa:587 answers 550 5.1.1 mailbox of mail2.example.sa:25 answers 451 to the sender to the recipient":                 "The mail server answers 550 to the recipient.",
		"mail.example.sa:587 did not complete the recipient within 30s":                                                                   "The mail server did not complete the recipient.",
		"the connection to mail.example.sa:587 ended before the greeting was complete: dial tcp 10.0.0.1:587: connection refused":         "The mail server did not complete the greeting.",
		"mail.example.sa:587 was not done with the recipient within 30s":                                                                  "The mail server did not complete the recipient.",
		"the conversation with mail.example.sa:587 ended before it was done with the greeting: dial tcp 10.0.0.1:587: connection refused": "The mail server did not complete the greeting.",
		"mail.example.sa:587 offers no STARTTLS, and e-mails are not sent unencrypted":                                                    "The e-mail could not be sent to the mail server.",
		"something else of 10.0.0.1": "The e-mail could not be sent to the mail server.",
	} {
		if got := mail.Outline(problem); got != want {
			t.Errorf("Outline(%q) = %q, want %q", problem, got, want)
		}
	}
}

func TestTransportTellsNoPassword(t *testing.T) {
	for _, way := range []string{"PLAIN", "LOGIN"} {
		t.Run(way, func(t *testing.T) {
			server := mailtest.Open(t, mailtest.Config{Ways: []string{way}, User: "office", Password: "right"})
			url := strings.Replace(server.URL(), "right", "hunter2secret", 1)
			f := send(t, transportTo(t, url, server.Roots(), 0))
			demandFailure(t, f, "answers 535 5.7.8 to the user and password")
			if strings.Contains(f.Error(), "hunter2") || strings.Contains(f.Error(), "office:") {
				t.Errorf("the failure contains the password: %v", f)
			}
		})
	}
}

func TestTransportGivesUpOnAServerThatMisbehaves(t *testing.T) {
	const timeout = 300 * time.Millisecond
	cases := []struct {
		name   string
		server script
		words  string
	}{
		{"hangs at the greeting", script{"greeting": silence}, "within 300ms"},
		{"hangs at the recipient", script{"RCPT": silence}, "did not complete the recipient within 300ms"},
		{"hangs after the message", script{".": silence}, "did not complete the message within 300ms"},
		{"hangs up at the greeting", script{"greeting": hangUp}, "ended before the greeting was complete"},
		{"hangs up before the message", script{"DATA": hangUp}, "ended before the message was complete"},
		{"hangs up after the message", script{".": hangUp}, "ended before the message was complete"},
		{"is busy", script{"greeting": "421 come back later"}, "421 come back later"},
		{"greets with a refusal", script{"greeting": "554 go away"}, "554 go away"},
		{"does not speak SMTP", script{"greeting": "HTTP/1.1 400 Bad Request"}, "ended before the greeting was complete"},
		{"never stops sending", script{"EHLO": strings.Repeat("250-"+strings.Repeat("x", 1000)+"\r\n", 1000)}, "sent too much"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			demandFailure(t, send(t, transportTo(t, c.server.speak(t), nil, timeout)), c.words)
		})
	}
}

func TestTransportDoesNotWaitForTheFarewell(t *testing.T) {
	for name, server := range map[string]script{"hangs": {"QUIT": silence}, "hangs up": {"QUIT": hangUp}} {
		t.Run(name, func(t *testing.T) {
			if f := send(t, transportTo(t, server.speak(t), nil, 0)); f != nil {
				t.Error(f)
			}
		})
	}
}

func TestTransportStopsWhenItIsTold(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	reached := make(chan struct{})
	server := mailtest.Open(t, mailtest.Config{Judge: func(step, _ string) error {
		if step == "to" {
			close(reached)
			<-ctx.Done()
			<-time.After(50 * time.Millisecond) // longer than the client waits
		}
		return nil
	}})
	by := transportTo(t, server.URL(), server.Roots(), 0)
	go func() { <-reached; cancel() }()
	raw, err := arabicMessage().Bytes()
	if err != nil {
		t.Fatal(err)
	}
	err = by.Send(ctx, "invoices@example.sa", "buyer@example.com", raw)
	var f *mail.Failure
	if !errors.As(err, &f) || f.Final || !strings.Contains(f.Error(), "stopped") {
		t.Errorf("Send returned %v, want a failure because of the stop", err)
	}
}
