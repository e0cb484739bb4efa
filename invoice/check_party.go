package invoice

import (
	"khatm/codes"
	"khatm/ubl"
)

func (f *Facts) checkSeller(ps *Problems) {
	s := f.Seller
	ps.sellerName("seller.name", s.Name)
	ps.sellerName("seller.name_arabic", s.NameArabic)
	if s.NameArabic != "" {
		ps.need("seller.name_arabic", s.NameArabic)
	} else {
		ps.need("seller.name", s.Name)
	}
	if !vatNumber(s.VATNumber) {
		ps.add("seller.vat_registration_number", "must be 15 digits of which the first and the last are 3")
	}
	if _, known := codes.FindSellerIDType(s.ID.Scheme); !known {
		ps.add("seller.additional_seller_id.type_id", "must be a seller id type, such as CRN")
	}
	ps.identifier("seller.additional_seller_id.value", s.ID.Value)
	ps.saudiAddress("seller.", s.Address)
	ps.addressTexts("seller.", s.Address)
	if !s.Saudi() {
		ps.add("seller.country_code", "must be SA")
	}
}

func (ps *Problems) sellerName(path, name string) {
	ps.text(path, name)
	if len(name) > MaxSellerName {
		ps.add(path, "must have at most %d bytes of UTF-8 (an Arabic letter has two), because it goes into the QR code", MaxSellerName)
	}
}

func (f *Facts) checkBuyer(ps *Problems) {
	standard := !f.Transaction.Simplified
	b := f.Buyer
	if b == nil {
		if standard {
			ps.add("buyer", "is required on a standard document")
		}
		return
	}
	ps.text("buyer.buyer_name", b.Name)
	ps.text("buyer.buyer_name_arabic", b.NameArabic)
	if b.NameArabic != "" {
		ps.need("buyer.buyer_name_arabic", b.NameArabic)
	} else {
		ps.need("buyer.buyer_name", b.Name)
	}
	if b.VATNumber != "" && !vatNumber(b.VATNumber) {
		ps.add("buyer.vat_registration_number", "must be 15 digits of which the first and the last are 3")
	}
	if len(b.IDs) > maxFew {
		ps.add("buyer.additional_buyer_id", "must have at most %d entries", maxFew)
		return
	}
	for i, id := range b.IDs {
		if _, known := codes.FindBuyerIDType(id.Scheme); !known {
			ps.add(at("buyer.additional_buyer_id", i, "type_id"), "must be a buyer id type, such as CRN")
		}
		ps.identifier(at("buyer.additional_buyer_id", i, "value"), id.Value)
	}
	ps.addressTexts("buyer.", b.Address)
	if !codes.IsCountry(b.Country) {
		ps.add("buyer.country_code", "must be a country code, such as SA")
	}
	if !standard {
		return
	}
	if b.VATNumber == "" && len(b.IDs) == 0 {
		ps.add("buyer.vat_registration_number", "is required on a standard document if there is no additional_buyer_id")
	}
	if b.Saudi() {
		ps.saudiAddress("buyer.", b.Address)
		return
	}
	ps.need("buyer.street", b.Street)
	ps.need("buyer.city", b.City)
}

// saudiAddress reports what is missing from a Saudi national address.
func (ps *Problems) saudiAddress(prefix string, a Address) {
	ps.need(prefix+"street", a.Street)
	if !digits(a.BuildingNumber, 4) {
		ps.add(prefix+"building_number", "must be 4 digits")
	}
	ps.need(prefix+"district", a.District)
	ps.need(prefix+"city", a.City)
	if !digits(a.PostalCode, 5) {
		ps.add(prefix+"postal_code", "must be 5 digits")
	}
}

func (ps *Problems) addressTexts(prefix string, a Address) {
	ps.text(prefix+"street", a.Street)
	ps.text(prefix+"additional_street", a.AdditionalStreet)
	ps.text(prefix+"building_number", a.BuildingNumber)
	ps.text(prefix+"plot_identification", a.Plot)
	ps.text(prefix+"district", a.District)
	ps.text(prefix+"city", a.City)
	ps.text(prefix+"province_state", a.Province)
	ps.text(prefix+"postal_code", a.PostalCode)
}

func (ps *Problems) need(path, text string) {
	if ubl.IsBlank(text) {
		ps.add(path, "must not be empty")
	}
}

// identifier reports an ID that is empty, too long or has characters other than
// letters and digits, which the authority rejects.
func (ps *Problems) identifier(path, text string) {
	for i := range len(text) {
		c := text[i]
		if c|0x20 < 'a' || c|0x20 > 'z' {
			if c < '0' || c > '9' {
				ps.add(path, "must be letters and digits only")
				return
			}
		}
	}
	if text == "" || len(text) > 127 {
		ps.add(path, "must have 1 to 127 characters")
	}
}

func vatNumber(text string) bool {
	return digits(text, 15) && text[0] == '3' && text[14] == '3'
}
