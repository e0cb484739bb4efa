package codes

// terms are words for screens, e-mails and errors that are not labels of the
// printed document.
var terms = []Word{
	{"credit_note", "Credit note", "إشعار دائن"},
	{"debit_note", "Debit note", "إشعار مدين"},
	// People and things.
	{"organisation", "Organisation", "المنشأة"},
	{"client", "Client", "العميل"},
	{"line", "Line", "البند"},
	{"catalogue_item", "Item", "الصنف"},
	{"invoicing_device", "Invoicing device", "جهاز الفوترة"},
	{"onboarding", "Onboarding", "ربط الجهاز بالهيئة"},
	{"stamp_certificate", "Cryptographic stamp certificate", "شهادة الختم التشفيري"},
	{"renew", "Renew", "تجديد"},
	{"local_simulator", "Local simulator", "المحاكي المحلي"},
	{"mood", "Mood", "سلوك المحاكي"},
	{"simulation", "Simulation environment", "بيئة المحاكاة"},
	{"otp", "One-time password (OTP) from the Fatoora portal", "رمز التحقق (OTP) من بوابة فاتورة"},
	{"api_key", "API key", "مفتاح الربط البرمجي (API)"},
	{"tin", "TIN", "الرقم المميز"},
	{"unified_number", "Unified national number", "الرقم الوطني الموحد"},

	// Drafts: اعتماد is what the authority does, a recipient gives a موافقة.
	{"draft", "Draft", "مسودة"},
	{"draft_approval", "Approval of the draft", "الموافقة على المسودة"},
	{"approved_by", "Approved by", "وافق عليها"},

	// Tax.
	{"zero_rated", "Zero rated", "خاضعة لنسبة الصفر"},
	{"exempt", "Exempt", "معفاة"},
	{"out_of_scope", "Out of scope of VAT", "خارج نطاق الضريبة"},
	{"vat_return", "VAT return", "الإقرار الضريبي"},
	{"vat_adjustments", "Adjustments", "التعديلات"},

	// Books.
	{"reconciliation", "Reconciliation", "المطابقة"},
	{"client_statement", "Client statement", "كشف حساب"},
	{"ageing", "Ageing", "أعمار الذمم"},
	{"receipt", "Receipt", "سند قبض"},
	{"refund", "Refund", "ردّ مبلغ"},
	{"balance", "Remaining balance", "الرصيد المتبقي"},
	{"close_period", "Close the period", "إقفال الفترة"},

	// Messages.
	{"fix", "What to do", "الحل"},
	{"needs_you", "Needs you", "بانتظار إجراء منك"},
	{"nothing_lost", "Nothing was lost", "لم يُفقد شيء"},
	{"amount_in_words", "Amount in words", "التفقيط"},
}
