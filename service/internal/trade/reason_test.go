package trade_test

import (
	"slices"
	"strings"
	"testing"

	"khatm/service/internal/trade"
)

func TestInterface_2_1_ReasonBecomesPaymentTerms(t *testing.T) {
	cases := []struct {
		name, description, tidied string
		want                      []string
	}{
		{"terms", " السداد خلال 30 يومًا\r\nمن تاريخ الفاتورة ", "السداد خلال 30 يومًا\nمن تاريخ الفاتورة", nil},
		{"longest", strings.Repeat("س", 1000), strings.Repeat("س", 1000), nil},
		{"nothing", " \n\u200f", "", []string{"description: Field required"}},
		{"too long", strings.Repeat("س", 1001), strings.Repeat("س", 1001), []string{"description: must have at most 1000 characters"}},
		{"override of the direction", "a\u202eb", "a\u202eb", []string{"description: must not contain the character U+202E"}},
		{"control character", "a\x0bb", "a\x0bb", []string{"description: must not contain the character U+000B"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := trade.Reason{Description: c.description, Active: true}
			if got := told(r.Check()); !slices.Equal(got, c.want) || r.Description != c.tidied {
				t.Errorf("problems %q and description %q, want %q and %q", got, r.Description, c.want, c.tidied)
			}
		})
	}
}
