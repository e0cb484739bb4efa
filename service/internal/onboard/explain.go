package onboard

import (
	"khatm/rules"
	"khatm/service/internal/device"
	"khatm/service/internal/fault"
)

// Codes of ours, for trouble that the authority has no code for.
const (
	NoAnswer      = "No-Answer"      // it cannot be known what became of the call
	SampleRefused = "Sample-Refused" // our own rules refuse a sample
	NoPassword    = "Missing-OTP"    // as the authority calls it
)

// Explanation says what a trouble is and what to do, in both languages.
type Explanation struct {
	Code string
	What rules.Words
	Next rules.Words
	// again is where the way is taken up after it. CSRPending asks for a new
	// one-time password.
	again device.Status
}

// Explain looks a trouble up by its code: of the authority, of a rule, or one
// of ours. A code that nobody knows is explained as a refusal.
func Explain(code string) Explanation {
	for _, e := range explanations {
		if e.Code == code {
			return e
		}
	}
	if rule, known := rules.Find(code); known {
		return Explanation{code, rule.Says, rule.Fix, device.SamplesPending}
	}
	e := refused
	e.Code = code
	return e
}

// refused explains what has no explanation of its own.
var refused = Explanation{
	What: rules.Words{
		EN: "The authority refused.",
		AR: "رفضت الهيئة الطلب.",
	},
	Next: rules.Words{
		EN: "Read the authority's own words, correct what they name, make a new one-time password in its portal and start again.",
		AR: "اقرأ رسالة الهيئة وصحّح ما تشير إليه، ثم أنشئ رمز تحقق جديدًا (OTP) من بوابة فاتورة وابدأ من جديد.",
	},
	again: device.CSRPending,
}

