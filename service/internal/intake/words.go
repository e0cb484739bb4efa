package intake

import "khatm/service/internal/fault"

// expected says in Arabic what a field must contain, without its name. The English
// text is that of the problem.
var expected = map[string]string{
	"vat_registration_number":   "يجب أن يتكون من 15 رقمًا، أولها وآخرها 3. اتركه فارغًا إذا لم يكن العميل مسجلًا في ضريبة القيمة المضافة.",
	"business_type":             "يجب تحديد نوع معروف.",
	"industry":                  "يجب تحديد قطاع معروف.",
	"building_number":           "يجب أن يتكون من 4 أرقام إذا كان للعميل رقم ضريبي سعودي.",
	"postal_code":               "يجب أن يتكون من 5 أرقام إذا كان للعميل رقم ضريبي سعودي.",
	"country_code":              "يجب أن يكون حرفين لاتينيين كبيرين مثل SA.",
	"contact_email":             "يجب أن يكون بريدًا إلكترونيًا مثل sara@example.sa.",
	"contact_phone":             "يجب أن يكون رقم هاتف مثل \u200e+966 50 000 0000.",
	"additional_buyer_id_type":  "يجب أن يكون نوعًا معروفًا مثل CRN.",
	"additional_buyer_id":       "يجب أن يتكون من حروف لاتينية وأرقام فقط.",
	"item_name":                 "يجب أن يتكون من 4 إلى 50 حرفًا.",
	"item_net_price":            "يجب أن يكون أكبر من 0 وبمنزلتين عشريتين على الأكثر.",
	"vat_category_code":         "يجب أن تكون S أو Z أو E أو O.",
	"vat_rate":                  "يجب أن تطابق فئة الضريبة: أكبر من 0 في S، و0 في Z وE وO.",
	"vat_exemption_reason_code": "يجب أن يكون من رموز فئة الضريبة، وأن يُترك فارغًا في الفئة S.",
	"vat_exemption_reason_text": "يجب ذكره في الفئات Z وE وO، وأن يُترك فارغًا في الفئة S.",
	"stock":                     "يجب أن يكون 0 أو أكثر وبست منازل عشرية على الأكثر.",
	"number":                    "يجب ألا يزيد على 127 حرفًا، وألا يحتوي على محارف تحكم.",
	"issue_date":                "يجب أن يكون تاريخًا مثل 2025-12-31، وألا يكون في المستقبل.",
	"simplified":                "يجب أن يكون «ضريبية» أو «مبسطة».",
	"currency":                  "يجب أن يكون رمز عملة معروفًا مثل SAR.",
	"taxable_amount":            "يجب أن يكون أكبر من 0 وبمنزلتين عشريتين على الأكثر.",
	"vat_amount":                "يجب أن يساوي الضريبة المحسوبة بفرق لا يزيد على 1، وبمنزلتين عشريتين على الأكثر.",
	"buyer_name_arabic":         arabicLetters,
	"street_arabic":             arabicLetters,
	"additional_street_arabic":  arabicLetters,
	"district_arabic":           arabicLetters,
	"city_arabic":               arabicLetters,
	"province_state_arabic":     arabicLetters,
	"item_name_arabic":          arabicLetters,
}

const arabicLetters = "يجب أن يحتوي النص على حروف عربية."

// worded adds the texts in Arabic that a problem lacks.
func worded(problems []fault.Problem) []fault.Problem {
	for i := range problems {
		p := &problems[i]
		if p.Code == "" {
			p.Code = fault.InvalidValue
		}
		if p.MessageAR == "" && p.Code == fault.InvalidValue {
			p.MessageAR = expected[p.Path]
		}
		if p.MessageAR == "" {
			p.MessageAR = p.Code.Entry().SaysAR
		}
	}
	return problems
}
