package api

import (
	"strings"

	"khatm/service/internal/codec"
	"khatm/service/internal/wire"
)

// Ids in the examples. Callers must replace them with their own.
const (
	exampleDevice   = "01a1de6f-5280-7005-bc9e-9603932172b1"
	exampleSeller   = "01a1de6f-5280-7005-bc9e-9603932172b2"
	exampleBuyer    = "01a1de6f-5280-7005-bc9e-9603932172b3"
	exampleForeign  = "01a1de6f-5280-7005-bc9e-9603932172b4"
	exampleItemID   = "01a1de6f-5280-7005-bc9e-9603932172b5"
	exampleReason   = "01a1de6f-5280-7005-bc9e-9603932172b6"
	exampleOriginal = "01a1de6f-5280-7005-bc9e-9603932172b7"
	exampleAdvance  = "01a1de6f-5280-7005-bc9e-9603932172b8"
)

// exampleIDs says where a caller gets each id from.
var exampleIDs = []struct{ id, source string }{
	{exampleDevice, "`device` and `seller`: `device_id` and `seller_id` of a device from `GET /api/devices/` whose `device_status` is `pcsid_generated` and whose `invoice_type` allows the document"},
	{exampleBuyer, "`buyer`: `uuid` of a client with a VAT number, from `GET /api/buyers/`"},
	{exampleForeign, "`buyer`: `uuid` of a client outside Saudi Arabia with an `additional_buyer_id`, from `GET /api/buyers/`"},
	{exampleItemID, "`item_id`: `uuid` of an active item, from `GET /api/items/`"},
	{exampleReason, "`reason_id`: `uuid` of an active reason; if it is unknown, `reasons` in the response lists those of your organisation"},
	{exampleOriginal, "`original_invoice_reference`: `uuid` of an accepted standard invoice to the same buyer"},
	{exampleAdvance, "`prepaid_invoices`: `uuid` of an accepted advance payment invoice (`type_code` 386) to the same buyer"},
}

const (
	exampleLine = `{
		"item_name": "Laptop 15 inch",
		"item_net_price": "4200.00",
		"invoiced_quantity": 2,
		"invoiced_quantity_unit_of_measure": "PCE",
		"vat_category_code": "S",
		"vat_rate": 15,
		"vat_exemption_reason_code": "",
		"vat_exemption_reason_text": ""
	}`
	exampleNote = `{"language_id": "ar", "note": "شكرًا لتعاملكم معنا"}`
)

// InvoiceExample is a standard tax invoice with one line. Callers must replace its
// ids with those of a device, its seller and a client.
var InvoiceExample = invoiceExample(`"notes": [` + exampleNote + `], "form_lines": [` + exampleLine + `]`)

// usualMembers are the members of a standard tax invoice without lines.
const usualMembers = `{
	"device": "` + exampleDevice + `",
	"seller": "` + exampleSeller + `",
	"buyer": "` + exampleBuyer + `",
	"type_code": 388,
	"transaction_code": "0100000",
	"supply_date": "2026-11-15",
	"supply_end_date": "2026-11-15",
	"currency": "SAR",
	"exchange_rate": 1,
	"payment_means_type_code": "10",
	"notes": [],
	"form_lines": [],
	"lines": [],
	"document_level_allowances": [],
	"add_prepaid_amount": false,
	"prepaid_invoices": [],
	"reason_id": null,
	"original_invoice_reference": []
}`

// invoiceExample returns a standard tax invoice in which the given members
// replace the usual ones. Both are valid JSON: a test sends every example.
func invoiceExample(members string) string {
	body, _ := codec.ReadPairs([]byte(usualMembers))
	own, _ := codec.ReadPairs([]byte("{" + members + "}"))
	for _, m := range own {
		body = body.Set(m.Name, m.Value)
	}
	return string(codec.AppendIndented(nil, body, ""))
}

