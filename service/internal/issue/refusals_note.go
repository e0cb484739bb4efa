package issue

// Refusals of credit and debit notes, advances and repeated requests.

var strayOriginals = Refusal{
	Name:      "original of a tax invoice",
	Message:   "original_invoice_reference must be [] on a tax invoice.",
	Cause:     "Only credit and debit notes correct other documents.",
	Fix:       "Send [], or issue a credit note (381) or a debit note (383).",
	MessageAR: "يجب أن يكون original_invoice_reference فارغًا [] في الفاتورة الضريبية.",
	FixAR:     "أرسل []، أو أصدر إشعارًا دائنًا (381) أو مدينًا (383).",
}

var strayLineReference = Refusal{
	Name:      "original line of a tax invoice",
	Message:   "invoice_line_id is for credit and debit notes only.",
	Cause:     "A line of a tax invoice or advance payment invoice refers to a line of another document.",
	Fix:       "Leave invoice_line_id out.",
	MessageAR: "الحقل invoice_line_id للإشعارات الدائنة والمدينة فقط.",
	FixAR:     "احذف invoice_line_id.",
}

var noteWithoutOriginals = Refusal{
	Name:      "original of a note",
	Message:   "A credit or debit note needs original_invoice_reference.",
	Cause:     "The note does not say which invoices it corrects.",
	Fix:       "Send the uuids of the invoices.",
	MessageAR: "الإشعار الدائن أو المدين يحتاج إلى original_invoice_reference.",
	FixAR:     "أرسل معرّفات الفواتير الأصلية.",
}

var noteWithoutReason = Refusal{
	Name:      "reason of a note",
	Message:   "A credit or debit note needs a reason_id.",
	Cause:     "The law requires every note to state the reason for it.",
	Fix:       "Send the uuid of an active reason.",
	MessageAR: "الإشعار الدائن أو المدين يحتاج إلى سبب reason_id.",
	FixAR:     "أرسل معرّف سبب نشط.",
}

var unknownOriginal = Refusal{
	Name:      "unknown original",
	Message:   "Original invoice not found: %s",
	Cause:     "original_invoice_reference contains a UUID that is not a document of your organisation.",
	Fix:       "Send the uuid of an issued invoice; register an invoice of an older system first.",
	MessageAR: "الفاتورة الأصلية غير موجودة: %s",
	FixAR:     "أرسل معرّف فاتورة صادرة، وسجّل فواتير النظام السابق أولًا.",
}

var originalNotAccepted = Refusal{
	Name:      "original not accepted",
	Message:   "The original invoice %s has not been accepted by the authority.",
	Cause:     "Only a cleared or reported document can be corrected.",
	Fix:       "Wait until it is cleared or reported. Replace a rejected invoice by a new one instead of correcting it.",
	MessageAR: "الفاتورة الأصلية %s لم تقبلها الهيئة.",
	FixAR:     "انتظر اعتمادها أو الإبلاغ عنها. الفاتورة المرفوضة لا تُصحَّح بل تُصدر من جديد.",
}

var originalKind = Refusal{
	Name:      "kind of the original",
	Message:   "The original %s is a credit note and cannot be corrected by another note.",
	Cause:     "Notes correct tax invoices, advance payment invoices and debit notes.",
	Fix:       "Refer to the invoice itself.",
	MessageAR: "المستند الأصلي %s إشعار دائن ولا يُصحَّح بإشعار.",
	FixAR:     "أرسل معرّف الفاتورة نفسها.",
}

var originalDiffers = Refusal{
	Name:      "original of another sort",
	Message:   "The original invoice %s does not have the same %s as the note.",
	Cause:     "A note must have the same kind (standard or simplified), buyer and currency as the documents it corrects.",
	Fix:       "Send the same value, or refer to other originals.",
	MessageAR: "تختلف الفاتورة الأصلية %s عن الإشعار في: %s.",
	FixAR:     "أرسل القيمة نفسها أو سمِّ فواتير أخرى.",
}

var originalExceeded = Refusal{
	Name:      "credit above the original",
	Message:   "The credit of %s exceeds the remaining amount of %s of the original invoices.",
	Cause:     "All credit notes on an invoice together must not exceed it.",
	Fix:       "Reduce the amount of the credit note.",
	MessageAR: "مبلغ الإشعار %s أكبر من المتبقي من الفواتير الأصلية %s.",
	FixAR:     "خفّض مبلغ الإشعار الدائن.",
}

var unknownLine = Refusal{
	Name:      "original line",
	Message:   "invoice_line_id %s is not a line of the original invoices.",
	Cause:     "The line does not belong to any document in original_invoice_reference.",
	Fix:       "Send the uuid of a line, from GET /api/invoices/{invoice_id}/, or leave it out.",
	MessageAR: "البند %s ليس من بنود الفواتير الأصلية.",
	FixAR:     "أرسل معرّف بند من الفاتورة الأصلية أو احذف الحقل.",
}

var advanceCreditedAlone = Refusal{
	Name:      "credit note on an advance",
	Message:   "A credit note on an advance payment invoice must not refer to another invoice.",
	Cause:     "The remaining amount of an advance is tracked by VAT category.",
	Fix:       "Issue one credit note for each advance.",
	MessageAR: "الإشعار الدائن على فاتورة دفعة مقدمة يسمّيها وحدها.",
	FixAR:     "أصدر إشعارًا دائنًا لكل دفعة مقدمة.",
}

