package seal_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"khatm/seal"
)

// testUnit returns a valid unit.
func testUnit() seal.Unit {
	return seal.Unit{
		CommonName:   "TST-886431145-399999999900003",
		Provider:     "Khatm",
		Model:        "1.0",
		Serial:       "ed22f1d8-e6a2-1118-9b58-d9a8f11e445f",
		VATNumber:    "399999999900003",
		UnitName:     "Riyadh Branch",
		Organisation: "شركة ختم التجريبية",
		InvoiceType:  "1100",
		Location:     "RRRD2929",
		Industry:     "Supply activities",
	}
}

func TestUnitCheckAccepts(t *testing.T) {
	for name, change := range map[string]func(*seal.Unit){
		"as it is":               func(*seal.Unit) {},
		"standard only":          func(u *seal.Unit) { u.InvoiceType = "1000" },
		"simplified only":        func(u *seal.Unit) { u.InvoiceType = "0100" },
		"VAT group with its TIN": func(u *seal.Unit) { u.VATNumber, u.UnitName = "399999999910003", "3101234567" },
		"64 bytes":               func(u *seal.Unit) { u.Organisation = strings.Repeat("م", 32) },
		"serial of 64 bytes":     func(u *seal.Unit) { u.Provider = strings.Repeat("p", 17) },
		"underscore in a serial": func(u *seal.Unit) { u.Model = "v_1" },
		"Arabic everywhere": func(u *seal.Unit) {
			u.CommonName, u.UnitName, u.Location, u.Industry = "صندوق", "فرع", "الرياض", "تجارة"
		},
		"Arabic with vowel signs": func(u *seal.Unit) { u.UnitName = "فَرْعٌ" },
		"dots, commas, dashes":    func(u *seal.Unit) { u.Organisation, u.Industry = "Al-Amal, Ltd. (Branch)", "Food, drink" },
	} {
		t.Run(name, func(t *testing.T) {
			u := testUnit()
			change(&u)
			if err := u.Check(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestUnitCheckRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(*seal.Unit)
		field string
		words string
	}{
		"no common name":            {func(u *seal.Unit) { u.CommonName = "" }, "CommonName", "empty"},
		"no provider":               {func(u *seal.Unit) { u.Provider = "" }, "Provider", "empty"},
		"no model":                  {func(u *seal.Unit) { u.Model = "" }, "Model", "empty"},
		"no serial":                 {func(u *seal.Unit) { u.Serial = "" }, "Serial", "empty"},
		"no VAT number":             {func(u *seal.Unit) { u.VATNumber = "" }, "VATNumber", "15 digits"},
		"no unit name":              {func(u *seal.Unit) { u.UnitName = "" }, "UnitName", "empty"},
		"no organisation":           {func(u *seal.Unit) { u.Organisation = "" }, "Organisation", "empty"},
		"no invoice type":           {func(u *seal.Unit) { u.InvoiceType = "" }, "InvoiceType", "1100"},
		"no location":               {func(u *seal.Unit) { u.Location = "" }, "Location", "empty"},
		"no industry":               {func(u *seal.Unit) { u.Industry = "" }, "Industry", "empty"},
		"common name of 65 bytes":   {func(u *seal.Unit) { u.CommonName = strings.Repeat("x", 65) }, "CommonName", "65 bytes"},
		"33 Arabic letters":         {func(u *seal.Unit) { u.Organisation = strings.Repeat("م", 33) }, "Organisation", "66 bytes"},
		"long location":             {func(u *seal.Unit) { u.Location = strings.Repeat("x", 100) }, "Location", "100 bytes"},
		"long provider":             {func(u *seal.Unit) { u.Provider = strings.Repeat("x", 65) }, "Provider", "65 bytes"},
		"serial too long in total":  {func(u *seal.Unit) { u.Provider = strings.Repeat("x", 18) }, "Serial", "together have 65 bytes"},
		"= in the serial":           {func(u *seal.Unit) { u.Serial = "a=b" }, "Serial", "="},
		"| in the provider":         {func(u *seal.Unit) { u.Provider = "a|b" }, "Provider", "|"},
		"| in the model":            {func(u *seal.Unit) { u.Model = "a|3-b" }, "Model", "|"},
		"_ in the common name":      {func(u *seal.Unit) { u.CommonName = "till_1" }, "CommonName", "_"},
		"& in the organisation":     {func(u *seal.Unit) { u.Organisation = "Salem & Sons" }, "Organisation", "&"},
		"# in the unit name":        {func(u *seal.Unit) { u.UnitName = "Branch #2" }, "UnitName", "#"},
		"@ in the location":         {func(u *seal.Unit) { u.Location = "here@home" }, "Location", "@"},
		"% in the industry":         {func(u *seal.Unit) { u.Industry = "100% juice" }, "Industry", "%"},
		"+ in the industry":         {func(u *seal.Unit) { u.Industry = "food + drink" }, "Industry", "+"},
		"> in the industry":         {func(u *seal.Unit) { u.Industry = "a > b" }, "Industry", ">"},
		"< in the organisation":     {func(u *seal.Unit) { u.Organisation = "<b>" }, "Organisation", "<"},
		"! in the common name":      {func(u *seal.Unit) { u.CommonName = "till!" }, "CommonName", "!"},
		"line end":                  {func(u *seal.Unit) { u.UnitName = "a\nb" }, "UnitName", "U+000A"},
		"NUL":                       {func(u *seal.Unit) { u.Serial = "a\x00b" }, "Serial", "U+0000"},
		"tab":                       {func(u *seal.Unit) { u.Location = "a\tb" }, "Location", "U+0009"},
		"direction mark":            {func(u *seal.Unit) { u.Organisation = "شركة\u200f ختم" }, "Organisation", "U+200F"},
		"no-break space":            {func(u *seal.Unit) { u.Industry = "a\u00a0b" }, "Industry", "U+00A0"},
		"byte order mark":           {func(u *seal.Unit) { u.CommonName = "\ufefftill" }, "CommonName", "U+FEFF"},
		"leading space":             {func(u *seal.Unit) { u.UnitName = " a" }, "UnitName", "white space"},
		"trailing space":            {func(u *seal.Unit) { u.Provider = "a " }, "Provider", "white space"},
		"only spaces":               {func(u *seal.Unit) { u.Model = "  " }, "Model", "white space"},
		"not UTF-8":                 {func(u *seal.Unit) { u.Organisation = "\xd4\xd1" }, "Organisation", "UTF-8"},
		"VAT number of 14 digits":   {func(u *seal.Unit) { u.VATNumber = "39999999990003" }, "VATNumber", "15 digits"},
		"VAT number of 16 digits":   {func(u *seal.Unit) { u.VATNumber = "3999999999000003" }, "VATNumber", "15 digits"},
		"VAT number begins with 2":  {func(u *seal.Unit) { u.VATNumber = "299999999900003" }, "VATNumber", "begin"},
		"VAT number ends with 4":    {func(u *seal.Unit) { u.VATNumber = "399999999900004" }, "VATNumber", "end"},
		"VAT number with a letter":  {func(u *seal.Unit) { u.VATNumber = "39999999990O003" }, "VATNumber", "digits"},
		"VAT number, Arabic digits": {func(u *seal.Unit) { u.VATNumber = "٣٩٩٩٩٩٩٩٩٩٠٠٠٠٣" }, "VATNumber", "digits"},
		"VAT group, branch name":    {func(u *seal.Unit) { u.VATNumber = "399999999910003" }, "UnitName", "TIN"},
		"VAT group, TIN of 9":       {func(u *seal.Unit) { u.VATNumber, u.UnitName = "399999999910003", "310123456" }, "UnitName", "TIN"},
		"invoice type 0000":         {func(u *seal.Unit) { u.InvoiceType = "0000" }, "InvoiceType", "must be"},
		"invoice type 1111":         {func(u *seal.Unit) { u.InvoiceType = "1111" }, "InvoiceType", "must be"},
		"invoice type standard":     {func(u *seal.Unit) { u.InvoiceType = "standard" }, "InvoiceType", "must be"},
	} {
		t.Run(name, func(t *testing.T) {
			u := testUnit()
			test.spoil(&u)
			var problems seal.Problems
			if !errors.As(u.Check(), &problems) {
				t.Fatal("Check succeeded, want an error")
			}
			if len(problems) != 1 || problems[0].Field != test.field {
				t.Fatalf("got %+v, want one problem of %s", problems, test.field)
			}
			if !strings.Contains(problems[0].Text, test.words) {
				t.Errorf("problem %q, want one that contains %q", problems[0].Text, test.words)
			}
		})
	}
}

func TestUnitCheckFindsEverything(t *testing.T) {
	var problems seal.Problems
	if !errors.As(seal.Unit{}.Check(), &problems) {
		t.Fatal("Check of an empty unit succeeded, want an error")
	}
	var fields []string
	for _, p := range problems {
		fields = append(fields, p.Field)
	}
	want := []string{"CommonName", "Provider", "Model", "Serial", "UnitName", "Organisation", "Location", "Industry", "VATNumber", "InvoiceType"}
	if diff := cmp.Diff(want, fields); diff != "" {
		t.Error(diff)
	}
}

func ExampleUnit_Check() {
	err := seal.Unit{
		CommonName:   "till 1",
		Provider:     "Khatm",
		Model:        "1.0",
		Serial:       "a=1",
		VATNumber:    "399999999910003",
		UnitName:     "Riyadh",
		Organisation: "Salem Trading",
		InvoiceType:  "1100",
		Location:     "RRRD2929",
		Industry:     "Retail",
	}.Check()
	var problems seal.Problems
	if errors.As(err, &problems) {
		for _, p := range problems {
			fmt.Printf("%s: %s\n", p.Field, p.Text)
		}
	}
	// Output:
	// Serial: the serial has the character =, which the authority rejects
	// UnitName: the VAT number belongs to a VAT group (its 11th digit is 1), so the unit name must be the 10-digit TIN of the member
}
