package wire_test

import (
	"fmt"
	"strings"
	"testing"

	"khatm/money"
	"khatm/service/internal/wire"
)

type returned struct {
	Name  string         `json:"name" maxLength:"5"`
	Price *money.Decimal `json:"price" optional:"true" maximum:"10"`
	Lines []string       `json:"lines" optional:"true" maxItems:"2"`
}

func TestReadBack(t *testing.T) {
	t.Parallel()
	price := func(text string) *money.Decimal { d := money.MustParse(text); return &d }
	cases := []struct {
		name  string
		value returned
		want  string
	}{
		{"empty value", returned{}, "[]"},
		{"all values at their maximum", returned{"abcde", price("10"), []string{"a", strings.Repeat("b", 1<<20)}}, "[]"},
		{"text too long", returned{Name: "abcdef"}, "[name: must have at most 5 characters]"},
		{"number too large", returned{Price: price("10.01")}, "[price: must be at most 10]"},
		{"list too long", returned{Lines: []string{"a", "b", "c"}}, "[lines: must have at most 2 items]"},
		{"larger than a body may be", returned{Lines: []string{strings.Repeat("b", 4<<20)}}, "[must be at most 4193280 bytes as JSON]"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := wire.ReadBack(&c.value)
			if err != nil || fmt.Sprint(got) != c.want {
				t.Errorf("got %v, %v, want %s", got, err, c.want)
			}
		})
	}
}
