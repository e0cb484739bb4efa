package attention

import (
	"fmt"
	"time"

	"khatm/codes"
	"khatm/service/internal/account"
	"khatm/service/internal/notice"
	"khatm/service/internal/onboard"
	"khatm/service/internal/share"
)

// document returns the name of a kind of document in a sentence.
func document(kind int) codes.Word {
	switch kind {
	case codes.CreditNote:
		return codes.Word{EN: "credit note", AR: "الإشعار الدائن"}
	case codes.DebitNote:
		return codes.Word{EN: "debit note", AR: "الإشعار المدين"}
	case codes.AdvancePayment:
		return codes.Word{EN: "advance payment invoice", AR: "فاتورة الدفعة المقدمة"}
	}
	return codes.Word{EN: "invoice", AR: "الفاتورة"}
}

func rejectedText(r Row) notice.Text {
	what := document(r.Type)
	return notice.Text{
		Message:       fmt.Sprintf("The authority rejected %s %s.", what.EN, r.Name),
		MessageArabic: fmt.Sprintf("رفضت الهيئة %s %s.", what.AR, r.Name),
		Fix:           fmt.Sprintf("Correct the %s: check the draft with the suggested values, then issue it.", what.EN),
		FixArabic:     fmt.Sprintf("صحّح %s: راجع المسودة التي تتضمن القيم المقترحة، ثم أصدرها.", what.AR),
	}
}

func unansweredText(r Row, now time.Time) notice.Text {
	hours, what := int(now.Sub(r.Since).Hours()), document(r.Type)
	return notice.Text{
		Message:       fmt.Sprintf("The authority has not answered %s %s. Hours since its issue: %d.", what.EN, r.Name, hours),
		MessageArabic: fmt.Sprintf("لم ترد الهيئة على %s %s. عدد الساعات منذ الإصدار: %d.", what.AR, r.Name, hours),
		Fix:           fmt.Sprintf("The service keeps sending the %[1]s. Check whether its device has stopped; after 24 hours, check the authority's portal, then send the %[1]s again.", what.EN),
		FixArabic:     fmt.Sprintf("تواصل الخدمة إرسال %s. تحقق من أن الجهاز لم يتوقف، وبعد 24 ساعة تحقق من بوابة الهيئة ثم أعد الإرسال.", what.AR),
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
	if r.Trouble.Code != "" {
		why := onboard.Explain(r.Trouble.Code)
		return notice.Text{
			Message:       fmt.Sprintf("The onboarding of device %s failed. %s", r.Name, why.What.EN),
			MessageArabic: fmt.Sprintf("لم يكتمل ربط الجهاز %s بالهيئة. %s", r.Name, why.What.AR),
			Fix:           why.Next.EN,
			FixArabic:     why.Next.AR,
		}
	}
	return notice.Text{
		Message:       fmt.Sprintf("The onboarding of device %s failed.", r.Name),
		MessageArabic: fmt.Sprintf("لم يكتمل ربط الجهاز %s بالهيئة.", r.Name),
		Fix:           "Repeat the onboarding.",
		FixArabic:     "أعد ربط الجهاز.",
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
	fix := codes.Word{EN: "Check the e-mail address.", AR: "تحقق من عنوان البريد الإلكتروني."}
	switch r.About {
	case share.AboutInvitation:
		fix = codes.Word{
			EN: "Check the e-mail address, then share the draft again or send its link another way.",
			AR: "تحقق من عنوان البريد الإلكتروني، ثم شارك المسودة مرة أخرى أو أرسل رابطها بطريقة أخرى.",
		}
	case share.AboutCode:
		fix = codes.Word{
			EN: "The recipient of the draft did not get the approval code. Check the e-mail address of the draft; the recipient can then request a new code.",
			AR: "لم يصل رمز الموافقة إلى مستلم المسودة. تحقق من عنوان البريد الإلكتروني في المسودة، ثم يطلب المستلم رمزًا جديدًا.",
		}
	case share.AboutDecline:
		fix = codes.Word{
			EN: "The recipient declined a draft, and its author was not notified. Read the comment in the draft, and check the e-mail address of the author.",
			AR: "رفض المستلم مسودة ولم يصل الإشعار بذلك إلى منشئها. اقرأ التعليق في المسودة، وتحقق من البريد الإلكتروني لمنشئها.",
		}
	case account.AboutInvitation:
		fix = codes.Word{
			EN: "Check the e-mail address, then invite the member again.",
			AR: "تحقق من عنوان البريد الإلكتروني، ثم أرسل دعوة العضو مرة أخرى.",
		}
	}
	return notice.Text{
		Message:       fmt.Sprintf("An e-mail to %s was not delivered.", r.Name),
		MessageArabic: fmt.Sprintf("لم تصل رسالة البريد الإلكتروني إلى %s.", r.Name),
		Fix:           fix.EN,
		FixArabic:     fix.AR,
	}
}

func heldText(r Row) notice.Text {
	what := document(r.Type)
	return notice.Text{
		Message:       fmt.Sprintf("The authority rejected %s %s, and a payment is still recorded on it.", what.EN, r.Name),
		MessageArabic: fmt.Sprintf("رفضت الهيئة %s %s، وما زالت دفعة مسجلة على هذا المستند.", what.AR, r.Name),
		Fix:           "Correct the invoice: the payment moves to the invoice that replaces it. If another invoice already replaces it, reverse the receipt and record the payment again.",
		FixArabic:     "صحّح الفاتورة، فتنتقل الدفعة إلى الفاتورة البديلة. إذا صدرت الفاتورة البديلة من قبل، فاعكس سند القبض ثم سجّل الدفعة مرة أخرى.",
	}
}

func unstampedText(r Row) notice.Text {
	what := document(r.Type)
	return notice.Text{
		Message:       fmt.Sprintf("The authority cleared %s %s, but its stamped copy was not received.", what.EN, r.Name),
		MessageArabic: fmt.Sprintf("اعتمدت الهيئة %s %s، لكن النسخة المختومة لم تصل.", what.AR, r.Name),
		Fix:           "The " + what.EN + " is valid. The service no longer asks for the copy; download it from the authority's portal if you need it.",
		FixArabic:     "المستند صحيح. لن تطلب الخدمة النسخة مرة أخرى، ويمكنك تنزيلها من بوابة الهيئة عند الحاجة.",
	}
}
