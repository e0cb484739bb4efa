package trade_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"khatm/codes"
	"khatm/money"
	"khatm/service/internal/trade"
)

// paper returns an item with unlimited stock.
func paper() trade.Item {
	return trade.Item{
		Name: "ورق طباعة A4", NameArabic: "ورق طباعة", Description: "80 g/m²\n500 sheets",
		Price: money.MustParse("18.95"), Unit: "BOX", Category: "S", Rate: money.FromInt(15), Active: true,
	}
}

func changedItem(change func(*trade.Item)) trade.Item {
	i := paper()
	change(&i)
	return i
}

func untaxed(category, code, text string) func(*trade.Item) {
	return func(i *trade.Item) {
		i.Category, i.Rate, i.ReasonCode, i.ReasonText = category, money.FromInt(0), code, text
	}
}

func stock(text string) func(*trade.Item) {
	return func(i *trade.Item) {
		d := money.MustParse(text)
		i.Stock = &d
	}
}

func price(text string) func(*trade.Item) {
	return func(i *trade.Item) { i.Price = money.MustParse(text) }
}

func rate(text string) func(*trade.Item) {
	return func(i *trade.Item) { i.Rate = money.MustParse(text) }
}

func TestInterface_2_2_ItemsAccepted(t *testing.T) {
	cases := map[string]func(*trade.Item){
		"unchanged":                             func(*trade.Item) {},
		"shortest name":                         func(i *trade.Item) { i.Name = "شاي1" },
		"longest name":                          func(i *trade.Item) { i.Name = strings.Repeat("ش", 50) },
		"name of four characters once composed": func(i *trade.Item) { i.Name = "Cafe\u0301" },
		"no Arabic name":                        func(i *trade.Item) { i.NameArabic = "" },
		"least price":                           price("0.01"),
		"price with a zero":                     price("10.500"),
		"highest price":                         price("999999999.99"),
		"unknown unit":                          func(i *trade.Item) { i.Unit = "roll" },
		"rate of 5":                             rate("5"),
		"rate of 100":                           rate("100"),
		"rate of 0.5":                           rate("0.5"),
		"empty stock":                           stock("0"),
		"stock of six decimals":                 stock("12.345678"),
		"greatest stock":                        stock("999999999999999.999999"),
		"free text out of scope": untaxed("O", codes.OutOfScope,
			"غرامة تأخير"),
	}
	for _, r := range codes.Reasons() {
		cases["reason "+r.Code] = untaxed(r.Category, r.Code, r.AR)
	}
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			i := changedItem(change)
			if got := i.Check(); got != nil {
				t.Errorf("valid item refused: %q", told(got))
			}
		})
	}
}

