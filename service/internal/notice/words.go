package notice

import (
	"fmt"
	"time"

	"khatm/invoice"
	"khatm/service/internal/org"
	"khatm/service/internal/submit"
)

// Text says what a notice is about and what to do, in English and Arabic.
type Text struct {
	Message, MessageArabic string
	Fix, FixArabic         string
}

func usageText(u org.Usage) Text {
	t := Text{
		Message:       fmt.Sprintf("%d of the %d invoices of this month's plan are used.", u.Invoices, u.Plan.Invoices),
		MessageArabic: fmt.Sprintf("استُهلك هذا الشهر %d من %d فاتورة في الباقة.", u.Invoices, u.Plan.Invoices),
		Fix:           "Choose a larger plan if you need more invoices this month.",
		FixArabic:     "اختر باقة أكبر إن احتجت فواتير أكثر هذا الشهر.",
	}
	switch left := u.Plan.InvoiceCeiling() - u.Invoices; {
	case left <= 0:
		t.Fix = "No more invoices can be issued. Choose a larger plan, or wait until the next month."
		t.FixArabic = "لا يمكن إصدار فواتير أخرى. اختر باقة أكبر، أو انتظر حتى الشهر التالي."
	case u.Invoices >= u.Plan.Invoices:
		t.Fix = fmt.Sprintf("%s can still be issued this month. Choose a larger plan.", counted(left, "invoice"))
		t.FixArabic = fmt.Sprintf("عدد الفواتير التي يمكن إصدارها هذا الشهر: %d. اختر باقة أكبر.", left)
	}
	return t
}

// certificateText describes a certificate that ends after left. Dates are those of
// Riyadh.
func certificateText(e Expiring, left time.Duration) Text {
	date := e.Until.In(invoice.Riyadh()).Format(time.DateOnly)
	t := Text{
		Fix:       "Renew the certificate of the device.",
		FixArabic: "جدّد شهادة الختم التشفيري للجهاز.",
	}
	switch days := int(left / day); {
	case left <= 0:
		t.Message = fmt.Sprintf("The certificate of device %s ended on %s. The device cannot issue invoices.", e.Name, date)
		t.MessageArabic = fmt.Sprintf("انتهت شهادة الختم التشفيري للجهاز %s بتاريخ %s. لا يمكن إصدار الفواتير منه.", e.Name, date)
	case days == 0:
		t.Message = fmt.Sprintf("The certificate of device %s ends in less than a day, on %s.", e.Name, date)
		t.MessageArabic = fmt.Sprintf("تنتهي شهادة الختم التشفيري للجهاز %s خلال أقل من يوم، بتاريخ %s.", e.Name, date)
	default:
		t.Message = fmt.Sprintf("The certificate of device %s ends in %s, on %s.", e.Name, counted(days, "day"), date)
		t.MessageArabic = fmt.Sprintf("تنتهي شهادة الختم التشفيري للجهاز %s بتاريخ %s. الأيام المتبقية: %d.", e.Name, date, days)
	}
	return t
}

func oldestText(waited time.Duration) Text {
	hours := int(waited.Hours())
	t := Text{
		Message:       fmt.Sprintf("A simplified invoice has waited %s to be reported to the authority. The time limit is 24 hours.", counted(hours, "hour")),
		MessageArabic: fmt.Sprintf("تنتظر فاتورة ضريبية مبسطة إبلاغ الهيئة بها. عدد الساعات: %d، والمهلة 24 ساعة.", hours),
		Fix:           "The service keeps sending invoices. Check whether a device has stopped, and ask the operator whether the authority can be reached.",
		FixArabic:     "تواصل الخدمة الإرسال. تحقق من أن الأجهزة لم تتوقف، واسأل مشغّل الخدمة عن الاتصال بالهيئة.",
	}
	if waited > submit.Legal {
		t.Message = fmt.Sprintf("A simplified invoice has waited %s to be reported to the authority. The time limit of 24 hours has passed.", counted(hours, "hour"))
		t.MessageArabic = fmt.Sprintf("تنتظر فاتورة ضريبية مبسطة إبلاغ الهيئة بها. عدد الساعات: %d، وقد انقضت مهلة 24 ساعة.", hours)
		t.Fix = "Read the status of the invoice. If it is No response, check the authority's portal, then send the invoice again."
		t.FixArabic = "اقرأ حالة الفاتورة. إن لم ترد الهيئة بعد، فتحقق من بوابة الهيئة ثم أعد إرسالها."
	}
	return t
}

var chainText = Text{
	Message:       "Invoices cannot be issued, because the database may be older than the invoices already issued.",
	MessageArabic: "لا يمكن إصدار الفواتير، لأن قاعدة البيانات قد تكون أقدم من الفواتير الصادرة.",
	Fix:           "Ask the operator to run khatm recover.",
	FixArabic:     "اطلب من مشغّل الخدمة تشغيل khatm recover.",
}

func damageText(documents int) Text {
	t := Text{
		Message:       fmt.Sprintf("The stored copies of %d invoices are damaged. They are not shown or used.", documents),
		MessageArabic: fmt.Sprintf("توجد فواتير نسختها المحفوظة تالفة، ولا تُعرض ولا تُستخدم. العدد: %d.", documents),
		Fix:           "Ask the operator to restore them from a backup.",
		FixArabic:     "اطلب من مشغّل الخدمة استعادتها من نسخة احتياطية.",
	}
	if documents == 1 {
		t.Message = "The stored copy of an invoice is damaged. It is not shown or used."
		t.Fix = "Ask the operator to restore it from a backup."
	}
	return t
}

// counted returns a number and a noun, in the plural unless the number is 1.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
