package service_test

import (
	"strings"
	"testing"
)

// noDecimals are no numbers, wherever a decimal is wanted.
func noDecimals(field string) []bad {
	const (
		decimal = "Input should be a valid decimal"
		digits  = "Decimal input should have no more than 20 digits before and 20 after the decimal point"
	)
	rows := []bad{
		{field, `1e308`, "", digits},
		{field, `1e21`, "", digits},
		{field, `1e-308`, "", digits},
		{field, `1e999999999999`, "", digits},
		{field, strings.Repeat("9", 30), "", digits},
		{field, `0.` + strings.Repeat("3", 30), "", digits},
		{field, `"` + strings.Repeat("9", 30) + `"`, "", digits},
	}
	for _, raw := range []string{
		`""`, `" "`, `"NaN"`, `"Infinity"`, `"-Infinity"`, `"inf"`, `"1,5"`, `"1,000.00"`, `"1 000"`, `"1_000"`, `"+1"`, `" 1"`, `"1 "`, `"1e3"`, `"1E-2"`, `".5"`, `"5."`,
		`"--1"`, `"0x10"`, `"1.2.3"`, `"١٥"`, `"١٥٫٥"`, `"۱۵"`, `"１５"`, `"½"`, `"15%"`, `"15 SAR"`, `"﷼15"`, `"1\u0000"`, `"1\ud800"`, `"\u200f15"`, `"null"`, `true`, `false`, `[]`, `[1]`, `{}`,
	} {
		rows = append(rows, bad{field, raw, "", decimal})
	}
	return rows
}

// noNumbers are no JSON at all, which is told of the whole.
var noNumbers = map[string]string{
	`NaN`: "a value", `Infinity`: "a value", `+1`: "a value", `.5`: "a value", `'1'`: "a value", `undefined`: "a value", `١٥`: "a value",
	`-Infinity`: "a digit", `5.`: "a digit", `1e`: "a digit", `1e+`: "a digit", `-`: "a digit", `--1`: "a digit", `-a`: "a digit",
	`0x10`: "a comma or a closing bracket", `01`: "a comma or a closing bracket", `1_000`: "a comma or a closing bracket",
	`1.5.1`: "a comma or a closing bracket", `1e2.5`: "a comma or a closing bracket", `1,5`: "a name in double quotes",
}

func TestBadInput_NumbersOfItems(t *testing.T) {
	h := open(t, nil)
	_, item, _, article := h.inlets(t)
	count := 0
	for _, field := range []string{"item_net_price", "vat_rate", "stock"} {
		count += h.refused(t, noDecimals(field), item, article)
		for _, in := range []inlet{item, article} {
			for raw, expected := range noNumbers {
				got := in.send(in.put(t, field, raw)).problems(t)
				want := in.at("") + "Invalid JSON: expected " + expected + " at line 1 column "
				if len(got) != 1 || !strings.HasPrefix(got[0], want) {
					t.Errorf("%s %s %s: got %q, want %q", in.name, field, raw, got, want)
				}
				count++
			}
		}
	}
	count += h.refused(t, []bad{
		{"item_net_price", `0`, "", "Input should be greater than 0"},
		{"item_net_price", `-0`, "", "Input should be greater than 0"},
		{"item_net_price", `0.00`, "", "Input should be greater than 0"},
		{"item_net_price", `-0.01`, "", "Input should be greater than 0"},
		{"item_net_price", `"-5"`, "", "Input should be greater than 0"},
		{"item_net_price", `0.001`, "", "Decimal input should have no more than 2 decimal places"},
		{"item_net_price", `"10.005"`, "", "Decimal input should have no more than 2 decimal places"},
		{"item_net_price", `1e-3`, "", "Decimal input should have no more than 2 decimal places"},
		{"item_net_price", `1000000000`, "", "Input should be less than 1000000000"},
		{"item_net_price", `1e9`, "", "Input should be less than 1000000000"},
		{"item_net_price", `"1000000000.00"`, "", "Input should be less than 1000000000"},
		{"vat_rate", `-1`, "", "Input should be greater than or equal to 0"},
		{"vat_rate", `100.01`, "", "Input should be less than or equal to 100"},
		{"vat_rate", `0`, "", "Input should be greater than 0 and at most 100 in category S, such as 15"},
		{"vat_rate", `-0.0`, "", "Input should be greater than 0 and at most 100 in category S, such as 15"},
		{"stock", `-0.000001`, "", "Input should be greater than or equal to 0"},
		{"stock", `1e15`, "", "Input should be less than 1000000000000000"},
		{"stock", `0.0000001`, "", "Decimal input should have no more than 6 decimal places"},
	}, item, article)
	t.Logf("%d rows", count)
}
