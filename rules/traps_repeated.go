package rules

import (
	"slices"

	"khatm/ubl"
)

// sellers and buyers check the parties. The sheets expect one number, name or
// scheme and abort if there is a second.
func (s *survey) sellers() {
	party := s.down("cac:AccountingSupplierParty", "cac:Party")
	s.once(down(party, "cac:PartyLegalEntity", "cbc:RegistrationName"))
	s.once(down(party, "cac:PartyIdentification", "cbc:ID"))
	schemes := down(s.sellerRoles, "cac:Party", "cac:PartyTaxScheme")
	isVAT := func(id *ubl.Node) bool { return id.Text == "VAT" }
	if slices.ContainsFunc(down(schemes, "cac:TaxScheme", "cbc:ID"), isVAT) {
		s.once(down(schemes, "cbc:CompanyID"))
	}
}

func (s *survey) buyers() {
	for _, role := range s.buyerRoles {
		s.identities(role)
	}
	party := down(s.buyerRoles, "cac:Party")
	s.once(down(party, "cac:PartyTaxScheme", "cbc:CompanyID"))
	s.once(down(party, "cac:Contact", "cbc:Note"))
	if s.typed("01", "02") && (s.standard || s.simplifiedCode()) {
		s.once(down(party, "cac:PartyLegalEntity", "cbc:RegistrationName"))
	}
	if s.typed("02") && s.summary {
		s.once(registrationNames(nil, party))
	}
}

// identities checks the identifications of a buyer. Two of them are accepted if
// only one has a scheme and no rule reads its number.
func (s *survey) identities(role *ubl.Node) {
	ids := down([]*ubl.Node{role}, "cac:Party", "cac:PartyIdentification", "cbc:ID")
	var schemes []string
	for _, id := range ids {
		if scheme, ok := attributeOf(id, "schemeID"); ok {
			schemes = append(schemes, normalize(scheme))
		}
	}
	required := slices.Contains(schemes, "CRN") || slices.Contains(schemes, "700") || s.standard && s.isBuyerWithoutNumber(role)
	if len(schemes) > 1 || required {
		s.once(ids)
	}
}

func (s *survey) isBuyerWithoutNumber(role *ubl.Node) bool {
	return role == s.root.Child("cac:AccountingCustomerParty") &&
		len(down([]*ubl.Node{role}, "cac:Party", "cac:PartyTaxScheme", "cbc:CompanyID")) == 0
}

// registrationNames collects the names of all legal entities below the nodes.
func registrationNames(found, nodes []*ubl.Node) []*ubl.Node {
	for _, n := range nodes {
		found = append(found, down([]*ubl.Node{n}, "cac:PartyLegalEntity", "cbc:RegistrationName")...)
		found = registrationNames(found, n.Children)
	}
	return found
}

// simplifiedCode reports whether the name of a type code is that of a simplified
// document. Other codes do not count.
func (s *survey) simplifiedCode() bool {
	return slices.ContainsFunc(s.typeCodes, func(code *ubl.Node) bool {
		name, _ := attributeOf(code, "name")
		return simplifiedName.MatchString(name)
	})
}

// references checks the documents that the invoice refers to.
func (s *survey) references() {
	s.once(s.down("cac:ContractDocumentReference", "cbc:ID"))
	additional := s.down("cac:AdditionalDocumentReference")
	s.once(down(additional, "cbc:UUID"))
	isOther := func(r *ubl.Node) bool { return normalize(textOf(r, "cbc:ID")) != "QR" }
	s.once(down(slices.DeleteFunc(additional, isOther), "cac:Attachment", "cbc:EmbeddedDocumentBinaryObject"))
}

// stamps checks the stamp, which the sheet reads in every simplified document
// with an attachment.
func (s *survey) stamps() {
	isStamp := func(id *ubl.Node) bool { return id.Text == "urn:oasis:names:specification:ubl:signature:Invoice" }
	if len(s.attachment) > 0 && s.simplified && slices.ContainsFunc(down(s.signatures, "cbc:ID"), isStamp) {
		s.once(down(s.extensions, "ext:UBLExtension", "ext:ExtensionContent", "sig:UBLDocumentSignatures",
			"sac:SignatureInformation", "sbc:ReferencedSignatureID"))
	}
}

// payments checks accounts and deliveries.
func (s *survey) payments() {
	if s.typed("01", "02") {
		s.once(down(s.means, "cac:PayeeFinancialAccount", "cbc:PaymentNote"))
		s.once(down(s.means, "cac:PayeeFinancialAccount", "cbc:ID"))
	}
	isInvoice := func(code *ubl.Node) bool { return code.Text == "388" }
	if s.typed("01") && slices.ContainsFunc(s.down("cbc:InvoiceTypeCode"), isInvoice) {
		s.once(down(s.deliveries, "cbc:ActualDeliveryDate"))
	}
}

// reasons checks the reasons for discounts, charges and exemptions.
func (s *survey) reasons() {
	for _, a := range append(s.down("cac:AllowanceCharge"), s.down("cac:InvoiceLine", "cac:AllowanceCharge")...) {
		s.once(down([]*ubl.Node{a}, "cbc:AllowanceChargeReason"))
	}
	for _, c := range s.down("cac:TaxTotal", "cac:TaxSubtotal", "cac:TaxCategory") {
		if isLetter(c, "ZEO") {
			s.once(down([]*ubl.Node{c}, "cbc:TaxExemptionReason"))
		}
	}
	if !s.standardRated {
		return
	}
	for _, c := range s.down("cac:InvoiceLine", "cac:TaxTotal", "cac:TaxSubtotal", "cac:TaxCategory") {
		if isCategory(c, "ZEO") {
			s.once(down([]*ubl.Node{c}, "cbc:TaxExemptionReason"))
		}
	}
}
