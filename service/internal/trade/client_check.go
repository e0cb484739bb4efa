package trade

import (
	"slices"
	"strings"

	"khatm/codes"
	"khatm/service/internal/fault"
)

// Suffixes of messages for clients that need a complete address.
const (
	forRegistered   = " for a Saudi client with a VAT number"
	forForeign      = " for a client outside Saudi Arabia"
	forRegisteredAR = " إذا كان للعميل رقم ضريبي سعودي."
	forForeignAR    = " إذا كان العميل خارج المملكة."
)

// Check normalises the client and returns all problems, in the order of the JSON
// fields. Checking a copy does not change the original.
func (c *Client) Check() []fault.Problem {
	c.tidy()
	var ps problems
	ps.text("buyer_name", c.Name, maxText, required)
	ps.arabic("buyer_name_arabic", c.NameArabic, maxText)
	c.checkVATNumber(&ps)
	if _, known := codes.FindBusinessType(c.BusinessType); !known {
		ps.classification("business_type", c.BusinessType, notice{"a business type; /api/business-types/ lists them", "يجب تحديد نوع معروف."})
	}
	if _, known := codes.FindIndustry(c.Industry); !known {
		ps.classification("industry", c.Industry, notice{"an industry; /api/industries/ lists them", "يجب تحديد قطاع معروف."})
	}
	c.checkAddress(&ps)
	ps.text("contact_name", c.ContactName, maxText, optional)
	ps.email("contact_email", c.ContactEmail)
	ps.phone("contact_phone", c.ContactPhone)
	ps.identifications("additional_buyer_id", c.Identifications)
	return ps
}

func (c *Client) tidy() {
	for _, text := range []*string{
		&c.Name, &c.NameArabic, &c.Street, &c.AdditionalStreet, &c.BuildingNumber, &c.PlotIdentification,
		&c.District, &c.City, &c.ProvinceState, &c.PostalCode, &c.CountryCode,
		&c.StreetArabic, &c.AdditionalStreetArabic, &c.DistrictArabic, &c.CityArabic, &c.ProvinceStateArabic,
		&c.ContactName, &c.ContactEmail, &c.ContactPhone,
	} {
		*text = line(*text)
	}
	// Foreign codes may have letters and spaces, so only digits are converted.
	for _, text := range []*string{&c.BuildingNumber, &c.PlotIdentification, &c.PostalCode, &c.ContactPhone} {
		*text = latinDigits(*text)
	}
	c.VATNumber = Number(c.VATNumber)
	c.BusinessType = strings.ToLower(line(c.BusinessType))
	c.Industry = strings.ToLower(line(c.Industry))
	if c.CountryCode == "" {
		c.CountryCode = codes.SaudiArabia
	}
	c.Identifications = slices.Clone(c.Identifications)
	for i := range c.Identifications {
		c.Identifications[i].Type = line(c.Identifications[i].Type)
		c.Identifications[i].Value = Number(c.Identifications[i].Value)
	}
}

// checkVATNumber checks the format of the VAT number. A foreign client may have
// one too: non-residents can be registered in Saudi Arabia.
func (c *Client) checkVATNumber(ps *problems) {
	if c.VATNumber == "" || isVATNumber(c.VATNumber) {
		return
	}
	const says = "must be 15 digits, the first and the last of them 3"
	if c.Saudi() {
		ps.add("vat_registration_number", says+"; leave it empty for a client who is not registered for VAT", fault.VATNumberAR+" اتركه فارغًا إذا لم يكن العميل مسجلًا في ضريبة القيمة المضافة.")
		return
	}
	ps.add("vat_registration_number", says+"; a tax number of another country belongs in additional_buyer_id with type_id OTH", fault.VATNumberAR+" أما الرقم الضريبي لدولة أخرى فأدخله معرّفًا إضافيًا من النوع OTH.")
}

func (ps *problems) classification(path, uuid string, what notice) {
	if uuid == "" {
		ps.addCode(fault.InvalidValue, path, required)
		return
	}
	ps.add(path, "must be the uuid of "+what.english, what.arabic)
}

// checkAddress requires a street and a region of every client, and everything
// else that a standard invoice needs of clients that can receive one.
func (c *Client) checkAddress(ps *problems) {
	registered, foreign, country := optional, optional, optional // at most one is set
	switch {
	case !codes.IsCountry(c.CountryCode):
		country = notice{"must be a country code of two capital letters, such as SA or AE", "يجب أن يكون حرفين لاتينيين كبيرين مثل SA."}
	case !c.Saudi():
		foreign = notice{required.english + forForeign, "هذا الحقل مطلوب" + forForeignAR}
	case c.VATNumber != "":
		registered = notice{required.english + forRegistered, "هذا الحقل مطلوب" + forRegisteredAR}
	}
	ps.text("street", c.Street, maxText, required)
	ps.text("additional_street", c.AdditionalStreet, maxShort, optional)
	if ps.text("building_number", c.BuildingNumber, maxShort, registered) && registered != optional && !isDigits(c.BuildingNumber, 4) {
		ps.add("building_number", "must be 4 digits"+forRegistered, "يجب أن يتكون من 4 أرقام"+forRegisteredAR)
	}
	ps.text("plot_identification", c.PlotIdentification, maxShort, optional)
	ps.text("district", c.District, maxShort, registered)
	ps.text("city", c.City, maxShort, notice{registered.english + foreign.english, registered.arabic + foreign.arabic})
	ps.text("province_state", c.ProvinceState, maxShort, required)
	if ps.text("postal_code", c.PostalCode, maxShort, registered) && registered != optional && !isDigits(c.PostalCode, 5) {
		ps.add("postal_code", "must be 5 digits"+forRegistered, "يجب أن يتكون من 5 أرقام"+forRegisteredAR)
	}
	ps.arabic("street_arabic", c.StreetArabic, maxText)
	ps.arabic("additional_street_arabic", c.AdditionalStreetArabic, maxShort)
	ps.arabic("district_arabic", c.DistrictArabic, maxShort)
	ps.arabic("city_arabic", c.CityArabic, maxShort)
	ps.arabic("province_state_arabic", c.ProvinceStateArabic, maxShort)
	if country != optional {
		ps.addCode(fault.InvalidValue, "country_code", country)
	}
}
