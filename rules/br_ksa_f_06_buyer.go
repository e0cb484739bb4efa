package rules

import "khatm/ubl"

const (
	buyerStreetPath   = buyerPath + "/cac:PostalAddress/cbc:StreetName"
	buyerCityPath     = buyerPath + "/cac:PostalAddress/cbc:CityName"
	buyerDistrictPath = buyerPath + "/cac:PostalAddress/cbc:CitySubdivisionName"
	buyerNamePath     = buyerPath + "/cac:PartyLegalEntity[1]/cbc:RegistrationName"
)

// buyerLengthRules are the rules of BR-KSA-F-06 on the buyer.
var buyerLengthRules = []Rule{
	// The sheet checks this text of the buyer only in the context of the seller's
	// address.
	lengthRule("BR-KSA-F-06-C11", Warning, wherePresent, "",
		Words{"buyer's additional street", "الشارع الفرعي للمشتري"}, upTo(127),
		when(func(d *document) bool { return d.seller.PostalAddress != nil },
			single(buyerPath+"/cac:PostalAddress/cbc:AdditionalStreetName", func(d *document) *ubl.Text { return d.buyerHome.AdditionalStreetName }))),
	lengthRule("BR-KSA-F-06-C12", Warning, standardDocuments, "buyer_name",
		Words{"buyer's name", "اسم المشتري"}, between(1, 1000),
		when(knownStandard, single(buyerNamePath, buyerName))),
	{
		ID: "BR-KSA-F-06-C23", Flag: Warning, Applies: standardDocuments,
		Says:  Words{"The buyer's street must be given, with 1 to 1000 characters.", "يجب ذكر اسم الشارع في عنوان المشتري، وطوله من 1 إلى 1000 حرف."},
		Fix:   Words{"Give the buyer a `street` of at most 1000 characters.", "أدخل اسم الشارع في عنوان المشتري (`street`) بما لا يزيد على 1000 حرف."},
		check: wrongLength(between(1, 1000), when(knownStandard, demanded(buyerStreetPath, buyerStreet))),
	},
	lengthRule("BR-KSA-F-06-C24", Warning, simplifiedDocuments, "street",
		Words{"buyer's street", "شارع المشتري"}, upTo(1000),
		when(namedSimplified, single(buyerStreetPath, buyerStreet))),
	{
		ID: "BR-KSA-F-06-C25", Flag: Warning, Applies: standardDocuments,
		Says:  Words{"The buyer's city must be given.", "يجب ذكر مدينة المشتري."},
		Fix:   Words{"Give the buyer a `city`.", "أدخل مدينة المشتري (`city`)."},
		check: wrongLength(between(1, unlimited), when(knownStandard, demanded(buyerCityPath, buyerCity))),
	},
	lengthRule("BR-KSA-F-06-C26", Warning, wherePresent, "city",
		Words{"buyer's city", "مدينة المشتري"}, upTo(127),
		when(standardOrSimplified, single(buyerCityPath, buyerCity))),
	lengthRule("BR-KSA-F-06-C27", Warning, wherePresent, "province_state",
		Words{"buyer's region", "منطقة المشتري"}, upTo(127),
		single(buyerPath+"/cac:PostalAddress/cbc:CountrySubentity", func(d *document) *ubl.Text { return d.buyerHome.CountrySubentity })),
	{
		ID: "BR-KSA-F-06-C28", Flag: Warning, Applies: saudiBuyers,
		Says:  Words{"The district of a buyer in Saudi Arabia must be given.", "يجب ذكر الحي في عنوان المشتري داخل المملكة."},
		Fix:   Words{"Give the buyer's address its district (cbc:CitySubdivisionName).", "أدخل اسم الحي في عنوان المشتري (cbc:CitySubdivisionName)."},
		check: wrongLength(between(1, unlimited), when(standardToSaudiArabia, demanded(buyerDistrictPath, buyerDistrict))),
	},
	lengthRule("BR-KSA-F-06-C29", Warning, saudiBuyers, "",
		Words{"buyer's district", "حي المشتري"}, upTo(127),
		when(standardToSaudiArabia, single(buyerDistrictPath, buyerDistrict))),
	lengthRule("BR-KSA-F-06-C32", Warning, simplifiedDocuments, "buyer_name",
		Words{"buyer's name", "اسم المشتري"}, upTo(1000),
		when(namedSimplified, single(buyerNamePath, buyerName))),
	lengthRule("BR-KSA-F-06-C37", Warning, wherePresent, "",
		Words{"name of the buyer's contact", "اسم جهة الاتصال لدى المشتري"}, upTo(1000),
		single(buyerPath+"/cac:Contact/cbc:Name", func(d *document) *ubl.Text { return orEmpty(d.buyer.Contact).Name })),
	lengthRule("BR-KSA-F-06-C38", Warning, wherePresent, "",
		Words{"note on the buyer's contact", "الملاحظة على جهة الاتصال لدى المشتري"}, upTo(1000), contactNotes),
}

// knownStandard reports whether any name attribute is that of a standard
// document and the transaction code begins with 01 or 02. The sheet nests these
// two conditions.
func knownStandard(d *document) bool { return d.standard() && standardOrSimplified(d) }

// namedSimplified reports whether the name of the type code is that of a
// simplified document. It ignores other name attributes.
func namedSimplified(d *document) bool {
	return standardOrSimplified(d) && simplifiedName.MatchString(d.transaction)
}

func standardToSaudiArabia(d *document) bool { return d.standard() && d.buyerInSaudiArabia() }

func buyerName(d *document) *ubl.Text     { return registeredName(d.buyer) }
func buyerStreet(d *document) *ubl.Text   { return d.buyerHome.StreetName }
func buyerCity(d *document) *ubl.Text     { return d.buyerHome.CityName }
func buyerDistrict(d *document) *ubl.Text { return d.buyerHome.CitySubdivisionName }

func contactNotes(d *document, show func(within, name, text string)) {
	for _, n := range orEmpty(d.buyer.Contact).Notes {
		show(buyerPath+"/cac:Contact/cbc:Note", "", n.Value)
	}
}
