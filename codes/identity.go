package codes

import "slices"

// Schemes of identification that a rule names.
const (
	NationalID = "NAT"
	OtherID    = "OTH"
)

// BuyerIDTypes returns the schemes by which a buyer may be identified besides
// the VAT number. Of several identifications the first in this order stands
// on the document.
func BuyerIDTypes() []Entry { return buyerIDTypes.all() }

// SellerIDTypes returns the schemes by which a seller may be identified.
func SellerIDTypes() []Entry { return sellerIDTypes.all() }

// FindBuyerIDType looks a scheme up among those of a buyer.
func FindBuyerIDType(code string) (Entry, bool) { return buyerIDTypes.find(code) }

// FindSellerIDType looks a scheme up among those of a seller.
func FindSellerIDType(code string) (Entry, bool) { return sellerIDTypes.find(code) }

var buyerIDTypes = named([][3]string{
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

// buyerIDTypesOnly picks some of the buyer's schemes, in the buyer's order.
func buyerIDTypesOnly(codes ...string) list[string, Entry] {
	return entries(slices.DeleteFunc(buyerIDTypes.all(), func(e Entry) bool {
		return !slices.Contains(codes, e.Code)
	}))
}
