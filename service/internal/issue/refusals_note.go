package issue

import "khatm/service/internal/fault"

// Refusals of credit and debit notes, of advances and of repeated requests.

var strayOriginals = Refusal{
	Code:      fault.StrayOriginals,
	Path:      "original_invoice_reference",
	Name:      "original of a tax invoice",
	Message:   "original_invoice_reference must be [] on a tax invoice.",
	Cause:     "Only credit and debit notes correct other documents.",
	Fix:       "Send [], or issue a credit note (381) or a debit note (383).",
	MessageAR: "يجب أن يكون الحقل original_invoice_reference فارغًا [] في الفاتورة الضريبية.",
	FixAR:     "أرسل []، أو أصدر إشعارًا دائنًا (381) أو إشعارًا مدينًا (383).",
}

var strayLineReference = Refusal{
	Code:      fault.StrayLineReference,
	Name:      "original line of a tax invoice",
	Message:   "invoice_line_id is for credit and debit notes only.",
	Cause:     "A line of a tax or advance payment invoice references a line of another document.",
	Fix:       "Leave invoice_line_id out.",
	MessageAR: "الحقل invoice_line_id للإشعارات الدائنة والمدينة فقط.",
	FixAR:     "احذف invoice_line_id.",
}

var noteWithoutOriginals = Refusal{
	Code:      fault.NoteWithoutOriginals,
	Path:      "original_invoice_reference",
	Name:      "original of a note",
	Message:   "A credit or debit note needs original_invoice_reference.",
	Cause:     "The note does not say which invoices it corrects.",
	Fix:       "Send the uuids of the invoices.",
	MessageAR: "يجب أن يحدد الإشعار الدائن أو المدين الفواتير الأصلية في الحقل original_invoice_reference.",
	FixAR:     "أرسل معرّفات الفواتير الأصلية.",
}

var noteWithoutReason = Refusal{
	Code:      fault.NoteWithoutReason,
	Path:      "reason_id",
	Name:      "reason of a note",
	Message:   "A credit or debit note needs a reason_id.",
	Cause:     "Every credit or debit note must state the reason for issuing it.",
	Fix:       "Send the uuid of an active reason; reasons lists them.",
	MessageAR: "يجب تحديد سبب الإشعار الدائن أو المدين في الحقل reason_id.",
	FixAR:     "أرسل في reason_id معرّف سبب نشط من الأسباب المذكورة في reasons.",
}

var unknownOriginal = Refusal{
	Code:      fault.UnknownOriginal,
	Path:      "original_invoice_reference",
	Name:      "unknown original",
	Message:   "Original invoice not found: %s",
	Cause:     "original_invoice_reference contains an id that is not a document of your organisation.",
	Fix:       "Send the uuid of an issued invoice; register invoices of an older system first.",
	MessageAR: "الفاتورة الأصلية %s غير موجودة.",
	FixAR:     "أرسل معرّف فاتورة صادرة. وإن كانت من نظام سابق فسجّلها أولًا.",
}

var originalNotAccepted = Refusal{
	Code:      fault.OriginalNotAccepted,
	Path:      "original_invoice_reference",
	Name:      "original not accepted",
	Message:   "The original invoice %s has not been accepted by the authority.",
	Cause:     "Only a cleared or reported document can be corrected.",
	Fix:       "Wait until it is cleared or reported. Do not correct a rejected invoice; issue a new one.",
	MessageAR: "لم تقبل الهيئة الفاتورة الأصلية %s حتى الآن.",
	FixAR:     "انتظر حتى تعتمد الهيئة الفاتورة الأصلية أو تُبلَّغ بها. ولا تصحّح فاتورة مرفوضة، بل أصدر فاتورة جديدة.",
}

var originalKind = Refusal{
	Code:      fault.OriginalKind,
	Path:      "original_invoice_reference",
	Name:      "kind of the original",
	Message:   "The original %s is a credit note and cannot be corrected by another note.",
	Cause:     "Notes correct tax invoices, advance payment invoices and debit notes.",
	Fix:       "Send the uuid of the invoice itself.",
	MessageAR: "المستند الأصلي %s إشعار دائن، ولا يجوز تصحيحه بإشعار آخر.",
	FixAR:     "أرسل معرّف الفاتورة الأصلية، لا معرّف الإشعار الدائن.",
}

