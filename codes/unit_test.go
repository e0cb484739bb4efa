package codes_test

import (
	"slices"
	"testing"

	"khatm/codes"
)

func TestUnits(t *testing.T) {
	checkEntries(t, codes.Units, codes.FindUnit)
	checkArabicOf(t, codes.Units())
	if n := len(codes.Units()); n != 41 {
		t.Errorf("got %d entries, want 41", n)
	}
	wantList(t, slices.Compact(codesOf(codes.Units())), `
		PCE PCS PKT CTN BOX PALLET KGM GRM MGM MC GRN TNE DTN TON STN LTN STI LBR ONZ LTR K6 GLL BL
		MTQ FTQ H19 CDL MTK FTK INK ACR MTR CMT INH FOT YRD KWH JOU D10`)
}

func TestUnitsWithTwoNames(t *testing.T) {
	for code, want := range map[string][]string{
		"LTR": {"LITRE", "LITER"},
		"STN": {"SHORT_TON", "US_TON"},
	} {
		var got []string
		for _, u := range codes.Units() {
			if u.Code == code {
				got = append(got, u.Key)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("keys of %s are %q, want %q", code, got, want)
		}
		if u, _ := codes.FindUnit(code); u.Key != want[0] {
			t.Errorf("FindUnit(%q) = %s, want %s", code, u.Key, want[0])
		}
	}
}
