package rules

import (
	"regexp"
	"strings"
	"time"

	"khatm/codes"
	"khatm/ubl"
)

// formatRules are those of BR-KSA-F on dates, times, amounts and names.
var formatRules = []Rule{
	{
		ID: "BR-KSA-F-01", Flag: Error, Applies: Words{"each date", "كل تاريخ"},
		Says:  Words{"A date must be a valid calendar date from 2000 on, written YYYY-MM-DD.", "يجب أن يكون التاريخ ميلاديًا صحيحًا، من عام 2000 فما بعده، ومكتوبًا بالصيغة YYYY-MM-DD."},
		Fix:   Words{"Write the date as year, month and day with hyphens and without blanks, e.g. 2026-11-14.", "اكتب التاريخ بالسنة ثم الشهر ثم اليوم مفصولة بشرطات ودون مسافات، مثل 2026-11-14."},
		check: malformedDate,
	},
	{
		ID: "BR-KSA-F-02", Flag: Error, Applies: Words{"each discount and each charge", "كل خصم وكل رسم إضافي"},
		Says:  Words{"The indicator of a discount must be false, that of a charge true.", "يجب أن تكون قيمة ChargeIndicator هي false للخصم وtrue للرسم الإضافي."},
		Fix:   Words{"Write false or true into ChargeIndicator.", "اكتب في ChargeIndicator القيمة false للخصم أو true للرسم الإضافي."},
		Dead:  "a text that is neither true nor false makes the sheet abort before it evaluates this rule",
		check: neverReported,
	},
	{
		ID: "BR-KSA-F-04", Flag: Error, Applies: Words{"each amount and quantity, except the payable amount, the rounding and the net amounts of lines", "كل مبلغ وكمية، عدا المبلغ المستحق وفرق التقريب والمبالغ الصافية للبنود"},
		Says:  Words{"Amounts and quantities must not be negative.", "يجب ألا تكون المبالغ والكميات سالبة."},
		Fix:   Words{"Remove the minus sign. For a return, issue a credit note (`type_code` 381) with positive amounts.", "احذف إشارة السالب. وعند وجود مرتجع أصدر إشعارًا دائنًا (`type_code` 381) بمبالغ موجبة."},
		check: negativeAmount,
	},
	{
		ID: "BR-KSA-F-05", Flag: Warning, Applies: deductedAdvances,
		Says:  Words{"The time of a deducted advance payment invoice must be a time of day.", "يجب أن يكون وقت إصدار فاتورة الدفعة المقدمة المخصومة وقتًا صحيحًا."},
		Fix:   Words{"Write the time as hh:mm:ss, or hh:mm:ssZ for UTC, e.g. 19:20:30.", "اكتب الوقت بالصيغة hh:mm:ss، أو hh:mm:ssZ للتوقيت العالمي (UTC)، مثل 19:20:30."},
		check: malformedAdvanceTime,
	},
	{
		ID: "BR-KSA-F-C-01", Flag: Warning, Applies: eachLine,
		Says:  Words{"The name of an item must not consist of digits only.", "يجب ألا يتكون اسم السلعة أو الخدمة من أرقام فقط."},
		Fix:   Words{"Describe the goods or service in words in `item_name`.", "اكتب وصف السلعة أو الخدمة بالكلمات في `item_name`."},
		check: nameOfDigits,
	},
}

// malformedDate checks every date of the invoice, and the issue dates of the
// documents that it refers to.
func malformedDate(d *document, t *trial) {
	dateOf(t, "/Invoice", "/cbc:IssueDate", d.IssueDate)
	dateOf(t, "/Invoice", "/cbc:DueDate", d.DueDate)
	dateOf(t, "/Invoice", "/cbc:TaxPointDate", d.TaxPointDate)
	for i, v := range d.Deliveries {
		dateAt(t, "/Invoice/cac:Delivery", i, "/cbc:ActualDeliveryDate", v.ActualDeliveryDate)
		dateAt(t, "/Invoice/cac:Delivery", i, "/cbc:LatestDeliveryDate", v.LatestDeliveryDate)
	}
	for i, b := range d.BillingReferences {
		dateAt(t, "/Invoice/cac:BillingReference", i, "/cac:InvoiceDocumentReference/cbc:IssueDate", orEmpty(b.InvoiceDocumentReference).IssueDate)
	}
	datesOf(t, "/Invoice/cac:ContractDocumentReference", d.ContractDocumentReferences)
	datesOf(t, "/Invoice/cac:AdditionalDocumentReference", d.AdditionalDocumentReferences)
	for _, l := range d.lines {
		if len(l.DocumentReferences) > 0 {
			datesOf(t, l.path+"/cac:DocumentReference", l.DocumentReferences)
		}
	}
	strayDates(d, t)
}

func datesOf(t *trial, path string, references []*ubl.DocumentReference) {
	for i, r := range references {
		dateAt(t, path, i, "/cbc:IssueDate", r.IssueDate)
	}
}

func strayDates(d *document, t *trial) {
	if len(d.strays) == 0 {
		return
	}
	for _, name := range []string{"cbc:IssueDate", "cbc:DueDate", "cbc:TaxPointDate"} {
		for _, s := range d.straysNamed(name) {
			dateOf(t, s.path, "", &ubl.Text{Value: s.node.Text})
		}
	}
}

