package guest

import "khatm/codes"

// word returns a word of the pages or, if they have none with this key, of the
// glossary.
func word(key string) codes.Word {
	if w, own := ownWords[key]; own {
		return codes.Word{Key: key, EN: w[0], AR: w[1]}
	}
	return codes.MustWord(key)
}

// ownWords are the texts used only on these pages, in English and Arabic. The
// Arabic texts address the reader in the plural, as the e-mails do.
var ownWords = map[string][2]string{
	"other_language": {"العربية", "English"},
	"nav":            {"Language and download", "اللغة والتنزيل"},
	"skip":           {"Skip to the document", "الانتقال إلى المستند"},
	"download":       {"Download PDF", "تنزيل ملف PDF"},
	"no_pdf_yet":     {"The PDF is available once the tax authority has accepted the document.", "يتوفر ملف PDF بعد أن تقبل الهيئة المستند."},
	"link_until":     {"This link works until", "هذا الرابط صالح حتى"},
	"made_with":      {"Made with Khatm, e-invoicing for Saudi Arabia.", "أُعدّ هذا المستند عبر «ختم» للفوترة الإلكترونية في المملكة العربية السعودية."},
	"scan":           {"Scan to verify this document", "امسحوا الرمز للتحقق من المستند"},
	"lines":          {"Items", "البنود"},
	"net":            {"Net", "الصافي"},
	"vat_short":      {"VAT", "الضريبة"},
	"gross":          {"Total with VAT", "الإجمالي (شامل الضريبة)"},
	"version":        {"Version", "النسخة"},
	"riyadh_time":    {"Riyadh time", "بتوقيت الرياض"},
	"test_words":     {"It was issued in a test environment.", "صدر هذا المستند في بيئة تجريبية."},
	"draft_approved": {"Approved by the recipient", "وافق المستلم على المسودة"},
	"draft_settled":  {"It becomes a tax document only when the seller issues it.", "لا تصبح المسودة مستندًا ضريبيًا إلا بعد أن يصدرها البائع."},
	"draft_issued":   {"The seller has since issued the document. Only the issued document is valid.", "أصدر البائع المستند، والعبرة بالمستند الصادر وحده."},
	"issued_since":   {"Document issued", "صدر المستند"},
	"draft_words":    {"The seller asks you to check it. It becomes a tax document only when the seller issues it.", "يطلب منكم البائع مراجعة المسودة. ولا تصبح مستندًا ضريبيًا إلا بعد أن يصدرها البائع."},
	"draft_changed":  {"The draft was changed. Check it again.", "عُدّلت المسودة. راجعوها من جديد."},
	"draft_declined": {"Declined by the recipient", "رفض المستلم المسودة"},
	"answer_draft":   {"Approve or decline", "الموافقة أو الرفض"},
	"forward":        {"Send this link by", "إرسال هذا الرابط عبر"},
	"whatsapp":       {"WhatsApp", "واتساب"},
	"or":             {" or ", " أو "},
	"by_email":       {"e-mail", "البريد الإلكتروني"},
	"outcome_wrong":  {"Error", "خطأ"},
	"outcome_done":   {"Done", "تم"},

	"approve_title":    {"Approve or decline this draft", "الموافقة على المسودة أو رفضها"},
	"approve_intro":    {"Approve or decline it with a code that we send to", "للموافقة على المسودة أو رفضها استخدموا رمزًا نرسله إلى"},
	"approve_unsent":   {"Approve or decline it with a code that is created for", "للموافقة على المسودة أو رفضها استخدموا رمزًا يُنشأ لكم على البريد"},
	"step_code":        {"Get your code", "الحصول على الرمز"},
	"send_code":        {"Send me the code", "طلب الرمز"},
	"step_approve":     {"Enter your name and the code", "إدخال الاسم والرمز"},
	"your_name":        {"Your name", "الاسم"},
	"code":             {"Six-digit code", "الرمز المكوّن من ستة أرقام"},
	"code_hint":        {"The code is valid for 10 minutes.", "الرمز صالح لمدة 10 دقائق."},
	"approve":          {"Approve", "موافقة"},
	"decline_title":    {"Something is wrong? Decline the draft", "هل من خطأ؟ يمكنكم رفض المسودة"},
	"decline":          {"Decline", "رفض"},
	"comment":          {"Comment", "التعليق"},
	"comment_hint":     {"Optional, at most 500 characters. The seller sees it.", "اختياري، بحد أقصى 500 حرف. يظهر التعليق للبائع."},
	"comment_long":     {"The comment can have at most 500 characters.", "يجب ألا يزيد التعليق على 500 حرف."},
	"comment_strange":  {"The comment contains characters that cannot be used.", "يحتوي التعليق على رموز غير مسموح بها."},
	"declined_title":   {"This draft was declined", "رفض المستلم هذه المسودة"},
	"declined_by":      {"Declined by", "رفضها"},
	"declined_at":      {"Declined on", "تاريخ الرفض"},
	"just_declined":    {"Thank you. The seller can see your answer and share a new draft.", "شكرًا لكم. يمكن للبائع الاطلاع على ردّكم ومشاركة مسودة جديدة."},
	"tries_1":          {"You can try once more.", "بقيت محاولة واحدة."},
	"tries_2":          {"You can try twice more.", "بقيت محاولتان."},
	"tries_many":       {"You can try %d more times.", "بقيت %d محاولات."},
	"code_not_right":   {"The code is wrong.", "الرمز غير صحيح."},
	"code_tried_out":   {"The code was entered wrongly five times and is no longer valid. Request a new one ten minutes after the last one was sent.", "أُدخل الرمز خطأً خمس مرات فلم يعد صالحًا. اطلبوا رمزًا جديدًا بعد 10 دقائق من إرسال الرمز السابق."},
	"approved_title":   {"This draft is approved", "وافق المستلم على هذه المسودة"},
	"approved_at":      {"Approved on", "تاريخ الموافقة"},
	"just_approved":    {"Thank you. The seller can issue the document now.", "شكرًا لكم. يمكن للبائع الآن إصدار المستند."},
	"issued_words":     {"The seller has since issued the document.", "أصدر البائع المستند."},
	"code_sent":        {"The code is on its way. Check your e-mail.", "أُرسل الرمز إليكم. تفقّدوا بريدكم الإلكتروني."},
	"code_sent_before": {"A code was sent to you a moment ago and is still valid. Check your e-mail.", "أُرسل إليكم رمز قبل قليل ولا يزال صالحًا. تفقّدوا بريدكم الإلكتروني."},
	"code_made":        {"A code was created for you. If you receive no e-mail, ask the sender.", "أُنشئ لكم رمز. إذا لم تصلكم رسالة بالبريد الإلكتروني فتواصلوا مع المرسل."},
	"code_made_before": {"A code was created for you a moment ago and is still valid. If you receive no e-mail, ask the sender.", "أُنشئ لكم رمز قبل قليل ولا يزال صالحًا. إذا لم تصلكم رسالة بالبريد الإلكتروني فتواصلوا مع المرسل."},
	"code_used_up":     {"The code was entered wrongly five times and is no longer valid. You can request a new one from", "أُدخل الرمز خطأً خمس مرات فلم يعد صالحًا. يمكنكم طلب رمز جديد ابتداءً من"},
	"no_code_now":      {"Too many codes were requested, so no code can be sent now. Try again tomorrow, or ask the seller to share the draft again.", "طُلبت رموز كثيرة، ولا يمكن إرسال رمز آخر الآن. حاولوا مرة أخرى غدًا، أو اطلبوا من البائع مشاركة المسودة من جديد."},
	"not_now":          {"This draft cannot be approved at the moment. Ask the seller.", "لا يمكن الموافقة على هذه المسودة حاليًا. تواصلوا مع البائع."},
	"name_missing":     {"Enter your name.", "أدخلوا الاسم."},
	"name_long":        {"The name can have at most 100 characters.", "يجب ألا يزيد الاسم على 100 حرف."},
	"name_strange":     {"The name contains characters or an address that cannot be used.", "يحتوي الاسم على رموز غير مسموح بها أو على عنوان إلكتروني."},
	"code_missing":     {"Enter the six digits from the e-mail.", "أدخلوا الأرقام الستة الواردة في الرسالة."},
	"code_wrong":       {"The code is not valid, or has expired. Check it, or request a new one ten minutes after the last one was sent.", "الرمز غير صالح، أو انتهت صلاحيته. تحققوا من الرمز، أو اطلبوا رمزًا جديدًا بعد 10 دقائق من إرسال الرمز السابق."},

	"gone_title":           {"This link is no longer available", "هذا الرابط لم يعد متاحًا"},
	"gone":                 {"It may have expired, been withdrawn, or not been copied completely. Ask the person who sent it for a new link.", "ربما انتهت صلاحية الرابط، أو أُلغي، أو لم يُنسخ كاملًا. اطلبوا رابطًا جديدًا ممن أرسله إليكم."},
	"too_many_title":       {"Too many visits", "تجاوز الرابط الحد المسموح به من الزيارات"},
	"too_many":             {"The link was opened too often. Try again later; it works again within an hour.", "فُتح الرابط مرات كثيرة. حاولوا مرة أخرى بعد قليل؛ وسيعمل من جديد خلال ساعة على الأكثر."},
	"away_title":           {"Not available at the moment", "الخدمة غير متاحة حاليًا"},
	"away":                 {"Try again in a moment.", "حاولوا مرة أخرى بعد قليل."},
	"not_understood_title": {"This cannot be done", "لا يمكن تنفيذ هذا الطلب"},
	"not_understood":       {"Go back to the page and try again.", "عودوا إلى الصفحة وحاولوا مرة أخرى."},
	"broken_title":         {"Something went wrong on our side", "حدث خطأ لدينا"},
	"broken":               {"Try again later.", "حاولوا مرة أخرى لاحقًا."},
}