var originalTwice = Refusal{
	Name:      "original twice",
	Message:   "original_invoice_reference contains %s twice.",
	Cause:     "A note must refer to each document only once.",
	Fix:       "Name each invoice once.",
	MessageAR: "تكرّر %s في original_invoice_reference.",
	FixAR:     "اذكر كل فاتورة مرة واحدة.",
}

var advanceExceeded = Refusal{
	Name:      "credit of an advance by category",
	Message:   "The credit of %s in category %s at %s percent exceeds the remaining amount of the advance payment invoice %s.",
	Cause:     "The remaining amount of an advance is tracked by VAT category, rate and reason, and a credit note can only use what remains of each.",
	Fix:       "Use the categories, rates and reasons of the advance, with at most the remaining amount of each.",
	MessageAR: "الإشعار الدائن بمبلغ %s في الفئة %s بنسبة %s أكبر من المتبقي من فاتورة الدفعة المقدمة %s.",
	FixAR:     "استخدم فئات الضريبة ونسبها وأسبابها كما في فاتورة الدفعة المقدمة، وبما لا يزيد على المتبقي من كل منها.",
}

var prepaidDisagrees = Refusal{
	Name:      "advance payments",
	Message:   "The values of add_prepaid_amount and prepaid_invoices contradict each other.",
	Cause:     "add_prepaid_amount is true without prepaid_invoices, or false with them.",
	Fix:       "Send true and the uuids of the advance payment invoices, or false and [].",
	MessageAR: "الحقلان add_prepaid_amount و prepaid_invoices غير متفقين.",
	FixAR:     "أرسل true مع معرّفات فواتير الدفعات المقدمة، أو false مع [].",
}

var prepaidNotHere = Refusal{
	Name:      "advances on this document",
	Message:   "Advance payments are deducted from tax invoices (388) only.",
	Cause:     "type_code is not 388.",
	Fix:       "Send add_prepaid_amount false and prepaid_invoices [].",
	MessageAR: "تُخصم الدفعات المقدمة من الفواتير الضريبية (388) فقط.",
	FixAR:     "أرسل add_prepaid_amount بقيمة false و prepaid_invoices فارغًا [].",
}

var unknownAdvance = Refusal{
	Name:      "unknown advance",
	Message:   "Advance payment invoice not found: %s",
	Cause:     "prepaid_invoices contains a UUID that is not an advance payment invoice (386) of your organisation.",
	Fix:       "Send the uuid of an advance payment invoice (386).",
	MessageAR: "فاتورة الدفعة المقدمة غير موجودة: %s",
	FixAR:     "أرسل معرّف فاتورة من النوع 386.",
}

var advanceNotAccepted = Refusal{
	Name:      "advance not accepted",
	Message:   "The advance payment invoice %s has not been accepted by the authority.",
	Cause:     "Only a cleared or reported advance can be deducted.",
	Fix:       "Wait until it is cleared or reported.",
	MessageAR: "فاتورة الدفعة المقدمة %s لم تقبلها الهيئة.",
	FixAR:     "انتظر اعتمادها أو الإبلاغ عنها.",
}

var advanceDiffers = Refusal{
	Name:      "advance of another sort",
	Message:   "The advance payment invoice %s does not have the same %s as the invoice.",
	Cause:     "An advance can only be deducted from an invoice to the same buyer in the same currency.",
	Fix:       "Send the same value, or another advance.",
	MessageAR: "تختلف فاتورة الدفعة المقدمة %s عن الفاتورة في: %s.",
	FixAR:     "أرسل القيمة نفسها أو دفعة مقدمة أخرى.",
}

var advanceSpent = Refusal{
	Name:      "advance spent",
	Message:   "The advance payment invoice %s has already been deducted, or nothing remains of it.",
	Cause:     "An advance is deducted once and completely, less its credit notes.",
	Fix:       "Remove it from prepaid_invoices.",
	MessageAR: "خُصمت فاتورة الدفعة المقدمة %s من قبل أو لم يبقَ منها شيء.",
	FixAR:     "احذفها من الطلب.",
}

var advanceTwice = Refusal{
	Name:      "advance twice",
	Message:   "prepaid_invoices contains %s twice.",
	Cause:     "An advance can be deducted only once.",
	Fix:       "Name each advance once.",
	MessageAR: "تكرّر %s في prepaid_invoices.",
	FixAR:     "اذكر كل دفعة مقدمة مرة واحدة.",
}

var duplicate = Refusal{
	Name:      "duplicate",
	Message:   "You just submitted an invoice with the exact same data. Please wait %d seconds before retrying.",
	Cause:     "The same data was accepted less than five minutes ago.",
	Fix:       "The invoice was created; its path is in location. For two identical sales send two different Idempotency-Key headers.",
	MessageAR: "أرسلت قبل قليل فاتورة بالبيانات نفسها. انتظر %d ثانية قبل المحاولة مجددًا.",
	FixAR:     "راجع الفاتورة المذكورة في location فقد أُنشئت. ولبيعين متماثلين أرسل قيمتين مختلفتين في Idempotency-Key.",
}

var keyReused = Refusal{
	Name:      "idempotency key",
	Message:   "The Idempotency-Key was used with other data.",
	Cause:     "A key always belongs to the request it was first used with.",
	Fix:       "Send a new key with new data.",
	MessageAR: "استُخدم Idempotency-Key مع بيانات أخرى.",
	FixAR:     "أرسل قيمة جديدة مع البيانات الجديدة.",
}