func dateOf(t *trial, within, name string, date *ubl.Text) {
	if isMalformed(t, date) {
		t.fail(within+name, date.Value, "YYYY-MM-DD")
	}
}

// dateAt is dateOf for an element within a repeated part.
func dateAt(t *trial, list string, i int, name string, date *ubl.Text) {
	if isMalformed(t, date) {
		t.fail(numbered(list, i)+name, date.Value, "YYYY-MM-DD")
	}
}

func isMalformed(t *trial, date *ubl.Text) bool {
	if date == nil {
		return false
	}
	t.seen()
	return !isDay(date.Value)
}

// isDay reports whether a text is a valid date from 2000 on. Like the sheet, it
// decides by the last two digits whether a year is a leap year: 2100 counts as
// one.
func isDay(text string) bool {
	if len(text) != len(time.DateOnly) || text[0] < '2' || text[0] > '9' || !asciiDigits(text[1:2], 1) {
		return false
	}
	_, err := time.Parse(time.DateOnly, "20"+text[2:])
	return err == nil
}

func negativeAmount(d *document, t *trial) {
	m := d.totals
	amountOf(t, totalsPath, "/cbc:LineExtensionAmount", m.LineExtensionAmount)
	amountOf(t, totalsPath, "/cbc:TaxExclusiveAmount", m.TaxExclusiveAmount)
	amountOf(t, totalsPath, "/cbc:TaxInclusiveAmount", m.TaxInclusiveAmount)
	amountOf(t, totalsPath, "/cbc:AllowanceTotalAmount", m.AllowanceTotalAmount)
	amountOf(t, totalsPath, "/cbc:ChargeTotalAmount", m.ChargeTotalAmount)
	amountOf(t, totalsPath, "/cbc:PrepaidAmount", m.PrepaidAmount)
	amountOf(t, exchangePath, "/cbc:CalculationRate", orEmpty(d.TaxExchangeRate).CalculationRate)
	adjustmentAmounts(t, d.adjustments)
	taxAmounts(t, "/Invoice", d.TaxTotals)
	for _, s := range d.subtotals {
		if normalize(s.category.ID.String()) != codes.NotSubjectToVAT {
			amountOf(t, s.path, "/cbc:TaxableAmount", s.TaxableAmount)
		}
		amountOf(t, s.path, "/cbc:TaxAmount", s.TaxAmount)
	}
	for _, l := range d.lines {
		negativeOnLine(l, t)
	}
	for _, s := range d.lineSubtotals {
		amountOf(t, s.path, "/cbc:TaxableAmount", s.TaxableAmount)
		amountOf(t, s.path, "/cbc:TaxAmount", s.TaxAmount)
	}
}

func negativeOnLine(l *line, t *trial) {
	amountOf(t, l.path, "/cbc:InvoicedQuantity", l.InvoicedQuantity)
	amountOf(t, l.path, "/cac:Price/cbc:PriceAmount", l.price.PriceAmount)
	adjustmentAmounts(t, l.adjustments)
	taxAmounts(t, l.path, l.TaxTotals)
	if len(l.price.AllowanceCharges) > 0 {
		adjustmentAmounts(t, adjustmentsOf(l.price.AllowanceCharges, l.path+"/cac:Price"))
	}
}

func adjustmentAmounts(t *trial, list []adjustment) {
	for _, a := range list {
		amountOf(t, a.path, "/cbc:Amount", a.Amount)
		amountOf(t, a.path, "/cbc:BaseAmount", a.BaseAmount)
	}
}

func taxAmounts(t *trial, within string, totals []*ubl.TaxTotal) {
	for i, total := range totals {
		if isNegative(total.TaxAmount) {
			t.fail(numbered(within+"/cac:TaxTotal", i)+"/cbc:TaxAmount", total.TaxAmount.Value, "0 or more")
		}
	}
}

func amountOf(t *trial, within, name string, amount *ubl.Text) {
	if amount == nil {
		return
	}
	t.seen()
	if isNegative(amount) {
		t.fail(within+name, amount.Value, "0 or more")
	}
}

// isNegative reports whether an amount is below zero. An empty amount is not;
// other rules require a number.
func isNegative(amount *ubl.Text) bool {
	text := amount.String()
	return text != "" && belowZero(text)
}

// clockTime matches the texts that the official processor accepts as xs:time:
// fractions, offsets up to 14:59 and 24:00:00 are valid.
var clockTime = regexp.MustCompile(`^(([01][0-9]|2[0-3])(:[0-5][0-9]){2}(\.[0-9]+)?|24:00:00(\.0+)?)(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])?$`)

func malformedAdvanceTime(d *document, t *trial) {
	for _, l := range d.lines {
		for i, r := range l.DocumentReferences {
			if r.IssueTime == nil {
				continue
			}
			t.seen()
			if !clockTime.MatchString(strings.Trim(r.IssueTime.Value, blanks)) {
				t.fail(numbered(l.path+"/cac:DocumentReference", i)+"/cbc:IssueTime", r.IssueTime.Value, "hh:mm:ss")
			}
		}
	}
}

func nameOfDigits(d *document, t *trial) {
	for _, l := range d.lines {
		if l.item.Name == nil {
			continue
		}
		t.seen()
		if name := l.item.Name.Value; allDigits(name) {
			t.fail(l.path+"/cac:Item/cbc:Name", name, "a name in words")
		}
	}
}
