package issue_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/servicetest"
)

// requiredFields are the required fields of docs/contract.md section 2.1, in
// the order of the body.
var requiredFields = []string{
	"device", "seller", "type_code", "transaction_code", "supply_date", "supply_end_date", "currency", "exchange_rate",
	"payment_means_type_code", "notes", "form_lines", "lines", "document_level_allowances",
}

func TestInterface_7_5_MissingRequiredFields(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		const told = "invoice_schema_data: Value error, Missing required fields: "
		for _, name := range requiredFields {
			for how, value := range map[string]any{"absent": servicetest.Unsent, "null": nil, "empty": ""} {
				servicetest.Same(t, name+" "+how, refuses(shop, name+" "+how, shop.Standard(servicetest.Fields{name: value})), []string{told + name})
			}
		}
		servicetest.Same(t, "all", refuses(shop, "all", `{}`), []string{told + strings.Join(requiredFields, ", ")})
		servicetest.Same(t, "two", refuses(shop, "two", shop.Standard(servicetest.Fields{"currency": nil, "device": ""})), []string{told + "device, currency"})
		servicetest.Same(t, "with another problem", refuses(shop, "more", shop.Standard(servicetest.Fields{"currency": servicetest.Unsent, "type_code": 1})),
			[]string{told + "currency", "invoice_schema_data.type_code: must be 388, 381, 383 or 386"})
	})
}

// Optional fields may be absent or null.
func TestInterface_2_1_OptionalFields(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		for _, value := range []any{servicetest.Unsent, nil} {
			got := shown(shop, shop.Simplified(servicetest.Fields{
				"buyer": value, "add_prepaid_amount": value, "prepaid_invoices": value, "prepaid_amounts": value, "reason_id": value,
				"original_invoice_reference": value, "expected_payable_amount": value,
			}))
			holds(t, "optional", got, servicetest.Record{
				"buyer": nil, "add_prepaid_amount": false, "prepaid_invoices": []any{}, "reason_id": nil, "original_invoice_reference": []any{},
				"payable_rounding_amount": "0.00", "payment_terms": "",
			})
		}
	})
}

func TestInterface_2_1_Types(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		wrong := map[string][]any{
			"device": {1, true, "x", []any{}}, "seller": {1, "x"}, "buyer": {"x", 7, servicetest.Fields{}}, "type_code": {"388", true, 389, json.RawMessage("388.0"), json.RawMessage("3.88e2")},
			"supply_date":     {"15-11-2026", "2026-02-30", 20261115, "2026-11-15T10:00:00"},
			"supply_end_date": {"2026-13-01", true}, "currency": {1, true}, "exchange_rate": {true, "one", []any{}, 0, -1},
			"payment_means_type_code": {10, "11", "010", true}, "notes": {"x", servicetest.Fields{}, 1}, "form_lines": {"x", servicetest.Fields{}}, "lines": {"x", servicetest.Fields{}},
			"document_level_allowances": {"x", servicetest.Fields{}}, "add_prepaid_amount": {"true", 1}, "prepaid_invoices": {"x", servicetest.Fields{}}, "prepaid_amounts": {"x", servicetest.Fields{}},
			"reason_id": {1, "x"}, "original_invoice_reference": {"x"}, "expected_payable_amount": {true, "x", -1, "1.001"},
		}
		for name, values := range wrong {
			for _, value := range values {
				refusesField(shop, servicetest.AsJSON(t, value), name, shop.Standard(servicetest.Fields{name: value}))
			}
		}
		for _, value := range []any{100000, true, []any{}, servicetest.Fields{}, 1.5} {
			a := shop.Judged(shop.Standard(servicetest.Fields{"transaction_code": value}))
			servicetest.Same(t, fmt.Sprint("transaction_code ", value), []any{a.Status, a.JSON(t)["message"]}, []any{http.StatusBadRequest, "Invalid transaction_code"})
		}
		for path, change := range map[string]servicetest.Fields{
			"notes.0":                        {"notes": []any{"x"}},
			"prepaid_invoices.0":             {"prepaid_invoices": []any{"x"}},
			"original_invoice_reference.0":   {"original_invoice_reference": []any{nil}},
			"lines.0.item_id":                {"form_lines": []any{}, "lines": []any{servicetest.Fields{"quantity": 1}}},
			"lines.0.quantity":               {"form_lines": []any{}, "lines": []any{servicetest.Fields{"item_id": shop.Org.ID, "quantity": 0}}},
			"form_lines.0.invoiced_quantity": {"form_lines": []any{shop.Line(servicetest.Fields{"invoiced_quantity": true})}},
		} {
			refusesField(shop, path, path, shop.Standard(change))
		}
		// A decimal may be a number or a string.
		holds(t, "decimals", shown(shop, shop.Standard(servicetest.Fields{
			"exchange_rate": "1.0", "expected_payable_amount": json.RawMessage("9660.00"),
			"form_lines": []any{shop.Line(servicetest.Fields{"item_net_price": json.RawMessage("4200.00"), "invoiced_quantity": "2.000", "vat_rate": "15.0"})},
		})), servicetest.Record{"invoice_payable_amount": "9660.00", "exchange_rate": "1"})
	})
}

