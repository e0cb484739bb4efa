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
	want := []string{"1234 King Fahd Road", "Gate 2", "5678", "Al Olaya", "Riyadh 12345", "Riyadh Region", "Saudi Arabia"}
	if got := addressOf(english, p); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
