package onboard

import (
	"khatm/rules"
	"khatm/service/internal/device"
	"khatm/service/internal/fault"
)

// Codes of problems that this package detects itself.
const (
	NoAnswer      = "No-Answer"      // the result of the call is unknown
	SampleRefused = "Sample-Refused" // a sample breaks one of our own rules
	NoPassword    = "Missing-OTP"    // the authority's code
)

// Explanation describes a problem and what to do about it, in both languages.
type Explanation struct {
	Code string
	What rules.Words
	Next rules.Words
	// again is the state from which to continue. CSRPending needs a new
	// one-time password.
	again device.Status
}

// Explain returns the explanation of a code of the authority, of a rule, or of
// this package. An unknown code is explained as a general refusal.
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

// refused is the explanation for codes without one of their own.
var refused = Explanation{
	What: rules.Words{
		EN: "The authority refused the request.",
		AR: "رفضت الهيئة الطلب.",
	},
	Next: rules.Words{
		EN: "Read the authority's message, correct what it names, create a new one-time password in its portal and start again.",
		AR: "اقرأ رسالة الهيئة وصحّح ما تشير إليه، ثم أنشئ رمز تحقق جديدًا (OTP) من بوابة فاتورة وابدأ من جديد.",
	},
	again: device.CSRPending,
}

// simulationPassword says where the one-time password of a device of the simulation
// environment is created.
var simulationPassword = rules.Words{
	EN: "Create one in the simulation portal of the authority's Fatoora portal, with the account of the taxpayer and for this VAT number. It has six digits and is valid for one hour and one device.",
	AR: "أنشئ رمز التحقق (OTP) من بوابة المحاكاة داخل بوابة فاتورة بحساب المكلف، للرقم الضريبي للمنشأة. يتكوّن الرمز من ستة أرقام، ويصلح لساعة واحدة ولجهاز واحد.",
}

