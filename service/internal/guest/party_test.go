package guest

import (
	"slices"
	"testing"

	"khatm/service/internal/ledger"
)

// TestAddressIsWhole checks that the page shows every part of an address.
func TestAddressIsWhole(t *testing.T) {
	t.Parallel()
	p := ledger.Party{
		BuildingNumber: "1234", Street: "King Fahd Road", AdditionalStreet: "Gate 2", PlotIdentification: "5678", District: "Al Olaya",
		City: "Riyadh", PostalCode: "12345", ProvinceState: "Riyadh Region", CountryCode: "SA",
	}
	want := []string{"1234 King Fahd Road", "Gate 2", "Al Olaya", "Riyadh 12345", "Riyadh Region", "Secondary number 5678", "Saudi Arabia"}
	if got := addressOf(english, p); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAddressWithoutArabicIsInEnglish(t *testing.T) {
	t.Parallel()
	p := ledger.Party{BuildingNumber: "1234", Street: "King Fahd Road", City: "Riyadh", PostalCode: "12345", CountryCode: "SA"}
	got := partyOf(arabic, "seller", p)
	if want := []string{"1234 King Fahd Road", "Riyadh 12345", "Saudi Arabia"}; !slices.Equal(got.Address, want) || got.AddressDir != "ltr" || got.Comma != ", " {
		t.Errorf("a Latin address on an Arabic page is %q, %s, separated by %q; want %q, ltr, a Latin comma", got.Address, got.AddressDir, got.Comma, want)
	}
	p.Street = "طريق الملك فهد"
	if got = partyOf(arabic, "seller", p); got.Address[2] != "المملكة العربية السعودية" || got.AddressDir != "rtl" || got.Comma != "، " {
		t.Errorf("an Arabic address is %q, %s, separated by %q; want Arabic, rtl and an Arabic comma", got.Address, got.AddressDir, got.Comma)
	}
}

// The Arabic page shows the Arabic parts of an address, the English page does not.
func TestArabicAddress(t *testing.T) {
	t.Parallel()
	p := ledger.Party{
		BuildingNumber: "1234", Street: "King Fahd Road", StreetArabic: "طريق الملك فهد", City: "Riyadh", CityArabic: "الرياض", PostalCode: "12345",
		District: "Al Olaya", DistrictArabic: "العليا", ProvinceState: "Riyadh Region", ProvinceStateArabic: "منطقة الرياض", CountryCode: "SA",
		AdditionalStreet: "Gate 2", AdditionalStreetArabic: "البوابة 2",
	}
	got := partyOf(arabic, "seller", p)
	want := []string{"1234 طريق الملك فهد", "البوابة 2", "العليا", "الرياض 12345", "منطقة الرياض", "المملكة العربية السعودية"}
	if !slices.Equal(got.Address, want) || got.AddressDir != "rtl" || got.Comma != "، " {
		t.Errorf("on an Arabic page: %q, %s, separated by %q; want %q, rtl and an Arabic comma", got.Address, got.AddressDir, got.Comma, want)
	}
	want = []string{"1234 King Fahd Road", "Gate 2", "Al Olaya", "Riyadh 12345", "Riyadh Region", "Saudi Arabia"}
	if got = partyOf(english, "seller", p); !slices.Equal(got.Address, want) || got.AddressDir != "ltr" {
		t.Errorf("on an English page: %q, %s; want %q, ltr", got.Address, got.AddressDir, want)
	}
}
