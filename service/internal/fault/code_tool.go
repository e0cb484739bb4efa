package fault

// Codes of the public tools.
const (
	UnusableInput  Code = "unusable_input"
	UnreadableFile Code = "unreadable_file"
	InvalidQR      Code = "invalid_qr"
	RulesFailed    Code = "rules_failed"
)

var toolEntries = []Entry{
	{
		Code: UnusableInput, Kind: Invalid,
		Says: "The tool can read the input but cannot process it.", Fix: "Correct the input as detail says.",
		SaysAR: "تعذرت معالجة المدخلات.", FixAR: "صحّح المدخلات كما يوضح الحقل detail.",
	},
	{
		Code: UnreadableFile, Kind: Invalid,
		Says: "The file is not a readable PDF or UBL invoice.", Fix: "Upload the file as it was issued, or its XML.",
		SaysAR: "الملف ليس PDF أو فاتورة UBL مقروءة.", FixAR: "أرسل الملف كما صدر، أو ملف XML.",
	},
	{
		Code: InvalidQR, Kind: Invalid,
		Says: "The text is not the content of a QR code of an invoice.", Fix: "Send the base64 text of the QR code.",
		SaysAR: "النص ليس محتوى رمز استجابة لفاتورة.", FixAR: "أرسل نص الرمز بترميز base64.",
	},
	{
		Code: RulesFailed, Kind: Invalid,
		Says: "The invoice breaks rules and was not rendered.", Fix: "Correct what violations lists.",
		SaysAR: "تخالف الفاتورة بعض القواعد فلم تُنشأ.", FixAR: "صحّح ما ورد في violations.",
	},
}
