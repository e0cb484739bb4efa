package mail_test

import (
	netmail "net/mail"
	"strings"
	"testing"

	"khatm/service/internal/mail"
)

func TestFromIsRead(t *testing.T) {
	cases := []struct {
		text string
		want netmail.Address
	}{
		{"invoices@example.sa", netmail.Address{Address: "invoices@example.sa"}},
		{"<invoices@example.sa>", netmail.Address{Address: "invoices@example.sa"}},
		{"Example Trading <invoices@example.sa>", netmail.Address{Name: "Example Trading", Address: "invoices@example.sa"}},
		{`"Example, Co." <invoices@example.sa>`, netmail.Address{Name: "Example, Co.", Address: "invoices@example.sa"}},
		{"Example, Co. <invoices@example.sa>", netmail.Address{Name: "Example, Co.", Address: "invoices@example.sa"}},
		{"شركة ختم التجارية <invoices@example.sa>", netmail.Address{Name: "شركة ختم التجارية", Address: "invoices@example.sa"}},
	}
	for _, c := range cases {
		t.Run(c.text, func(t *testing.T) {
			got, err := mail.ParseFrom(c.text)
			if err != nil || got != c.want {
				t.Errorf("ParseFrom returned %+v (error: %v); want %+v", got, err, c.want)
			}
		})
	}
}

func TestFromIsRefused(t *testing.T) {
	cases := []struct{ name, text string }{
		{"empty", ""},
		{"only a name", "Example Trading"},
		{"no domain", "Example <invoices>"},
		{"two addresses", "a@example.sa, b@example.sa"},
		{"an address as name", "a@example.sa <b@example.sa>"},
		{"a new line", "Example\r\nBcc: x@example.sa <invoices@example.sa>"},
		{"a new line in quotes", "\"Example\r\n\" <invoices@example.sa>"},
		{"an encoded new line", "=?utf-8?q?Example=0D=0Ax?= <invoices@example.sa>"},
		{"an Arabic address", "فواتير@example.sa"},
		{"an IP address for a domain", "invoices@[10.0.0.1]"},
		{"a long name", strings.Repeat("ا", 101) + " <invoices@example.sa>"},
		{"a long address", strings.Repeat("a", 250) + "@example.sa"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got, err := mail.ParseFrom(c.text); err == nil {
				t.Errorf("ParseFrom returned %+v, want an error", got)
			} else if !strings.Contains(err.Error(), "use the form") {
				t.Errorf("the error does not show the format: %v", err)
			}
		})
	}
}
