package paper

import "testing"

func TestGrouped(t *testing.T) {
	cases := []struct{ text, want string }{
		{"0", "0"},
		{"999.99", "999.99"},
		{"1000", "1,000"},
		{"12345.678901", "12,345.678901"},
		{"-1234567.80", "−1,234,567.80"},
		{"123456789012345678901.00", "123,456,789,012,345,678,901.00"},
		{"00.00", "00.00"},
		{"1e9", "1e9"},
		{"1,000.00", "1,000.00"},
		{"12345.", "12345."},
		{".12345", ".12345"},
		{"--1000", "--1000"},
		{"+1000", "+1000"},
		{"١٢٣٤٥", "١٢٣٤٥"},
		{"", ""},
	}
	for _, c := range cases {
		if got := grouped(c.text); got != c.want {
			t.Errorf("grouped(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

func TestPriced(t *testing.T) {
	cases := []struct{ text, want string }{
		{"0.6", "0.60"}, {"5", "5.00"}, {"-1234.5", "−1,234.50"}, {"0.123", "0.123"}, {"18.52", "18.52"}, {"1.", "1."}, {"x", "x"}, {"", ""},
	}
	for _, c := range cases {
		if got := priced(c.text); got != c.want {
			t.Errorf("priced(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

func TestPercent(t *testing.T) {
	cases := []struct{ text, want string }{
		{"15.00", "15%"}, {"5", "5%"}, {"100", "100%"}, {"0.00", "0%"}, {"7.50", "7.5%"}, {"", ""}, {"x.00", "x.00%"},
	}
	for _, c := range cases {
		if got := percent(c.text); got != c.want {
			t.Errorf("percent(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

func TestNegated(t *testing.T) {
	cases := []struct{ text, want string }{
		{"1.07", "-1.07"}, {"0.00", "0.00"}, {"0", "0"}, {"-5", "-5"}, {"x", "x"}, {"", ""},
	}
	for _, c := range cases {
		if got := negated(c.text); got != c.want {
			t.Errorf("negated(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}