func TestInterface_2_2_And_2_4_FieldsOfAnItemRefused(t *testing.T) {
	cases := []struct {
		name   string
		change func(*trade.Item)
		path   string
		says   string
	}{
		{"no name", func(i *trade.Item) { i.Name = " " }, "item_name", "Field required"},
		{"name of three characters", func(i *trade.Item) { i.Name = "شاي" }, "item_name", "at least 4"},
		{"name of three characters and spaces", func(i *trade.Item) { i.Name = "شاي  " }, "item_name", "at least 4"},
		{"name of 51 characters", func(i *trade.Item) { i.Name = strings.Repeat("ش", 51) }, "item_name", "at most 50"},
		{"name with a control character", func(i *trade.Item) { i.Name = "paper\x00" }, "item_name", "U+0000"},
		{"Arabic name in Latin letters", func(i *trade.Item) { i.NameArabic = "Paper" }, "item_name_arabic", "Arabic letters"},
		{"Arabic name too long", func(i *trade.Item) { i.NameArabic = strings.Repeat("ش", 51) }, "item_name_arabic", "at most 50"},
		{"description too long", func(i *trade.Item) { i.Description = strings.Repeat("a", 1001) }, "description", "at most 1000"},
		{"no price", price("0"), "item_net_price", "greater than 0"},
		{"negative price", price("-1"), "item_net_price", "greater than 0"},
		{"price of three decimals", price("1.005"), "item_net_price", "at most 2 decimal places"},
		{"price too high", price("1000000000"), "item_net_price", "less than 1000000000"},
		{"no unit", func(i *trade.Item) { i.Unit = "" }, "unit_of_measure", "Field required"},
		{"unit too long", func(i *trade.Item) { i.Unit = strings.Repeat("u", 128) }, "unit_of_measure", "at most 127"},
		{"no category", func(i *trade.Item) { i.Category = "" }, "vat_category_code", "Field required"},
		{"unknown category", func(i *trade.Item) { i.Category = "s" }, "vat_category_code", "'S', 'Z', 'E' or 'O'"},
		{"S at 0", rate("0"), "vat_rate", "greater than 0"},
		{"S below 0", rate("-5"), "vat_rate", "greater than 0"},
		{"S above 100", rate("100.01"), "vat_rate", "at most 100"},
		{"S with a reason code", func(i *trade.Item) { i.ReasonCode = "VATEX-SA-32" }, "vat_exemption_reason_code", "empty in category S"},
		{"S with a reason text", func(i *trade.Item) { i.ReasonText = "export" }, "vat_exemption_reason_text", "empty in category S"},
		{"Z at 15", func(i *trade.Item) {
			untaxed("Z", "VATEX-SA-35", "medicine")(i)
			i.Rate = money.FromInt(15)
		}, "vat_rate", "0 in category Z"},
		{"Z without a code", untaxed("Z", "", "medicine"), "vat_exemption_reason_code", "such as VATEX-SA-32"},
		{"Z with a code of E", untaxed("Z", "VATEX-SA-29", "medicine"), "vat_exemption_reason_code", "of category Z"},
		{"E with a code of Z", untaxed("E", "VATEX-SA-35", "medicine"), "vat_exemption_reason_code", "of category E"},
		{"E with an unknown code", untaxed("E", "VATEX-SA-99", "medicine"), "vat_exemption_reason_code", "/api/invoices/vat-exemption-reasons/"},
		{"O with a code of E", untaxed("O", "VATEX-SA-30", "fine"), "vat_exemption_reason_code", "such as VATEX-SA-OOS"},
		{"O without a text", untaxed("O", codes.OutOfScope, "\n"), "vat_exemption_reason_text", "as text"},
		{"reason text too long", untaxed("O", codes.OutOfScope, strings.Repeat("a", 1001)), "vat_exemption_reason_text", "at most 1000"},
		{"negative stock", stock("-0.000001"), "stock", "at least 0"},
		{"stock of seven decimals", stock("1.0000001"), "stock", "at most 6 decimal places"},
		{"stock too great", stock("1000000000000000"), "stock", "less than 1000000000000000"},
		{"too many images", func(i *trade.Item) { i.Images = make([]trade.Image, 11) }, "images", "at most 10"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			i := changedItem(c.change)
			got := i.Check()
			if len(got) != 1 || got[0].Path != c.path || !strings.Contains(got[0].Message, c.says) {
				t.Errorf("problems %q, want only %s: …%s…", told(got), c.path, c.says)
			}
		})
	}
}

func TestEveryProblemOfAnItemIsListedInOrder(t *testing.T) {
	minus := money.FromInt(-1)
	i := trade.Item{NameArabic: "x", Description: "\x01", SKU: strings.Repeat("x", 65), Barcode: "\x01", Category: "Z", Rate: money.FromInt(5), Stock: &minus, Images: make([]trade.Image, 11)}
	want := []string{
		"item_name", "item_name_arabic", "description", "sku", "barcode", "item_net_price", "unit_of_measure",
		"vat_rate", "vat_exemption_reason_code", "vat_exemption_reason_text", "stock", "images",
	}
	wantPaths(t, i.Check(), want)
}

func TestCheckNormalisesAnItem(t *testing.T) {
	i := changedItem(untaxed(" Z ", " VATEX-SA-35\n", " دواء\r\nمسجل \u200f"))
	i.Name, i.Unit, i.Description = " Cafe\u0301  Latte\n", " PCE ", "one\r\n two \r\nthree "
	if got := i.Check(); got != nil {
		t.Fatalf("valid item refused: %q", told(got))
	}
	got := []string{i.Name, i.Unit, i.Category, i.ReasonCode, i.ReasonText, i.Description}
	want := []string{"Café Latte", "PCE", "Z", "VATEX-SA-35", "دواء\nمسجل", "one\n two \nthree"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("normalised item (-want +got):\n%s", diff)
	}
}

func TestItemsAreFoundBy(t *testing.T) {
	if got, want := paper().Folded(), "ورق طباعه a4 ورق طباعه 80 g m2 500 sheets"; got != want {
		t.Errorf("Folded = %q, want %q", got, want)
	}
}
