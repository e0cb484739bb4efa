package tools_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"khatm/invoice"
	"khatm/money"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

// openTools returns an instance without a limit on the public tools.
func openTools(t testing.TB) *servicetest.Instance {
	t.Helper()
	return servicetest.Open(t, func(c *server.Config) { c.Rates.PublicDaily = 1 << 30 })
}

// detail returns the detail of a 400 and checks that it has no message.
func detail(a servicetest.Answer, t testing.TB) string {
	t.Helper()
	body := a.Wants(t, http.StatusBadRequest)
	if _, is := body["message"]; is {
		t.Errorf("the response has a message besides detail: %s", a.Body)
	}
	return servicetest.TextIn(body, "detail")
}

// failed returns the ids of the failed rules, sorted.
func failed(v servicetest.Verdict) []string {
	ids := []string{}
	for _, id := range v.Order {
		if v.Results[id]["status"] == "failed" {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// invoiceJSON returns facts in the schema of the tools, field by field.
func invoiceJSON(f invoice.Facts) servicetest.Record {
	r := servicetest.Record{
		"ref_num": f.Number, "uuid": f.UUID, "issue_date": f.IssueDate, "issue_time": f.IssueTime,
		"type_code": int(f.Kind), "transaction_code": f.Transaction.String(),
		"supply_date": f.SupplyDate, "supply_end_date": f.SupplyEndDate, "currency": f.Currency, "exchange_rate": f.ExchangeRate,
		"payment_means_type_code": f.PaymentMeans, "payment_terms": f.PaymentTerms, "reason": f.Reason,
		"seller": addressed(f.Seller.Address, servicetest.Record{
			"name": f.Seller.Name, "name_arabic": f.Seller.NameArabic, "vat_registration_number": f.Seller.VATNumber,
			"additional_seller_id": partyID(f.Seller.ID),
		}),
		"notes": []any{}, "lines": []any{}, "document_level_allowances": []any{}, "prepaid_invoices": []any{}, "original_invoice_reference": []any{},
	}
	add := func(list string, one servicetest.Record) {
		all, _ := r[list].([]any)
		r[list] = append(all, one)
	}
	if b := f.Buyer; b != nil {
		ids := []any{}
		for _, id := range b.IDs {
			ids = append(ids, partyID(id))
		}
		r["buyer"] = addressed(b.Address, servicetest.Record{
			"buyer_name": b.Name, "buyer_name_arabic": b.NameArabic, "vat_registration_number": b.VATNumber, "additional_buyer_id": ids,
		})
	}
	for _, n := range f.Notes {
		add("notes", servicetest.Record{"language_id": n.Language, "note": n.Text})
	}
	for _, l := range f.Lines {
		one := servicetest.Record{"item_name": l.Name, "invoiced_quantity": l.Quantity, "invoiced_quantity_unit_of_measure": l.Unit}
		if l.GrossPrice.IsZero() {
			one["item_net_price"] = l.Price
		} else {
			one["item_gross_price"] = l.GrossPrice
		}
		add("lines", taxed(l.Tax, one))
	}
	for _, a := range f.Allowances {
		add("document_level_allowances", servicetest.Record{
			"allowance_amount": a.Amount, "reason_code": a.ReasonCode, "reason": a.Reason, "vat_category_code": a.Category, "vat_rate": a.Rate,
		})
	}
	for _, a := range f.Advances {
		rows := []any{}
		for _, s := range a.Breakdown {
			rows = append(rows, taxed(s.Tax, servicetest.Record{"vat_category_taxable_amount": s.Taxable, "vat_category_tax_amount": s.Amount}))
		}
		add("prepaid_invoices", servicetest.Record{"ref_num": a.Number, "uuid": a.UUID, "issue_date": a.IssueDate, "issue_time": a.IssueTime, "vat_breakdown": rows})
	}
	for _, o := range f.Originals {
		add("original_invoice_reference", servicetest.Record{"ref_num": o.Number, "issue_date": o.IssueDate})
	}
	if f.ExpectedPayable != nil {
		r["expected_payable_amount"] = *f.ExpectedPayable
	}
	return r
}

func partyID(id invoice.PartyID) servicetest.Record {
	return servicetest.Record{"type_id": id.Scheme, "value": id.Value}
}

func taxed(tax invoice.Tax, to servicetest.Record) servicetest.Record {
	to["vat_category_code"], to["vat_rate"] = tax.Category, tax.Rate
	to["vat_exemption_reason_code"], to["vat_exemption_reason_text"] = tax.ReasonCode, tax.ReasonText
	return to
}

func addressed(a invoice.Address, to servicetest.Record) servicetest.Record {
	for name, text := range map[string]string{
		"street": a.Street, "additional_street": a.AdditionalStreet, "building_number": a.BuildingNumber, "plot_identification": a.Plot,
		"district": a.District, "city": a.City, "province_state": a.Province, "postal_code": a.PostalCode, "country_code": a.Country,
	} {
		to[name] = text
	}
	return to
}

// set sets the value at a path of a record, such as "lines.0.item_name". The value
// servicetest.Absent{} removes the field.
func set(t testing.TB, in any, path string, value any) {
	t.Helper()
	step, rest, deeper := strings.Cut(path, ".")
	switch at := in.(type) {
	case servicetest.Record:
		if deeper {
			set(t, at[step], rest, value)
			return
		}
		if at[step] = value; value == (servicetest.Absent{}) {
			delete(at, step)
		}
	case []any:
		n, err := json.Number(step).Int64()
		if err != nil || int(n) >= len(at) {
			t.Fatalf("index %s is not in a list of %d elements", step, len(at))
		}
		if deeper {
			set(t, at[n], rest, value)
			return
		}
		at[n] = value
	default:
		t.Fatalf("path %s does not exist in %T", path, in)
	}
}

// dec parses a decimal.
func dec(text string) money.Decimal { return money.MustParse(text) }
