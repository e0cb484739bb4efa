package rules

import "strings"

// buyerRules are those of the family BR-KSA on the buyer.
var buyerRules = []Rule{
	{
		ID: "BR-KSA-10", Flag: Warning, Applies: standardDocuments,
		Says:  Words{"A standard document must give the buyer's street, city and country.", "يجب أن يتضمن المستند الضريبي (غير المبسط) شارع المشتري ومدينته ودولته."},
		Fix:   Words{"Complete the buyer's address (`buyer.street`, `buyer.city`, `buyer.country_code`).", "أكمل عنوان المشتري (`buyer.street` و`buyer.city` و`buyer.country_code`)."},
		check: together(incompleteBuyerAddress),
	},
	{
		ID: "BR-KSA-14", Flag: Error, Applies: Words{"buyers with an identification besides the VAT number", "المشترون الذين لهم معرّف غير الرقم الضريبي"},
		Says:  Words{"The buyer's identification must have a scheme that the authority accepts.", "يجب أن يكون معرّف المشتري من أحد الأنواع المعتمدة لدى الهيئة."},
		Fix:   Words{"Use TIN, CRN, MOM, MLS, 700, SAG, NAT, GCC, IQA, PAS or OTH (`buyer.additional_buyer_id`, `type_id`).", "استخدم أحد الأنواع: TIN أو CRN أو MOM أو MLS أو 700 أو SAG أو NAT أو GCC أو IQA أو PAS أو OTH (`buyer.additional_buyer_id`، `type_id`)."},
		check: unknownBuyerScheme,
	},
	{
		ID: "BR-KSA-42", Flag: Warning, Applies: standardDocuments,
		Says:  Words{"A standard document must have the name of the buyer.", "يجب أن يتضمن المستند الضريبي (غير المبسط) اسم المشتري."},
		Fix:   Words{"Give the buyer's registered name (`buyer.buyer_name_arabic` or `buyer.buyer_name`).", "أدخل الاسم النظامي للمشتري (`buyer.buyer_name_arabic` أو `buyer.buyer_name`)."},
		check: missingBuyerName,
	},
	{
		ID: "BR-KSA-44", Flag: Error, Applies: Words{"buyers with a VAT number", "المشترون الذين لهم رقم ضريبي"},
		Says:  Words{"The buyer's VAT number must have 15 digits, the first and the last of them 3.", "يجب أن يتكون الرقم الضريبي للمشتري من 15 رقمًا، يبدأ بالرقم 3 وينتهي به."},
		Fix:   Words{"Ask the buyer for the number on the VAT certificate (`buyer.vat_registration_number`), or leave it out and give another identification.", "اطلب من المشتري الرقم الوارد في شهادة التسجيل في ضريبة القيمة المضافة (`buyer.vat_registration_number`)، أو احذف الرقم الضريبي وأدخل معرّفًا آخر للمشتري."},
		check: wrongBuyerVAT,
	},
	{
		ID: "BR-KSA-63", Flag: Warning, Applies: saudiBuyers,
		Says:  Words{"The address of a buyer in Saudi Arabia must have street, building number, district, city, postal code and country.", "يجب أن يتضمن عنوان المشتري داخل المملكة الشارع ورقم المبنى والحي والمدينة والرمز البريدي والدولة."},
		Fix:   Words{"Complete the national address of the buyer (`buyer`).", "أكمل العنوان الوطني للمشتري (`buyer`)."},
		check: together(incompleteSaudiAddress),
	},
	{
		ID: "BR-KSA-67", Flag: Warning, Applies: saudiBuyers,
		Says:  Words{"The postal code of a buyer in Saudi Arabia must have five digits.", "يجب أن يتكون الرمز البريدي للمشتري داخل المملكة من خمسة أرقام."},
		Fix:   Words{"Write the postal code of the national address, such as 23321 (`buyer.postal_code`).", "اكتب الرمز البريدي كما في العنوان الوطني، مثل 23321 (`buyer.postal_code`)."},
		check: wrongBuyerPostalCode,
	},
	{
		ID: "BR-KSA-71", Flag: Warning, Applies: Words{"simplified summary invoices", "الفواتير الضريبية المبسطة الملخصة"},
		Says:  Words{"A simplified summary invoice must have the name of the buyer.", "يجب أن تتضمن الفاتورة الضريبية المبسطة الملخصة اسم المشتري."},
		Fix:   Words{"Give the buyer's name (`buyer.buyer_name_arabic` or `buyer.buyer_name`), or set the sixth digit of the transaction code to 0.", "أدخل اسم المشتري (`buyer.buyer_name_arabic` أو `buyer.buyer_name`)، أو اجعل الخانة السادسة من رمز المعاملة 0."},
		check: summaryWithoutBuyer,
	},
}