// explanations lists the known problems.
var explanations = []Explanation{
	{
		Code: NoPassword,
		What: rules.Words{
			EN: "A one-time password is needed.",
			AR: "يلزم إدخال رمز التحقق (OTP) من بوابة فاتورة.",
		},
		Next: rules.Words{
			EN: "Create one in the authority's Fatoora portal, with the account of the taxpayer and for this VAT number. It has six digits and is valid for one hour and one device.",
			AR: "أنشئ رمز التحقق (OTP) من بوابة فاتورة بحساب المكلف، للرقم الضريبي للمنشأة. يتكوّن الرمز من ستة أرقام، ويصلح لساعة واحدة ولجهاز واحد.",
		},
		again: device.CSRPending,
	}, {
		Code: "Invalid-OTP",
		What: rules.Words{
			EN: "The authority does not accept the one-time password: it is mistyped, older than an hour, already used, or was created for another VAT number or environment.",
			AR: "لم تقبل الهيئة رمز التحقق (OTP): ربما كُتب خطأً، أو مضى عليه أكثر من ساعة، أو استُخدم سابقًا، أو أُنشئ لرقم ضريبي آخر أو لبيئة أخرى.",
		},
		Next: rules.Words{
			EN: "Create a new one-time password in the Fatoora portal of the same environment and start again with it.",
			AR: "أنشئ رمز تحقق جديدًا (OTP) من بوابة فاتورة لبيئة الجهاز، ثم أعد المحاولة بالرمز الجديد.",
		},
		again: device.CSRPending,
	}, {
		Code: "Invalid-CSR",
		What: rules.Words{
			EN: "The authority does not accept the certificate request: a field of the device or the organisation is invalid, or the device belongs to another environment.",
			AR: "لم تقبل الهيئة طلب شهادة الختم التشفيري: أحد حقول بيانات الجهاز أو المنشأة لا يستوفي شروط الهيئة، أو أن الجهاز مسجّل لبيئة أخرى.",
		},
		Next: rules.Words{
			EN: "Compare the organisation's name and VAT number, and the unit name (in a VAT group the member's 10-digit TIN), with the authority's register; correct them and start again. The one-time password is still valid if it is less than an hour old.",
			AR: "قارن اسم المنشأة ورقمها الضريبي واسم الوحدة (وهو في المجموعة الضريبية الرقم المميز للعضو المكوّن من 10 أرقام) بما في سجل الهيئة، ثم صحّح ما يختلف عنه وأعد المحاولة. يبقى رمز التحقق (OTP) صالحًا إن لم تمضِ عليه ساعة.",
		},
		again: device.CSRPending,
	}, {
		Code: "Invalid-Industry",
		What: rules.Words{
			EN: "The authority does not accept the industry of the device.",
			AR: "لم تقبل الهيئة النشاط المسجّل للجهاز.",
		},
		Next: rules.Words{
			EN: "Create a device with an industry in plain words without symbols, such as Retail.",
			AR: "أنشئ جهازًا يُكتب نشاطه بكلمات بسيطة دون رموز، مثل: تجزئة.",
		},
		again: device.CSRPending,
	}, {
		Code: device.NotCompliant,
		What: rules.Words{
			EN: "The authority answered NOT_COMPLIANT: the organisation's data in the request does not match its register, or the samples were not sufficient.",
			AR: "ردّت الهيئة بعدم الامتثال (NOT_COMPLIANT): بيانات المنشأة في الطلب لا تطابق سجل الهيئة، أو أن الفواتير التجريبية لم تكن كافية.",
		},
		Next: rules.Words{
			EN: "Write the organisation's name and numbers exactly as in its commercial registration, then start again with a new one-time password.",
			AR: "اكتب اسم المنشأة وأرقامها كما في السجل التجاري تمامًا، ثم ابدأ من جديد برمز تحقق جديد (OTP).",
		},
		again: device.CSRPending,
	}, {
		Code: device.NoCertificate,
		What: rules.Words{
			EN: "The authority answered without a certificate. It is known to do so if a field of the request is too long.",
			AR: "ردّت الهيئة دون إرسال شهادة الختم التشفيري. ويحدث هذا إذا كان أحد حقول الطلب أطول من المسموح به.",
		},
		Next: rules.Words{
			EN: "Shorten the names of organisation, unit and location, then start again with a new one-time password.",
			AR: "اختصر أسماء المنشأة والوحدة والموقع، ثم ابدأ من جديد برمز تحقق جديد (OTP).",
		},
		again: device.CSRPending,
	}, {
		Code: device.NotAuthorised,
		What: rules.Words{
			EN: "The authority does not accept the device's credentials: they were revoked, have expired, or belong to another environment.",
			AR: "لم تقبل الهيئة بيانات دخول الجهاز: ربما أُلغيت، أو انتهت صلاحيتها، أو كانت لبيئة أخرى.",
		},
		Next: rules.Words{
			EN: "Start again with a new one-time password. To replace the certificate of an active device that the authority no longer accepts, renew it as a new device (anew).",
			AR: "ابدأ من جديد برمز تحقق جديد (OTP). وإذا لم تعد الهيئة تقبل شهادة الختم التشفيري لجهاز نشط فجدّدها بطلب شهادة جهاز جديد (anew).",
		},
		again: device.CSRPending,
	}, {
		Code: device.OtherDevice,
		What: rules.Words{
			EN: "The certificate that was received does not belong to this device's key or to this VAT number. The authority's developer portal issues the same certificate to everyone.",
			AR: "شهادة الختم التشفيري الواردة ليست لمفتاح الجهاز، أو ليست للرقم الضريبي للمنشأة. وبوابة المطورين لدى الهيئة تصدر للجميع شهادة واحدة.",
		},
		Next: rules.Words{
			EN: "Use the simulation environment for trials.",
			AR: "استخدم بيئة المحاكاة للتجارب.",
		},
		again: device.CSRPending,
	}, {
		Code: "Missing-ComplianceSteps",
		What: rules.Words{
			EN: "The authority has not registered all samples.",
			AR: "لم تسجّل الهيئة جميع الفواتير التجريبية.",
		},
		Next: rules.Words{
			EN: "Start again; the samples are submitted again. No new one-time password is needed.",
			AR: "أعد المحاولة. ستُرسل الفواتير التجريبية مرة أخرى، ولا يلزم رمز تحقق جديد (OTP).",
		},
		again: device.SamplesPending,
	}, {
		Code: "Invalid-ComplianceRequestId",
		What: rules.Words{
			EN: "The authority does not know the request ID of the compliance certificate.",
			AR: "رقم طلب شهادة الامتثال (CCSID) غير معروف لدى الهيئة.",
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
			AR: "خالفت إحدى الفواتير التجريبية المعدّة ببيانات المنشأة قاعدة من القواعد.",
		},
		Next: rules.Words{
			EN: "Correct the record of the organisation or the branch and start again. No new one-time password is needed.",
			AR: "صحّح سجل المنشأة أو الفرع، ثم أعد المحاولة. لا يلزم رمز تحقق جديد (OTP).",
		},
		again: device.SamplesPending,
	}, {
		Code: NoAnswer,
		What: rules.Words{
			EN: "The authority gave no usable answer. Nothing was lost; the device keeps its status.",
			AR: "لم ترد الهيئة ردًّا مفهومًا. لم يُفقد شيء، وبقيت حالة الجهاز كما هي.",
		},
		Next: rules.Words{
			EN: "Try again later. If a certificate was requested, the one-time password may have been used; then create a new one.",
			AR: "أعد المحاولة لاحقًا. وإن كان الطلب لإصدار شهادة الختم التشفيري فربما استُخدم رمز التحقق (OTP)؛ وعندئذ أنشئ رمزًا جديدًا.",
		},
		again: "",
	},
}

// refusal returns the error for the caller, with the explanation and the
// authority's message.
func (e Explanation) refusal(code fault.Code, t Trouble) *fault.Error {
	told := fault.New(code, "%s", e.What.EN).With("trouble", e.Code)
	told = told.With("message_ar", e.What.AR).With("next", e.Next.EN).With("next_ar", e.Next.AR)
	if t.Message != "" {
		told = told.With("authority_message", t.Message)
	}
	return told
}

// Codes returns the codes that have an explanation here.
func Codes() []string {
	all := make([]string, len(explanations))
	for n, e := range explanations {
		all[n] = e.Code
	}
	return all
}
