package rules

import (
	"slices"
	"strings"

	"khatm/ubl"
)

// identifierRules are those of BR-KSA-F on the numbers that identify sellers and
// buyers besides the VAT number.
var identifierRules = []Rule{
	{
		ID: "BR-KSA-F-07", Flag: Warning, Applies: buyerNumbers,
		Says:  Words{"A tax identification number (TIN) must have 10 digits, the first of them 3.", "يجب أن يتكون الرقم المميز (TIN) من 10 أرقام أولها 3."},
		Fix:   Words{"Correct the TIN in `additional_buyer_id`; there must be no blanks around it.", "صحّح الرقم المميز في `additional_buyer_id`، ولا تترك مسافات قبله أو بعده."},
		check: malformedBuyerNumber("TIN", "3"),
	},
	{
		ID: "BR-KSA-F-08", Flag: Warning, Applies: partyNumbers,
		Says:  Words{"A commercial registration (CRN) must have 10 digits.", "يجب أن يتكون رقم السجل التجاري (CRN) من 10 أرقام."},
		Fix:   Words{"Correct the commercial registration (`additional_seller_id` of the seller or `additional_buyer_id` of the buyer), without blanks around it.", "صحّح رقم السجل التجاري (وهو للبائع في `additional_seller_id` وللمشتري في `additional_buyer_id`)، ولا تترك مسافات قبله أو بعده."},
		check: malformedNumber("CRN", ""),
	},
	{
		ID: "BR-KSA-F-09", Flag: Warning, Applies: partyNumbers,
		Says:  Words{"A unified national number (700) must have 10 digits, the first of them 7.", "يجب أن يتكون الرقم الوطني الموحد (700) من 10 أرقام أولها 7."},
		Fix:   Words{"Correct the number (`additional_seller_id` of the seller or `additional_buyer_id` of the buyer), without blanks around it.", "صحّح الرقم الوطني الموحد (وهو للبائع في `additional_seller_id` وللمشتري في `additional_buyer_id`)، ولا تترك مسافات قبله أو بعده."},
		check: malformedNumber("700", "7"),
	},
	{
		ID: "BR-KSA-F-10", Flag: Warning, Applies: buyerNumbers,
		Says:  Words{"A national ID (NAT) must have 10 digits, the first of them 1.", "يجب أن يتكون رقم الهوية الوطنية (NAT) من 10 أرقام أولها 1."},
		Fix:   Words{"Correct the national ID in `additional_buyer_id`; there must be no blanks around it.", "صحّح رقم الهوية الوطنية في `additional_buyer_id`، ولا تترك مسافات قبله أو بعده."},
		check: malformedBuyerNumber("NAT", "1"),
	},
	{
		ID: "BR-KSA-F-11", Flag: Warning, Applies: buyerNumbers,
		Says:  Words{"A residence permit number (Iqama, IQA) must have 10 digits, the first of them 2.", "يجب أن يتكون رقم الإقامة (IQA) من 10 أرقام أولها 2."},
		Fix:   Words{"Correct the Iqama number in `additional_buyer_id`; there must be no blanks around it.", "صحّح رقم الإقامة في `additional_buyer_id`، ولا تترك مسافات قبله أو بعده."},
		check: malformedBuyerNumber("IQA", "2"),
	},
	{
		ID: "BR-KSA-F-12", Flag: Warning, Applies: partyNumbers,
		Says:  Words{"The type of an identification must have no blanks around it.", "يجب ألا توجد مسافات قبل نوع المعرّف أو بعده."},
		Fix:   Words{"Remove the blanks before and after the schemeID.", "احذف المسافات قبل قيمة schemeID وبعدها."},
		check: blanksAroundScheme,
	},
	{
		ID: "BR-KSA-F-13", Flag: Warning, Applies: partyNumbers,
		Says:  Words{"An identification of digits must not look invented: eight digits in a row that count up, count down or are all the same.", "يجب ألا يبدو المعرّف الرقمي وهميًا، أي ألا يتضمن ثمانية أرقام متتالية تصاعدية أو تنازلية أو متطابقة."},
		Fix:   Words{"Enter the real number instead of one like 1234567890 or 1000000000.", "أدخل الرقم الحقيقي بدلًا من رقم مثل 1234567890 أو 1000000000."},
		check: inventedNumber,
	},
}

