package rules

import (
	"testing"

	"khatm/money"

	"pgregory.net/rapid"
)

func TestToFixed(t *testing.T) {
	for text, want := range map[string]fixed{
		"0": 0, "-0": 0, "1": 1_000_000, "-1.5": -1_500_000, "0.000001": 1, "12345678901.123456": 12_345_678_901_123_456, "5.": 5_000_000, ".5": 500_000,
	} {
		if got, ok := toFixed(text); !ok || got != want {
			t.Errorf("%s: got %d, %t, want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "-", ".", "1e2", "+1", " 1", "1.2.3", "0.0000001", "123456789012", "--1", "١"} {
		if got, ok := toFixed(text); ok {
			t.Errorf("toFixed(%q) = %d, want false", text, got)
		}
	}
}

// TestFixedIsDecimal compares fixed with money.Decimal on random numbers.
func TestFixedIsDecimal(t *testing.T) {
	number := rapid.StringMatching(`-?[0-9]{1,11}(\.[0-9]{1,6})?`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := number.Draw(t, "a"), number.Draw(t, "b")
		x, y := money.MustParse(a), money.MustParse(b)
		m, ok := toFixed(a)
		n, also := toFixed(b)
		if !ok || !also {
			t.Fatalf("toFixed refused %s or %s", a, b)
		}
		same := func(name string, got fixed, want money.Decimal) {
			if !got.decimal().Equal(want) {
				t.Fatalf("%s of %s and %s: got %s, want %s", name, a, b, got.decimal(), want)
			}
		}
		same("sum", m+n, x.Add(y))
		same("rounding", m.round2(), round2(x))
		if product, ok := m.times(n); ok {
			same("product", product, trunc3(x.Mul(y)))
		}
	})
}

func TestTally(t *testing.T) {
	var s tally
	for _, text := range []string{"0.1", "0.2", "99999999999999999999.5", "", " 1 ", "0.0000000001"} {
		s.add(text)
	}
	s.sub("0.3")
	s.sub("99999999999999999999.5")
	if got := s.total().String(); got != "1.0000000001" {
		t.Errorf("sum with long numbers = %s, want 1.0000000001", got)
	}
	var many tally
	for range 400 {
		many.add("99999999999")
	}
	if got := many.total().String(); got != "39999999999600" {
		t.Errorf("sum of 400 large numbers = %s, want 39999999999600", got)
	}
}
