package codes

import "slices"

// Identification schemes that a rule refers to.
const (
	NationalID = "NAT"
	OtherID    = "OTH"
)

// BuyerIDTypes returns the schemes that can identify a buyer besides the VAT
// number. If a buyer has several IDs, the document shows the first in this
// order.
func BuyerIDTypes() []Entry { return buyerIDTypes.all() }

// SellerIDTypes returns the schemes that can identify a seller besides the VAT
// number.
func SellerIDTypes() []Entry { return sellerIDTypes.all() }

// FindBuyerIDType returns the buyer's identification scheme with the given code.
func FindBuyerIDType(code string) (Entry, bool) { return buyerIDTypes.find(code) }

// FindSellerIDType returns the seller's identification scheme with the given
// code.
func FindSellerIDType(code string) (Entry, bool) { return sellerIDTypes.find(code) }

var buyerIDTypes = keyedByCode([][3]string{
	{"TIN", "Tax Identification Number", "الرقم المميز"},
	{"CRN", "Commercial Registration number", "رقم السجل التجاري"},
	{"MOM", "Ministry of Municipalities and Housing licence", "رخصة وزارة البلديات والإسكان"},
	{"MLS", "Ministry of Human Resources and Social Development licence", "ترخيص وزارة الموارد البشرية والتنمية الاجتماعية"},
	{"700", "Unified national number (700)", "الرقم الوطني الموحد (700)"},
	{"SAG", "Ministry of Investment licence", "ترخيص وزارة الاستثمار"},
	{NationalID, "National ID", "رقم الهوية الوطنية"},
	{"GCC", "GCC ID", "رقم هوية مواطني دول مجلس التعاون"},
	{"IQA", "Iqama (residence permit) number", "رقم الإقامة"},
	{"PAS", "Passport number", "رقم جواز السفر"},
	{OtherID, "Other ID", "معرّف آخر"},
})

var sellerIDTypes = buyerIDTypesOnly("CRN", "MOM", "MLS", "SAG", OtherID)

// buyerIDTypesOnly returns the buyer's schemes that have one of the codes, in
// the order of the buyer's list.
func buyerIDTypesOnly(codes ...string) list[string, Entry] {
	return entries(slices.DeleteFunc(buyerIDTypes.all(), func(e Entry) bool {
		return !slices.Contains(codes, e.Code)
	}))
}