var originalDiffers = Refusal{
	Code:      fault.OriginalDiffers,
	Path:      "original_invoice_reference",
	Name:      "original and note differ",
	Message:   "The original invoice %s and the note differ in %s.",
	Cause:     "A note must have the same kind (standard or simplified), buyer and currency as the invoice it corrects.",
	Fix:       "Send the same value, or reference other invoices.",
	MessageAR: "تختلف الفاتورة الأصلية %s عن الإشعار في الحقل %s.",
	FixAR:     "أرسل في الإشعار قيمة الحقل الواردة في الفاتورة الأصلية، أو حدّد فواتير أصلية أخرى.",
}

var originalExceeded = Refusal{
	Code:      fault.OriginalExceeded,
	Name:      "credit above the original",
	Message:   "The credit of %s is more than the %s that is left of the original invoices.",
	Cause:     "The credit notes on an invoice must not exceed its total.",
	Fix:       "Lower the amount of the credit note.",
	MessageAR: "مبلغ الإشعار الدائن %s أكبر من المبلغ المتبقي من الفواتير الأصلية، وهو %s.",
	FixAR:     "خفّض مبلغ الإشعار الدائن.",
}

var unknownLine = Refusal{
	Code:      fault.UnknownLine,
	Name:      "original line",
	Message:   "invoice_line_id %s is not a line of the original invoices.",
	Cause:     "The line does not belong to any document in original_invoice_reference.",
	Fix:       "Send the uuid of a line, from GET /api/invoices/{invoice_id}/, or leave invoice_line_id out.",
	MessageAR: "البند %s ليس من بنود الفواتير الأصلية.",
	FixAR:     "أرسل معرّف بند من الفاتورة الأصلية، أو احذف الحقل invoice_line_id.",
}

var advanceCreditedAlone = Refusal{
	Code:      fault.AdvanceCreditedAlone,
	Path:      "original_invoice_reference",
	Name:      "credit note on an advance",
	Message:   "A credit note on an advance payment invoice must not reference another invoice.",
	Cause:     "The remainder of an advance is tracked by VAT category.",
	Fix:       "Issue one credit note for each advance.",
	MessageAR: "يجب ألا يشير الإشعار الدائن على دفعة مقدمة إلى فاتورة أخرى.",
	FixAR:     "أصدر إشعارًا دائنًا مستقلًا لكل دفعة مقدمة.",
}

var originalTwice = Refusal{
	Code:      fault.OriginalTwice,
	Path:      "original_invoice_reference",
	Name:      "original twice",
	Message:   "original_invoice_reference contains %s twice.",
	Cause:     "Each corrected document may be listed only once.",
	Fix:       "List each invoice once.",
	MessageAR: "وردت الفاتورة %s مرتين في original_invoice_reference.",
	FixAR:     "اذكر كل فاتورة مرة واحدة.",
}

var advanceExceeded = Refusal{
	Code:      fault.AdvanceExceeded,
	Name:      "credit of an advance by category",
	Message:   "The credit of %s in category %s at %s percent is more than the %s that is left of the advance payment invoice %s.",
	Cause:     "What is left of an advance, after its deductions and credit notes, is tracked by VAT category, rate and reason; a credit note cannot exceed it in any of them.",
	Fix:       "Credit only the categories, rates and reasons of the advance, and at most what is left of each.",
	MessageAR: "مبلغ الإشعار الدائن %s في الفئة %s بنسبة %s في المئة أكبر من المتبقي وقدره %s من فاتورة الدفعة المقدمة %s.",
	FixAR:     "اجعل فئات الضريبة ونسبها وأسبابها في الإشعار الدائن كما في فاتورة الدفعة المقدمة، ولا تتجاوز المبلغ المتبقي في أي منها.",
}

var prepaidDisagrees = Refusal{
	Code:      fault.PrepaidDisagrees,
	Path:      "prepaid_invoices",
	Name:      "advance payments",
	Message:   "add_prepaid_amount and prepaid_invoices contradict each other.",
	Cause:     "add_prepaid_amount is true without prepaid_invoices, or false with them.",
	Fix:       "Send true and the uuids of the advance payment invoices, or false and [].",
	MessageAR: "قيمتا الحقلين add_prepaid_amount وprepaid_invoices متعارضتان.",
	FixAR:     "أرسل true مع معرّفات فواتير الدفعات المقدمة، أو false مع [].",
}

