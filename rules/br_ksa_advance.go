package rules

import (
	"slices"

	"khatm/codes"
	"khatm/ubl"
)

// advanceRules are those of BR-KSA on how an invoice deducts advance payments:
// by lines of amount 0 that refer to the advance payment invoice.
var advanceRules = []Rule{
	{
		ID: "BR-KSA-73", Flag: Warning, Applies: deductedAdvances,
		Says:  Words{"An invoice with a prepaid amount must refer to each advance payment invoice on a line: number, date, time and document type.", "يجب أن تتضمن الفاتورة التي فيها مبلغ مدفوع مقدمًا بندًا مستقلًا لكل فاتورة دفعة مقدمة، يُذكر فيه رقم فاتورة الدفعة المقدمة وتاريخها ووقتها ونوعها."},
		Fix:   Words{"List the advance payment invoices in `prepaid_invoices`. In the XML, give each cac:DocumentReference of a line its ID, IssueDate, IssueTime and DocumentTypeCode.", "أدرج فواتير الدفعات المقدمة في `prepaid_invoices`. وفي ملف XML أكمل العناصر ID وIssueDate وIssueTime وDocumentTypeCode في كل cac:DocumentReference داخل البند."},
		check: unnamedAdvance,
	},
	{
		ID: "BR-KSA-74", Flag: Error, Applies: deductedAdvances,
		Says:  Words{"A line that deducts an advance must refer to a document of the type 386.", "يجب أن يشير البند الذي تُخصم به دفعة مقدمة إلى مستند من النوع 386."},
		Fix:   Words{"Refer only to advance payment invoices (386) in `prepaid_invoices`; DocumentTypeCode must be 386.", "اقتصر في `prepaid_invoices` على فواتير الدفعات المقدمة (386)، واجعل قيمة DocumentTypeCode هي 386."},
		check: wrongAdvanceType,
	},
	{
		ID: "BR-KSA-75", Flag: Warning, Applies: deductedAdvances,
		Says:  Words{"A line that deducts an advance must give its taxable amount, VAT amount, VAT category and VAT rate.", "يجب أن يتضمن البند الذي تُخصم به دفعة مقدمة ما يأتي: المبلغ الخاضع للضريبة، ومبلغ الضريبة، وفئتها، ونسبتها."},
		Fix:   Words{"Add to the line a cac:TaxSubtotal with TaxableAmount, TaxAmount and a TaxCategory with ID and Percent.", "أضف إلى البند عنصر cac:TaxSubtotal يتضمن TaxableAmount وTaxAmount وTaxCategory، واكتب في TaxCategory العنصرين ID وPercent."},
		check: advanceWithoutVAT,
	},
	{
		ID: "BR-KSA-76", Flag: Warning, Applies: deductedAdvances,
		Says:  Words{"An advance in the category Z (zero rated) must have the VAT rate 0.", "يجب أن تكون نسبة الضريبة 0 للدفعة المقدمة من الفئة Z (الخاضعة لنسبة الصفر)."},
		Fix:   Words{"Write 0 as the Percent of the advance, or correct its category.", "اجعل نسبة الضريبة (Percent) للدفعة المقدمة 0، أو صحّح فئتها."},
		check: advanceRateNotZero(codes.ZeroRated),
	},
	{
		ID: "BR-KSA-77", Flag: Warning, Applies: deductedAdvances,
		Says:  Words{"An advance in the category E (exempt) must have the VAT rate 0.", "يجب أن تكون نسبة الضريبة 0 للدفعة المقدمة من الفئة E (المعفاة من الضريبة)."},
		Fix:   Words{"Write 0 as the Percent of the advance, or correct its category.", "اجعل نسبة الضريبة (Percent) للدفعة المقدمة 0، أو صحّح فئتها."},
		check: advanceRateNotZero(codes.Exempt),
	},
	{
		ID: "BR-KSA-78", Flag: Warning, Applies: deductedAdvances,
		Says:  Words{"An advance in the category O (not subject to VAT) must have the VAT rate 0.", "يجب أن تكون نسبة الضريبة 0 للدفعة المقدمة من الفئة O (خارج نطاق الضريبة)."},
		Fix:   Words{"Write 0 as the Percent of the advance, or correct its category.", "اجعل نسبة الضريبة (Percent) للدفعة المقدمة 0، أو صحّح فئتها."},
		check: advanceRateNotZero(codes.NotSubjectToVAT),
	},
}

// deducts reports whether there is a prepaid amount.
func (d *document) deducts() bool { return double(d.totals.PrepaidAmount.String()) > 0 }

// refersToAdvances reports whether any line refers to another document.
func (d *document) refersToAdvances() bool {
	return slices.ContainsFunc(d.Lines, func(l *ubl.Line) bool { return len(l.DocumentReferences) > 0 })
}

func unnamedAdvance(d *document, t *trial) {
	if !d.deducts() || len(d.lines) == 0 {
		return
	}
	t.seen()
	refers := d.refersToAdvances()
	for _, l := range d.lines {
		if !refers {
			t.fail(l.path+"/cac:DocumentReference", "", "the advance payment invoice")
		}
		for i, r := range l.DocumentReferences {
			if r.ID == nil || r.IssueDate == nil || r.IssueTime == nil || r.DocumentTypeCode == nil {
				t.fail(numbered(l.path+"/cac:DocumentReference", i), r.ID.String(), "number, date, time and type")
			}
		}
	}
}

func wrongAdvanceType(d *document, t *trial) {
	if !d.deducts() {
		return
	}
	for _, l := range d.lines {
		for i, r := range l.DocumentReferences {
			t.seen()
			if code := r.DocumentTypeCode; code != nil && normalize(code.Value) != advanceType {
				t.fail(numbered(l.path+"/cac:DocumentReference", i)+"/cbc:DocumentTypeCode", code.Value, advanceType)
			}
		}
	}
}

const advanceType = "386"

func advanceWithoutVAT(d *document, t *trial) {
	if !d.deducts() {
		return
	}
	for _, l := range d.lines {
		if len(l.DocumentReferences) == 0 {
			continue
		}
		t.seen()
		if missing := missingOfAdvance(l); missing != "" {
			for range l.DocumentReferences { // the sheet reports it at each of them
				t.fail(l.path+"/cac:TaxTotal/cac:TaxSubtotal"+missing, "", "a value")
			}
		}
	}
}

// missingOfAdvance returns the path of a value that no subtotal of the line
// has, or "".
func missingOfAdvance(l *line) string {
	var taxable, tax, id, percent bool
	for _, total := range l.TaxTotals {
		for _, s := range total.Subtotals {
			c := orEmpty(s.TaxCategory)
			taxable, tax = taxable || s.TaxableAmount != nil, tax || s.TaxAmount != nil
			id, percent = id || c.ID != nil, percent || c.Percent != nil
		}
	}
	switch {
	case !taxable:
		return "/cbc:TaxableAmount"
	case !tax:
		return "/cbc:TaxAmount"
	case !id:
		return "/cac:TaxCategory/cbc:ID"
	case !percent:
		return "/cac:TaxCategory/cbc:Percent"
	}
	return ""
}

func advanceRateNotZero(category string) func(*document, *trial) {
	return func(d *document, t *trial) {
		if !d.deducts() {
			return
		}
		for _, s := range d.lineSubtotals {
			if !isVAT(s.category, category) {
				continue
			}
			t.seen()
			if rate, ok := decimal(s.category.Percent.String()); !ok || !rate.IsZero() {
				t.fail(s.path+"/cac:TaxCategory/cbc:Percent", s.category.Percent.String(), "0")
			}
		}
	}
}
