package rules

import "khatm/ubl"

// lineCoreRules are the rules of the family BR on lines.
var lineCoreRules = []Rule{
	{
		ID: "BR-21", Flag: Warning, Applies: eachLine,
		Says:  Words{"Each line must have an identifier.", "يجب أن يكون لكل بند معرّف."},
		Fix:   Words{"Number the lines in cbc:ID: 1, 2, 3 …; the service numbers them.", "رقّم البنود في العنصر cbc:ID بالتسلسل: 1، 2، 3 … (ترقّمها الخدمة تلقائيًا)."},
		check: missingLineID,
	},
	{
		ID: "BR-22", Flag: Error, Applies: eachLine,
		Says:  Words{"Each line must have a quantity, and it must not be written as a plain 0.", "يجب أن يتضمن كل بند كمية، ولا تُقبل الكمية المكتوبة 0 دون منازل عشرية."},
		Fix:   Words{"Give the quantity in `invoiced_quantity` (cbc:InvoicedQuantity). For a line that deducts an advance, write 0.00.", "أدخل الكمية في الحقل `invoiced_quantity` (العنصر cbc:InvoicedQuantity). وفي البند الذي تُخصم به دفعة مقدمة اكتب الكمية 0.00."},
		check: missingQuantity,
	},
	{
		ID: "BR-24", Flag: Error, Applies: eachLine,
		Says:  Words{"Each line must state its net amount.", "يجب أن يتضمن كل بند مبلغه الصافي."},
		Fix:   Words{"Write the amount of the line without VAT into cbc:LineExtensionAmount; the service computes it.", "اكتب مبلغ البند غير الشامل للضريبة في العنصر cbc:LineExtensionAmount (تحسبه الخدمة تلقائيًا)."},
		check: missingInLine("/cbc:LineExtensionAmount", "an amount", func(l *line) *ubl.Text { return l.LineExtensionAmount }),
	},
	{
		ID: "BR-25", Flag: Warning, Applies: eachLine,
		Says:  Words{"Each line must have the name of the item.", "يجب أن يتضمن كل بند اسم السلعة أو الخدمة."},
		Fix:   Words{"Name the goods or the service in `item_name` (cac:Item/cbc:Name).", "أدخل اسم السلعة أو الخدمة في الحقل `item_name` (العنصر cac:Item/cbc:Name)."},
		check: missingItemName,
	},
	{
		ID: "BR-26", Flag: Error, Applies: eachLine,
		Says:  Words{"Each line must state the net price of one unit.", "يجب أن يتضمن كل بند سعر الوحدة الصافي."},
		Fix:   Words{"Give the price of one unit without VAT in `item_net_price` (cac:Price/cbc:PriceAmount).", "أدخل سعر الوحدة غير الشامل للضريبة في الحقل `item_net_price` (العنصر cac:Price/cbc:PriceAmount)."},
		check: missingInLine("/cac:Price/cbc:PriceAmount", "an amount", func(l *line) *ubl.Text { return l.price.PriceAmount }),
	},
	{
		ID: "BR-54", Flag: Error, Applies: Words{"each property of an item", "كل خاصية من خصائص السلعة أو الخدمة"},
		Says:  Words{"A property of an item must have a name and a value.", "يجب أن يكون لكل خاصية من خصائص السلعة أو الخدمة اسم وقيمة."},
		Fix:   Words{"Add cbc:Name and cbc:Value to the cac:AdditionalItemProperty, or remove it.", "أضف cbc:Name وcbc:Value إلى العنصر cac:AdditionalItemProperty أو احذفه."},
		check: halfProperty,
	},
}

// missingInLine returns a check for lines where an element is absent; an empty
// element passes.
func missingInLine(name, want string, text func(*line) *ubl.Text) func(*document, *trial) {
	return func(d *document, t *trial) {
		for _, l := range d.lines {
			t.seen()
			if text(l) == nil {
				t.fail(l.path+name, "", want)
			}
		}
	}
}

func missingLineID(d *document, t *trial) {
	for _, l := range d.lines {
		t.seen()
		if l.ID.String() == "" {
			t.fail(l.path+"/cbc:ID", "", "an identifier")
		}
	}
}

// missingQuantity reports lines without a quantity. It compares the text and
// not the number: 0.00 and an empty element pass.
func missingQuantity(d *document, t *trial) {
	for _, l := range d.lines {
		t.seen()
		if l.InvoicedQuantity == nil || l.InvoicedQuantity.Value == "0" {
			t.fail(l.path+"/cbc:InvoicedQuantity", l.InvoicedQuantity.String(), "a quantity")
		}
	}
}

func missingItemName(d *document, t *trial) {
	for _, l := range d.lines {
		t.seen()
		if l.item.Name.String() == "" {
			t.fail(l.path+"/cac:Item/cbc:Name", "", "a name")
		}
	}
}

func halfProperty(d *document, t *trial) {
	for _, l := range d.lines {
		for i, p := range l.item.Properties {
			t.seen()
			if p.Name == nil || p.Value == nil {
				t.fail(numbered(l.path+"/cac:Item/cac:AdditionalItemProperty", i), p.Name.String(), "a name and a value")
			}
		}
	}
	for _, s := range d.straysNamed("cac:AdditionalItemProperty") {
		t.seen()
		if s.node.Child("cbc:Name") == nil || s.node.Child("cbc:Value") == nil {
			t.fail(s.path, leaf(s.node, "cbc:Name").String(), "a name and a value")
		}
	}
}
