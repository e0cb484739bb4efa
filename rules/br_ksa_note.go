package rules

// noteRules are those of the family BR-KSA on credit and debit notes.
var noteRules = []Rule{
	{
		ID: "BR-KSA-17", Flag: Error, Applies: creditAndDebitNotes,
		Says:  Words{"A credit or debit note must give the reason for its issue.", "يجب أن يتضمن الإشعار الدائن أو المدين سبب إصداره."},
		Fix:   Words{"Give the reason (`reason`); in the XML it is cbc:InstructionNote of each cac:PaymentMeans.", "أدخل سبب الإصدار (`reason`)، وهو في ملف XML العنصر cbc:InstructionNote في كل عنصر cac:PaymentMeans."},
		check: noteWithoutReason,
	},
	{
		ID: "BR-KSA-56", Flag: Warning, Applies: creditAndDebitNotes,
		Says:  Words{"A credit or debit note must refer to the invoice that it corrects.", "يجب أن يشير الإشعار الدائن أو المدين إلى رقم الفاتورة الأصلية التي يصححها."},
		Fix:   Words{"Give the number of each original invoice (`original_invoice_reference`, `ref_num`).", "أدخل رقم كل فاتورة أصلية (`original_invoice_reference`، `ref_num`)."},
		check: noteWithoutOriginal,
	},
}

// noteWithoutReason reports notes without a reason. An empty reason passes, as
// in the sheet; BR-KSA-F-06-C13 warns about it.
func noteWithoutReason(d *document, t *trial) {
	if !d.isNote() {
		return
	}
	t.seen()
	if len(d.PaymentMeans) == 0 {
		t.fail("/Invoice/cac:PaymentMeans/cbc:InstructionNote", "", "the reason")
	}
	for i, p := range d.PaymentMeans {
		if len(p.InstructionNotes) == 0 {
			t.fail(numbered("/Invoice/cac:PaymentMeans", i)+"/cbc:InstructionNote", "", "the reason")
		}
	}
	for _, s := range d.straysNamed("cac:PaymentMeans") {
		if s.node.Child("cbc:InstructionNote") == nil {
			t.fail(s.path+"/cbc:InstructionNote", "", "the reason")
		}
	}
}

// noteWithoutOriginal reports notes that do not refer to an invoice. References
// of lines count too.
func noteWithoutOriginal(d *document, t *trial) {
	if !d.isNote() {
		return
	}
	t.seen()
	ofLines := d.straysNamed("cac:BillingReference")
	if len(d.BillingReferences)+len(ofLines) == 0 {
		t.fail("/Invoice/cac:BillingReference/cac:InvoiceDocumentReference/cbc:ID", "", "the number of the original invoice")
	}
	for i, b := range d.BillingReferences {
		if orEmpty(b.InvoiceDocumentReference).ID.String() == "" {
			missingOriginal(t, numbered("/Invoice/cac:BillingReference", i))
		}
	}
	for _, s := range ofLines {
		if n := s.node.Child("cac:InvoiceDocumentReference"); leaf(orEmpty(n), "cbc:ID").String() == "" {
			missingOriginal(t, s.path)
		}
	}
}

func missingOriginal(t *trial, path string) {
	t.fail(path+"/cac:InvoiceDocumentReference/cbc:ID", "", "the number of the original invoice")
}
