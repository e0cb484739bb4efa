package issue_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/trade"
)

// itemLines returns catalogue lines for pairs of item and quantity.
func itemLines(pairs ...any) servicetest.Fields {
	lines := []any{}
	for n := 0; n < len(pairs); n += 2 {
		lines = append(lines, servicetest.Fields{"item_id": pairs[n], "quantity": pairs[n+1]})
	}
	return servicetest.Fields{"form_lines": []any{}, "lines": lines}
}

// left returns the stock of an item.
func left(t *servicetest.Seller, item uuid.UUID) any {
	t.TB.Helper()
	return t.Read(t.TB, "/api/items/"+item.String()+"/")["stock"]
}

func TestInterface_2_3_TheItemApplies(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		item := shop.Stocked("Insulin pen", func(i *trade.Item) {
			i.Price, i.Unit, i.Category, i.Rate, i.ReasonCode, i.ReasonText = money.MustParse("12.34"), "BOX", "Z", money.Decimal{}, "VATEX-SA-35", "Medicines"
		})
		id := shop.Created(shop.Standard(itemLines(item.ID, "2.5")))
		want := servicetest.Record{
			"item_id": item.ID.String(), "item_name": "Insulin pen", "item_net_price": "12.34", "invoiced_quantity": "2.5",
			"invoiced_quantity_unit_of_measure": "BOX", "vat_category_code": "Z", "vat_rate": "0", "vat_exemption_reason_code": "VATEX-SA-35",
			"vat_exemption_reason_text": "Medicines", "line_net_amount": "30.85", "line_vat_amount": "0.00", "line_total_amount": "30.85", "invoice_line_id": nil,
		}
		holds(t, "line", servicetest.First(t, shop.Full(id)["lines"]), want)
		// Other fields sent with the item are ignored.
		more := servicetest.Fields{"form_lines": []any{}, "lines": []any{servicetest.Fields{"item_id": item.ID, "quantity": "2.5", "item_net_price": "1.00", "item_name": "Other name"}}}
		holds(t, "line with ignored fields", servicetest.First(t, shown(shop, shop.Standard(more))["lines"]), want)
		servicetest.Same(t, "stock", left(shop, item.ID), nil)
		// A later change of the item does not affect the invoice.
		shop.Change("/api/items/"+item.ID.String()+"/", `{"item_name":"Insulin pen mark 2","item_net_price":"99.00"}`).Wants(t, http.StatusOK)
		holds(t, "line after a change", servicetest.First(t, shop.Full(id)["lines"]), want)
		for _, quantity := range []any{0, -1, "0.0000001", nil, true} {
			refusesField(shop, fmt.Sprint(quantity), "lines.0.quantity", shop.Standard(itemLines(item.ID, quantity)))
		}
		servicetest.Same(t, "price times quantity", refuses(shop, "price times quantity", shop.Standard(itemLines(item.ID, "9000000000000"))),
			[]string{"invoice_schema_data.lines.0.quantity: times the price must stay below 10000000000000"})
		_, other := h.Stranger()
		h.Key = other
		foreign := h.AddItem(t, servicetest.GoodItem())
		h.Key = h.NewKey(h.Org, "CreateInvoice")
		servicetest.Same(t, "item of another organisation", refuses(shop, "item of another organisation", shop.Standard(itemLines(servicetest.IDOf(foreign), 1))), []string{"Item not found: lines.0.item_id"})
	})
}

func TestInterface_2_3_StockIsSummedTakenAndGivenBack(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		ten := money.FromInt(10)
		item := shop.Stocked("Ten of these", func(i *trade.Item) { i.Stock = &ten })
		free := shop.Stocked("Any number", nil)
		servicetest.Same(t, "summed", refuses(shop, "summed", shop.Standard(itemLines(item.ID, 6, free.ID, 100, item.ID, "4.5"))),
			[]string{"The stock of Ten of these is 10, less than the requested quantity of 10.5."})
		shown(shop, shop.Standard(itemLines(item.ID, 10)))
		servicetest.Same(t, "after a preview", left(shop, item.ID), any("10"))
		sale := shop.Accepted(shop.Created(shop.Standard(itemLines(item.ID, 3, free.ID, 5, item.ID, 4))))
		servicetest.Same(t, "after a sale", left(shop, item.ID), any("3"))
		shop.Create(shop.Standard(itemLines(item.ID, 3, free.ID, 5, item.ID, 4))) // a duplicate
		servicetest.Same(t, "after a duplicate", left(shop, item.ID), any("3"))

		noteOn := func(kind int, lines servicetest.Fields) servicetest.Fields {
			lines["type_code"], lines["original_invoice_reference"], lines["reason_id"] = kind, []any{sale}, shop.Reason.ID
			return lines
		}
		shop.Created(shop.Standard(noteOn(383, itemLines(item.ID, "1.5"))))
		servicetest.Same(t, "after a debit note", left(shop, item.ID), any("1.5"))
		servicetest.Same(t, "a debit note above the stock", refuses(shop, "debit", shop.Standard(noteOn(383, itemLines(item.ID, 2)))),
			[]string{"The stock of Ten of these is 1.5, less than the requested quantity of 2."})
		shop.Created(shop.Standard(noteOn(381, itemLines(item.ID, 2, item.ID, "0.5"))))
		servicetest.Same(t, "after a credit note", left(shop, item.ID), any("4"))
		written := noteOn(381, servicetest.Fields{"form_lines": []any{shop.Line(servicetest.Fields{"item_name": "Ten of these", "item_net_price": "10.00", "invoiced_quantity": 1})}})
		shop.Created(shop.Standard(written))
		servicetest.Same(t, "after a credit note with form_lines", left(shop, item.ID), any("4"))
		shop.Created(shop.Standard(itemLines(item.ID, 9), servicetest.Fields{"type_code": 386}))
		servicetest.Same(t, "after an advance", left(shop, item.ID), any("4"))
		servicetest.Same(t, "without a limit", left(shop, free.ID), nil)
		shop.CheckChains(shop.Org)
	})
}
