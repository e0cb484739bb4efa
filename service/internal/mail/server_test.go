package mail_test

import (
	"fmt"
	"strings"
	"testing"

	"khatm/service/internal/mail"
)

func TestServerIsReadFromItsAddress(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"STARTTLS", "smtp://office%40example.sa:p%2Fw@mail.example.sa:2587", "smtp://mail.example.sa:2587"},
		{"STARTTLS at the usual port", "smtp://mail.example.sa", "smtp://mail.example.sa:587"},
		{"TLS", "smtps://u:p@mail.example.sa/", "smtps://mail.example.sa:465"},
		{"a relay", "smtp://localhost?starttls=never", "smtp://localhost:25?starttls=never"},
		{"IPv6", "smtps://[2001:db8::1]:465", "smtps://[2001:db8::1]:465"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := mail.ParseServer(c.text)
			if err != nil || got.String() != c.want {
				t.Errorf("got %s, %v; want %s", got, err, c.want)
			}
		})
	}
}

func TestServerIsRefusedWithoutItsPassword(t *testing.T) {
	const secret = "hunter2secret"
	cases := []struct{ name, text, want string }{
		{"an invalid port", "smtp://user:" + secret + "@mail.example.sa:port", "not a URL"},
		{"an unescaped password", "smtp://user:%" + secret + "@mail.example.sa", "not a URL"},
		{"another scheme", "https://user:" + secret + "@mail.example.sa", "neither smtp://"},
		{"a bare host", "mail.example.sa:587", "neither smtp://"},
		{"no host", "smtp://user:" + secret + "@:587", "not the URL of a mail server"},
		{"a path", "smtp://user:" + secret + "@mail.example.sa/inbox", "not the URL of a mail server"},
		{"a fragment", "smtp://user:" + secret + "@mail.example.sa#" + secret, "not the URL of a mail server"},
		{"only a user", "smtp://user@mail.example.sa", "user without a password"},
		{"only a password", "smtp://:" + secret + "@mail.example.sa", "password without a user"},
		{"a password in the clear", "smtp://user:" + secret + "@localhost?starttls=never", "never sent unencrypted"},
		{"starttls with smtps", "smtps://mail.example.sa?starttls=never", "starttls=never, and only with smtp://"},
		{"another option", "smtp://mail.example.sa?starttls=maybe", "starttls=never, and only with smtp://"},
		{"port 0", "smtp://mail.example.sa:0", "not between 1 and 65535"},
		{"port 70000", "smtp://mail.example.sa:70000", "not between 1 and 65535"},
		{"a control character", "smtp://user:" + secret + "%0d%0a@mail.example.sa", "control character"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := mail.ParseServer(c.text)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("ParseServer returned %v, error %v; want an error with %q", got, err, c.want)
			}
			if strings.Contains(err.Error(), secret) {
				t.Errorf("the error contains the password: %v", err)
			}
		})
	}
}

func TestServerPrintsWithoutItsPassword(t *testing.T) {
	s, err := mail.ParseServer("smtp://office:hunter2secret@mail.example.sa")
	if err != nil {
		t.Fatal(err)
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
		for _, value := range []any{s, &s, struct{ S mail.Server }{s}, mail.TransportConfig{Server: s}} {
			if text := fmt.Sprintf(verb, value); strings.Contains(text, "hunter2") || strings.Contains(text, "68756e74657232") {
				t.Errorf("%s of %T contains the password: %s", verb, value, text)
			}
		}
	}
}
