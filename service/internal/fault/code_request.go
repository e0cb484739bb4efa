package fault

// Codes about the form of a request.
const (
	ValidationFailed   Code = "validation_failed"
	InvalidValue       Code = "invalid_value"
	FieldRequired      Code = "field_required"
	UnknownField       Code = "unknown_field"
	DuplicateField     Code = "duplicate_field"
	WrongType          Code = "wrong_type"
	InvalidFormat      Code = "invalid_format"
	UnknownValue       Code = "unknown_value"
	TooShort           Code = "too_short"
	TooLong            Code = "too_long"
	OutOfRange         Code = "out_of_range"
	TooManyDecimals    Code = "too_many_decimals"
	TooFewItems        Code = "too_few_items"
	TooManyItems       Code = "too_many_items"
	InvalidCharacters  Code = "invalid_characters"
	InvalidJSON        Code = "invalid_json"
	MoreProblems       Code = "more_problems"
	BodyTooLarge       Code = "body_too_large"
	FileTooLarge       Code = "file_too_large"
	WrongContentType   Code = "wrong_content_type"
	CompressedBody     Code = "compressed_body"
	IncompleteBody     Code = "incomplete_body"
	FormTooComplex     Code = "form_too_complex"
	InvalidPicture     Code = "invalid_picture"
	SKUTaken           Code = "sku_taken"
	BarcodeTaken       Code = "barcode_taken"
	InvalidVATCategory Code = "invalid_vat_category"
	AlreadyExists      Code = "already_exists"
)

