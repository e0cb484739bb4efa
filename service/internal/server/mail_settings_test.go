package server_test

import (
	"context"
	"strings"
	"testing"

	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

func TestMail_SettingsThatCannotWorkAreRefusedInWords(t *testing.T) {
	t.Parallel()
	const secret = "hunter2secret"
	cases := []struct{ name, smtp, from, want string }{
		{"no sender", "smtp://user:" + secret + "@mail.example.sa", "", "--smtp needs --mail-from"},
		{"no address", "smtp://user:%" + secret + "@mail.example.sa", servicetest.MailFrom, "--smtp (KHATM_SMTP) cannot be used: not a URL"},
		{"another scheme", "imap://user:" + secret + "@mail.example.sa", servicetest.MailFrom, "begins with neither smtp://"},
		{"a password in the clear", "smtp://user:" + secret + "@mail.example.sa?starttls=never", servicetest.MailFrom, "a password is never sent unencrypted"},
		{"a sender of two lines", "smtp://mail.example.sa", "Khatm\r\nBcc: x <a@example.sa>", "--mail-from is"},
		{"a sender without a server", "", "Khatm", "--mail-from is \"Khatm\"; use the form"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			config := server.Defaults()
			config.Data, config.SMTP, config.MailFrom = t.TempDir(), server.NewSecret(c.smtp), c.from
			s, err := server.New(context.Background(), config)
			if err == nil {
				s.Close()
				t.Fatal("the service starts with invalid settings")
			}
			if !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), secret) {
				t.Errorf("New = %v; want %q and no password", err, c.want)
			}
		})
	}
}
