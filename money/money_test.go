package money_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"khatm/money"

	"pgregory.net/rapid"
)

func TestParseRefuses(t *testing.T) {
	cases := []struct {
		name, text string
		want       error
	}{
		{"nothing", "", money.ErrSyntax},
		{"minus alone", "-", money.ErrSyntax},
		{"point alone", ".", money.ErrSyntax},
		{"no digit before the point", ".5", money.ErrSyntax},
		{"no digit after the point", "5.", money.ErrSyntax},
		{"plus", "+5", money.ErrSyntax},
		{"space", " 5", money.ErrSyntax},
		{"thousands separator", "1,000", money.ErrSyntax},
		{"exponent", "1e3", money.ErrSyntax},
		{"huge exponent", "1e1000000000", money.ErrSyntax},
		{"two points", "1.2.3", money.ErrSyntax},
		{"NaN", "NaN", money.ErrSyntax},
		{"infinity", "Infinity", money.ErrSyntax},
		{"hexadecimal", "0x10", money.ErrSyntax},
		{"underscore", "1_000", money.ErrSyntax},
		{"Arabic-Indic digits", "١٢", money.ErrSyntax},
		{"boolean", "true", money.ErrSyntax},
		{"too many whole digits", strings.Repeat("9", money.MaxWhole+1), money.ErrTooLong},
		{"too many places", "0." + strings.Repeat("1", money.MaxPlaces+1), money.ErrTooLong},
		{"a megabyte of digits", strings.Repeat("9", 1<<20), money.ErrTooLong},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if _, err := money.Parse(c.text); !errors.Is(err, c.want) {
				t.Errorf("Parse(%.30q) = %v, want %v", c.text, err, c.want)
			}
		})
	}
}

func TestTexts(t *testing.T) {
	cases := []struct{ in, text, fixed string }{
		{"0", "0", "0.00"},
		{"-0", "0", "0.00"},
		{"1.50", "1.5", "1.50"},
		{"007", "7", "7.00"},
		{"0.005", "0.005", "0.01"},
		{"-0.005", "-0.005", "-0.01"},
		{"1.004999", "1.004999", "1.00"},
		{"2.675", "2.675", "2.68"},
		{"99999999999999999999.99999999999999999999", "99999999999999999999.99999999999999999999", "100000000000000000000.00"},
	}
	for _, c := range cases {
		d := money.MustParse(c.in)
		if d.String() != c.text || d.Fixed2() != c.fixed {
			t.Errorf("%s: String and Fixed2 = %s and %s, want %s and %s", c.in, d, d.Fixed2(), c.text, c.fixed)
		}
	}
}

func TestFloor(t *testing.T) {
	cases := []struct {
		in     string
		places int
		want   string
	}{
		{"1.239", 2, "1.23"}, {"-1.231", 2, "-1.24"}, {"1.9999", 0, "1"}, {"-0.0001", 3, "-0.001"}, {"5", 2, "5"},
	}
	for _, c := range cases {
		if got := money.MustParse(c.in).Floor(c.places).String(); got != c.want {
			t.Errorf("Floor(%s, %d) = %s, want %s", c.in, c.places, got, c.want)
		}
	}
}

func TestRoundAndQuo(t *testing.T) {
	for _, c := range []struct {
		in     string
		places int
		want   string
	}{
		{"0.30000000000000004", 6, "0.3"}, {"0.1234565", 6, "0.123457"}, {"-0.5", 0, "-1"}, {"1234.5", 0, "1235"}, {"7", 3, "7"},
	} {
		if got := money.MustParse(c.in).Round(c.places).String(); got != c.want {
			t.Errorf("Round(%s, %d) = %s, want %s", c.in, c.places, got, c.want)
		}
	}
	for _, c := range []struct {
		in, by string
		places int
		want   string
	}{
		{"10000", "115", 2, "86.96"}, {"1", "8", 2, "0.13"}, {"-1", "8", 2, "-0.13"}, {"1", "3", 6, "0.333333"}, {"26.06", "3", 6, "8.686667"}, {"0", "7", 2, "0"},
	} {
		if got := money.MustParse(c.in).Quo(money.MustParse(c.by), c.places).String(); got != c.want {
			t.Errorf("Quo(%s, %s, %d) = %s, want %s", c.in, c.by, c.places, got, c.want)
		}
	}
}

func TestPlaces(t *testing.T) {
	for text, want := range map[string]int{"1": 0, "1.0": 0, "1.500": 1, "0.000001": 6, "100": 0} {
		if got := money.MustParse(text).Places(); got != want {
			t.Errorf("Places(%s) = %d, want %d", text, got, want)
		}
	}
}

