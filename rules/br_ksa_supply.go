package rules

import (
	"time"

	"khatm/ubl"
)

// supplyRules are those of the family BR-KSA on the date of supply.
var supplyRules = []Rule{
	{
		ID: "BR-KSA-15", Flag: Warning, Applies: standardTaxInvoices,
		Says:  Words{"A standard tax invoice must give the date of supply.", "يجب أن تتضمن الفاتورة الضريبية (غير المبسطة) تاريخ التوريد."},
		Fix:   Words{"Give the date of supply (`supply_date`), cbc:ActualDeliveryDate in the XML.", "أدخل تاريخ التوريد (`supply_date`)، وهو العنصر cbc:ActualDeliveryDate في ملف XML."},
		check: missingSupplyDate,
	},
	{
		ID: "BR-KSA-35", Flag: Warning, Applies: supplyWithEnd,
		Says:  Words{"A supply that has an end date must also have a start date.", "إذا ذُكر تاريخ انتهاء التوريد فيجب ذكر تاريخ بدايته."},
		Fix:   Words{"Give the date of supply (`supply_date`), or remove its end date (`supply_end_date`).", "أدخل تاريخ التوريد (`supply_date`)، أو احذف تاريخ انتهاء التوريد (`supply_end_date`)."},
		check: supplyEndWithoutStart,
	},
	{
		ID: "BR-KSA-36", Flag: Warning, Applies: supplyWithEnd,
		Says:  Words{"The end date of a supply must not be before its start date.", "يجب ألا يسبق تاريخ انتهاء التوريد تاريخ بدايته."},
		Fix:   Words{"Correct the order of the two dates: `supply_date` first, `supply_end_date` on the same day or later.", "صحّح ترتيب تاريخي التوريد: `supply_date` أولًا، ثم `supply_end_date` في اليوم نفسه أو بعده."},
		check: supplyEndsBeforeStart,
	},
	{
		ID: "BR-KSA-72", Flag: Error, Applies: Words{"simplified summary invoices to a buyer in Saudi Arabia", "الفواتير الضريبية المبسطة الملخصة الصادرة لمشترٍ داخل المملكة"},
		Says:  Words{"A simplified summary invoice must give the first and the last date of its supplies.", "يجب أن تتضمن الفاتورة الضريبية المبسطة الملخصة تاريخ بداية التوريد وتاريخ انتهائه."},
		Fix:   Words{"Give both dates (`supply_date`, `supply_end_date`), or set the sixth digit of the transaction code to 0.", "أدخل تاريخي البداية والانتهاء (`supply_date` و`supply_end_date`)، أو اجعل الخانة السادسة من رمز المعاملة 0."},
		check: together(summaryWithoutPeriod),
	},
}

var supplyWithEnd = Words{"each supply with an end date", "كل توريد له تاريخ انتهاء"}

// supply is a delivery, of the document or of a line.
type supply struct {
	path       string
	start, end *ubl.Text
}

// supplies returns the deliveries of the document, followed by those of lines.
func (d *document) supplies() []supply {
	var all []supply
	for i, s := range d.Deliveries {
		all = append(all, supply{numbered("/Invoice/cac:Delivery", i), s.ActualDeliveryDate, s.LatestDeliveryDate})
	}
	for _, s := range d.straysNamed("cac:Delivery") {
		all = append(all, supply{s.path, leaf(s.node, "cbc:ActualDeliveryDate"), leaf(s.node, "cbc:LatestDeliveryDate")})
	}
	return all
}

func missingSupplyDate(d *document, t *trial) {
	if !d.beginsWith("01") || d.typeCode != "388" {
		return
	}
	t.seen()
	for _, s := range d.supplies() {
		if normalize(s.start.String()) != "" {
			return
		}
	}
	t.fail("/Invoice/cac:Delivery[1]/cbc:ActualDeliveryDate", "", "the date of supply")
}

func supplyEndWithoutStart(d *document, t *trial) {
	for _, s := range d.supplies() {
		if s.end == nil {
			continue
		}
		t.seen()
		if normalize(s.start.String()) == "" {
			t.fail(s.path+"/cbc:ActualDeliveryDate", s.start.String(), "the date on which the supply began")
		}
	}
}

func supplyEndsBeforeStart(d *document, t *trial) {
	for _, s := range d.supplies() {
		if !isPlainDate(s.start.String()) || !isPlainDate(s.end.String()) {
			continue // BR-KSA-F-01 reports malformed dates
		}
		t.seen()
		if s.end.Value < s.start.Value {
			t.fail(s.path+"/cbc:LatestDeliveryDate", s.end.Value, "a date not before "+s.start.Value)
		}
	}
}

// isPlainDate reports whether a text is a day of the years 1800 to 2099, without
// a time zone and without blanks.
func isPlainDate(text string) bool {
	day, err := time.Parse(time.DateOnly, text)
	return err == nil && day.Year() >= 1800 && day.Year() <= 2099
}

// summaryWithoutPeriod reports summary invoices without the dates of the first
// and the last supply. It applies to buyers in Saudi Arabia only: its context
// in the sheet is the country of the buyer.
func summaryWithoutPeriod(d *document, t *trial) {
	if !d.buyerInSaudiArabia() || !d.anyName(summaryName) {
		return
	}
	t.seen()
	var starts, ends bool
	for _, s := range d.supplies() {
		starts = starts || s.start != nil
		ends = ends || s.end != nil
	}
	if !starts {
		t.fail("/Invoice/cac:Delivery[1]/cbc:ActualDeliveryDate", "", "the date of the first supply")
	}
	if !ends {
		t.fail("/Invoice/cac:Delivery[1]/cbc:LatestDeliveryDate", "", "the date of the last supply")
	}
}
