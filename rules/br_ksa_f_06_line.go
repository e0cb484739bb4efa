package rules

import "khatm/ubl"

// lineLengthRules are the rules of BR-KSA-F-06 on lines.
var lineLengthRules = []Rule{
	lengthRule("BR-KSA-F-06-C17", Error, eachLine, "",
		Words{"identifier of a line", "معرّف البند"}, between(1, 6),
		onLines("/cbc:ID", func(l *line) *ubl.Text { return l.ID })),
	lengthRule("BR-KSA-F-06-C18", Warning, eachLine, "invoiced_quantity_unit_of_measure",
		Words{"unit of the quantity", "وحدة قياس الكمية"}, upTo(127), quantityUnits),
	lengthRule("BR-KSA-F-06-C19", Warning, eachLine, "item_name",
		Words{"name of an item", "اسم السلعة أو الخدمة"}, between(3, 1000),
		onLines("/cac:Item/cbc:Name", func(l *line) *ubl.Text { return l.item.Name })),
	lengthRule("BR-KSA-F-06-C20", Warning, wherePresent, "",
		Words{"standard identifier of an item", "المعرّف القياسي للسلعة أو الخدمة"}, upTo(127),
		onLines("/cac:Item/cac:StandardItemIdentification/cbc:ID", func(l *line) *ubl.Text { return orEmpty(l.item.StandardIdentification).ID })),
	lengthRule("BR-KSA-F-06-C21", Warning, wherePresent, "",
		Words{"unit of the base quantity of a price", "وحدة قياس الكمية الأساسية للسعر"}, upTo(127), priceUnits),
	lengthRule("BR-KSA-F-06-C30", Warning, wherePresent, "",
		Words{"buyer's identifier of an item", "معرّف السلعة أو الخدمة لدى المشتري"}, upTo(127),
		onLines("/cac:Item/cac:BuyersItemIdentification/cbc:ID", func(l *line) *ubl.Text { return orEmpty(l.item.BuyersIdentification).ID })),
	lengthRule("BR-KSA-F-06-C31", Warning, wherePresent, "",
		Words{"seller's identifier of an item", "معرّف السلعة أو الخدمة لدى البائع"}, upTo(127),
		onLines("/cac:Item/cac:SellersItemIdentification/cbc:ID", func(l *line) *ubl.Text { return orEmpty(l.item.SellersIdentification).ID })),
	lengthRule("BR-KSA-F-06-C34", Warning, eachLineCharge, "",
		Words{"reason for a charge on a line", "سبب الرسم الإضافي على مستوى البند"}, between(1, 1000), lineChargeReasons),
	lengthRule("BR-KSA-F-06-C36", Warning, eachLineAllowance, "",
		Words{"reason for a discount on a line", "سبب الخصم على مستوى البند"}, between(1, 1000), lineAllowanceReasons),
	counting(atStandardRates, lengthRule("BR-KSA-F-06-C39", Warning, deductedAdvances, "",
		Words{"VAT exemption reason of an advance", "سبب إعفاء الدفعة المقدمة من الضريبة"}, between(1, 1000),
		when((*document).hasStandardRate, advanceReasons))),
}

func quantityUnits(d *document, show func(within, name, text string)) {
	for _, l := range d.lines {
		if unit := l.InvoicedQuantity.Attr("unitCode"); unit != "" {
			show(l.path, "/cbc:InvoicedQuantity/@unitCode", unit)
		}
	}
}

func priceUnits(d *document, show func(within, name, text string)) {
	for _, l := range d.lines {
		if unit := l.price.BaseQuantity.Attr("unitCode"); unit != "" {
			show(l.path, "/cac:Price/cbc:BaseQuantity/@unitCode", unit)
		}
	}
}

func lineChargeReasons(d *document, show func(within, name, text string)) {
	for _, l := range d.lines {
		reasonsOf(show, l.adjustments, adjustment.isCharge)
	}
}

func lineAllowanceReasons(d *document, show func(within, name, text string)) {
	for _, l := range d.lines {
		reasonsOf(show, l.adjustments, adjustment.isAllowance)
	}
}

func advanceReasons(d *document, show func(within, name, text string)) {
	for _, s := range d.lineSubtotals {
		if !isUntaxed(s.category) || !underVAT(s.category) {
			continue
		}
		for _, reason := range s.category.TaxExemptionReasons {
			show(s.path, "/cac:TaxCategory/cbc:TaxExemptionReason", reason.Value)
		}
	}
}