// explanations are the troubles that are known, one a row.
var explanations = []Explanation{
	{
		Code: NoPassword,
		What: rules.Words{
			EN: "A one-time password is needed.",
			AR: "يلزم إدخال رمز التحقق (OTP) من بوابة فاتورة.",
		},
		Next: rules.Words{
			EN: "Make one in the authority's Fatoora portal, of this environment and this VAT number. It has six digits, is good for an hour and for one device.",
			AR: "أنشئ رمزًا من بوابة فاتورة للبيئة نفسها وللرقم الضريبي نفسه. يتكوّن الرمز من ستة أرقام، ويصلح لمدة ساعة ولجهاز واحد.",
		},
		again: device.CSRPending,
	}, {
		Code: "Invalid-OTP",
		What: rules.Words{
			EN: "The authority does not take the one-time password: it is mistyped, older than an hour, used already, or made for another VAT number or another environment.",
			AR: "لم تقبل الهيئة رمز التحقق (OTP): ربما كُتب خطأً، أو مضى عليه أكثر من ساعة، أو استُخدم سابقًا، أو أُنشئ لرقم ضريبي آخر أو لبيئة أخرى.",
		},
		Next: rules.Words{
			EN: "Make a new one-time password in the Fatoora portal of the same environment and start again with it.",
			AR: "أنشئ رمز تحقق جديدًا من بوابة فاتورة للبيئة نفسها، ثم أعد المحاولة به.",
		},
		again: device.CSRPending,
	}, {
		Code: "Invalid-CSR",
		What: rules.Words{
			EN: "The authority does not take the certificate request: a field of the device or the organisation is not as it wants it, or the device is of another environment.",
			AR: "لم تقبل الهيئة طلب شهادة الختم التشفيري: أحد حقول بيانات الجهاز أو المنشأة لا يستوفي شروطها، أو أن الجهاز مسجّل لبيئة أخرى.",
		},
		Next: rules.Words{
			EN: "Compare the organisation's name and VAT number, and the unit name (in a VAT group the member's 10-digit TIN), with the authority's register; correct them and start again. The one-time password is still good if it is younger than an hour.",
			AR: "قارن اسم المنشأة ورقمها الضريبي واسم الوحدة (وفي المجموعة الضريبية الرقم المميز للعضو من 10 أرقام) بسجل الهيئة، ثم صحّحها وأعد المحاولة. يبقى رمز التحقق (OTP) صالحًا إن لم تمضِ عليه ساعة.",
		},
		again: device.CSRPending,
	}, {
		Code: "Invalid-Industry",
		What: rules.Words{
			EN: "The authority does not take the industry of the device.",
			AR: "لم تقبل الهيئة النشاط المسجّل للجهاز.",
		},
		Next: rules.Words{
			EN: "Make a device whose industry is plain words without symbols, such as Retail.",
			AR: "أنشئ جهازًا يُكتب نشاطه بكلمات بسيطة دون رموز، مثل: تجزئة.",
		},
		again: device.CSRPending,
	}, {
		Code: device.NotCompliant,
		What: rules.Words{
			EN: "The authority says NOT_COMPLIANT: what the request says of the organisation does not match its register, or the samples did not suffice.",
			AR: "ردّت الهيئة بعدم الامتثال: بيانات المنشأة في الطلب لا تطابق سجلها، أو أن الفواتير التجريبية لم تكن كافية.",
		},
		Next: rules.Words{
			EN: "Write the organisation's name and numbers exactly as in its commercial registration, then start again with a new one-time password.",
			AR: "اكتب اسم المنشأة وأرقامها كما في السجل التجاري تمامًا، ثم ابدأ من جديد برمز تحقق جديد (OTP).",
		},
		again: device.CSRPending,
	}, {
		Code: device.NoCertificate,
		What: rules.Words{
			EN: "The authority answered without a certificate. That is how it was seen to answer a request with a field that is too long.",
			AR: "ردّت الهيئة دون إرسال شهادة الختم التشفيري. وقد لوحظ ذلك عند إرسال طلب فيه حقل أطول من المسموح به.",
		},
		Next: rules.Words{
			EN: "Shorten the names of organisation, unit and location, then start again with a new one-time password.",
			AR: "اختصر أسماء المنشأة والوحدة والموقع، ثم ابدأ من جديد برمز تحقق جديد (OTP).",
		},
		again: device.CSRPending,
	}, {
		Code: device.NotAuthorised,
		What: rules.Words{
			EN: "The authority does not take the device's credentials: they were revoked, they are over, or they belong to another environment.",
			AR: "لم تقبل الهيئة بيانات دخول الجهاز: ربما أُلغيت، أو انتهت صلاحيتها، أو كانت لبيئة أخرى.",
		},
		Next: rules.Words{
			EN: "Start again with a new one-time password. To replace the certificate of an active device that the authority does not know any more, renew it anew (--anew).",
			AR: "ابدأ من جديد برمز تحقق جديد (OTP). ولاستبدال شهادة الختم التشفيري لجهاز نشط لم تعد الهيئة تعرفه، جدّدها من البداية (--anew).",
		},
		again: device.CSRPending,
	}, {
		Code: device.OtherDevice,
		What: rules.Words{
			EN: "The certificate that came is not of this device's key or not of this VAT number. The authority's developer portal gives everybody the same one.",
			AR: "شهادة الختم التشفيري الواردة ليست لمفتاح هذا الجهاز أو ليست لهذا الرقم الضريبي. وبوابة المطورين لدى الهيئة تصدر للجميع شهادة واحدة.",
		},
		Next: rules.Words{
			EN: "Use the simulation environment for trials.",
			AR: "استخدم بيئة المحاكاة للتجارب.",
		},
		again: device.CSRPending,
	}, {
		Code: "Missing-ComplianceSteps",
		What: rules.Words{
			EN: "The authority has not counted all samples.",
			AR: "لم تحتسب الهيئة جميع الفواتير التجريبية.",
		},
		Next: rules.Words{
			EN: "Start again; the samples are shown once more. No new password is needed.",
			AR: "أعد المحاولة. ستُرسل الفواتير التجريبية مرة أخرى، ولا يلزم رمز تحقق جديد (OTP).",
		},
		again: device.SamplesPending,
	}, {
		Code: "Invalid-ComplianceRequestId",
		What: rules.Words{
			EN: "The authority does not know the number of the compliance certificate.",
			AR: "رقم شهادة الامتثال (CCSID) غير معروف لدى الهيئة.",
		},
		Next: rules.Words{
			EN: "Start again with a new one-time password.",
			AR: "ابدأ من جديد برمز تحقق جديد (OTP).",
		},
		again: device.CSRPending,
	}, {
		Code: SampleRefused,
		What: rules.Words{
			EN: "A sample invoice with the organisation's data breaks a rule.",
			AR: "تخالف فاتورة تجريبية أُعدّت ببيانات المنشأة إحدى القواعد.",
		},
		Next: rules.Words{
			EN: "Correct the record of the organisation or the branch and start again. No new password is needed.",
			AR: "صحّح سجل المنشأة أو الفرع، ثم أعد المحاولة. لا يلزم رمز تحقق جديد (OTP).",
		},
		again: device.SamplesPending,
	}, {
		Code: NoAnswer,
		What: rules.Words{
			EN: "The authority gave no answer that means anything. Nothing is lost; the device stays where it is.",
			AR: "لم ترد الهيئة ردًّا مفهومًا. لم يُفقد شيء، ويبقى الجهاز في مرحلته.",
		},
		Next: rules.Words{
			EN: "Try again in a while. If it was asked for a certificate, the password may be used up: then make a new one.",
			AR: "أعد المحاولة بعد قليل. وإن كان الطلب لإصدار شهادة الختم التشفيري فربما استُهلك رمز التحقق (OTP)، فأنشئ رمزًا جديدًا.",
		},
		again: "",
	},
}

// refusal is a trouble as callers are told of it.
func (e Explanation) refusal(kind fault.Kind, t Trouble) *fault.Error {
	told := fault.New(kind, "%s", e.What.EN)
	told.Code = e.Code
	told = told.With("message_ar", e.What.AR).With("next", e.Next.EN).With("next_ar", e.Next.AR)
	if t.Message != "" {
		told = told.With("authority_message", t.Message)
	}
	return told
}
