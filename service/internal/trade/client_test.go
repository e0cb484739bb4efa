package trade_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"khatm/codes"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
)

// business returns a Saudi client with a VAT number.
func business() trade.Client {
	return trade.Client{
		Name:         "Al Noor Stationery Est.",
		NameArabic:   "مؤسسة النور للقرطاسية",
		VATNumber:    "311287654900003",
		BusinessType: codes.BusinessTypes()[0].UUID,
		Industry:     codes.Industries()[0].UUID,
		Address: org.Address{
			Street: "شارع فلسطين", AdditionalStreet: "برج الأندلس", BuildingNumber: "3542", PlotIdentification: "7261",
			District: "حي الحمراء", City: "جدة", ProvinceState: "منطقة مكة المكرمة", PostalCode: "23321", CountryCode: "SA",
		},
		ContactName:     "Sara Al-Qahtani",
		ContactEmail:    "sara@alnoor.sa",
		ContactPhone:    "+966 55 123 4567",
		Identifications: []org.Identification{{Type: "CRN", Value: "4030276644"}},
	}
}

// consumer returns a minimal Saudi client without a VAT number.
func consumer() trade.Client {
	return trade.Client{
		Name:         "Sara Al-Qahtani",
		BusinessType: codes.BusinessTypes()[1].UUID,
		Industry:     codes.Industries()[25].UUID,
		Address:      org.Address{Street: "شارع الأمير محمد", ProvinceState: "المنطقة الشرقية"},
	}
}

// foreigner returns a client outside Saudi Arabia.
func foreigner() trade.Client {
	return trade.Client{
		Name:            "Müller & Söhne GmbH",
		BusinessType:    codes.BusinessTypes()[0].UUID,
		Industry:        codes.Industries()[14].UUID,
		Address:         org.Address{Street: "Königsallee 27", City: "Düsseldorf", ProvinceState: "NRW", PostalCode: "D-40212", CountryCode: "DE"},
		Identifications: []org.Identification{{Type: "OTH", Value: "DE811907980"}},
	}
}

// told formats problems as callers see them.
func told(problems []fault.Problem) []string {
	var texts []string
	for _, p := range problems {
		texts = append(texts, p.String())
	}
	return texts
}

func TestInterface_2_9_ClientsAccepted(t *testing.T) {
	cases := []struct {
		name   string
		client trade.Client
	}{
		{"Saudi with a VAT number", business()},
		{"Saudi without one", consumer()},
		{"foreign", foreigner()},
		{"foreign, registered for VAT in Saudi Arabia", with(foreigner(), func(c *trade.Client) { c.VATNumber = "311287654900003" })},
		{"foreign without identification", with(foreigner(), func(c *trade.Client) { c.Identifications = nil })},
		{"Saudi consumer with any building number", with(consumer(), func(c *trade.Client) { c.BuildingNumber = "12-B"; c.PostalCode = "P.O. Box 7" })},
		{"name in Arabic only", with(business(), func(c *trade.Client) { c.Name = c.NameArabic })},
		{"longest name", with(business(), func(c *trade.Client) { c.Name = strings.Repeat("ن", 1000) })},
		{"each type of identification", with(business(), func(c *trade.Client) {
			c.Identifications = nil
			for _, idType := range codes.BuyerIDTypes() {
				c.Identifications = append(c.Identifications, org.Identification{Type: idType.Code, Value: "A1"})
			}
		})},
		{"uuids in capitals", with(business(), func(c *trade.Client) {
			c.BusinessType, c.Industry = strings.ToUpper(c.BusinessType), strings.ToUpper(c.Industry)
		})},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := c.client.Check(); got != nil {
				t.Errorf("valid client refused: %q", told(got))
			}
		})
	}
}

func with(c trade.Client, change func(*trade.Client)) trade.Client {
	change(&c)
	return c
}

func TestInterface_2_9_ClientCreationRequires(t *testing.T) {
	always := map[string]func(*trade.Client){
		"street":         func(c *trade.Client) { c.Street = "" },
		"province_state": func(c *trade.Client) { c.ProvinceState = " \u200f" },
		"buyer_name":     func(c *trade.Client) { c.Name = "\t" },
		"business_type":  func(c *trade.Client) { c.BusinessType = "" },
		"industry":       func(c *trade.Client) { c.Industry = "" },
	}
	for field, clear := range always {
		for kind, client := range map[string]trade.Client{"with VAT number": business(), "consumer": consumer(), "foreign": foreigner()} {
			c := with(client, clear)
			if got, want := told(c.Check()), []string{field + ": Field required"}; !slices.Equal(got, want) {
				t.Errorf("%s without %s: problems %q, want %q", kind, field, got, want)
			}
		}
	}
}

func TestInterface_2_9_OtherFieldsAreRequiredDependingOnTheClient(t *testing.T) {
	const registered, foreign = "for a Saudi client with a VAT number", "for a client outside Saudi Arabia"
	bare := func(c *trade.Client) {
		c.Address = org.Address{Street: c.Street, ProvinceState: c.ProvinceState, CountryCode: c.CountryCode}
	}
	cases := []struct {
		name   string
		client trade.Client
		want   []string
	}{
		{"Saudi with a VAT number", with(business(), bare), []string{
			"building_number: Field required " + registered, "district: Field required " + registered,
			"city: Field required " + registered, "postal_code: Field required " + registered,
		}},
		{"country not given", with(business(), func(c *trade.Client) { c.CountryCode, c.City = "", "" }), []string{"city: Field required " + registered}},
		{"wrong VAT number", with(business(), func(c *trade.Client) { c.VATNumber = "1"; c.City = "" }), []string{
			"vat_registration_number: must be 15 digits, the first and the last of them 3; leave it empty for a client who is not registered for VAT",
			"city: Field required " + registered,
		}},
		{"numbers in another format", with(business(), func(c *trade.Client) { c.BuildingNumber, c.PostalCode = "35-A", "2332" }), []string{
			"building_number: must be 4 digits " + registered, "postal_code: must be 5 digits " + registered,
		}},
		{"Saudi without a VAT number", with(consumer(), bare), nil},
		{"foreign", with(foreigner(), bare), []string{"city: Field required " + foreign}},
		{"unknown country", with(foreigner(), func(c *trade.Client) { bare(c); c.CountryCode = "KSA" }), []string{
			"country_code: must be a country code of two capital letters, such as SA or AE",
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, told(c.client.Check())); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEveryProblemOfAClientIsListedInOrder(t *testing.T) {
	c := trade.Client{
		NameArabic: "Al Noor", VATNumber: "300", BusinessType: "B2B", Industry: "retail",
		ContactName: "\x01", ContactEmail: "nobody", ContactPhone: "call me",
		Identifications: []org.Identification{{Type: "XYZ", Value: "a-b"}},
	}
	want := []string{
		"buyer_name", "buyer_name_arabic", "vat_registration_number", "business_type", "industry",
		"street", "building_number", "district", "city", "province_state", "postal_code",
		"contact_name", "contact_email", "contact_phone", "additional_buyer_id.0.type_id", "additional_buyer_id.0.value",
	}
	wantPaths(t, c.Check(), want)
}

// wantPaths checks the fields of problems and their order.
func wantPaths(t *testing.T, problems []fault.Problem, want []string) {
	t.Helper()
	var got []string
	for _, p := range problems {
		got = append(got, p.Path)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("paths (-want +got):\n%s", diff)
	}
}