const buyerHomePath = buyerPath + "/cac:PostalAddress/"

// buyerInSaudiArabia reports whether the buyer's country is exactly "SA".
func (d *document) buyerInSaudiArabia() bool {
	return orEmpty(d.buyerHome.Country).IdentificationCode.String() == "SA"
}

// incompleteBuyerAddress reports missing parts of the buyer's address. A street
// or city of blanks only passes.
func incompleteBuyerAddress(d *document, t *trial) {
	if !knownStandard(d) {
		return
	}
	t.seen()
	parts := addressParts(d.buyerHome)
	for _, p := range parts[:3] {
		if p.text.String() == "" {
			t.fail(buyerHomePath+p.name, "", "a value")
		}
	}
}

// unknownBuyerScheme reports identification schemes that are not on the list.
// It searches the list as one string, as the sheet does, so that "TIN NAT"
// passes.
func unknownBuyerScheme(d *document, t *trial) {
	for i, id := range d.buyer.Identifications {
		if id.ID == nil {
			continue
		}
		t.seen()
		if scheme := normalize(id.ID.Attr("schemeID")); !within("TIN NAT IQA PAS CRN MOM MLS 700 SAG GCC OTH", scheme) {
			t.fail(numbered(buyerPath+"/cac:PartyIdentification", i)+"/cbc:ID/@schemeID", scheme, "TIN, CRN, MOM, MLS, 700, SAG, NAT, GCC, IQA, PAS or OTH")
		}
	}
}

// missingBuyerName reports a buyer without a name. It does not apply to a
// document without a buyer.
func missingBuyerName(d *document, t *trial) {
	if !d.standard() || d.Customer == nil || d.Customer.Party == nil {
		return
	}
	t.seen()
	if !d.buyerIsNamed() {
		t.fail(buyerPath+"/cac:PartyLegalEntity/cbc:RegistrationName", "", "a name")
	}
}

// buyerIsNamed reports whether the buyer has a registered name. A name of
// blanks only counts.
func (d *document) buyerIsNamed() bool {
	for _, e := range d.buyer.LegalEntities {
		if e.RegistrationName.String() != "" {
			return true
		}
	}
	return false
}

func wrongBuyerVAT(d *document, t *trial) {
	for i, s := range d.buyer.TaxSchemes {
		if s.CompanyID.String() == "" {
			continue
		}
		t.seen()
		if !isVATNumber(s.CompanyID.Value) {
			t.fail(numbered(buyerPath+"/cac:PartyTaxScheme", i)+"/cbc:CompanyID", s.CompanyID.Value, "15 digits, the first and the last 3")
		}
	}
}

func incompleteSaudiAddress(d *document, t *trial) {
	if !d.standard() || !d.buyerInSaudiArabia() {
		return
	}
	t.seen()
	for _, p := range addressParts(d.buyerHome) {
		if normalize(p.text.String()) == "" {
			t.fail(buyerHomePath+p.name, p.text.String(), "a value")
		}
	}
}

func wrongBuyerPostalCode(d *document, t *trial) {
	if !d.standard() || !d.buyerInSaudiArabia() {
		return
	}
	t.seen()
	if code := d.buyerHome.PostalZone.String(); !asciiDigits(code, 5) {
		t.fail(buyerHomePath+"cbc:PostalZone", code, "five digits")
	}
}

// summaryWithoutBuyer reports summary invoices without the name of the buyer.
// The name of a party within the buyer, such as its agent, passes too.
func summaryWithoutBuyer(d *document, t *trial) {
	if !d.beginsWith("02") || !d.anyName(summaryName) {
		return
	}
	t.seen()
	for _, e := range d.buyer.LegalEntities {
		if normalize(e.RegistrationName.String()) != "" {
			return
		}
	}
	for _, s := range d.straysNamed("cac:PartyLegalEntity") {
		if strings.HasPrefix(s.path, buyerPath) && normalize(leaf(s.node, "cbc:RegistrationName").String()) != "" {
			return
		}
	}
	t.fail(buyerPath+"/cac:PartyLegalEntity/cbc:RegistrationName", "", "a name")
}
