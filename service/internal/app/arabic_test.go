package app_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

// generic are the codes whose texts say nothing about the field.
var generic = []fault.Code{
	fault.InvalidValue, fault.WrongType, fault.InvalidFormat, fault.UnknownValue, fault.TooShort, fault.TooLong,
	fault.OutOfRange, fault.TooManyDecimals, fault.TooFewItems, fault.TooManyItems, fault.StateConflict, fault.AlreadyExists,
}

// TestProblemsAreExplainedInArabic sends invalid requests and checks the Arabic text
// of the first problem of each. A problem that is not a requirement says what to do.
func TestProblemsAreExplainedInArabic(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop, admin, member := h.NewSeller(), h.Session(org.Admin, h.Org), h.Enrol("sara@example.sa")
		id, client := shop.Created(shop.Standard()).String(), shop.Buyer.ID.String()
		payable := servicetest.Text(shop.Full(uuid.MustParse(id))["invoice_payable_amount"])
		note := shop.Refundable()
		unknown := uuid.NewString()
		device := servicetest.DevicesPath + shop.Device.ID.String() + "/"
		h.As(admin, http.MethodPost, servicetest.ViewsPath, `{"list":"invoices","name":"Late","query":""}`).Wants(t, http.StatusCreated)
		theirs, err := h.Keys.OpenSession(t.Context(), member.ID)
		if err != nil {
			t.Fatal(err)
		}
		key := servicetest.Text(h.As(theirs, http.MethodPost, servicetest.KeysPath, `{"title":"Shop"}`).Wants(t, http.StatusCreated)["name"])
		pay := func(invoice, amount string) string {
			return `{"buyer":"` + client + `","currency":"SAR","amount":"` + amount + `","payment_means_type_code":"10","allocations":[` + invoice + `]}`
		}
		part := func(id, amount string) string { return `{"invoice":"` + id + `","amount":"` + amount + `"}` }
		for _, c := range []struct{ method, path, body, field, arabic string }{
			{"POST", servicetest.PersonPath + "password/", `{"current_password":"` + servicetest.ClerkPassword + `","new_password":"short"}`, "new_password", "يجب ألا يقل عدد الحروف عن 10، وألا يزيد الحجم على 200 بايت."},
			{"POST", servicetest.InvitationsPath, `{"email":"noura","role":"Admin"}`, "email", "يجب أن يكون بريدًا إلكترونيًا مثل name@example.com."},
			{"POST", servicetest.InvitationsPath, `{"email":"a@example.sa","role":"Owner"}`, "role", "يجب أن تكون القيمة إحدى القيم: ViewInvoice، CreateInvoice، Accountant، Admin."},
			{"POST", servicetest.InvitationsPath, `{"email":5,"role":"Admin"}`, "email", "يجب أن تكون القيمة نصًا."},
			{"PATCH", servicetest.CompanyPath, `{"settings":{"iban":"SA00"}}`, "settings.iban", "يجب أن يكون رقم آيبان صحيحًا، مثل SA0380000000608010167519."},
			{"PATCH", servicetest.CompanyPath, `{"settings":{"phone":"call us"}}`, "settings.phone", "يجب أن يكون رقم هاتف مثل \u200e+966 11 234 5678."},
			{"PATCH", servicetest.CompanyPath, `{"building_number":"12"}`, "building_number", "يجب أن يتكون من 4 أرقام."},
			{"PATCH", servicetest.CompanyPath, `{"city_arabic":"Riyadh"}`, "city_arabic", "يجب أن يحتوي النص على حروف عربية."},
			{"POST", servicetest.BranchesPath, strings.Replace(servicetest.GoodBranch, "CRN", "XXX", 1), "additional_seller_id.type_id", "يجب أن يكون أحد الأنواع: CRN, MOM, MLS, SAG, OTH."},
			{"POST", servicetest.ReasonsPath, `{"description":"Terms","due_days":400}`, "due_days", "يجب ألا تزيد القيمة على 365."},
			{"POST", servicetest.ReceiptsPath, strings.Replace(pay("", "1.00"), client, unknown, 1), "buyer", "لا يوجد في المنشأة عميل بهذا المعرّف."},
			{"POST", servicetest.ReceiptsPath, pay(part(unknown, "1.00"), "1.00"), "allocations[0].invoice", "لا توجد في المنشأة فاتورة بهذا المعرّف."},
			{"POST", servicetest.ReceiptsPath, pay(part(id, "1.00")+","+part(id, "1.00"), "9.00"), "allocations[1].invoice", "ذُكرت الفاتورة مرتين."},
			{"POST", servicetest.ReceiptsPath, pay(part(id, "9"+payable), "9"+payable), "allocations[0].amount", "الرصيد المتبقي للفاتورة INV-2026-000001 هو " + payable + " SAR، وهو أقل من 9" + payable + "."},
			{"POST", servicetest.ReceiptsPath, pay("", "1.001"), "amount", "يجب ألا يزيد عدد المنازل العشرية على 2."},
			{"POST", servicetest.ReceiptsPath, strings.Replace(pay("", "1.00"), `"SAR"`, `"QQQ"`, 1), "currency", "يجب أن تكون العملة من رموز ISO 4217، مثل SAR."},
			{"POST", servicetest.RefundsPath, `{"invoice":"` + unknown + `","amount":"1.00","payment_means_type_code":"10"}`, "invoice", "لا يوجد في المنشأة إشعار دائن بهذا المعرّف."},
			{"POST", servicetest.RefundsPath, `{"invoice":"` + note.String() + `","amount":"99999.00","payment_means_type_code":"10"}`, "amount", "المبلغ المستحق ردّه على الإشعار الدائن CRN-2026-000001 هو " + servicetest.Text(shop.Full(note)["refund_due"]) + " SAR، وهو أقل من 99999.00."},
			{"GET", "/app/api/buyers/" + client + "/statement/?date_from=2026-11-02&date_to=2026-11-01", "", "date_to", "يجب ألا يسبق تاريخ النهاية تاريخ البداية."},
			{"GET", servicetest.AgeingPath + "?page_size=0", "", "page_size", "يجب ألا تقل القيمة عن 1."},
			{"GET", servicetest.ReceiptsPath + "?cursor=x", "", "cursor", "يجب أن تكون القيمة هي next_cursor من رد سابق."},
			{"POST", servicetest.DevicesPath, `{"common_name":"Till 1","invoice_type":"1100","industry":"Retail","branch_id":"` + unknown + `"}`, "branch_id", "لا يوجد في المنشأة فرع بهذا المعرّف."},
			{"POST", servicetest.DevicesPath, `{"common_name":"Till =","invoice_type":"1100","industry":"Retail"}`, "common_name", "يجب ألا يكون فارغًا، وألا يزيد على 64 بايت (الحرف العربي بايتان)، وألا يبدأ أو ينتهي بمسافة، وألا يحتوي على رموز ترفضها الهيئة، مثل \u2066! @ # $ % & * _ < =\u2069."},
			{"POST", device + "release/", `{"confirm":false}`, "confirm", "يلزم التأكيد، لأن الجهاز الموقوف لا يُستخدم مرة أخرى."},
			{"POST", device + "resume/", ``, "", "إرسال مستندات هذا الجهاز إلى الهيئة غير متوقف."},
			{"POST", device + "onboard/", `{"otp":"123456"}`, "", "هذا الخادم غير متصل بالهيئة."},
			{"POST", servicetest.ViewsPath, `{"list":"invoices","name":"Late","query":""}`, "name", "لديك عرض محفوظ بهذا الاسم."},
			{"DELETE", servicetest.MembersPath + member.ID.String() + "/", "", "", "أنشأ هذا العضو مفاتيح للربط البرمجي (API) ما زالت نشطة: " + key + "."},
			{"POST", servicetest.SignUpPath, `{"email":"new@example.sa"}`, "", "إنشاء حسابات جديدة غير متاح هنا."},
			{"POST", servicetest.KeysPath, `{"title":"Shop","scopes":[]}`, "", "قائمة النطاقات فارغة."},
			{"POST", servicetest.KeysPath, `{"title":"Shop\u202e"}`, "", "يجب ألا يحتوي اسم المفتاح على الحرف U+202E."},
			{"POST", servicetest.ReceiptsPath, strings.Replace(pay("", "1.00"), "{", `{"note":"A\u202eB",`, 1), "note", "يجب ألا يحتوي النص على الحرف U+202E."},
			{"POST", servicetest.EarlierPath, earlierBody(t, "number", " A"), "number", "يجب ألا يكون رقم الفاتورة فارغًا، وألا يبدأ أو ينتهي بمسافة."},
			{"POST", servicetest.EarlierPath, earlierBody(t, "issue_date", "2099-01-01"), "issue_date", "التاريخ 2099-01-01 لم يأتِ بعد."},
			{"POST", servicetest.EarlierPath, earlierBody(t, "currency", "QQQ"), "currency", "يجب أن تكون العملة من رموز ISO 4217، مثل SAR."},
			{"POST", servicetest.EarlierPath, earlierBody(t, "simplified", false), "buyer", "يجب تحديد المشتري في الفاتورة الضريبية (غير المبسطة). أضف العميل ثم اختره."},
			{"POST", servicetest.EarlierPath, earlierBody(t, "buyer", unknown), "buyer", "لا يوجد في المنشأة عميل بهذا المعرّف."},
			{"POST", servicetest.EarlierPath, earlierBody(t, "totals", []any{earlierTotal("S", "15", "100.00", "30.00")}), "totals[0].vat_amount", "الفئة S بنسبة 15 في المئة: الضريبة 30 لا تطابق المبلغ 100، والفرق أكثر من 1."},
			{"POST", servicetest.EarlierPath, earlierBody(t, "totals", []any{earlierTotal("S", "0", "100.00", "0.00")}), "totals[0].vat_rate", "الفئة S بنسبة 0 في المئة: النسبة لا تناسب الفئة."},
		} {
			a := h.As(admin, c.method, c.path, c.body)
			list, _ := a.JSON(t)["errors"].([]any)
			if len(list) == 0 {
				t.Errorf("%s %s %s: got %d %s, want errors", c.method, c.path, c.body, a.Status, a.Body)
				continue
			}
			p, _ := list[0].(servicetest.Record)
			path, _ := p["path"].(string)
			servicetest.Same(t, c.method+" "+c.path+" "+c.body, []string{path, servicetest.Text(p["message_ar"])}, []string{c.field, c.arabic})
			for _, e := range generic {
				if p["message_ar"] == e.Entry().SaysAR {
					t.Errorf("%s: %v is the text of every %s", c.path, p["message_ar"], e)
				}
			}
			required := strings.HasPrefix(c.arabic, "يجب ") || c.path == servicetest.EarlierPath
			if fix := fault.Code(servicetest.Text(p["code"])).Entry().FixAR; !required && p["code"] == string(fault.InvalidValue) && p["fix_ar"] == fix {
				t.Errorf("%s: %v does not say what to do", c.path, p)
			}
		}
	})
}

// earlierBody returns a simplified earlier invoice with another value of a field.
func earlierBody(t *testing.T, field string, value any) string {
	body := servicetest.Record{
		"number": "OLD-1", "issue_date": "2025-12-31", "simplified": true, "currency": "SAR",
		"totals": []any{earlierTotal("S", "15", "100.00", "15.00")},
	}
	body[field] = value
	return servicetest.AsJSON(t, body)
}

func earlierTotal(category, rate, taxable, vat string) servicetest.Record {
	return servicetest.Record{"vat_category_code": category, "vat_rate": rate, "taxable_amount": taxable, "vat_amount": vat}
}
