package codes

import "slices"

// Codes of exemption reasons that a rule refers to.
const (
	ExportOfGoods     = "VATEX-SA-32"
	ExportOfServices  = "VATEX-SA-33"
	PrivateEducation  = "VATEX-SA-EDU"
	PrivateHealthcare = "VATEX-SA-HEA"
	OutOfScope        = "VATEX-SA-OOS"
)

// Reason is an exemption reason: why no VAT is charged on a supply that is
// zero-rated, exempt or out of scope.
type Reason struct {
	Entry
	Category string // code of the VAT category that the reason belongs to
}

// Reasons returns the 16 exemption reasons in their published order.
func Reasons() []Reason { return reasons.all() }

// FindReason returns the exemption reason with the given code.
func FindReason(code string) (Reason, bool) { return reasons.find(code) }

// ReasonsOf returns the exemption reasons of a VAT category. The result is
// empty for S and for an unknown category.
func ReasonsOf(category string) []Reason {
	return slices.DeleteFunc(reasons.all(), func(r Reason) bool { return r.Category != category })
}

// FurtherReasonCodes returns the codes of category Z that the authority's rule
// BR-KSA-CL-04 accepts on a document in addition to the 16 of [Reasons]. They
// occur in documents made by other software only. BR-KSA-CL-07 does not accept
// the last two on a line.
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

// reason returns a Reason whose key is derived from its code: the key of
// VATEX-SA-34-1 is VATEX_SA_34_1.
func reason(category, code, en, ar string) Reason {
	return Reason{Entry{keyOf(code), code, en, ar}, category}
}