var (
	buyerNumbers = Words{"documents that identify the buyer by such a number", "المستندات التي يُعرَّف فيها المشتري بالرقم الذي تذكره القاعدة"}
	partyNumbers = Words{"documents that identify the seller or the buyer besides the VAT number", "المستندات التي يُعرَّف فيها البائع أو المشتري بغير الرقم الضريبي"}
)

// The schemes that the sheet checks. The facts do not allow 700 for a seller.
var (
	sellerSchemes = []string{"CRN", "MOM", "MLS", "700", "SAG", "OTH"}
	buyerSchemes  = append([]string{"TIN", "NAT", "GCC", "IQA", "PAS"}, sellerSchemes...)
)

// side is the seller or the buyer.
type side struct {
	party   *ubl.Party
	path    string
	schemes []string
}

func (d *document) sides() [2]side {
	return [2]side{{d.seller, sellerPath, sellerSchemes}, {d.buyer, buyerPath, buyerSchemes}}
}

// identification returns the first identification of a party, or nil. A second
// one makes the sheet abort.
func identification(p *ubl.Party) *ubl.Text {
	for _, i := range p.Identifications {
		if i.ID != nil {
			return i.ID
		}
	}
	return nil
}

// malformedNumber returns a check of the numbers of a scheme, for both parties.
func malformedNumber(scheme, first string) func(*document, *trial) {
	return func(d *document, t *trial) {
		for _, s := range d.sides() {
			tenDigits(t, s.path, identification(s.party), scheme, first)
		}
	}
}

func malformedBuyerNumber(scheme, first string) func(*document, *trial) {
	return func(d *document, t *trial) {
		tenDigits(t, buyerPath, identification(d.buyer), scheme, first)
	}
}

func tenDigits(t *trial, path string, id *ubl.Text, scheme, first string) {
	if id == nil || normalize(id.Attr("schemeID")) != scheme {
		return
	}
	t.seen()
	if !asciiDigits(id.Value, 10) || !strings.HasPrefix(id.Value, first) {
		t.fail(path+"/cac:PartyIdentification[1]/cbc:ID", id.Value, "10 digits"+beginningWith(first))
	}
}

func beginningWith(first string) string {
	if first == "" {
		return ""
	}
	return " beginning with " + first
}

func blanksAroundScheme(d *document, t *trial) {
	for _, s := range d.sides() {
		scheme := identification(s.party).Attr("schemeID")
		if scheme == "" {
			continue
		}
		t.seen()
		if trimmed := normalize(scheme); trimmed != scheme && slices.Contains(s.schemes, strings.ToUpper(trimmed)) {
			t.fail(s.path+"/cac:PartyIdentification[1]/cbc:ID/@schemeID", scheme, trimmed)
		}
	}
}

func inventedNumber(d *document, t *trial) {
	for _, s := range d.sides() {
		id := identification(s.party)
		if id == nil || !slices.Contains(s.schemes, strings.ToUpper(normalize(id.Attr("schemeID")))) {
			continue
		}
		t.seen()
		if number := normalize(id.Value); allDigits(number) && hasRun(number) {
			t.fail(s.path+"/cac:PartyIdentification[1]/cbc:ID", id.Value, "the real number")
		}
	}
}

// hasRun reports whether eight consecutive digits 0 to 9 increase by one,
// decrease by one, or are all the same.
func hasRun(number string) bool {
	for _, step := range []int{1, -1, 0} {
		run := 1
		for i := 1; i < len(number); i++ {
			run++
			if int(number[i])-int(number[i-1]) != step || number[i] > '9' {
				run = 1
			}
			if run == 8 {
				return true
			}
		}
	}
	return false
}
