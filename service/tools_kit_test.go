package service_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"khatm/invoice"
	"khatm/money"
	"khatm/service/internal/server"
)

// branding is what every success of the public face says of who made it.
const branding = "Made with Khatm, e-invoicing for Saudi Arabia"

// openTools opens a house whose public tools can be called at will.
func openTools(t testing.TB) *house {
	t.Helper()
	return open(t, func(c *server.Config) { c.Rates.PublicDaily = 1 << 30 })
}

// tool calls a public tool, with no credential.
func (h *house) tool(name, body string) answer {
	h.t.Helper()
	return h.as("", http.MethodPost, "/v1-3/api/public/"+name+"/", body)
}

// branded reads a success of a public tool, which says who made it twice.
func (a answer) branded(t testing.TB) record {
	t.Helper()
	body := a.wants(t, http.StatusOK)
	equal(t, "branding", body["branding"], any(branding))
	equal(t, "X-Branding", a.header.Get("X-Branding"), branding)
	return body
}

// detail reads what a tool says of an input that it refuses: a sentence, and no
// message.
func (a answer) detail(t testing.TB) string {
	t.Helper()
	body := a.wants(t, http.StatusBadRequest)
	if _, is := body["message"]; is {
		t.Errorf("a message beside the detail: %s", a.body)
	}
	return textIn(body, "detail")
}

// verdict is what validate-zatca says: the results by rule.
type verdict struct {
	order   []string
	results map[string]record
}

func (a answer) verdict(t testing.TB) verdict {
	t.Helper()
	v := verdict{results: map[string]record{}}
	list, _ := a.branded(t)["results"].([]any)
	for _, one := range list {
		r, _ := one.(record)
		id := textIn(r, "rule_id")
		v.order, v.results[id] = append(v.order, id), r
	}
	return v
}

// failed are the rules that failed, in the order of their ids.
func (v verdict) failed() []string {
	ids := []string{}
	for _, id := range v.order {
		if v.results[id]["status"] == "failed" {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// invoiceJSON says facts in the schema of the tools, field by field.
func invoiceJSON(f invoice.Facts) record {
	r := record{
		"ref_num": f.Number, "uuid": f.UUID, "issue_date": f.IssueDate, "issue_time": f.IssueTime,
		"type_code": int(f.Kind), "transaction_code": f.Transaction.String(),
		"supply_date": f.SupplyDate, "supply_end_date": f.SupplyEndDate, "currency": f.Currency, "exchange_rate": f.ExchangeRate,
		"payment_means_type_code": f.PaymentMeans, "payment_terms": f.PaymentTerms, "reason": f.Reason,
		"seller": addressed(f.Seller.Address, record{
			"name": f.Seller.Name, "name_arabic": f.Seller.NameArabic, "vat_registration_number": f.Seller.VATNumber,
			"additional_seller_id": partyID(f.Seller.ID),
		}),
		"notes": []any{}, "lines": []any{}, "document_level_allowances": []any{}, "prepaid_invoices": []any{}, "original_invoice_reference": []any{},
	}
	add := func(list string, one record) {
		all, _ := r[list].([]any)
		r[list] = append(all, one)
	}
	if b := f.Buyer; b != nil {
		ids := []any{}
		for _, id := range b.IDs {
			ids = append(ids, partyID(id))
		}
		r["buyer"] = addressed(b.Address, record{
			"buyer_name": b.Name, "buyer_name_arabic": b.NameArabic, "vat_registration_number": b.VATNumber, "additional_buyer_id": ids,
		})
	}
	for _, n := range f.Notes {
		add("notes", record{"language_id": n.Language, "note": n.Text})
	}
	for _, l := range f.Lines {
		add("lines", taxed(l.Tax, record{
			"item_name": l.Name, "item_net_price": l.Price, "invoiced_quantity": l.Quantity, "invoiced_quantity_unit_of_measure": l.Unit,
		}))
	}
	for _, a := range f.Allowances {
		add("document_level_allowances", record{
			"allowance_amount": a.Amount, "reason_code": a.ReasonCode, "reason": a.Reason, "vat_category_code": a.Category, "vat_rate": a.Rate,
		})
	}
	for _, a := range f.Advances {
		rows := []any{}
		for _, s := range a.Breakdown {
			rows = append(rows, taxed(s.Tax, record{"vat_category_taxable_amount": s.Taxable, "vat_category_tax_amount": s.Amount}))
		}
		add("prepaid_invoices", record{"ref_num": a.Number, "uuid": a.UUID, "issue_date": a.IssueDate, "issue_time": a.IssueTime, "vat_breakdown": rows})
	}
	for _, o := range f.Originals {
		add("original_invoice_reference", record{"ref_num": o.Number, "issue_date": o.IssueDate})
	}
	if f.ExpectedPayable != nil {
		r["expected_payable_amount"] = *f.ExpectedPayable
	}
	return r
}

func partyID(id invoice.PartyID) record { return record{"type_id": id.Scheme, "value": id.Value} }

func taxed(tax invoice.Tax, to record) record {
	to["vat_category_code"], to["vat_rate"] = tax.Category, tax.Rate
	to["vat_exemption_reason_code"], to["vat_exemption_reason_text"] = tax.ReasonCode, tax.ReasonText
	return to
}

func addressed(a invoice.Address, to record) record {
	for name, text := range map[string]string{
		"street": a.Street, "additional_street": a.AdditionalStreet, "building_number": a.BuildingNumber, "plot_identification": a.Plot,
		"district": a.District, "city": a.City, "province_state": a.Province, "postal_code": a.PostalCode, "country_code": a.Country,
	} {
		to[name] = text
	}
	return to
}

// set puts a value at a path of a record, as "lines.0.item_name"; an absent{}
// takes it away.
func set(t testing.TB, in any, path string, value any) {
	t.Helper()
	step, rest, deeper := strings.Cut(path, ".")
	switch at := in.(type) {
	case record:
		if deeper {
			set(t, at[step], rest, value)
			return
		}
		if at[step] = value; value == (absent{}) {
			delete(at, step)
		}
	case []any:
		n, err := json.Number(step).Int64()
		if err != nil || int(n) >= len(at) {
			t.Fatalf("no %s in a list of %d", step, len(at))
		}
		if deeper {
			set(t, at[n], rest, value)
			return
		}
		at[n] = value
	default:
		t.Fatalf("no %s in %T", path, in)
	}
}

// dec reads a decimal of a test.
func dec(text string) money.Decimal { return money.MustParse(text) }
