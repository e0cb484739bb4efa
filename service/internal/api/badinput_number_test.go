package api_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/service/internal/servicetest"
)

// noDecimals returns values that are not decimals, and their errors.
func noDecimals(field string) []servicetest.BadValue {
	const (
		decimal = "must be a decimal number"
		digits  = "must have at most 20 digits before and 30 after the decimal point"
	)
	rows := []servicetest.BadValue{
		{Field: field, Raw: `1e308`, Path: "", Want: digits},
		{Field: field, Raw: `1e21`, Path: "", Want: digits},
		{Field: field, Raw: `1e-308`, Path: "", Want: digits},
		{Field: field, Raw: `1e999999999999`, Path: "", Want: digits},
		{Field: field, Raw: strings.Repeat("9", 30), Path: "", Want: digits},
		{Field: field, Raw: `0.` + strings.Repeat("3", 31), Path: "", Want: digits},
		{Field: field, Raw: `"` + strings.Repeat("9", 30) + `"`, Path: "", Want: digits},
	}
	for _, raw := range []string{
		`""`, `" "`, `"NaN"`, `"Infinity"`, `"-Infinity"`, `"inf"`, `"1,5"`, `"1,000.00"`, `"1 000"`, `"1_000"`, `"+1"`, `" 1"`, `"1 "`, `"1e3"`, `"1E-2"`, `".5"`, `"5."`,
		`"--1"`, `"0x10"`, `"1.2.3"`, `"١٥"`, `"١٥٫٥"`, `"۱۵"`, `"１５"`, `"½"`, `"15%"`, `"15 SAR"`, `"﷼15"`, `"1\u0000"`, `"1\ud800"`, `"\u200f15"`, `"null"`, `true`, `false`, `[]`, `[1]`, `{}`,
	} {
		rows = append(rows, servicetest.BadValue{Field: field, Raw: raw, Path: "", Want: decimal})
	}
	return rows
}

// noNumbers maps values that are not valid JSON to what the parser expects instead.
// The error is about the whole body.
var noNumbers = map[string]string{
	`NaN`: "a value", `Infinity`: "a value", `+1`: "a value", `.5`: "a value", `'1'`: "a value", `undefined`: "a value", `١٥`: "a value",
	`-Infinity`: "a digit", `5.`: "a digit", `1e`: "a digit", `1e+`: "a digit", `-`: "a digit", `--1`: "a digit", `-a`: "a digit",
	`0x10`: "a comma or a closing bracket", `01`: "a comma or a closing bracket", `1_000`: "a comma or a closing bracket",
	`1.5.1`: "a comma or a closing bracket", `1e2.5`: "a comma or a closing bracket", `1,5`: "a name in double quotes",
}

func TestBadInput_NumbersOfItems(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	_, item, _, article := inlets(h, t)
	count := 0
	values := slices.Sorted(maps.Keys(noNumbers))
	for n, field := range []string{"item_net_price", "vat_rate", "stock"} {
		count += h.Refused(t, testtool.Spread(noDecimals(field), n, 3), item, article)
		for _, in := range []servicetest.Input{item, article} {
			for _, raw := range testtool.Spread(values, n, 3) {
				expected := noNumbers[raw]
				got := in.Send(in.Put(t, field, raw)).Problems(t)
				want := in.At("") + "Invalid JSON: expected " + expected + " at line 1 column "
				if len(got) != 1 || !strings.HasPrefix(got[0], want) {
					t.Errorf("%s: %s = %s: problems %q, want %q", in.Name, field, raw, got, want)
				}
				count++
			}
		}
	}
	count += h.Refused(t, []servicetest.BadValue{
		{Field: "item_net_price", Raw: `0`, Path: "", Want: "must be greater than 0"},
		{Field: "item_net_price", Raw: `-0`, Path: "", Want: "must be greater than 0"},
		{Field: "item_net_price", Raw: `0.00`, Path: "", Want: "must be greater than 0"},
		{Field: "item_net_price", Raw: `-0.01`, Path: "", Want: "must be greater than 0"},
		{Field: "item_net_price", Raw: `"-5"`, Path: "", Want: "must be greater than 0"},
		{Field: "item_net_price", Raw: `0.001`, Path: "", Want: "must have at most 2 decimal places"},
		{Field: "item_net_price", Raw: `"10.005"`, Path: "", Want: "must have at most 2 decimal places"},
		{Field: "item_net_price", Raw: `1e-3`, Path: "", Want: "must have at most 2 decimal places"},
		{Field: "item_net_price", Raw: `1000000000`, Path: "", Want: "must be less than 1000000000"},
		{Field: "item_net_price", Raw: `1e9`, Path: "", Want: "must be less than 1000000000"},
		{Field: "item_net_price", Raw: `"1000000000.00"`, Path: "", Want: "must be less than 1000000000"},
		{Field: "vat_rate", Raw: `-1`, Path: "", Want: "must be at least 0"},
		{Field: "vat_rate", Raw: `100.01`, Path: "", Want: "must be at most 100"},
		{Field: "vat_rate", Raw: `0`, Path: "", Want: "must be greater than 0 and at most 100 in category S, such as 15"},
		{Field: "vat_rate", Raw: `-0.0`, Path: "", Want: "must be greater than 0 and at most 100 in category S, such as 15"},
		{Field: "stock", Raw: `-0.000001`, Path: "", Want: "must be at least 0"},
		{Field: "stock", Raw: `1e15`, Path: "", Want: "must be less than 1000000000000000"},
		{Field: "stock", Raw: `0.0000001`, Path: "", Want: "must have at most 6 decimal places"},
	}, item, article)
	t.Logf("%d cases", count)
}