var requestEntries = []Entry{
	{
		Code: ValidationFailed, Kind: Invalid,
		Says: "The request has invalid fields.", Fix: "Correct every field in errors.",
		SaysAR: "في الطلب حقول غير صالحة.", FixAR: "صحّح كل حقل مذكور في errors.",
	},
	{
		Code: InvalidValue, Kind: Invalid,
		Says: "The value of the field is not allowed here.", Fix: "Correct the value, and send the request again.",
		SaysAR: "قيمة الحقل غير مسموح بها هنا.", FixAR: "صحّح القيمة، ثم أرسل الطلب مرة أخرى.",
	},
	{
		Code: FieldRequired, Kind: Invalid,
		Says: "A required field is missing, null or empty.", Fix: "Send the field.",
		SaysAR: "حقل مطلوب غير موجود أو فارغ.", FixAR: "أرسل هذا الحقل.",
	},
	{
		Code: UnknownField, Kind: Invalid,
		Says: "The operation has no field of this name.", Fix: "Remove the field, or correct its name.",
		SaysAR: "لا يوجد حقل بهذا الاسم في هذه العملية.", FixAR: "احذف الحقل، أو صحّح اسمه.",
	},
	{
		Code: DuplicateField, Kind: Invalid,
		Says: "The field is sent twice.", Fix: "Send each field once.",
		SaysAR: "أُرسل الحقل مرتين.", FixAR: "أرسل كل حقل مرة واحدة.",
	},
	{
		Code: WrongType, Kind: Invalid,
		Says: "The value has the wrong JSON type.", Fix: "Send a value of the required type.",
		SaysAR: "نوع القيمة غير صحيح.", FixAR: "أرسل قيمة من النوع المطلوب.",
	},
	{
		Code: InvalidFormat, Kind: Invalid,
		Says: "The text does not have the required form.", Fix: "Send the text in the required form.",
		SaysAR: "صيغة النص غير صحيحة.", FixAR: "أرسل النص بالصيغة المطلوبة.",
	},
	{
		Code: UnknownValue, Kind: Invalid,
		Says: "The value is not one of those allowed.", Fix: "Send one of the allowed values.",
		SaysAR: "القيمة ليست من القيم المسموح بها.", FixAR: "أرسل إحدى القيم المسموح بها.",
	},
	{
		Code: TooShort, Kind: Invalid,
		Says: "The text is too short.", Fix: "Send a longer text.",
		SaysAR: "النص أقصر من المسموح به.", FixAR: "أرسل نصًا أطول.",
	},
	{
		Code: TooLong, Kind: Invalid,
		Says: "The text is too long.", Fix: "Shorten the text.",
		SaysAR: "النص أطول من المسموح به.", FixAR: "اختصر النص.",
	},
	{
		Code: OutOfRange, Kind: Invalid,
		Says: "The number is too small or too large.", Fix: "Send a number within the bounds.",
		SaysAR: "العدد خارج الحدود المسموح بها.", FixAR: "أرسل عددًا ضمن الحدود المسموح بها.",
	},
	{
		Code: TooManyDecimals, Kind: Invalid,
		Says: "The number has too many decimal places.", Fix: "Round the number.",
		SaysAR: "عدد المنازل العشرية أكبر من المسموح به.", FixAR: "قرّب العدد.",
	},
	{
		Code: TooFewItems, Kind: Invalid,
		Says: "The list has too few entries.", Fix: "Send more entries.",
		SaysAR: "عدد عناصر القائمة أقل من المطلوب.", FixAR: "أرسل عناصر أكثر.",
	},
	{
		Code: TooManyItems, Kind: Invalid,
		Says: "The list has too many entries.", Fix: "Send fewer entries, or split the request.",
		SaysAR: "عدد عناصر القائمة أكبر من المسموح به.", FixAR: "أرسل عناصر أقل، أو قسّم الطلب.",
	},
	{
		Code: InvalidCharacters, Kind: Invalid,
		Says: "The text contains a character that is not allowed, or is not valid UTF-8.", Fix: "Remove the character, and encode the text in UTF-8.",
		SaysAR: "في النص حرف غير مسموح به، أو ترميزه ليس UTF-8.", FixAR: "احذف الحرف، ورمّز النص بترميز UTF-8.",
	},
	{
		Code: InvalidJSON, Kind: Invalid,
		Says: "The body is not valid JSON.", Fix: "Correct the syntax at the position that message names.",
		SaysAR: "نص الطلب ليس JSON صالحًا.", FixAR: "صحّح صياغة JSON في نص الطلب.",
	},
	{
		Code: MoreProblems, Kind: Invalid,
		Says: "There are further problems that are not listed.", Fix: "Correct the listed problems first.",
		SaysAR: "توجد أخطاء أخرى لم تُذكر.", FixAR: "صحّح الأخطاء المذكورة أولًا.",
	},
	{
		Code: BodyTooLarge, Kind: Invalid,
		Says: "The body is larger than the maximum.", Fix: "Send a smaller body.",
		SaysAR: "حجم الطلب أكبر من المسموح به.", FixAR: "أرسل طلبًا أصغر.",
	},
	{
		Code: FileTooLarge, Kind: Invalid,
		Says: "The file is larger than the maximum.", Fix: "Send a smaller file.",
		SaysAR: "حجم الملف أكبر من المسموح به.", FixAR: "أرسل ملفًا أصغر.",
	},
	{
		Code: WrongContentType, Kind: Invalid,
		Says: "The body has another media type or charset than the operation reads.", Fix: "Send the Content-Type that message names, in UTF-8.",
		SaysAR: "نوع محتوى الطلب غير صحيح.", FixAR: "أرسل الطلب بنوع المحتوى الذي تقبله هذه العملية، بترميز UTF-8.",
	},
	{
		Code: CompressedBody, Kind: Invalid,
		Says: "The body is compressed.", Fix: "Send the body without Content-Encoding.",
		SaysAR: "نص الطلب مضغوط.", FixAR: "أرسل النص دون ضغط.",
	},
	{
		Code: IncompleteBody, Kind: Invalid,
		Says: "The body ended early or is malformed.", Fix: "Send the whole body again.",
		SaysAR: "نص الطلب غير مكتمل.", FixAR: "أرسل النص كاملًا مرة أخرى.",
	},
	{
		Code: FormTooComplex, Kind: Invalid,
		Says: "The form has too many parts, or a part with too long a header.", Fix: "Send fewer parts.",
		SaysAR: "أجزاء النموذج أكثر من المسموح به.", FixAR: "أرسل أجزاء أقل.",
	},
	{
		Code: SKUTaken, Kind: Invalid,
		Says: "Another item has this SKU.", Fix: "Send another SKU, or change the other item.",
		SaysAR: "رمز الصنف مستخدم لصنف آخر.", FixAR: "أرسل رمزًا آخر، أو غيّر الصنف الآخر.",
	},
	{
		Code: BarcodeTaken, Kind: Invalid,
		Says: "Another item has this barcode.", Fix: "Send another barcode, or change the other item.",
		SaysAR: "الباركود مستخدم لصنف آخر.", FixAR: "أرسل باركودًا آخر، أو غيّر الصنف الآخر.",
	},
	{
		Code: InvalidPicture, Kind: Invalid,
		Says: "The picture is damaged, too large, or not PNG, JPEG or WebP.", Fix: "Save the picture again as PNG, JPEG or WebP, smaller if it is too large.",
		SaysAR: "الصورة تالفة أو كبيرة أو ليست من الأنواع PNG أو JPEG أو WebP.", FixAR: "احفظ الصورة مرة أخرى بصيغة PNG أو JPEG أو WebP، وصغّرها إن كانت كبيرة.",
	},
	{
		Code: InvalidVATCategory, Kind: Invalid,
		Says: "vat_category_code is not S, Z, E or O.", Fix: "Send S, Z, E or O.",
		SaysAR: "فئة الضريبة غير صحيحة.", FixAR: "أرسل S أو Z أو E أو O.",
	},
	{
		Code: AlreadyExists, Kind: Invalid,
		Says: "A record with this number or address exists already.", Fix: "Use the existing record, or another value.",
		SaysAR: "يوجد سجل بهذا الرقم أو العنوان.", FixAR: "استخدم السجل الموجود، أو قيمة أخرى.",
	},
}