// invoiceExamples returns an example of every kind of document.
func invoiceExamples() []wire.Example {
	const one = `"form_lines": [{"item_name": "Laptop 15 inch", "item_net_price": "4200.00", "invoiced_quantity": 1, "invoiced_quantity_unit_of_measure": "PCE", "vat_category_code": "S", "vat_rate": 15}]`
	const correction = `"reason_id": "` + exampleReason + `", "original_invoice_reference": ["` + exampleOriginal + `"]`
	const deduction = `"add_prepaid_amount": true, "prepaid_invoices": ["` + exampleAdvance + `"]`
	list := []wire.Example{
		{Name: "standard-invoice", Summary: "Standard tax invoice", Doc: "A sale to a business. It is valid once the authority has cleared it.", Body: InvoiceExample},
		{
			Name: "simplified-invoice", Summary: "Simplified tax invoice", Doc: "A sale to a consumer, paid by card. It is valid when it is issued, and `qr_code` in the response is printed at once. A buyer is optional.",
			Body: invoiceExample(`"buyer": null, "transaction_code": "0200000", "payment_means_type_code": "48", "form_lines": [{"item_name": "Coffee beans 1 kg", "item_net_price": "60.00", "invoiced_quantity": 1, "invoiced_quantity_unit_of_measure": "PCE", "vat_category_code": "S", "vat_rate": 15}]`),
		},
		{
			Name: "export-invoice", Summary: "Export invoice", Doc: "A sale to a buyer outside Saudi Arabia: every line has category Z and reason `VATEX-SA-32` (goods) or `VATEX-SA-33` (services).",
			Body: invoiceExample(`"buyer": "` + exampleForeign + `", "transaction_code": "0100100", "form_lines": [{"item_name": "Dates, premium", "item_net_price": "80.00", "invoiced_quantity": 50, "invoiced_quantity_unit_of_measure": "KGM", "vat_category_code": "Z", "vat_rate": 0, "vat_exemption_reason_code": "VATEX-SA-32", "vat_exemption_reason_text": "Export of goods"}]`),
		},
		{
			Name: "credit-note", Summary: "Credit note", Doc: "Takes back part of an accepted invoice. Its amounts are positive.",
			Body: invoiceExample(`"type_code": 381, ` + one + `, ` + correction),
		},
		{
			Name: "debit-note", Summary: "Debit note", Doc: "Adds to an accepted invoice. Its amounts are positive.",
			Body: invoiceExample(`"type_code": 383, ` + one + `, ` + correction),
		},
		{
			Name: "advance-payment", Summary: "Advance payment invoice", Doc: "Money received before the supply: 1,000.00 and VAT of 150.00.",
			Body: invoiceExample(`"type_code": 386, "form_lines": [{"item_name": "Advance payment for laptops", "item_net_price": "1000.00", "invoiced_quantity": 1, "invoiced_quantity_unit_of_measure": "PCE", "vat_category_code": "S", "vat_rate": 15}]`),
		},
		{
			Name: "deduct-advance", Summary: "Tax invoice that deducts an advance", Doc: "States the whole supply and its VAT, and deducts as much of the advance as possible from the total including VAT.",
			Body: invoiceExample(one + `, ` + deduction),
		},
		{
			Name: "deduct-part-of-advance", Summary: "Tax invoice that deducts part of an advance", Doc: "`prepaid_amounts` sets how much is deducted, before VAT. The rest of the advance stays available to later invoices.",
			Body: invoiceExample(one + `, ` + deduction + `, "prepaid_amounts": [{"prepaid_invoice": "` + exampleAdvance + `", "vat_category_code": "S", "vat_rate": 15, "amount": "400.00"}]`),
		},
		{
			Name: "catalogue-lines", Summary: "Tax invoice with catalogue lines", Doc: "Name, price, unit and VAT are those of the item. If its stock is limited, the quantity is taken from it.",
			Body: invoiceExample(`"lines": [{"item_id": "` + exampleItemID + `", "quantity": 2}]`),
		},
		{
			Name: "shelf-prices", Summary: "Simplified tax invoice with prices including VAT", Doc: "The customer pays exactly the shelf prices, here 100.00 and 29.97.",
			Body: invoiceExample(`"buyer": null, "transaction_code": "0200000", "form_lines": [` +
				`{"item_name": "Mineral water", "item_gross_price": "10.00", "invoiced_quantity": 10, "invoiced_quantity_unit_of_measure": "PCE", "vat_category_code": "S", "vat_rate": 15}, ` +
				`{"item_name": "Chocolate", "item_gross_price": "9.99", "invoiced_quantity": 3, "invoiced_quantity_unit_of_measure": "PCE", "vat_category_code": "S", "vat_rate": 15}]`),
		},
		{
			Name: "foreign-currency", Summary: "Tax invoice in a foreign currency", Doc: "Amounts are in the currency of the document; VAT is also stated in SAR.",
			Body: invoiceExample(`"currency": "USD", "exchange_rate": "3.75", "form_lines": [` + exampleLine + `]`),
		},
		{
			Name: "discount", Summary: "Tax invoice with a discount", Doc: "The discount is before VAT and reduces the lines of its VAT category and rate.",
			Body: invoiceExample(`"form_lines": [` + exampleLine + `], "document_level_allowances": [{"allowance_amount": "100.00", "vat_category_code": "S", "vat_rate": 15}]`),
		},
	}
	for i := range list {
		list[i].Doc += "\n\n" + replaceIDs(list[i].Body)
	}
	return list
}

// replaceIDs lists the ids in an example that the caller must replace.
func replaceIDs(body string) string {
	text := "Replace these ids with your own:\n"
	for _, one := range exampleIDs {
		if strings.Contains(body, one.id) {
			text += "\n- " + one.source
		}
	}
	return text
}