var prepaidNotHere = Refusal{
	Code:      fault.PrepaidNotHere,
	Path:      "prepaid_invoices",
	Name:      "advances on this document",
	Message:   "Advance payments are deducted from tax invoices (388) only.",
	Cause:     "type_code is not 388.",
	Fix:       "Send add_prepaid_amount false and prepaid_invoices [].",
	MessageAR: "تُخصم الدفعات المقدمة من الفواتير الضريبية (388) فقط.",
	FixAR:     "أرسل add_prepaid_amount بقيمة false وprepaid_invoices فارغًا [].",
}

var unknownAdvance = Refusal{
	Code:      fault.UnknownAdvance,
	Path:      "prepaid_invoices",
	Name:      "unknown advance",
	Message:   "Advance payment invoice not found: %s",
	Cause:     "prepaid_invoices contains an id that is not an advance payment invoice (386) of your organisation.",
	Fix:       "Send the uuid of an advance payment invoice (386).",
	MessageAR: "فاتورة الدفعة المقدمة %s غير موجودة.",
	FixAR:     "أرسل معرّف فاتورة دفعة مقدمة (386).",
}

var advanceNotAccepted = Refusal{
	Code:      fault.AdvanceNotAccepted,
	Path:      "prepaid_invoices",
	Name:      "advance not accepted",
	Message:   "The advance payment invoice %s has not been accepted by the authority.",
	Cause:     "Only a cleared or reported advance can be deducted.",
	Fix:       "Wait until it is cleared or reported.",
	MessageAR: "لم تقبل الهيئة فاتورة الدفعة المقدمة %s حتى الآن.",
	FixAR:     "انتظر حتى تعتمد الهيئة فاتورة الدفعة المقدمة أو تُبلَّغ بها.",
}

var advanceDiffers = Refusal{
	Code:      fault.AdvanceDiffers,
	Path:      "prepaid_invoices",
	Name:      "advance and invoice differ",
	Message:   "The advance payment invoice %s and the invoice differ in %s.",
	Cause:     "An advance can only be deducted from an invoice to the same buyer in the same currency.",
	Fix:       "Send the same value, or another advance.",
	MessageAR: "تختلف فاتورة الدفعة المقدمة %s عن الفاتورة في الحقل %s.",
	FixAR:     "أرسل قيمة الحقل الواردة في فاتورة الدفعة المقدمة، أو حدّد دفعة مقدمة أخرى.",
}

var advanceSpent = Refusal{
	Code:      fault.AdvanceSpent,
	Path:      "prepaid_invoices",
	Name:      "advance spent",
	Message:   "Nothing is left of the advance payment invoice %s.",
	Cause:     "Invoices have deducted all of the advance, or credit notes have credited it.",
	Fix:       "Remove it from prepaid_invoices.",
	MessageAR: "لم يبقَ شيء من فاتورة الدفعة المقدمة %s.",
	FixAR:     "احذف فاتورة الدفعة المقدمة المذكورة من prepaid_invoices.",
}

var advanceTwice = Refusal{
	Code:      fault.AdvanceTwice,
	Path:      "prepaid_invoices",
	Name:      "advance twice",
	Message:   "prepaid_invoices contains %s twice.",
	Cause:     "Each advance may be listed only once.",
	Fix:       "List each advance once.",
	MessageAR: "وردت الدفعة المقدمة %s مرتين في prepaid_invoices.",
	FixAR:     "اذكر كل دفعة مقدمة مرة واحدة.",
}

var duplicate = Refusal{
	Code:      fault.DuplicateInvoice,
	Name:      "duplicate",
	Message:   "You just submitted an invoice with the exact same data. Please wait %d seconds before retrying.",
	Cause:     "The same data was accepted less than five minutes ago.",
	Fix:       "Look at the invoice named in location: it was created. For two identical sales, send different Idempotency-Key headers.",
	MessageAR: "أرسلت قبل قليل فاتورة بالبيانات نفسها. الوقت المتبقي قبل إعادة المحاولة بالثواني: %d.",
	FixAR:     "راجع الفاتورة المذكورة في location، فقد أُنشئت. ولعمليتي بيع متماثلتين أرسل قيمتين مختلفتين في Idempotency-Key.",
}

var keyReused = Refusal{
	Code:      fault.KeyReused,
	Name:      "idempotency key",
	Message:   "The Idempotency-Key was already used with other data.",
	Cause:     "A key identifies one request permanently.",
	Fix:       "Use a new key for new data.",
	MessageAR: "استُخدمت قيمة Idempotency-Key سابقًا مع بيانات أخرى.",
	FixAR:     "أرسل قيمة جديدة في Idempotency-Key مع البيانات الجديدة.",
}
