package fault

// Codes about payments and refunds.
const (
	PaymentExceeds     Code = "payment_exceeds_balance"
	PaymentExceedsRest Code = "payment_exceeds_receipt"
	PaymentCurrency    Code = "payment_currency_differs"
	PaymentClient      Code = "payment_buyer_differs"
	PaymentOnNote      Code = "payment_on_credit_note"
	PaymentOnRejected  Code = "payment_on_rejected_invoice"
	PaymentUnused      Code = "payment_without_buyer"
	PaymentKeyReused   Code = "payment_key_reused"
	ReceiptNotFound    Code = "receipt_not_found"
	ReceiptReversed    Code = "receipt_reversed"
	ReceiptIsCredit    Code = "receipt_is_credit"
	RefundNotFound     Code = "refund_not_found"
	RefundOnInvoice    Code = "refund_not_on_credit_note"
	RefundExceeds      Code = "refund_exceeds_due"
	RefundTooEarly     Code = "credit_note_not_accepted"
	RefundReversed     Code = "refund_reversed"
)

var paymentEntries = []Entry{
	{
		Code: PaymentExceeds, Kind: Invalid,
		Says: "The payment is more than the balance of the invoice.", Fix: "Pay at most the balance; the rest of the payment can stay credit of the client.",
		SaysAR: "المبلغ المدفوع أكبر من الرصيد المتبقي للفاتورة.", FixAR: "سدّد ما لا يزيد على الرصيد المتبقي، ويمكن أن يبقى الباقي رصيدًا للعميل.",
	},
	{
		Code: PaymentExceedsRest, Kind: Invalid,
		Says: "The amounts for the invoices are more than what is left of the payment.", Fix: "Correct the amounts of the invoices or of the payment.",
		SaysAR: "مجموع مبالغ الفواتير أكبر من المتبقي من سند القبض.", FixAR: "صحّح مبالغ الفواتير أو مبلغ السند.",
	},
	{
		Code: PaymentCurrency, Kind: Invalid,
		Says: "The payment is in another currency than the invoice.", Fix: "Record the payment in the currency of the invoice, optionally with the amount received in SAR.",
		SaysAR: "عملة الدفعة تختلف عن عملة الفاتورة.", FixAR: "سجّل الدفعة بعملة الفاتورة، مع ذكر المبلغ المستلم بالريال إن شئت.",
	},
	{
		Code: PaymentClient, Kind: Invalid,
		Says: "The invoice is for another client than the payment, or only one of the two names a client.", Fix: "Send the client of the invoice, and record payments of several clients separately.",
		SaysAR: "عميل الفاتورة يختلف عن عميل الدفعة.", FixAR: "اذكر عميل الفاتورة، وسجّل دفعات كل عميل على حدة.",
	},
	{
		Code: PaymentOnNote, Kind: Invalid,
		Says: "A credit note cannot be paid.", Fix: "Record a refund on the credit note.",
		SaysAR: "لا تُسجَّل دفعة على إشعار دائن.", FixAR: "سجّل ردّ مبلغ على الإشعار الدائن.",
	},
	{
		Code: PaymentOnRejected, Kind: Conflict,
		Says: "The authority has rejected the invoice, so it cannot be paid.", Fix: "Correct the invoice, and record the payment on its replacement.",
		SaysAR: "رفضت الهيئة هذه الفاتورة، فلا تُسجَّل دفعة عليها.", FixAR: "صحّح الفاتورة وسجّل الدفعة على الفاتورة البديلة.",
	},
	{
		Code: PaymentUnused, Kind: Invalid,
		Says: "A part of the money would be credit, but no client is named.", Fix: "Name a client, or use the whole amount.",
		SaysAR: "سيبقى جزء من المبلغ رصيدًا دون عميل.", FixAR: "اذكر العميل، أو استخدم المبلغ كله.",
	},
	{
		Code: PaymentKeyReused, Kind: Invalid,
		Says: "The Idempotency-Key was already used for another payment or refund.", Fix: "Use a new key for new data.",
		SaysAR: "استُخدمت قيمة Idempotency-Key سابقًا لدفعة أخرى أو ردّ مبلغ آخر.", FixAR: "أرسل قيمة جديدة في Idempotency-Key مع البيانات الجديدة.",
	},
	{
		Code: ReceiptNotFound, Kind: NotFound,
		Says: "The receipt does not exist, or belongs to another organisation.", Fix: "Read the list of receipts again.",
		SaysAR: "سند القبض غير موجود.", FixAR: "اقرأ قائمة سندات القبض مرة أخرى.",
	},
	{
		Code: ReceiptReversed, Kind: Conflict,
		Says: "The receipt is reversed, or is a reversal.", Fix: "Record a new payment.",
		SaysAR: "سند القبض ملغى بقيد عكسي.", FixAR: "سجّل دفعة جديدة.",
	},
	{
		Code: ReceiptIsCredit, Kind: Conflict,
		Says: "The receipt is a refund that the client keeps as credit.", Fix: "Reverse the refund.",
		SaysAR: "هذا السند ردّ مبلغ أبقاه العميل رصيدًا له.", FixAR: "اعكس قيد ردّ المبلغ.",
	},
	{
		Code: RefundNotFound, Kind: NotFound,
		Says: "The refund does not exist, or belongs to another organisation.", Fix: "Read the refunds of the credit note again.",
		SaysAR: "ردّ المبلغ غير موجود.", FixAR: "اقرأ قائمة المبالغ المردودة على الإشعار الدائن مرة أخرى.",
	},
	{
		Code: RefundOnInvoice, Kind: Invalid,
		Says: "Refunds are recorded on credit notes only.", Fix: "Issue a credit note for the invoice, and record the refund on it. To correct a payment, reverse its receipt.",
		SaysAR: "لا يُسجَّل ردّ مبلغ إلا على إشعار دائن.", FixAR: "أصدر إشعارًا دائنًا للفاتورة وسجّل ردّ المبلغ عليه. لتصحيح دفعة، اعكس قيد سند قبضها.",
	},
	{
		Code: RefundExceeds, Kind: Invalid,
		Says: "The refund is more than what is due on the credit note.", Fix: "Refund at most refund_due of the credit note.",
		SaysAR: "المبلغ المردود أكبر من المستحق على الإشعار الدائن.", FixAR: "ردّ ما لا يزيد على المبلغ المستحق ردّه على الإشعار الدائن.",
	},
	{
		Code: RefundTooEarly, Kind: Conflict,
		Says: "The authority has not accepted the credit note, or has rejected it.", Fix: "Wait for its acceptance. If it was rejected, issue a new credit note.",
		SaysAR: "لم تقبل الهيئة الإشعار الدائن.", FixAR: "انتظر قبول الهيئة، وإن رفضته فأصدر إشعارًا دائنًا جديدًا.",
	},
	{
		Code: RefundReversed, Kind: Conflict,
		Says: "The refund is reversed, or is a reversal.", Fix: "Record a new refund.",
		SaysAR: "ردّ المبلغ ملغى بقيد عكسي.", FixAR: "سجّل ردّ مبلغ جديدًا.",
	},
}
