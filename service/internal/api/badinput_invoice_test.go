package api_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/service/internal/servicetest"
)

// invoiceInlets returns the requests to create an invoice and a note on it, and the
// list elements of an invoice.
func invoiceInlets(h *servicetest.Instance, t testing.TB) (invoice, remark servicetest.Input, parts []servicetest.Input) {
	t.Helper()
	shop := h.NewSeller()
	whole, _ := servicetest.Target(h.Document(t), "#/components/schemas/InvoiceBody").(servicetest.Record)
	required, _ := whole["required"].([]any)
	invoice = servicetest.Input{Name: "POST invoice", Schema: "InvoiceBody", Root: "invoice_schema_data", Good: shop.Simplified(), Send: shop.Judged, Together: required}
	notes := "/v1/api/invoices/" + shop.Created(shop.Standard()).String() + "/notes/"
	remark = servicetest.Input{Name: "POST note", Schema: "RemarkBody", Root: "", Good: `{"title":"Delivery","details":"Left at the gate."}`, Send: func(body string) servicetest.Answer { return h.Call(http.MethodPost, notes, body) }, Together: nil}
	item := shop.Stocked("Paper", nil)
	for list, part := range map[string]struct {
		schema string
		good   any
	}{
		"form_lines":                {"FormLineBody", shop.Line(nil)},
		"lines":                     {"CatalogueLine", servicetest.Record{"item_id": item.ID, "quantity": 1}},
		"document_level_allowances": {"AllowanceBody", servicetest.Record{"allowance_amount": "10.00", "vat_category_code": "S", "vat_rate": 15}},
		"notes":                     {"NoteBodyInput", servicetest.Record{"language_id": "en", "note": "Thank you"}},
	} {
		parts = append(parts, servicetest.Input{Name: list, Schema: part.schema, Root: invoice.Root + "." + list + ".0", Good: servicetest.AsJSON(t, part.good), Send: func(body string) servicetest.Answer {
			changes := servicetest.Fields{list: json.RawMessage("[" + body + "]")}
			if list == "lines" {
				changes["form_lines"] = []any{}
			}
			return shop.Judged(rawly(t, shop, changes))
		}, Together: nil})
	}
	slices.SortFunc(parts, func(a, b servicetest.Input) int { return strings.Compare(a.Name, b.Name) })
	return invoice, remark, parts
}

// rawly returns a simplified invoice with some fields replaced by raw JSON.
func rawly(t testing.TB, shop *servicetest.Seller, changes servicetest.Fields) string {
	t.Helper()
	plain, raw := servicetest.Fields{}, ""
	for name, value := range changes {
		if text, is := value.(json.RawMessage); is {
			raw += `,"` + name + `":` + string(text)
			value = servicetest.Unsent
		}
		plain[name] = value
	}
	return strings.TrimSuffix(shop.Simplified(plain), "}") + raw + "}"
}

// wholeInlets returns the requests with a complete body.
func wholeInlets(h *servicetest.Instance, t testing.TB) []servicetest.Input {
	t.Helper()
	client, item, buyer, article := inlets(h, t)
	invoice, remark, _ := invoiceInlets(h, t)
	return []servicetest.Input{client, item, buyer, article, invoice, remark}
}

// everyInlet returns all requests and list elements.
func everyInlet(h *servicetest.Instance, t testing.TB) []servicetest.Input {
	t.Helper()
	client, item, buyer, article := inlets(h, t)
	invoice, remark, parts := invoiceInlets(h, t)
	return append([]servicetest.Input{client, item, buyer, article, invoice, remark}, parts...)
}

func TestBadInput_NumbersOfInvoices(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	invoice, _, parts := invoiceInlets(h, t)
	some := func(n int, field string) []servicetest.BadValue { return testtool.Spread(noDecimals(field), n, 4) }
	count := h.Refused(t, some(0, "exchange_rate"), invoice) + h.Refused(t, some(1, "expected_payable_amount"), invoice)
	n := 2
	for _, in := range parts {
		for _, field := range map[string][]string{
			"form_lines": {"item_net_price", "invoiced_quantity", "vat_rate"}, "lines": {"quantity"}, "document_level_allowances": {"allowance_amount", "vat_rate"},
		}[in.Name] {
			count += h.Refused(t, some(n, field), in)
			n++
		}
	}
	t.Logf("%d cases", count)
}

func TestBadInput_EmptyInvoice(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	invoice, remark, parts := invoiceInlets(h, t)
	servicetest.Same(t, "an empty invoice", invoice.Send(`{}`).Problems(t), []string{"invoice_schema_data: Value error, Missing required fields: " +
		"device, seller, type_code, transaction_code, supply_date, supply_end_date, currency, exchange_rate, payment_means_type_code, notes, form_lines, lines, document_level_allowances"})
	servicetest.Same(t, "missing and wrong", invoice.Send(servicetest.With(t, invoice.Good, servicetest.Record{"device": nil, "currency": "", "type_code": "x", "notes": servicetest.Absent{}})).Problems(t), []string{
		"invoice_schema_data: Value error, Missing required fields: device, currency, notes", "invoice_schema_data.type_code: must be an integer",
	})
	servicetest.Same(t, "an empty note", remark.Send(`{}`).Problems(t), []string{"title: Field required", "details: Field required"})
	for _, in := range parts {
		for _, line := range in.Send(`{}`).Problems(t) {
			if !strings.HasPrefix(line, in.Root+".") || !strings.HasSuffix(line, ": Field required") {
				t.Errorf("empty element of %s: unexpected problem %s", in.Name, line)
			}
		}
	}
}
