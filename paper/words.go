package paper

// ownWords are the terms, in English and Arabic, that only printed pages use and
// that are not in the glossary of package codes.
var ownWords = map[string][2]string{
	"due_date":        {"Due date", "تاريخ الاستحقاق"},
	"tax_point_date":  {"Tax point date", "تاريخ استحقاق الضريبة"},
	"order_reference": {"Purchase order", "أمر الشراء"},
	"contract":        {"Contract", "العقد"},
	"item_code":       {"Item code", "رمز الصنف"},
	"telephone":       {"Telephone", "الهاتف"},
	"email":           {"E-mail", "البريد الإلكتروني"},
	"iban":            {"IBAN", "الآيبان"},
	"account":         {"Account", "رقم الحساب"},
	"payment_id":      {"Payment reference", "مرجع السداد"},
	"adjustments":     {"Discounts and charges", "الخصومات والرسوم الإضافية"},
	"amount":          {"Amount", "المبلغ"},
	"discounts_total": {"Total discounts", "إجمالي الخصومات"},
	"charges_total":   {"Total charges", "إجمالي الرسوم الإضافية"},
	"column_net":      {"Excl. VAT", "قبل الضريبة"},
	"column_rate":     {"VAT %", "النسبة"},
	"column_taxable":  {"Taxable", "المبلغ الخاضع"},
	"column_total":    {"Incl. VAT", "شامل الضريبة"},
	"per":             {"per", "لكل"},
	"third_party":     {"Third-party invoice", "فاتورة طرف ثالث"},
	"nominal":         {"Nominal supply", "توريد مفترض"},
	"summary":         {"Summary invoice", "فاتورة ملخصة"},
	"self_billed":     {"Self-billed invoice", "فاتورة ذاتية"},
	"logo":            {"Logo of the seller", "شعار البائع"},
}
