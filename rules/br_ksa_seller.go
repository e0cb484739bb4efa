package rules

import (
	"strings"

	"khatm/ubl"
)

// sellerRules are those of the family BR-KSA on the seller.
var sellerRules = []Rule{
	{
		ID: "BR-KSA-08", Flag: Warning, Applies: everyDocument,
		Says:  Words{"The seller must have an identification with a scheme that the authority accepts.", "يجب أن يكون للبائع معرّف إضافي من أحد الأنواع المعتمدة لدى الهيئة."},
		Fix:   Words{"Give the commercial registration (CRN) or a licence of the scheme MOM, MLS, SAG, 700 or OTH (`seller.additional_seller_id`).", "أدخل رقم السجل التجاري (CRN) أو معرّفًا من النوع MOM أو MLS أو SAG أو 700 أو OTH (`seller.additional_seller_id`)."},
		check: unknownSellerScheme,
	},
	{
		ID: "BR-KSA-09", Flag: Warning, Applies: sellerAddresses,
		Says:  Words{"The seller's address must have street, building number, district, city, postal code and country.", "يجب أن يتضمن عنوان البائع الشارع ورقم المبنى والحي والمدينة والرمز البريدي والدولة."},
		Fix:   Words{"Complete the national address of the seller (`seller`).", "أكمل العنوان الوطني للبائع (`seller`)."},
		check: together(incompleteSellerAddress),
	},
	{
		ID: "BR-KSA-37", Flag: Warning, Applies: everyDocument,
		Says:  Words{"The seller's building number must have four digits.", "يجب أن يتكون رقم مبنى البائع من أربعة أرقام."},
		Fix:   Words{"Write the building number of the national address, such as 8091 (`seller.building_number`).", "اكتب رقم المبنى كما في العنوان الوطني، مثل 8091 (`seller.building_number`)."},
		check: wrongSellerBuilding,
	},
	{
		ID: "BR-KSA-39", Flag: Error, Applies: everyDocument,
		Says:  Words{"The seller must have a VAT number, under the tax scheme VAT.", "يجب أن يكون للبائع رقم ضريبي، وأن تكون قيمة cac:TaxScheme هي VAT."},
		Fix:   Words{"Give the VAT number of the seller (`seller.vat_registration_number`); in the XML its tax scheme is VAT.", "أدخل الرقم الضريبي للبائع (`seller.vat_registration_number`)؛ وقيمة cac:TaxScheme في ملف XML هي VAT."},
		check: together(missingSellerVAT),
	},
	{
		ID: "BR-KSA-40", Flag: Error, Applies: Words{"sellers with a VAT number", "البائعون الذين لهم رقم ضريبي"},
		Says:  Words{"The seller's VAT number must have 15 digits, the first and the last of them 3.", "يجب أن يتكون الرقم الضريبي للبائع من 15 رقمًا، يبدأ بالرقم 3 وينتهي به."},
		Fix:   Words{"Copy the number from the VAT certificate, without blanks (`seller.vat_registration_number`).", "انسخ الرقم الضريبي من شهادة التسجيل في ضريبة القيمة المضافة دون مسافات (`seller.vat_registration_number`)."},
		check: atEach(sellerVATSchemes, wrongSellerVAT),
	},
	{
		ID: "BR-KSA-66", Flag: Warning, Applies: sellerAddresses,
		Says:  Words{"The seller's postal code must have five digits.", "يجب أن يتكون الرمز البريدي للبائع من خمسة أرقام."},
		Fix:   Words{"Write the postal code of the national address, such as 12214 (`seller.postal_code`).", "اكتب الرمز البريدي كما في العنوان الوطني، مثل 12214 (`seller.postal_code`)."},
		check: wrongSellerPostalCode,
	},
}

var sellerAddresses = Words{"documents with an address of the seller", "المستندات التي تتضمن عنوان البائع"}

// addressPart is an element of an address with its name.
type addressPart struct {
	name string
	text *ubl.Text
}

// addressParts returns the parts that a Saudi address must have. Every address
// must have the first three.
func addressParts(a *ubl.Address) [6]addressPart {
	return [6]addressPart{
		{"cbc:StreetName", a.StreetName},
		{"cbc:CityName", a.CityName},
		{"cac:Country/cbc:IdentificationCode", orEmpty(a.Country).IdentificationCode},
		{"cbc:BuildingNumber", a.BuildingNumber},
		{"cbc:CitySubdivisionName", a.CitySubdivisionName},
		{"cbc:PostalZone", a.PostalZone},
	}
}

