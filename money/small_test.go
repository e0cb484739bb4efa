package money

import (
	"testing"

	"github.com/shopspring/decimal"
	"pgregory.net/rapid"
)

// numbers generates numbers of all lengths, many of them at the limits of an int64.
var numbers = rapid.OneOf(
	rapid.StringMatching(`-?[0-9]{1,20}(\.[0-9]{1,30})?`),
	rapid.StringMatching(`-?(0|1|5|9|10|49|50)(\.(0|00|5|05|005|995|4999))?`),
	rapid.StringMatching(`-?(922337203685477580[678]|9223372036854775[.]80[678]|0[.]922337203685477580[678]|5000000000000000000|10000000000000000000)`),
	rapid.StringMatching(`-?0[.]0{17,19}[1-9]`),
)

// TestSmallEqualsLarge compares every operation with the same operation on the type that
// holds any number of digits.
func TestSmallEqualsLarge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := numbers.Draw(t, "a"), numbers.Draw(t, "b")
		places := rapid.IntRange(0, 32).Draw(t, "places")
		d, e := MustParse(a), MustParse(b)
		v, w := decimal.RequireFromString(a), decimal.RequireFromString(b)
		same := func(name string, got Decimal, want decimal.Decimal) {
			t.Helper()
			if got.String() != want.String() || got.Fixed2() != want.StringFixed(2) || got.Sign() != want.Sign() {
				t.Fatalf("%s of %s and %s: got %s, %s, sign %d, want %s, %s, sign %d",
					name, a, b, got, got.Fixed2(), got.Sign(), want, want.StringFixed(2), want.Sign())
			}
			if got.large != nil && want.Exponent() <= 0 && want.Coefficient().IsInt64() && want.CoefficientInt64() != -1<<63 {
				t.Fatalf("%s of %s and %s is large: %s", name, a, b, got)
			}
		}
		same("number", d, v)
		same("sum", d.Add(e), v.Add(w))
		same("difference", d.Sub(e), v.Sub(w))
		same("product", d.Mul(e), v.Mul(w))
		same("percentage", d.Percent(e), v.Mul(w).Shift(-2))
		same("negation", d.Neg(), v.Neg())
		same("absolute value", d.Abs(), v.Abs())
		same("rounding", d.Round(places), v.Round(int32(places)))
		same("rounded product", d.Mul(e).Round2(), v.Mul(w).Round(2))
		same("floor", d.Floor(places), v.Shift(int32(places)).Floor().Shift(-int32(places)))
		if !w.IsZero() {
			same("quotient", d.Quo(e, places), v.DivRound(w, int32(places)))
		}
		if d.Cmp(e) != v.Cmp(w) {
			t.Fatalf("Cmp(%s, %s) = %d, want %d", a, b, d.Cmp(e), v.Cmp(w))
		}
		if want := -int(v.Normalize().Exponent()); d.Places() != max(want, 0) {
			t.Fatalf("Places(%s) = %d, want %d", a, d.Places(), max(want, 0))
		}
	})
}

func TestFromIntAtItsLimits(t *testing.T) {
	for n, want := range map[int64]string{-1 << 63: "-9223372036854775808", 1<<63 - 1: "9223372036854775807", 0: "0"} {
		d := FromInt(n)
		if d.String() != want || !d.Neg().Neg().Equal(d) || d.Add(FromInt(-1)).Add(FromInt(1)).String() != want {
			t.Errorf("FromInt(%d) = %s, want %s", n, d, want)
		}
	}
}
