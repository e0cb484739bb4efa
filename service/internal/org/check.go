package org

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"khatm/codes"
	"khatm/service/internal/fault"
	"khatm/ubl"
)

// maxName is the maximum length of a seller name in bytes, as the QR code
// contains it.
const maxName = 127

var (
	vatNumber  = regexp.MustCompile(`^3[0-9]{13}3$`)
	fourDigits = regexp.MustCompile(`^[0-9]{4}$`)
	fiveDigits = regexp.MustCompile(`^[0-9]{5}$`)
	idNumber   = regexp.MustCompile(`^[A-Za-z0-9]{1,50}$`)
)

// Check normalizes the record and returns everything that prevents it from being
// the seller of an invoice.
func (o *Organisation) Check() []fault.Problem {
	var ps problems
	tidy(&o.Name, &o.NameArabic, &o.VATNumber, &o.Identification.Type, &o.Identification.Value)
	ps.sellerName("name", o.Name)
	if o.Name == "" {
		ps.missing("name")
	}
	ps.sellerName("name_arabic", o.NameArabic)
	ps.arabic("name_arabic", o.NameArabic)
	if !vatNumber.MatchString(o.VATNumber) {
		ps.add("vat_registration_number", "must be 15 digits, the first and the last of them 3", fault.VATNumberAR)
	}
	ps.identification("additional_seller_id", o.Identification)
	ps.address(&o.Address)
	ps.settings(&o.Settings)
	return ps
}

// Check normalizes the record of a branch and returns its problems.
func (b *Branch) Check() []fault.Problem {
	var ps problems
	tidy(&b.Name, &b.Identification.Type, &b.Identification.Value)
	ps.sellerName("name", b.Name)
	if b.Name == "" {
		ps.missing("name")
	}
	ps.identification("additional_seller_id", b.Identification)
	ps.address(&b.Address)
	return ps
}

type problems []fault.Problem

func (ps *problems) add(path, message, arabic string) {
	ps.addCode(fault.InvalidValue, path, message, arabic)
}

func (ps *problems) addCode(code fault.Code, path, message, arabic string) {
	*ps = append(*ps, fault.Problem{Path: path, Message: message, MessageAR: arabic, Code: code})
}

// missing adds the problem of a required field without a value.
func (ps *problems) missing(path string) {
	ps.addCode(fault.FieldRequired, path, "Field required", fault.RequiredAR)
}

func (ps *problems) sellerName(path, name string) {
	if len(name) > maxName {
		ps.addCode(fault.TooLong, path, "must have at most 127 bytes in UTF-8 (an Arabic letter takes two), because the QR code contains it", "يجب ألا يزيد على 127 بايت (الحرف العربي بايتان)، لأنه يُكتب في رمز الاستجابة السريعة.")
	}
	ps.characters(path, name)
}

func (ps *problems) identification(path string, id Identification) {
	if _, known := codes.FindSellerIDType(id.Type); !known {
		ps.add(path+".type_id", "must be one of "+sellerIDTypes(), "يجب أن يكون أحد الأنواع: "+sellerIDTypes()+".")
	}
	if !idNumber.MatchString(id.Value) {
		ps.add(path+".value", "must be 1 to 50 Latin letters and digits, such as a commercial registration number", "يجب أن يتكون من 1 إلى 50 من الحروف اللاتينية والأرقام، مثل رقم السجل التجاري.")
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
			ps.missing(f.path)
		}
		if len([]rune(f.text)) > maxName {
			ps.addCode(fault.TooLong, f.path, "must have at most 127 characters", fmt.Sprintf(fault.MaxCharactersAR, maxName))
		}
		ps.characters(f.path, f.text)
	}
	for _, f := range []struct {
		path string
		text *string
	}{
		{"street_arabic", &a.StreetArabic},
		{"additional_street_arabic", &a.AdditionalStreetArabic},
		{"district_arabic", &a.DistrictArabic},
		{"city_arabic", &a.CityArabic},
		{"province_state_arabic", &a.ProvinceStateArabic},
	} {
		tidy(f.text)
		if len([]rune(*f.text)) > maxName {
			ps.addCode(fault.TooLong, f.path, "must have at most 127 characters", fmt.Sprintf(fault.MaxCharactersAR, maxName))
		}
		ps.characters(f.path, *f.text)
		ps.arabic(f.path, *f.text)
	}
	if !fourDigits.MatchString(a.BuildingNumber) {
		ps.add("building_number", "must be 4 digits", "يجب أن يتكون من 4 أرقام.")
	}
	if !fiveDigits.MatchString(a.PostalCode) {
		ps.add("postal_code", "must be 5 digits", "يجب أن يتكون من 5 أرقام.")
	}
	if a.CountryCode != codes.SaudiArabia {
		ps.add("country_code", "must be SA, because only sellers in Saudi Arabia are supported", "يجب أن تكون الدولة SA، لأن الخدمة للبائعين في المملكة فقط.")
	}
}

// arabic requires an Arabic letter in a text that is not empty.
func (ps *problems) arabic(path, text string) {
	if text != "" && !strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Arabic, r) && unicode.IsLetter(r) }) {
		ps.add(path, "must contain Arabic letters", fault.ArabicLettersAR)
	}
}

// characters refuses what a text on one line must not contain.
func (ps *problems) characters(path, text string) {
	r, unfit := ubl.UnfitForLine(text)
	if strings.ContainsRune(text, unicode.ReplacementChar) {
		r, unfit = unicode.ReplacementChar, true
	}
	if unfit {
		ps.addCode(fault.InvalidCharacters, path, fmt.Sprintf("must not contain the character %U", r), fmt.Sprintf(fault.CharacterAR, r))
	}
}

// tidy trims texts and converts them to Unicode normal form C. A text without
// visible characters becomes empty.
func tidy(texts ...*string) {
	for _, t := range texts {
		*t = norm.NFC.String(strings.TrimSpace(*t))
		if ubl.IsBlank(*t) {
			*t = ""
		}
	}
}
