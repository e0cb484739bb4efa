package codes

// Title returns the title of a document of the given type.
func Title(documentType int, simplified bool) (Word, bool) {
	t, ok := titles.find(titleOf{documentType, simplified})
	return t.word, ok
}

type titleOf struct {
	documentType int
	simplified   bool
}

type title struct {
	of   titleOf
	word Word
}

var titles = listBy(func(t title) titleOf { return t.of }, []title{
	{titleOf{TaxInvoice, false}, Word{"tax_invoice", "Tax Invoice", "فاتورة ضريبية"}},
	{titleOf{TaxInvoice, true}, Word{"simplified_tax_invoice", "Simplified Tax Invoice", "فاتورة ضريبية مبسطة"}},
	{titleOf{CreditNote, false}, Word{"standard_credit_note", "Credit Note for Tax Invoice", "إشعار دائن لفاتورة ضريبية"}},
	{titleOf{CreditNote, true}, Word{"simplified_credit_note", "Credit Note for Simplified Tax Invoice", "إشعار دائن لفاتورة ضريبية مبسطة"}},
	{titleOf{DebitNote, false}, Word{"standard_debit_note", "Debit Note for Tax Invoice", "إشعار مدين لفاتورة ضريبية"}},
	{titleOf{DebitNote, true}, Word{"simplified_debit_note", "Debit Note for Simplified Tax Invoice", "إشعار مدين لفاتورة ضريبية مبسطة"}},
	{titleOf{AdvancePayment, false}, Word{"advance_payment_invoice", "Advance Payment Tax Invoice", "فاتورة ضريبية – دفعة مقدمة"}},
	{titleOf{AdvancePayment, true}, Word{"simplified_advance_payment_invoice", "Simplified Advance Payment Tax Invoice", "فاتورة ضريبية مبسطة – دفعة مقدمة"}},
})

func titleWords() []Word {
	var words []Word
	for _, t := range titles.rows {
		words = append(words, t.word)
	}
	return words
}