// Fields that the service sets are ignored in the request.
func TestInterface_2_1_IgnoredFields(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		ignored := servicetest.Fields{
			"issue_date": "1999-01-01", "issue_time": 7, "is_sample_invoice": true, "document_level_charges": []any{servicetest.Fields{"charge_amount": 5}},
			"payment_terms": "never", "something_else": nil,
		}
		want := servicetest.Record{
			"issue_date": "2026-11-15", "issue_time": "12:00:00", "is_sample_invoice": false, "payment_terms": "", "invoice_payable_amount": "9660.00",
		}
		holds(t, "preview", shown(shop, shop.Standard(ignored)), want)
		holds(t, "invoice", shop.Full(shop.Created(shop.Standard(ignored))), want)
	})
}

// The issue date changes at midnight in Riyadh, which is 21:00 UTC.
func TestInterface_2_1_IssueDateIsRiyadhs(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		h.Clock.Advance(11*time.Hour + 59*time.Minute + 59*time.Second)
		holds(t, "before", shop.Full(shop.Created(shop.Standard())), servicetest.Record{"issue_date": "2026-11-15", "issue_time": "23:59:59", "created_at": "2026-11-15T23:59:59+03:00"})
		h.Clock.Advance(time.Second)
		want := servicetest.Record{"issue_date": "2026-11-16", "issue_time": "00:00:00"}
		holds(t, "preview", shown(shop, shop.Standard()), want)
		holds(t, "after", shop.Full(shop.Created(shop.Simplified())), want)
	})
}

func TestInterface_2_1_SupplyDates(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		servicetest.Same(t, "end before start", refuses(shop, "end before start", shop.Standard(servicetest.Fields{"supply_end_date": "2026-11-14"})),
			[]string{"invoice_schema_data.supply_end_date: must not be before supply_date"})
		holds(t, "a month", shop.Full(shop.Created(shop.Standard(servicetest.Fields{"supply_date": "2026-10-01", "supply_end_date": "2026-10-31"}))),
			servicetest.Record{"supply_date": "2026-10-01", "supply_end_date": "2026-10-31"})
	})
}

func TestInterface_2_1_CurrencyAndRate(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		for _, rate := range []any{"1.01", 2, "0.99"} {
			servicetest.Same(t, "SAR", refuses(shop, "SAR", shop.Standard(servicetest.Fields{"exchange_rate": rate})), []string{"invoice_schema_data.exchange_rate: must be 1 when the currency is SAR"})
		}
		refusesField(shop, "USD at 1", "exchange_rate", shop.Standard(servicetest.Fields{"currency": "USD", "exchange_rate": "1.000"}))
		holds(t, "USD", shop.Full(shop.Created(shop.Standard(servicetest.Fields{"currency": "USD", "exchange_rate": "3.7505"}))), servicetest.Record{
			"currency": "USD", "exchange_rate": "3.7505", "invoice_total_vat_amount": "1260.00", "invoice_total_vat_amount_sar": "4725.63",
			"invoice_total_amount_without_vat": "8400.00", "invoice_payable_amount": "9660.00",
		})
		for _, code := range []string{"XXZ", "sar", "SA", "SARR"} {
			told := shop.Create(shop.Standard(servicetest.Fields{"currency": code, "exchange_rate": 2})).Wants(t, http.StatusBadRequest)
			holds(t, code, told, servicetest.Record{"rule_id": "BR-CL-04", "path": "invoice_schema_data.currency"})
		}
	})
}

func TestInterface_2_1_Notes(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		one := func(language, text any) servicetest.Fields {
			return servicetest.Fields{"notes": []any{servicetest.Fields{"language_id": language, "note": text}}}
		}
		for _, c := range []struct {
			path           string
			language, text any
		}{
			{"notes.0.language_id", "fr", "Bonjour"}, {"notes.0.language_id", "EN", "Hello"}, {"notes.0.language_id", servicetest.Unsent, "Hello"},
			{"notes.0.note", "en", ""}, {"notes.0.note", "en", nil}, {"notes.0.note", "ar", "  \u200f "}, {"notes.0.note", "en", strings.Repeat("x", 1001)},
			{"notes.0.note", "en", "a\u0001b"},
		} {
			body := one(c.language, c.text)
			if c.language == servicetest.Unsent {
				body = servicetest.Fields{"notes": []any{servicetest.Fields{"note": c.text}}}
			}
			refusesField(shop, servicetest.AsJSON(t, body), c.path, shop.Standard(body))
		}
		both := []any{servicetest.Record{"language_id": "ar", "note": "شكرًا"}, servicetest.Record{"language_id": "en", "note": strings.Repeat("é", 1000)}}
		servicetest.Same(t, "notes", shop.Full(shop.Created(shop.Standard(servicetest.Fields{"notes": both})))["notes"], any(both))
	})
}
