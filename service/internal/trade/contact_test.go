package trade_test

import (
	"strings"
	"testing"

	"khatm/service/internal/trade"
)

func TestContactEmail(t *testing.T) {
	cases := []struct {
		address string
		right   bool
	}{
		{"", true},
		{"a@b.sa", true},
		{"first.last+tag@mail.example.com", true},
		{"o'brien_1@example.co.uk", true},
		{"info@xn--mgbb9fbpob.example", true},
		{"معلومات@مثال.السعودية", true},
		{"user@example.भारत", true},
		{"  a@b.sa\u200f", true},
		{strings.Repeat("a", 64) + "@example.com", true},
		{"a", false},
		{"@b.sa", false},
		{"a@", false},
		{"a@b", false},
		{"a@b@c.sa", false},
		{"a b@c.sa", false},
		{"a@b c.sa", false},
		{".a@b.sa", false},
		{"a.@b.sa", false},
		{"a..b@c.sa", false},
		{"a@.sa", false},
		{"a@b.", false},
		{"a@-b.sa", false},
		{"-a@b.sa", false},
		{"<a@b.sa>", false},
		{"A <a@b.sa>", false},
		{"a@b.sa, c@d.sa", false},
		{"a@b.sa\r\nBcc: c@d.sa", false},
		{`"a b"@c.sa`, false},
		{"a@[127.0.0.1]", false},
		{strings.Repeat("a", 65) + "@example.com", false},
		{"a@" + strings.Repeat("b.", 130) + "sa", false},
	}
	for _, c := range cases {
		client := with(business(), func(k *trade.Client) { k.ContactEmail = c.address })
		if got := client.Check(); (got == nil) != c.right {
			t.Errorf("e-mail address %q: problems %q, want valid: %v", c.address, told(got), c.right)
		}
	}
}

func TestContactPhone(t *testing.T) {
	cases := []struct {
		phone string
		right bool
	}{
		{"", true},
		{"+966551234567", true},
		{"055 123 4567", true},
		{"(011) 234-5678 x12", true},
		{"٩٢٠٠٠١٢٣٤", true},
		{"999", true},
		{"99", false},
		{"+", false},
		{"call me", false},
		{"055-CALL-ME", false},
		{strings.Repeat("1", 41), false},
	}
	for _, c := range cases {
		client := with(business(), func(k *trade.Client) { k.ContactPhone = c.phone })
		if got := client.Check(); (got == nil) != c.right {
			t.Errorf("telephone number %q: problems %q, want valid: %v", c.phone, told(got), c.right)
		}
	}
}

func TestPhonesAreFoundHoweverTheyAreWritten(t *testing.T) {
	cases := []struct{ phone, query string }{
		{"+966 55 123 4567", "0551234567"},
		{"00966-55-1234567", "+966551234567"},
		{"055 123 4567", "+966551234567"},
		{"٠٥٥١٢٣٤٥٦٧", "551234567"},
		{"920001234", "920001234"},
		{"+49 211 12345", "4921112345"},
	}
	for _, c := range cases {
		client := with(consumer(), func(k *trade.Client) { k.ContactPhone = c.phone })
		if folded := client.Folded(); !strings.Contains(folded, trade.Fold(c.query)) {
			t.Errorf("number %s is not found by %s in %q", c.phone, c.query, folded)
		}
	}
}
