package api_test

import (
	"encoding/json"
	"fmt"
	"slices"

	"khatm/service/internal/device"
	"khatm/service/internal/servicetest"
)

// open adds the records of a seller to the state: devices that can issue and
// one that cannot, and documents of every kind, answered and not.
func (n *fuzzState) open(shop *servicetest.Seller) {
	ready := shop.Device.ID.String()
	n.kinds["device"] = []string{ready, ready, ready, ready, shop.Issuing(shop.Org, func(d *device.Device) { d.InvoiceType = device.StandardOnly }).ID.String(),
		shop.Instance.Device(shop.Org, func(d *device.Device) { d.Status, d.Production = device.CSRPending, nil }).ID.String()}
	n.kinds["seller"] = []string{shop.Org.ID.String()}
	n.kinds["buyer"] = append(slices.Clone(n.buyers), shop.Buyer.ID.String())
	n.kinds["reason_id"] = []string{shop.Reason.ID.String()}
	for _, kind := range []int{388, 386} {
		for _, name := range []string{"first", "second", "third"} {
			id := shop.Created(shop.Standard(servicetest.Fields{"type_code": kind, "notes": servicetest.Note(name)}))
			if name != "third" {
				shop.Accepted(id)
			}
			n.invoices = append(n.invoices, id.String())
		}
	}
}

// sell changes a random body into an invoice that may be accepted, which is
// unlikely by chance.
func (n *fuzzState) sell(d randomSource, o servicetest.Record) {
	lines, _ := o["lines"].([]any)
	for _, one := range lines {
		line, _ := one.(servicetest.Record)
		line["item_id"] = n.id(d, n.items)
	}
	if d.in(5) {
		return
	}
	o["transaction_code"] = one(d, []string{"0100000", "0200000"})
	o["device"], o["seller"], o["buyer"] = one(d, n.kinds["device"]), n.kinds["seller"][0], one(d, n.kinds["buyer"])
	o["currency"], o["exchange_rate"] = "SAR", json.Number("1")
	o["supply_date"], o["supply_end_date"] = "2026-11-15", "2026-11-15"
	delete(o, "expected_payable_amount")
	if d.in(3) {
		o["form_lines"] = []any{}
	} else {
		o["lines"], o["form_lines"] = []any{}, d.lines()
	}
	o["add_prepaid_amount"], o["prepaid_invoices"], o["original_invoice_reference"] = false, []any{}, []any{}
	if kind := one(d, []int{388, 388, 388, 386, 381, 383}); kind == 388 && d.in(4) {
		o["type_code"], o["add_prepaid_amount"], o["prepaid_invoices"] = kind, true, []any{one(d, n.invoices)}
	} else {
		o["type_code"] = kind
		if kind == 381 || kind == 383 {
			o["original_invoice_reference"], o["reason_id"] = []any{one(d, n.invoices)}, n.kinds["reason_id"][0]
		}
	}
	if !d.in(3) {
		o["document_level_allowances"] = []any{}
	}
}

// lines returns one to three lines of VAT category S.
func (d randomSource) lines() []any {
	var all []any
	for range 1 + d.IntN(3) {
		all = append(all, servicetest.Record{
			"item_name": "Item " + one(d, words[:7]), "item_net_price": fmt.Sprintf("%d.%02d", d.IntN(1000), d.IntN(100)), "invoiced_quantity": 1 + d.IntN(20),
			"invoiced_quantity_unit_of_measure": one(d, []string{"PCE", "KGM", "x"}), "vat_category_code": "S", "vat_rate": one(d, []int{15, 15, 15, 15, 15, 5, 7}),
			"vat_exemption_reason_code": one(d, []string{"", "", "", "", "", "", "", "VATEX-SA-32"}),
		})
	}
	return all
}
