package trade_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"khatm/codes"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
)

func TestFieldsOfAClientRefused(t *testing.T) {
	ids := func(list ...org.Identification) func(*trade.Client) {
		return func(c *trade.Client) { c.Identifications = list }
	}
	cases := []struct {
		name   string
		change func(*trade.Client)
		path   string
		says   string
	}{
		{"VAT number too short", func(c *trade.Client) { c.VATNumber = "31128765490003" }, "vat_registration_number", "15 digits"},
		{"VAT number that does not begin with 3", func(c *trade.Client) { c.VATNumber = "111287654900003" }, "vat_registration_number", "the first and the last of them 3"},
		{"VAT number that does not end with 3", func(c *trade.Client) { c.VATNumber = "311287654900001" }, "vat_registration_number", "the first and the last of them 3"},
		{"VAT number with letters", func(c *trade.Client) { c.VATNumber = "31128765490000O" }, "vat_registration_number", "15 digits"},
		{"tax number of another country", func(c *trade.Client) { *c = foreigner(); c.VATNumber = "100123456700003" }, "vat_registration_number", "type_id OTH"},
		{"name too long", func(c *trade.Client) { c.Name = strings.Repeat("ن", 1001) }, "buyer_name", "at most 1000 characters"},
		{"name with a control character", func(c *trade.Client) { c.Name = "a\x07b" }, "buyer_name", "U+0007"},
		{"name with a noncharacter", func(c *trade.Client) { c.Name = "a\uffffb" }, "buyer_name", "U+FFFF"},
		{"name that is no UTF-8", func(c *trade.Client) { c.Name = "a\xffb" }, "buyer_name", "UTF-8"},
		{"Arabic name without an Arabic letter", func(c *trade.Client) { c.NameArabic = "١٢٣ Al Noor" }, "buyer_name_arabic", "Arabic letters"},
		{"unknown business type", func(c *trade.Client) { c.BusinessType = codes.Industries()[0].UUID }, "business_type", "/api/business-types/"},
		{"unknown industry", func(c *trade.Client) { c.Industry = codes.BusinessTypes()[0].UUID }, "industry", "/api/industries/"},
		{"street too long", func(c *trade.Client) { c.Street = strings.Repeat("a", 1001) }, "street", "at most 1000"},
		{"second street too long", func(c *trade.Client) { c.AdditionalStreet = strings.Repeat("a", 128) }, "additional_street", "at most 127"},
		{"plot too long", func(c *trade.Client) { c.PlotIdentification = strings.Repeat("1", 128) }, "plot_identification", "at most 127"},
		{"district too long", func(c *trade.Client) { c.District = strings.Repeat("ح", 128) }, "district", "at most 127"},
		{"city too long", func(c *trade.Client) { c.City = strings.Repeat("ج", 128) }, "city", "at most 127"},
		{"region too long", func(c *trade.Client) { c.ProvinceState = strings.Repeat("م", 128) }, "province_state", "at most 127"},
		{"building number that is no UTF-8", func(c *trade.Client) { *c = consumer(); c.BuildingNumber = "1\xff" }, "building_number", "UTF-8"},
		{"postal code too long", func(c *trade.Client) { *c = foreigner(); c.PostalCode = strings.Repeat("1", 128) }, "postal_code", "at most 127"},
		{"country in small letters", func(c *trade.Client) { c.CountryCode = "sa" }, "country_code", "two capital letters"},
		{"contact too long", func(c *trade.Client) { c.ContactName = strings.Repeat("a", 1001) }, "contact_name", "at most 1000"},
		{"unknown type of identification", ids(org.Identification{Type: "crn", Value: "1010183482"}), "additional_buyer_id.0.type_id", "TIN, CRN, MOM, MLS, 700, SAG, NAT, GCC, IQA, PAS, OTH"},
		{"no type", ids(org.Identification{Value: "1010183482"}), "additional_buyer_id.0.type_id", "Field required"},
		{"no value", ids(org.Identification{Type: "CRN", Value: "1"}, org.Identification{Type: "NAT", Value: " "}), "additional_buyer_id.1.value", "Field required"},
		{"value with a dash", ids(org.Identification{Type: "CRN", Value: "1010-183482"}), "additional_buyer_id.0.value", "letters and digits only"},
		{"value in Arabic letters", ids(org.Identification{Type: "OTH", Value: "سجل"}), "additional_buyer_id.0.value", "Latin letters"},
		{"value too long", ids(org.Identification{Type: "OTH", Value: strings.Repeat("1", 128)}), "additional_buyer_id.0.value", "at most 127"},
		{"type twice", ids(org.Identification{Type: "CRN", Value: "1"}, org.Identification{Type: "CRN", Value: "2"}), "additional_buyer_id.1.type_id", "CRN is repeated"},
		{"more identifications than types", ids(make([]org.Identification, 12)...), "additional_buyer_id", "at most 11"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			client := with(business(), c.change)
			got := client.Check()
			if len(got) != 1 || got[0].Path != c.path || !strings.Contains(got[0].Message, c.says) {
				t.Errorf("problems %q, want only %s: …%s…", told(got), c.path, c.says)
			}
		})
	}
}

