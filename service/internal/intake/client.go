package intake

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"khatm/codes"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
)

// fillClient sets the fields for which a row has a value, and returns all problems
// of the client. An empty cell changes nothing.
func fillClient(row *Row, c *trade.Client) []fault.Problem {
	v := &values{of: row.values}
	for name, into := range map[string]*string{
		"buyer_name": &c.Name, "buyer_name_arabic": &c.NameArabic, "vat_registration_number": &c.VATNumber,
		"street": &c.Street, "additional_street": &c.AdditionalStreet, "building_number": &c.BuildingNumber,
		"plot_identification": &c.PlotIdentification, "district": &c.District, "city": &c.City, "province_state": &c.ProvinceState,
		"postal_code": &c.PostalCode, "street_arabic": &c.StreetArabic, "additional_street_arabic": &c.AdditionalStreetArabic,
		"district_arabic": &c.DistrictArabic, "city_arabic": &c.CityArabic, "province_state_arabic": &c.ProvinceStateArabic,
		"contact_name": &c.ContactName, "contact_email": &c.ContactEmail, "contact_phone": &c.ContactPhone,
	} {
		v.text(name, into)
	}
	v.classification("business_type", codes.BusinessTypes(), &c.BusinessType)
	v.classification("industry", codes.Industries(), &c.Industry)
	if text, given := row.values["country_code"]; given {
		c.CountryCode = countryOf(text)
	}
	if value, given := row.values["additional_buyer_id"]; given {
		kind := strings.ToUpper(strings.TrimSpace(cmp.Or(row.values["additional_buyer_id_type"], "OTH")))
		identify(c, org.Identification{Type: kind, Value: value})
	}
	return v.with(renamed(c.Check()))
}

// countryOf returns the code of a country that is given as code or name.
func countryOf(text string) string {
	for _, one := range codes.Countries() {
		if slices.Contains([]string{folded(one.Code), folded(one.EN), folded(one.AR)}, folded(text)) {
			return one.Code
		}
	}
	return text
}

// identify adds an identification, or replaces the one with its type.
func identify(c *trade.Client, id org.Identification) {
	c.Identifications = slices.DeleteFunc(slices.Clone(c.Identifications), func(other org.Identification) bool { return other.Type == id.Type })
	c.Identifications = append(c.Identifications, id)
}

// with adds the problems of a record, except of fields that could not be read.
func (v *values) with(more []fault.Problem) []fault.Problem {
	for _, p := range more {
		if !slices.ContainsFunc(v.problems, func(q fault.Problem) bool { return q.Path == p.Path }) {
			v.problems = append(v.problems, p)
		}
	}
	return worded(v.problems)
}

// renamed replaces the paths of identifications with the names of columns.
func renamed(problems []fault.Problem) []fault.Problem {
	for i := range problems {
		if path := problems[i].Path; strings.HasPrefix(path, "additional_buyer_id") {
			problems[i].Path = "additional_buyer_id"
			if strings.HasSuffix(path, ".type_id") {
				problems[i].Path = "additional_buyer_id_type"
			}
		}
	}
	return problems
}

// identityOfClient returns what identifies a client: the VAT number, or else name,
// city and identifications together.
func identityOfClient(c trade.Client) string {
	if c.VATNumber != "" {
		return "vat\n" + c.VATNumber
	}
	parts := []string{"name", c.Name, c.City}
	ids := slices.Clone(c.Identifications)
	slices.SortFunc(ids, func(a, b org.Identification) int { return cmp.Compare(a.Type, b.Type) })
	for _, id := range ids {
		parts = append(parts, id.Type, id.Value)
	}
	return strings.Join(parts, "\n")
}

// sameClient reports whether two clients have the same data. Both were checked,
// which normalises them.
func sameClient(a, b trade.Client) bool {
	if len(a.Identifications) == 0 && len(b.Identifications) == 0 {
		a.Identifications, b.Identifications = nil, nil
	}
	return reflect.DeepEqual(a, b)
}
