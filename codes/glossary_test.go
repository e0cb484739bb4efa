package codes_test

import (
	"strings"
	"testing"

	"khatm/codes"
)

func TestWords(t *testing.T) {
	wantUnique(t, keysOf(codes.Words()))
	for _, w := range codes.Words() {
		checkEnglish(t, w.Key, w.EN)
		arabic := w.AR
		for _, latin := range []string{" (OTP)", " (API)"} {
			arabic = strings.ReplaceAll(arabic, latin, "")
		}
		if w.Key == "page_of" { // the only word with placeholders
			arabic = strings.ReplaceAll(arabic, "%d", "1")
		}
		checkArabic(t, w.Key, arabic)
		if got, ok := codes.FindWord(w.Key); !ok || got != w || codes.MustWord(w.Key) != w {
			t.Errorf("FindWord(%q) = %v, %v, want %v", w.Key, got, ok, w)
		}
	}
	codes.Words()[0].EN = "changed"
	if codes.Words()[0].EN == "changed" {
		t.Error("a caller can change the table")
	}
}

func TestWordsContainEveryGroup(t *testing.T) {
	for _, group := range [][]codes.Word{codes.InvoiceStatuses(), codes.PaymentStatuses(), codes.Roles()} {
		for _, w := range group {
			if got := codes.MustWord(w.Key); got != w {
				t.Errorf("the glossary has %v for %s, want %v", got, w.Key, w)
			}
		}
	}
	for _, s := range codes.DeviceStatuses() {
		if got := codes.MustWord(s.Label.Key); got != s.Label {
			t.Errorf("the glossary has %v for %s, want %v", got, s.Label.Key, s.Label)
		}
	}
}

// TestGlossaryTerms checks that the Arabic uses the agreed terms.
func TestGlossaryTerms(t *testing.T) {
	for key, arabic := range map[string]string{
		"organisation": "المنشأة", "seller": "البائع", "buyer": "المشتري", "client": "العميل", "line": "البند", "catalogue_item": "الصنف",
		"tax_invoice": "فاتورة ضريبية", "simplified_tax_invoice": "فاتورة ضريبية مبسطة", "credit_note": "إشعار دائن", "debit_note": "إشعار مدين",
		"advance_payment_invoice": "فاتورة ضريبية – دفعة مقدمة", "simplified_advance_payment_invoice": "فاتورة ضريبية مبسطة – دفعة مقدمة",
		"vat": "ضريبة القيمة المضافة", "amount_due": "المبلغ المستحق", "note_total": "إجمالي الإشعار", "mark_translation": "ترجمة – الأصل بالعربية",
		"invoicing_device": "جهاز الفوترة", "device": "الجهاز", "onboarding": "ربط الجهاز بالهيئة", "stamp_certificate": "شهادة الختم التشفيري", "renew": "تجديد",
		"local_simulator": "المحاكي المحلي", "simulation": "بيئة المحاكاة", "otp": "رمز التحقق (OTP) من بوابة فاتورة", "api_key": "مفتاح الربط البرمجي (API)",
		"draft": "مسودة", "draft_approval": "الموافقة على المسودة", "approved_by": "وافق عليها", "fix": "الحل", "needs_you": "بانتظار إجراء منك",
		"vat_return": "الإقرار الضريبي", "vat_adjustments": "التعديلات", "zero_rated": "خاضعة لنسبة الصفر", "exempt": "معفاة", "out_of_scope": "خارج نطاق الضريبة",
		"reconciliation": "المطابقة", "client_statement": "كشف حساب", "ageing": "أعمار الذمم", "receipt": "سند قبض", "refund": "ردّ مبلغ", "balance": "الرصيد المتبقي",
		"close_period": "إقفال الفترة", "amount_in_words": "التفقيط", "tin": "الرقم المميز", "unified_number": "الرقم الوطني الموحد", "nothing_lost": "لم يُفقد شيء",
		"Admin": "مدير النظام", "Accountant": "محاسب", "CreateInvoice": "مُصدر فواتير", "ViewInvoice": "اطلاع فقط",
	} {
		if got := codes.MustWord(key).AR; got != arabic {
			t.Errorf("Arabic of %s = %q, want %q", key, got, arabic)
		}
	}
	if unit, _ := codes.FindUnit("PCE"); unit.AR != "عدد" {
		t.Errorf("Arabic of the unit PCE = %q, want %q", unit.AR, "عدد")
	}
}

func TestAvoidedWordsNameTheirTerm(t *testing.T) {
	var all []string
	for _, a := range codes.AvoidedWords() {
		all = append(all, a.AR)
		if _, ok := codes.FindWord(a.Key); a.Key != "" && !ok {
			t.Errorf("replacement of %q is %q, want a key of the glossary", a.AR, a.Key)
		}
	}
	wantUnique(t, all)
	codes.AvoidedWords()[0].AR = "changed"
	if codes.AvoidedWords()[0].AR == "changed" {
		t.Error("a caller can change the table")
	}
}

func TestMustWordPanicsOnAnUnknownKey(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("MustWord did not panic")
		}
	}()
	codes.MustWord("no_such_word")
}
