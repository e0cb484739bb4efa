package issue

import "khatm/service/internal/fault"

// Refusals of deductions from advances.

var advanceUnused = Refusal{
	Code:      fault.AdvanceUnused,
	Path:      "prepaid_invoices",
	Name:      "advance not needed",
	Message:   "Nothing of the advance payment invoice %s can be deducted from this invoice.",
	Cause:     "The invoice has no amount in the VAT categories and rates that are left of the advance, or the advances listed before it cover all of them.",
	Fix:       "Remove it from prepaid_invoices; it stays available to later invoices.",
	MessageAR: "لا يمكن خصم أي مبلغ من فاتورة الدفعة المقدمة %s من هذه الفاتورة.",
	FixAR:     "احذفها من prepaid_invoices، وستبقى متاحة للفواتير اللاحقة.",
}

var advanceVATExceeded = Refusal{
	Code:      fault.AdvanceVATExceeded,
	Name:      "VAT of a credit of an advance",
	Message:   "The credit has %s of VAT in category %s at %s percent, which would leave too little of the %s of VAT that is left of the advance payment invoice %s.",
	Cause:     "The VAT of each credit note is rounded. After several credit notes on one advance, the VAT that is left can be too little for the rest of the advance.",
	Fix:       "Change the amount of the credit note by a few hundredths, so that its VAT is 0.01 lower.",
	MessageAR: "ضريبة الإشعار الدائن %s في الفئة %s بنسبة %s في المئة لا تُبقي ما يكفي من الضريبة المتبقية وقدرها %s من فاتورة الدفعة المقدمة %s.",
	FixAR:     "غيّر مبلغ الإشعار الدائن بضعة أجزاء من المئة لتقل ضريبته بمقدار 0.01.",
}

var amountNotListed = Refusal{
	Code:      fault.AmountNotListed,
	Name:      "amount of an advance that is not listed",
	Message:   "prepaid_amounts.%d.prepaid_invoice: %s is not in prepaid_invoices.",
	Cause:     "prepaid_amounts sets the amount of an advance that the invoice does not deduct.",
	Fix:       "Add the uuid to prepaid_invoices, or remove the entry.",
	MessageAR: "prepaid_amounts.%d.prepaid_invoice: المعرّف %s غير مذكور في prepaid_invoices.",
	FixAR:     "أضف المعرّف إلى prepaid_invoices، أو احذف القيد.",
}

var amountTwice = Refusal{
	Code:      fault.AmountTwice,
	Name:      "amount of an advance twice",
	Message:   "prepaid_amounts.%d: the advance payment invoice %s already has an amount in category %s at %s percent.",
	Cause:     "Each advance has at most one entry for each VAT category and rate.",
	Fix:       "Send one entry with the total.",
	MessageAR: "prepaid_amounts.%d: لفاتورة الدفعة المقدمة %s مبلغ سابق في الفئة %s بنسبة %s في المئة.",
	FixAR:     "أرسل قيدًا واحدًا بالمجموع.",
}

var amountMissing = Refusal{
	Code:      fault.AmountMissing,
	Name:      "amount of an advance missing",
	Message:   "prepaid_amounts has no entry for the advance payment invoice %s.",
	Cause:     "prepaid_amounts must have at least one entry for each advance in prepaid_invoices.",
	Fix:       "Add an entry, remove the advance from prepaid_invoices, or leave prepaid_amounts out to deduct as much as possible.",
	MessageAR: "لا يحتوي prepaid_amounts على قيد لفاتورة الدفعة المقدمة %s.",
	FixAR:     "أضف قيدًا لها، أو احذفها من prepaid_invoices، أو احذف prepaid_amounts ليُخصم أكبر مبلغ ممكن.",
}

var amountAboveAdvance = Refusal{
	Code:      fault.AmountAboveAdvance,
	Name:      "amount above the advance",
	Message:   "prepaid_amounts.%d.amount: %s is more than the %s that is left of the advance payment invoice %s in category %s at %s percent.",
	Cause:     "An amount before VAT exceeds what earlier invoices and credit notes have left of the advance in this VAT category and rate.",
	Fix:       "Lower the amount, or leave prepaid_amounts out to deduct as much as possible.",
	MessageAR: "prepaid_amounts.%d.amount: المبلغ %s أكبر من المتبقي وقدره %s من فاتورة الدفعة المقدمة %s في الفئة %s بنسبة %s في المئة.",
	FixAR:     "خفّض المبلغ، أو احذف prepaid_amounts ليُخصم أكبر مبلغ ممكن.",
}

var amountAboveInvoice = Refusal{
	Code:      fault.AmountAboveInvoice,
	Name:      "amount above the invoice",
	Message:   "prepaid_amounts.%d.amount: %s is more than the %s of this invoice in category %s at %s percent that no other advance covers.",
	Cause:     "The amounts before VAT of all advances exceed the invoice in this VAT category and rate.",
	Fix:       "Lower the amount, or leave prepaid_amounts out to deduct as much as possible.",
	MessageAR: "prepaid_amounts.%d.amount: المبلغ %s أكبر من مبلغ هذه الفاتورة غير المغطى بدفعات أخرى وقدره %s في الفئة %s بنسبة %s في المئة.",
	FixAR:     "خفّض المبلغ، أو احذف prepaid_amounts ليُخصم أكبر مبلغ ممكن.",
}
