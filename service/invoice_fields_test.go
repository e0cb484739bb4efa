package service_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"
)

// requiredFields are those of interface 2.1, in the order of the body.
var requiredFields = []string{
	"device", "seller", "type_code", "transaction_code", "supply_date", "supply_end_date", "currency", "exchange_rate",
	"payment_means_type_code", "notes", "form_lines", "lines", "document_level_allowances",
}

func TestInterface_7_5_MissingRequiredFields(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		const told = "invoice_schema_data: Value error, Missing required fields: "
		for _, name := range requiredFields {
			for how, value := range map[string]any{"absent": unsent, "null": nil, "empty": ""} {
				same(t, name+" "+how, shop.refuses(name+" "+how, shop.standard(fields{name: value})), []string{told + name})
			}
		}
		same(t, "all", shop.refuses("all", `{}`), []string{told + strings.Join(requiredFields, ", ")})
		same(t, "two", shop.refuses("two", shop.standard(fields{"currency": nil, "device": ""})), []string{told + "device, currency"})
		same(t, "with another problem", shop.refuses("more", shop.standard(fields{"currency": unsent, "type_code": 1})),
			[]string{told + "currency", "invoice_schema_data.type_code: Input should be 388, 381, 383 or 386"})
	})
}

// The keys that may be absent or null mean nothing then.
func TestInterface_2_1_OptionalFields(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		for _, value := range []any{unsent, nil} {
			got := shop.shown(shop.simplified(fields{
				"buyer": value, "add_prepaid_amount": value, "prepaid_invoices": value, "reason_id": value,
				"original_invoice_reference": value, "expected_payable_amount": value,
			}))
			holds(t, "optional", got, record{
				"buyer": nil, "add_prepaid_amount": false, "prepaid_invoices": []any{}, "reason_id": nil, "original_invoice_reference": []any{},
				"payable_rounding_amount": "0.00", "payment_terms": "",
			})
		}
	})
}

func TestInterface_2_1_Types(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		wrong := map[string][]any{
			"device": {1, true, "x", []any{}}, "seller": {1, "x"}, "buyer": {"x", 7, fields{}}, "type_code": {"388", true, 389, json.RawMessage("388.0"), json.RawMessage("3.88e2")},
			"transaction_code": {100000, true, []any{}}, "supply_date": {"15-11-2026", "2026-02-30", 20261115, "2026-11-15T10:00:00"},
			"supply_end_date": {"2026-13-01", true}, "currency": {1, true}, "exchange_rate": {true, "one", []any{}, 0, -1},
			"payment_means_type_code": {10, "11", "010", true}, "notes": {"x", fields{}, 1}, "form_lines": {"x", fields{}}, "lines": {"x", fields{}},
			"document_level_allowances": {"x", fields{}}, "add_prepaid_amount": {"true", 1}, "prepaid_invoices": {"x", fields{}},
			"reason_id": {1, "x"}, "original_invoice_reference": {"x"}, "expected_payable_amount": {true, "x", -1, "1.001"},
		}
		for name, values := range wrong {
			for _, value := range values {
				shop.refusesField(asJSON(t, value), name, shop.standard(fields{name: value}))
			}
		}
		for path, change := range map[string]fields{
			"notes.0":                        {"notes": []any{"x"}},
			"prepaid_invoices.0":             {"prepaid_invoices": []any{"x"}},
			"original_invoice_reference.0":   {"original_invoice_reference": []any{nil}},
			"lines.0.item_id":                {"form_lines": []any{}, "lines": []any{fields{"quantity": 1}}},
			"lines.0.quantity":               {"form_lines": []any{}, "lines": []any{fields{"item_id": shop.org.ID, "quantity": 0}}},
			"form_lines.0.invoiced_quantity": {"form_lines": []any{shop.line(fields{"invoiced_quantity": true})}},
		} {
			shop.refusesField(path, path, shop.standard(change))
		}
		// A decimal comes as a number or as a text.
		holds(t, "decimals", shop.shown(shop.standard(fields{
			"exchange_rate": "1.0", "expected_payable_amount": json.RawMessage("9660.00"),
			"form_lines": []any{shop.line(fields{"item_net_price": json.RawMessage("4200.00"), "invoiced_quantity": "2.000", "vat_rate": "15.0"})},
		})), record{"invoice_payable_amount": "9660.00", "exchange_rate": "1"})
	})
}

