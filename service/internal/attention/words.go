package attention

import (
	"fmt"
	"time"

	"khatm/service/internal/notice"
)

func rejectedText(r Row) notice.Text {
	return notice.Text{
		Message:       fmt.Sprintf("The authority rejected invoice %s.", r.Name),
		MessageArabic: fmt.Sprintf("رفضت الهيئة الفاتورة %s.", r.Name),
		Fix:           "Correct the invoice: check the draft with the suggested values, then issue it.",
		FixArabic:     "صحّح الفاتورة: راجع المسودة التي تتضمن القيم المقترحة، ثم أصدرها.",
	}
}

func unansweredText(r Row, now time.Time) notice.Text {
	hours := int(now.Sub(r.Since).Hours())
	return notice.Text{
		Message:       fmt.Sprintf("The authority has not answered invoice %s. Hours since its issue: %d.", r.Name, hours),
		MessageArabic: fmt.Sprintf("لم ترد الهيئة على الفاتورة %s. عدد الساعات منذ إصدارها: %d.", r.Name, hours),
		Fix:           "The service keeps sending the invoice. Check whether its device has stopped; after 24 hours, check the authority's portal, then send the invoice again.",
		FixArabic:     "تواصل الخدمة إرسال الفاتورة. تحقق من أن جهازها لم يتوقف، وبعد 24 ساعة تحقق من بوابة الهيئة ثم أعد إرسالها.",
	}
}

func stoppedText(r Row) notice.Text {
	if r.Why == Parked {
		return notice.Text{
			Message:       fmt.Sprintf("The authority refuses the certificate of device %s, so its invoices wait.", r.Name),
			MessageArabic: fmt.Sprintf("ترفض الهيئة شهادة الختم التشفيري للجهاز %s، لذلك تنتظر فواتيره.", r.Name),
			Fix:           "Renew the certificate of the device. Waiting invoices are then sent.",
			FixArabic:     "جدّد شهادة الختم التشفيري للجهاز، فتُرسل الفواتير المنتظرة.",
		}
	}
	return notice.Text{
		Message:       fmt.Sprintf("The onboarding of device %s failed.", r.Name),
		MessageArabic: fmt.Sprintf("لم يكتمل ربط الجهاز %s بالهيئة.", r.Name),
		Fix:           "Repeat the onboarding with a new one-time password from the authority's portal.",
		FixArabic:     "أعد ربط الجهاز برمز تحقق جديد من بوابة الهيئة.",
	}
}

var approvedText = notice.Text{
	Message:       "A draft was approved and is not issued yet.",
	MessageArabic: "وافق المستلم على مسودة لم تصدر بعد.",
	Fix:           "Issue the draft.",
	FixArabic:     "أصدر المسودة.",
}

var declinedText = notice.Text{
	Message:       "The recipient declined a draft.",
	MessageArabic: "رفض المستلم مسودة.",
	Fix:           "Read the comment of the recipient. Change the draft and share it again, or delete it.",
	FixArabic:     "اقرأ تعليق المستلم، ثم عدّل المسودة وشاركها مرة أخرى، أو احذفها.",
}

func letterText(r Row) notice.Text {
	return notice.Text{
		Message:       fmt.Sprintf("An e-mail to %s was not delivered.", r.Name),
		MessageArabic: fmt.Sprintf("لم تصل رسالة البريد الإلكتروني إلى %s.", r.Name),
		Fix:           "Check the e-mail address, then share the draft again or send its link another way.",
		FixArabic:     "تحقق من عنوان البريد الإلكتروني، ثم شارك المسودة مرة أخرى أو أرسل رابطها بطريقة أخرى.",
	}
}

func heldText(r Row) notice.Text {
	return notice.Text{
		Message:       fmt.Sprintf("The authority rejected invoice %s, and a payment is still recorded on it.", r.Name),
		MessageArabic: fmt.Sprintf("رفضت الهيئة الفاتورة %s، وما زالت عليها دفعة مسجلة.", r.Name),
		Fix:           "Correct the invoice: the payment moves to the invoice that replaces it. If another invoice already replaces it, reverse the receipt and record the payment again.",
		FixArabic:     "صحّح الفاتورة، فتنتقل الدفعة إلى الفاتورة البديلة. إذا صدرت الفاتورة البديلة من قبل، فاعكس سند القبض ثم سجّل الدفعة مرة أخرى.",
	}
}

func unstampedText(r Row) notice.Text {
	return notice.Text{
		Message:       fmt.Sprintf("The authority cleared invoice %s, but its stamped copy was not received.", r.Name),
		MessageArabic: fmt.Sprintf("اعتمدت الهيئة الفاتورة %s، لكن نسختها المختومة لم تصل.", r.Name),
		Fix:           "The invoice is valid. The service no longer asks for the copy; download it from the authority's portal if you need it.",
		FixArabic:     "الفاتورة صحيحة. لن تطلب الخدمة النسخة مرة أخرى، ويمكنك تنزيلها من بوابة الهيئة عند الحاجة.",
	}
}
