package codes

import "slices"

// Codes of reasons that a rule names.
const (
	ExportOfGoods     = "VATEX-SA-32"
	ExportOfServices  = "VATEX-SA-33"
	PrivateEducation  = "VATEX-SA-EDU"
	PrivateHealthcare = "VATEX-SA-HEA"
	OutOfScope        = "VATEX-SA-OOS"
)

// Reason says why a supply bears no VAT: zero-rated, exempt or out of scope.
type Reason struct {
	Entry
	Category string // code of the only category it may stand in
}

// Reasons returns the 16 reasons in their published order.
func Reasons() []Reason { return reasons.all() }

// FindReason looks a reason up by its code.
func FindReason(code string) (Reason, bool) { return reasons.find(code) }

// ReasonsOf returns the reasons of a category, none for S and for a category
// that does not exist.
func ReasonsOf(category string) []Reason {
	return slices.DeleteFunc(reasons.all(), func(r Reason) bool { return r.Category != category })
}

// FurtherReasonCodes returns the codes of category Z which the authority's
// rule BR-KSA-CL-04 accepts on a document beyond the 16. They cannot be chosen
// here; they can stand in a document made elsewhere. On a line, BR-KSA-CL-07
// does not accept the last two.
func FurtherReasonCodes() []string {
	return []string{"VATEX-SA-DIPLOMAT", "VATEX-SA-DUTYFREE", "VATEX-SA-ROYALDECREE", "VATEX-SA-32(bis)"}
}

var reasons = listBy(func(r Reason) string { return r.Code }, []Reason{
	reason(ZeroRated, ExportOfGoods, "Export of goods", "صادرات السلع من المملكة"),
	reason(ZeroRated, ExportOfServices, "Export of services", "صادرات الخدمات من المملكة"),
	reason(ZeroRated, "VATEX-SA-34-1", "The international transport of Goods", "النقل الدولي للسلع"),
	reason(ZeroRated, "VATEX-SA-34-2", "international transport of passengers", "النقل الدولي للركاب"),
	reason(ZeroRated, "VATEX-SA-34-3", "services directly connected and incidental to a Supply of international passenger transport", "الخدمات المرتبطة مباشرة أو عرضيًا بتوريد النقل الدولي للركاب"),
	reason(ZeroRated, "VATEX-SA-34-4", "Supply of a qualifying means of transport", "توريد وسائل النقل المؤهلة"),
	reason(ZeroRated, "VATEX-SA-34-5", "Any services relating to Goods or passenger transportation, as defined in article twenty five of these Regulations", "الخدمات ذات الصلة بنقل السلع أو الركاب، وفقًا للتعريف الوارد بالمادة الخامسة والعشرين من اللائحة التنفيذية لنظام ضريبة القيمة المضافة"),
	reason(ZeroRated, "VATEX-SA-35", "Medicines and medical equipment", "الأدوية والمعدات الطبية"),
	reason(ZeroRated, "VATEX-SA-36", "Qualifying metals", "المعادن المؤهلة"),
	reason(ZeroRated, PrivateEducation, "Private education to citizen", "الخدمات التعليمية الخاصة للمواطنين"),
	reason(ZeroRated, PrivateHealthcare, "Private healthcare to citizen", "الخدمات الصحية الخاصة للمواطنين"),
	reason(ZeroRated, "VATEX-SA-MLTRY", "supply of qualified military goods", "توريد السلع العسكرية المؤهلة"),
	reason(Exempt, "VATEX-SA-29", "Financial services mentioned in Article 29 of the VAT Regulations", "الخدمات المالية"),
	reason(Exempt, "VATEX-SA-29-7", "Life insurance services mentioned in Article 29 of the VAT Regulations", "عقد تأمين على الحياة"),
	reason(Exempt, "VATEX-SA-30", "Real estate transactions mentioned in Article 30 of the VAT Regulations", "التوريدات العقارية المعفاة من الضريبة"),
	reason(NotSubjectToVAT, OutOfScope, "Reason is free text, to be provided by the taxpayer on case to case basis", "سبب يكتبه المكلف نصًّا حرًّا لكل حالة على حدة"),
})

// reason spells the key after the code: VATEX-SA-34-1 is VATEX_SA_34_1.
func reason(category, code, en, ar string) Reason {
	return Reason{Entry{keyOf(code), code, en, ar}, category}
}