func TestParseNumber(t *testing.T) {
	for text, want := range map[string]string{
		"1e-05": "0.00001", "2.5E+3": "2500", "1e2": "100", "-1.5e1": "-15", "12": "12", "0e9": "0",
	} {
		if got, err := money.ParseNumber(text); err != nil || got.String() != want {
			t.Errorf("ParseNumber(%s) = %s, %v, want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"1e100", "1e-100", "1e99", "1e-99", "e5", "1e", "1e5.5", "1e1000000000000"} {
		if got, err := money.ParseNumber(text); err == nil {
			t.Errorf("ParseNumber(%s) = %s, want an error", text, got)
		}
	}
}

func TestJSON(t *testing.T) {
	var got struct{ A, B money.Decimal }
	if err := json.Unmarshal([]byte(`{"A": 0.1, "B": "0.2"}`), &got); err != nil {
		t.Fatal(err)
	}
	if sum := got.A.Add(got.B); sum.String() != "0.3" {
		t.Errorf("0.1 + 0.2 = %s, want 0.3", sum)
	}
	out, err := json.Marshal(got)
	if want := `{"A":"0.1","B":"0.2"}`; err != nil || string(out) != want {
		t.Errorf("Marshal = %s, %v, want %s", out, err, want)
	}
	for _, bad := range []string{`true`, `null`, `""`, `"1e3"`, `1e400`, `[]`, `"1`} {
		var d money.Decimal
		if err := d.UnmarshalJSON([]byte(bad)); err == nil {
			t.Errorf("UnmarshalJSON(%s) = %s, want an error", bad, d)
		}
	}
}

// anyDecimal generates a number, as a Decimal and as a fraction.
func anyDecimal(t *rapid.T, label string) (money.Decimal, *big.Rat) {
	text := rapid.StringMatching(`-?[0-9]{1,17}(\.[0-9]{1,8})?`).Draw(t, label)
	rat, ok := new(big.Rat).SetString(text)
	if !ok {
		t.Fatalf("big.Rat cannot parse %s", text)
	}
	return money.MustParse(text), rat
}

// halfAway rounds a fraction to hundredths, half away from zero.
func halfAway(r *big.Rat) *big.Rat {
	scaled := new(big.Rat).Mul(new(big.Rat).Abs(r), big.NewRat(100, 1))
	scaled.Add(scaled, big.NewRat(1, 2))
	floor := new(big.Int).Quo(scaled.Num(), scaled.Denom())
	out := new(big.Rat).SetFrac(floor, big.NewInt(100))
	if r.Sign() < 0 {
		out.Neg(out)
	}
	return out
}

func TestArithmeticEqualsFractions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, ra := anyDecimal(t, "a")
		b, rb := anyDecimal(t, "b")
		same := func(name string, got money.Decimal, want *big.Rat) {
			if r, ok := new(big.Rat).SetString(got.String()); !ok || r.Cmp(want) != 0 {
				t.Fatalf("%s of %s and %s: got %s, want %s", name, a, b, got, want.FloatString(20))
			}
		}
		same("sum", a.Add(b), new(big.Rat).Add(ra, rb))
		same("difference", a.Sub(b), new(big.Rat).Sub(ra, rb))
		same("product", a.Mul(b), new(big.Rat).Mul(ra, rb))
		same("percentage", a.Percent(b), new(big.Rat).Mul(ra, new(big.Rat).Mul(rb, big.NewRat(1, 100))))
		same("rounding", a.Mul(b).Round2(), halfAway(new(big.Rat).Mul(ra, rb)))
		if a.Cmp(b) != ra.Cmp(rb) {
			t.Fatalf("Cmp(%s, %s) = %d, want %d", a, b, a.Cmp(b), ra.Cmp(rb))
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"0", "-1.5", "1e9", "..", "99999999999999999999.9", "٣"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := money.Parse(text)
		if err != nil {
			return
		}
		again, err := money.Parse(d.String())
		if err != nil || !again.Equal(d) {
			t.Errorf("%q formats as %s, which parses as %s, %v, want the same number", text, d, again, err)
		}
		want, ok := new(big.Rat).SetString(text)
		if got, _ := new(big.Rat).SetString(d.String()); !ok || got.Cmp(want) != 0 {
			t.Errorf("Parse(%q) = %s, want the same number", text, d)
		}
	})
}

func ExampleDecimal_Percent() {
	taxable := money.MustParse("33.33")
	vat := taxable.Percent(money.MustParse("15")).Round2()
	fmt.Println(vat.Fixed2(), taxable.Add(vat).Fixed2())
	// Output: 5.00 38.33
}