func TestCheckNormalisesAClient(t *testing.T) {
	c := business()
	c.Name = "  Al \t Noor\u00a0Stationery\nEst.\u200e"
	c.NameArabic = "\u202bمؤسسة النور للقرطاسية\u202c"
	c.Street = "Cafe\u0301 Street"
	c.VATNumber = " ٣١١٢٨٧٦٥٤ ٩٠٠٠٠٣\u200f"
	c.BuildingNumber, c.PostalCode = "٣٥٤٢", " ۲۳۳۲۱ "
	c.CountryCode = ""
	c.ContactPhone = "٠٥٥ ١٢٣ ٤٥٦٧"
	c.BusinessType = " " + strings.ToUpper(c.BusinessType)
	c.Identifications = []org.Identification{{Type: " CRN ", Value: "٤٠٣٠ 276644"}}
	want := business()
	want.Name = "Al Noor Stationery Est."
	want.Street = "Café Street"
	want.ContactPhone = "055 123 4567"
	if got := c.Check(); got != nil {
		t.Fatalf("valid client refused: %q", told(got))
	}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Errorf("normalised client (-want +got):\n%s", diff)
	}
}

func TestCheckOfACopyLeavesTheOriginal(t *testing.T) {
	original := business()
	original.Identifications[0].Value = "٤٠٣٠٢٧٦٦٤٤"
	edited := original
	edited.Name = "Another"
	if got := edited.Check(); got != nil {
		t.Fatalf("valid client refused: %q", told(got))
	}
	if original.Identifications[0].Value != "٤٠٣٠٢٧٦٦٤٤" || original.Name == "Another" {
		t.Errorf("the original was changed to %+v", original)
	}
}

func TestClientsAreFoundBy(t *testing.T) {
	c := business()
	c.Identifications = append(c.Identifications, org.Identification{Type: "OTH", Value: "DE811907980"})
	folded := c.Folded()
	for _, query := range []string{
		"al noor", "النور", "مؤسسه", "قرطاسية", "311287654900003", "٣١١٢٨٧", "4030276644", "de811907980",
		"sara", "Al-Qahtani", "sara@alnoor.sa", "alnoor.sa", "+966551234567", "0551234567", "٠٥٥١٢٣٤٥٦٧", "جده",
	} {
		for word := range strings.FieldsSeq(trade.Fold(query)) {
			if !strings.Contains(folded, word) {
				t.Errorf("query %q does not match: %q is not in %q", query, word, folded)
			}
		}
	}
	for _, query := range []string{"الرياض", "7261", "3542"} {
		if strings.Contains(folded, trade.Fold(query)) {
			t.Errorf("query %q matches %q, want no match", query, folded)
		}
	}
}
