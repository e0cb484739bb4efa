package org_test

import (
	"strings"
	"testing"

	"khatm/service/internal/org"
)

func TestSettingsAreChecked(t *testing.T) {
	for _, c := range []struct {
		settings org.Settings
		field    string // of the expected problem; "" if valid
	}{
		{org.Settings{}, ""},
		{org.Settings{AmountInWords: true, IBAN: "SA03 8000 0000 6080 1016 7519", Phone: "+966 11 234 5678", DueDays: 30}, ""},
		{org.Settings{IBAN: "sa0380000000608010167519"}, ""},
		{org.Settings{IBAN: "GB82WEST12345698765432"}, ""},
		{org.Settings{IBAN: "SA0380000000608010167518"}, "settings.iban"},
		{org.Settings{IBAN: "SA038000000060801016751"}, "settings.iban"},
		{org.Settings{IBAN: "0380000000608010167519"}, "settings.iban"},
		{org.Settings{Phone: "call us"}, "settings.phone"},
		{org.Settings{Phone: strings.Repeat("1", 40)}, "settings.phone"},
		{org.Settings{DueDays: -1}, "settings.due_days"},
		{org.Settings{DueDays: 366}, "settings.due_days"},
	} {
		o := org.Organisation{Settings: c.settings}
		var found []string
		for _, p := range o.Check() {
			if strings.HasPrefix(p.Path, "settings.") {
				found = append(found, p.Path)
			}
		}
		if got := strings.Join(found, " "); got != c.field {
			t.Errorf("%+v: problems in %q, want %q", c.settings, got, c.field)
		}
	}
	o := org.Organisation{Settings: org.Settings{IBAN: " sa03 8000 0000 6080 1016 7519 "}}
	if o.Check(); o.Settings.IBAN != "SA0380000000608010167519" {
		t.Errorf("IBAN %q, want it without spaces", o.Settings.IBAN)
	}
}

// An Arabic part of an address must be Arabic.
func TestArabicAddressIsChecked(t *testing.T) {
	o := org.Organisation{Address: org.Address{StreetArabic: "King Road", CityArabic: " الرياض "}}
	var found []string
	for _, p := range o.Check() {
		if strings.HasSuffix(p.Path, "_arabic") {
			found = append(found, p.Path)
		}
	}
	if got := strings.Join(found, " "); got != "street_arabic" || o.CityArabic != "الرياض" {
		t.Errorf("problems in %q, city %q, want street_arabic and a trimmed city", got, o.CityArabic)
	}
}
