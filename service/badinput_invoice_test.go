package service_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// judged previews an invoice and, if that is refused, creates it: both must say
// the same.
func (t *till) judged(text string) answer {
	t.t.Helper()
	preview := t.preview(text)
	if preview.status != http.StatusBadRequest {
		return preview
	}
	create := t.create(text)
	if create.status != preview.status || create.body != preview.body {
		t.t.Errorf("preview %d %.200s; create %d %.200s", preview.status, preview.body, create.status, create.body)
	}
	return create
}

// invoiceInlets are an invoice and a note on one, which are bodies, and what an
// invoice has lists of.
func (h *house) invoiceInlets(t testing.TB) (invoice, remark inlet, parts []inlet) {
	t.Helper()
	shop := h.till()
	whole, _ := target(h.document(t), "#/components/schemas/InvoiceBody").(record)
	required, _ := whole["required"].([]any)
	invoice = inlet{"POST invoice", "InvoiceBody", "invoice_schema_data", shop.simplified(), shop.judged, required}
	notes := "/v1/api/invoices/" + shop.created(shop.standard()).String() + "/notes/"
	remark = inlet{"POST note", "RemarkBody", "", `{"title":"Delivery","details":"Left at the gate."}`, func(body string) answer { return h.call(http.MethodPost, notes, body) }, nil}
	item := shop.stocked("Paper", nil)
	for list, part := range map[string]struct {
		schema string
		good   any
	}{
		"form_lines":                {"FormLineBody", shop.line(nil)},
		"lines":                     {"CatalogueLine", record{"item_id": item.ID, "quantity": 1}},
		"document_level_allowances": {"AllowanceBody", record{"allowance_amount": "10.00", "vat_category_code": "S", "vat_rate": 15}},
		"notes":                     {"NoteBodyInput", record{"language_id": "en", "note": "Thank you"}},
	} {
		parts = append(parts, inlet{list, part.schema, invoice.root + "." + list + ".0", asJSON(t, part.good), func(body string) answer {
			changes := fields{list: json.RawMessage("[" + body + "]")}
			if list == "lines" {
				changes["form_lines"] = []any{}
			}
			return shop.judged(rawly(t, shop, changes))
		}, nil})
	}
	slices.SortFunc(parts, func(a, b inlet) int { return strings.Compare(a.name, b.name) })
	return invoice, remark, parts
}

// rawly is a simplified invoice with members that stand as they are written.
func rawly(t testing.TB, shop *till, changes fields) string {
	t.Helper()
	plain, raw := fields{}, ""
	for name, value := range changes {
		if text, is := value.(json.RawMessage); is {
			raw += `,"` + name + `":` + string(text)
			value = unsent
		}
		plain[name] = value
	}
	return strings.TrimSuffix(shop.simplified(plain), "}") + raw + "}"
}

// wholeInlets are those that take a body.
func (h *house) wholeInlets(t testing.TB) []inlet {
	t.Helper()
	client, item, buyer, article := h.inlets(t)
	invoice, remark, _ := h.invoiceInlets(t)
	return []inlet{client, item, buyer, article, invoice, remark}
}

// everyInlet are all.
func (h *house) everyInlet(t testing.TB) []inlet {
	t.Helper()
	client, item, buyer, article := h.inlets(t)
	invoice, remark, parts := h.invoiceInlets(t)
	return append([]inlet{client, item, buyer, article, invoice, remark}, parts...)
}

func TestBadInput_NumbersOfInvoices(t *testing.T) {
	h := open(t, nil)
	invoice, _, parts := h.invoiceInlets(t)
	count := h.refused(t, noDecimals("exchange_rate"), invoice) + h.refused(t, noDecimals("expected_payable_amount"), invoice)
	for _, in := range parts {
		for _, field := range map[string][]string{
			"form_lines": {"item_net_price", "invoiced_quantity", "vat_rate"}, "lines": {"quantity"}, "document_level_allowances": {"allowance_amount", "vat_rate"},
		}[in.name] {
			count += h.refused(t, noDecimals(field), in)
		}
	}
	t.Logf("%d rows", count)
}

func TestBadInput_EmptyInvoice(t *testing.T) {
	h := open(t, nil)
	invoice, remark, parts := h.invoiceInlets(t)
	same(t, "an empty invoice", invoice.send(`{}`).problems(t), []string{"invoice_schema_data: Value error, Missing required fields: " +
		"device, seller, type_code, transaction_code, supply_date, supply_end_date, currency, exchange_rate, payment_means_type_code, notes, form_lines, lines, document_level_allowances"})
	same(t, "missing and wrong", invoice.send(with(t, invoice.good, record{"device": nil, "currency": "", "type_code": "x", "notes": absent{}})).problems(t), []string{
		"invoice_schema_data: Value error, Missing required fields: device, currency, notes", "invoice_schema_data.type_code: Input should be a valid integer",
	})
	same(t, "an empty note", remark.send(`{}`).problems(t), []string{"title: Field required", "details: Field required"})
	for _, in := range parts {
		for _, line := range in.send(`{}`).problems(t) {
			if !strings.HasPrefix(line, in.root+".") || !strings.HasSuffix(line, ": Field required") {
				t.Errorf("an empty entry of %s: %s", in.name, line)
			}
		}
	}
}
