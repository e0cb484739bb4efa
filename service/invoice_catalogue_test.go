package service_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/trade"
)

// items are catalogue lines, each an item and how many.
func items(pairs ...any) fields {
	lines := []any{}
	for n := 0; n < len(pairs); n += 2 {
		lines = append(lines, fields{"item_id": pairs[n], "quantity": pairs[n+1]})
	}
	return fields{"form_lines": []any{}, "lines": lines}
}

// left is the stock of an item.
func (t *till) left(item uuid.UUID) any {
	t.t.Helper()
	return t.read(t.t, "/api/items/"+item.String()+"/")["stock"]
}

func TestInterface_2_3_TheItemApplies(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		item := shop.stocked("Insulin pen", func(i *trade.Item) {
			i.Price, i.Unit, i.Category, i.Rate, i.ReasonCode, i.ReasonText = money.MustParse("12.34"), "BOX", "Z", money.Decimal{}, "VATEX-SA-35", "Medicines"
		})
		id := shop.created(shop.standard(items(item.ID, "2.5")))
		want := record{
			"item_id": item.ID.String(), "item_name": "Insulin pen", "item_net_price": "12.34", "invoiced_quantity": "2.5",
			"invoiced_quantity_unit_of_measure": "BOX", "vat_category_code": "Z", "vat_rate": "0", "vat_exemption_reason_code": "VATEX-SA-35",
			"vat_exemption_reason_text": "Medicines", "line_net_amount": "30.85", "line_vat_amount": "0.00", "line_total_amount": "30.85", "invoice_line_id": nil,
		}
		holds(t, "line", first(t, shop.full(id)["lines"]), want)
		// What a caller sends beside the item does not count.
		more := fields{"form_lines": []any{}, "lines": []any{fields{"item_id": item.ID, "quantity": "2.5", "item_net_price": "1.00", "item_name": "Other name"}}}
		holds(t, "line with more", first(t, shop.shown(shop.standard(more))["lines"]), want)
		same(t, "stock", shop.left(item.ID), nil)
		// The item changes; the invoice does not.
		shop.change("/api/items/"+item.ID.String()+"/", `{"item_name":"Insulin pen mark 2","item_net_price":"99.00"}`).wants(t, http.StatusOK)
		holds(t, "line after a change", first(t, shop.full(id)["lines"]), want)
		for _, quantity := range []any{0, -1, "0.0000001", nil, true} {
			shop.refusesField(fmt.Sprint(quantity), "lines.0.quantity", shop.standard(items(item.ID, quantity)))
		}
		same(t, "price times quantity", shop.refuses("price times quantity", shop.standard(items(item.ID, "9000000000000"))),
			[]string{"invoice_schema_data.lines.0.quantity: times the price must stay below 10000000000000"})
		_, other := h.stranger()
		h.key = other
		foreign := h.addItem(t, goodItem())
		h.key = h.newKey(h.org, "CreateInvoice")
		same(t, "another's item", shop.refuses("another's item", shop.standard(items(idOf(foreign), 1))), []string{"Item not found: lines.0.item_id"})
	})
}

func TestInterface_2_3_StockIsSummedTakenAndGivenBack(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		ten := money.FromInt(10)
		item := shop.stocked("Ten of these", func(i *trade.Item) { i.Stock = &ten })
		free := shop.stocked("Any number", nil)
		same(t, "summed", shop.refuses("summed", shop.standard(items(item.ID, 6, free.ID, 100, item.ID, "4.5"))),
			[]string{"The stock of Ten of these is 10, less than the quantity of 10.5."})
		shop.shown(shop.standard(items(item.ID, 10)))
		same(t, "after a preview", shop.left(item.ID), any("10"))
		sale := shop.accepted(shop.created(shop.standard(items(item.ID, 3, free.ID, 5, item.ID, 4))))
		same(t, "after a sale", shop.left(item.ID), any("3"))
		shop.create(shop.standard(items(item.ID, 3, free.ID, 5, item.ID, 4))) // a duplicate
		same(t, "after a duplicate", shop.left(item.ID), any("3"))

		noteOn := func(kind int, lines fields) fields {
			lines["type_code"], lines["original_invoice_reference"], lines["reason_id"] = kind, []any{sale}, shop.reason.ID
			return lines
		}
		shop.created(shop.standard(noteOn(383, items(item.ID, "1.5"))))
		same(t, "after a debit note", shop.left(item.ID), any("1.5"))
		same(t, "a debit note above the stock", shop.refuses("debit", shop.standard(noteOn(383, items(item.ID, 2)))),
			[]string{"The stock of Ten of these is 1.5, less than the quantity of 2."})
		shop.created(shop.standard(noteOn(381, items(item.ID, 2, item.ID, "0.5"))))
		same(t, "after a credit note", shop.left(item.ID), any("4"))
		written := noteOn(381, fields{"form_lines": []any{shop.line(fields{"item_name": "Ten of these", "item_net_price": "10.00", "invoiced_quantity": 1})}})
		shop.created(shop.standard(written))
		same(t, "after a credit note written out", shop.left(item.ID), any("4"))
		shop.created(shop.standard(items(item.ID, 9), fields{"type_code": 386}))
		same(t, "after an advance", shop.left(item.ID), any("4"))
		same(t, "without a limit", shop.left(free.ID), nil)
		shop.provesChains(shop.org)
	})
}
