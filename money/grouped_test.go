package money

import "testing"

func TestGrouped(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0", "0.00": "0.00", "999.99": "999.99", "1000": "1,000", "1234.5": "1,234.5", "-1234567.89": "-1,234,567.89", "-12.00": "-12.00",
		"9999999999999.99": "9,999,999,999,999.99", "100000": "100,000", "-100": "-100",
	} {
		if got := Grouped(text); got != want {
			t.Errorf("Grouped(%s) = %s, want %s", text, got, want)
		}
	}
}