// unknownSellerScheme reports a seller without an identification, or with a
// scheme that is not on the list. It searches the list as one string, as the
// sheet does: "CRN" passes, and so does "RN MO", but nothing shorter than three
// characters.
func unknownSellerScheme(d *document, t *trial) {
	t.seen()
	for i, id := range d.seller.Identifications {
		if id.ID == nil {
			continue
		}
		if scheme := normalize(id.ID.Attr("schemeID")); !within("CRN MOM MLS SAG OTH 700", scheme) {
			t.fail(numbered(sellerPath+"/cac:PartyIdentification", i)+"/cbc:ID/@schemeID", scheme, "CRN, MOM, MLS, SAG, 700 or OTH")
		}
		return // a second identification makes the sheets abort
	}
	t.fail(sellerPath+"/cac:PartyIdentification/cbc:ID", "", "an identification")
}

// within reports whether a scheme of at least three characters is a substring of
// list.
func within(list, scheme string) bool {
	return stringLength(scheme) > 2 && strings.Contains(list, scheme)
}

// incompleteSellerAddress reports missing elements of the seller's address.
// Empty elements pass.
func incompleteSellerAddress(d *document, t *trial) {
	if d.seller.PostalAddress == nil {
		return
	}
	t.seen()
	for _, p := range addressParts(d.sellerHome) {
		if p.text == nil {
			t.fail(sellerPath+"/cac:PostalAddress/"+p.name, "", "an element")
		}
	}
}

func wrongSellerBuilding(d *document, t *trial) {
	if d.Supplier == nil || d.Supplier.Party == nil {
		return
	}
	t.seen()
	if number := d.sellerHome.BuildingNumber.String(); !asciiDigits(number, 4) {
		t.fail(sellerPath+"/cac:PostalAddress/cbc:BuildingNumber", number, "four digits")
	}
}

// missingSellerVAT reports a seller without a VAT number. As in the sheet, the
// number and the name VAT may be of two tax schemes.
func missingSellerVAT(d *document, t *trial) {
	t.seen()
	var number, vat bool
	for _, s := range d.seller.TaxSchemes {
		number = number || s.CompanyID.String() != ""
		vat = vat || normalize(orEmpty(s.TaxScheme).ID.String()) == "VAT"
	}
	if !number {
		t.fail(sellerPath+"/cac:PartyTaxScheme/cbc:CompanyID", "", "a VAT number")
	}
	if !vat {
		t.fail(sellerPath+"/cac:PartyTaxScheme/cac:TaxScheme/cbc:ID", "", "VAT")
	}
}

// wrongSellerVAT reports malformed VAT numbers of the seller. It does not apply
// if there is a blank around the name of the tax scheme.
func wrongSellerVAT(d *document, t *trial) {
	vat := sellerVATSchemes(d) > 0
	for i, s := range d.seller.TaxSchemes {
		if !vat || s.CompanyID == nil {
			continue
		}
		t.seen()
		if !isVATNumber(s.CompanyID.Value) {
			t.fail(numbered(sellerPath+"/cac:PartyTaxScheme", i)+"/cbc:CompanyID", s.CompanyID.Value, "15 digits, the first and the last 3")
		}
	}
}

// sellerVATSchemes returns the number of tax schemes of the seller that are
// called exactly VAT. The sheet tests the VAT number at each of them.
func sellerVATSchemes(d *document) int {
	return countIf(d.seller.TaxSchemes, func(s *ubl.PartyTaxScheme) bool { return orEmpty(s.TaxScheme).ID.String() == "VAT" })
}

func isVATNumber(text string) bool {
	return asciiDigits(text, 15) && text[0] == '3' && text[14] == '3'
}

func wrongSellerPostalCode(d *document, t *trial) {
	if d.seller.PostalAddress == nil {
		return
	}
	t.seen()
	if code := d.sellerHome.PostalZone.String(); !asciiDigits(code, 5) {
		t.fail(sellerPath+"/cac:PostalAddress/cbc:PostalZone", code, "five digits")
	}
}