// What the service sets itself is ignored, whatever was sent.
func TestInterface_2_1_IgnoredFields(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		ignored := fields{
			"issue_date": "1999-01-01", "issue_time": 7, "is_sample_invoice": true, "document_level_charges": []any{fields{"charge_amount": 5}},
			"payment_terms": "never", "something_else": nil,
		}
		want := record{
			"issue_date": "2026-11-15", "issue_time": "12:00:00", "is_sample_invoice": false, "payment_terms": "", "invoice_payable_amount": "9660.00",
		}
		holds(t, "preview", shop.shown(shop.standard(ignored)), want)
		holds(t, "invoice", shop.full(shop.created(shop.standard(ignored))), want)
	})
}

// The date changes at midnight in Riyadh, three hours before that of UTC.
func TestInterface_2_1_IssueDateIsRiyadhs(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		h.clock.Advance(11*time.Hour + 59*time.Minute + 59*time.Second)
		holds(t, "before", shop.full(shop.created(shop.standard())), record{"issue_date": "2026-11-15", "issue_time": "23:59:59", "created_at": "2026-11-15T23:59:59+03:00"})
		h.clock.Advance(time.Second)
		want := record{"issue_date": "2026-11-16", "issue_time": "00:00:00"}
		holds(t, "preview", shop.shown(shop.standard()), want)
		holds(t, "after", shop.full(shop.created(shop.simplified())), want)
	})
}

func TestInterface_2_1_SupplyDates(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		same(t, "end before start", shop.refuses("end before start", shop.standard(fields{"supply_end_date": "2026-11-14"})),
			[]string{"invoice_schema_data.supply_end_date: must not be before supply_date"})
		holds(t, "a month", shop.full(shop.created(shop.standard(fields{"supply_date": "2026-10-01", "supply_end_date": "2026-10-31"}))),
			record{"supply_date": "2026-10-01", "supply_end_date": "2026-10-31"})
	})
}

func TestInterface_2_1_CurrencyAndRate(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		for _, rate := range []any{"1.01", 2, "0.99"} {
			same(t, "SAR", shop.refuses("SAR", shop.standard(fields{"exchange_rate": rate})), []string{"invoice_schema_data.exchange_rate: must be 1 when the currency is SAR"})
		}
		shop.refusesField("USD at 1", "exchange_rate", shop.standard(fields{"currency": "USD", "exchange_rate": "1.000"}))
		holds(t, "USD", shop.full(shop.created(shop.standard(fields{"currency": "USD", "exchange_rate": "3.7505"}))), record{
			"currency": "USD", "exchange_rate": "3.7505", "invoice_total_vat_amount": "1260.00", "invoice_total_vat_amount_sar": "4725.63",
			"invoice_total_amount_without_vat": "8400.00", "invoice_payable_amount": "9660.00",
		})
		for _, code := range []string{"XXZ", "sar", "SA", "SARR"} {
			told := shop.create(shop.standard(fields{"currency": code, "exchange_rate": 2})).wants(t, http.StatusBadRequest)
			holds(t, code, told, record{"rule_id": "BR-CL-04", "path": "invoice_schema_data.currency"})
		}
	})
}

func TestInterface_2_1_Notes(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		one := func(language, text any) fields {
			return fields{"notes": []any{fields{"language_id": language, "note": text}}}
		}
		for _, c := range []struct {
			path           string
			language, text any
		}{
			{"notes.0.language_id", "fr", "Bonjour"}, {"notes.0.language_id", "EN", "Hello"}, {"notes.0.language_id", unsent, "Hello"},
			{"notes.0.note", "en", ""}, {"notes.0.note", "en", nil}, {"notes.0.note", "ar", "  \u200f "}, {"notes.0.note", "en", strings.Repeat("x", 1001)},
			{"notes.0.note", "en", "a\u0001b"},
		} {
			body := one(c.language, c.text)
			if c.language == unsent {
				body = fields{"notes": []any{fields{"note": c.text}}}
			}
			shop.refusesField(asJSON(t, body), c.path, shop.standard(body))
		}
		both := []any{record{"language_id": "ar", "note": "شكرًا"}, record{"language_id": "en", "note": strings.Repeat("é", 1000)}}
		same(t, "notes", shop.full(shop.created(shop.standard(fields{"notes": both})))["notes"], any(both))
	})
}
