package org

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"khatm/codes"
	"khatm/service/internal/fault"
)

// maxName is the longest name of a seller in bytes: it stands in the QR code.
const maxName = 127

var (
	vatNumber  = regexp.MustCompile(`^3[0-9]{13}3$`)
	fourDigits = regexp.MustCompile(`^[0-9]{4}$`)
	fiveDigits = regexp.MustCompile(`^[0-9]{5}$`)
	idNumber   = regexp.MustCompile(`^[A-Za-z0-9]{1,50}$`)
)

// Check tidies the record and lists everything that would keep it from standing
// on an invoice as the seller.
func (o *Organisation) Check() []fault.Problem {
	var ps problems
	tidy(&o.Name, &o.NameArabic, &o.VATNumber, &o.Identification.Type, &o.Identification.Value)
	ps.sellerName("name", o.Name)
	if o.Name == "" {
		ps.add("name", "Field required")
	}
	ps.sellerName("name_arabic", o.NameArabic)
	if o.NameArabic != "" && !strings.ContainsFunc(o.NameArabic, func(r rune) bool { return unicode.Is(unicode.Arabic, r) }) {
		ps.add("name_arabic", "Input should be in Arabic letters")
	}
	if !vatNumber.MatchString(o.VATNumber) {
		ps.add("vat_registration_number", "Input should be 15 digits of which the first and the last are 3")
	}
	ps.identification("additional_seller_id", o.Identification)
	ps.address(&o.Address)
	return ps
}

// Check tidies the record of a branch and lists what is wrong with it.
func (b *Branch) Check() []fault.Problem {
	var ps problems
	tidy(&b.Name, &b.Identification.Type, &b.Identification.Value)
	ps.sellerName("name", b.Name)
	if b.Name == "" {
		ps.add("name", "Field required")
	}
	ps.identification("additional_seller_id", b.Identification)
	ps.address(&b.Address)
	return ps
}

type problems []fault.Problem

func (ps *problems) add(path, message string) {
	*ps = append(*ps, fault.Problem{Path: path, Message: message})
}

func (ps *problems) sellerName(path, name string) {
	if len(name) > maxName {
		ps.add(path, "Input should have at most 127 bytes of UTF-8 (an Arabic letter has two), for it stands in the QR code")
	}
	ps.characters(path, name)
}

func (ps *problems) identification(path string, id Identification) {
	if _, known := codes.FindSellerIDType(id.Type); !known {
		ps.add(path+".type_id", "Input should be one of "+sellerIDTypes())
	}
	if !idNumber.MatchString(id.Value) {
		ps.add(path+".value", "Input should be Latin letters and digits, such as a commercial registration number")
	}
}

func sellerIDTypes() string {
	var types []string
	for _, t := range codes.SellerIDTypes() {
		types = append(types, t.Code)
	}
	return strings.Join(types, ", ")
}

func (ps *problems) address(a *Address) {
	if a.CountryCode == "" {
		a.CountryCode = codes.SaudiArabia
	}
	tidy(&a.Street, &a.AdditionalStreet, &a.BuildingNumber, &a.PlotIdentification, &a.District, &a.City, &a.ProvinceState, &a.PostalCode, &a.CountryCode)
	for _, f := range []struct {
		path, text string
		needed     bool
	}{
		{"street", a.Street, true},
		{"additional_street", a.AdditionalStreet, false},
		{"plot_identification", a.PlotIdentification, false},
		{"district", a.District, true},
		{"city", a.City, true},
		{"province_state", a.ProvinceState, false},
	} {
		if f.needed && f.text == "" {
			ps.add(f.path, "Field required")
		}
		if len([]rune(f.text)) > maxName {
			ps.add(f.path, "String should have at most 127 characters")
		}
		ps.characters(f.path, f.text)
	}
	if !fourDigits.MatchString(a.BuildingNumber) {
		ps.add("building_number", "Input should be 4 digits")
	}
	if !fiveDigits.MatchString(a.PostalCode) {
		ps.add("postal_code", "Input should be 5 digits")
	}
	if a.CountryCode != codes.SaudiArabia {
		ps.add("country_code", "Input should be SA: only sellers in Saudi Arabia issue here")
	}
}

func (ps *problems) characters(path, text string) {
	if strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsControl(r) || r == unicode.ReplacementChar || r >= 0xFFFE && r <= 0xFFFF
	}) {
		ps.add(path, "Input should not contain control characters")
	}
}

// tidy trims texts and brings them to the normal form in which they are kept.
func tidy(texts ...*string) {
	for _, t := range texts {
		*t = norm.NFC.String(strings.TrimSpace(*t))
	}
}
