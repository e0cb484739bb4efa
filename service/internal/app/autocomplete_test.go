package app_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/trade"
)

// results returns a field of the results of an autocomplete.
func results(h *servicetest.Instance, token, path, field string) []string {
	h.TB.Helper()
	found, _ := h.As(token, http.MethodGet, "/app/api/autocomplete/"+path, "").Wants(h.TB, http.StatusOK)["results"].([]any)
	names := []string{}
	for _, one := range found {
		row, _ := one.(servicetest.Record)
		names = append(names, servicetest.Text(row[field]))
	}
	return names
}

// "Autocomplete endpoints take q (old name query still accepted, to be removed).
// None of the autocomplete endpoints is on the key surface."
func TestInterface_9_AutocompleteTakesQAndQuery(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		viewer := h.Session(org.ViewInvoice, h.Org)
		h.SellerOf(h.Organisation("Other", "business"))
		for _, name := range []string{"Al Noor Trading", "Najd Foods", "Al Noor Foods"} {
			h.Client(h.Org, name)
			h.Item(h.Org, name)
			h.As(h.Session(org.Admin, h.Org), http.MethodPost, servicetest.ReasonsPath, `{"description":"`+name+`"}`).Wants(t, http.StatusCreated)
		}
		for kind, field := range map[string]string{"clients": "buyer_name", "items": "item_name", "reasons": "description"} {
			ask := func(query string) []string { return results(h, viewer, kind+"/?"+query, field) }
			both := []string{"Al Noor Foods", "Al Noor Trading"}
			servicetest.Same(t, kind+" by q", ask("q=noor"), both)
			servicetest.Same(t, kind+" by query", ask("query=NOOR"), both)
			servicetest.Same(t, kind+" by both", ask("q=najd&query=noor"), []string{"Najd Foods"})
			servicetest.Same(t, kind+" by two words", ask("q="+url.QueryEscape(" foods  al ")), both[:1])
			servicetest.Same(t, kind+" with a limit", ask("q=noor&limit=1"), both[:1])
			servicetest.Same(t, kind+" without a text", ask("")[:3], []string{"Al Noor Foods", "Najd Foods", "Al Noor Trading"})
			servicetest.Same(t, kind+" by punctuation", ask("q=%21%21"), []string{})
			servicetest.Same(t, kind+" by an unknown word", ask("q=zzzz"), []string{})
			servicetest.NoSuchPath.Wants(t, kind+" for keys", h.Call(http.MethodGet, "/v1/api/autocomplete/"+kind+"/", ""))
			servicetest.KeyHere.Wants(t, kind+" with a key", h.Call(http.MethodGet, "/app/api/autocomplete/"+kind+"/", ""))
			for query, field := range map[string]string{"limit=0": "limit", "limit=51": "limit", "limit=x": "limit"} {
				if got := h.As(viewer, http.MethodGet, "/app/api/autocomplete/"+kind+"/?"+query, "").Problems(t); len(got) != 1 || got[0][:len(field)+2] != field+": " {
					t.Errorf("%s with %s: problems = %q, want one of %s", kind, query, got, field)
				}
			}
		}
	})
}

// The old name of the parameter is marked in the document.
func TestInterface_9_AutocompleteQueryIsDeprecated(t *testing.T) {
	h := servicetest.Open(t, nil)
	for _, document := range []string{"/app/openapi.json", "/app/openapi-3.0.json"} {
		parts, _ := h.As("", http.MethodGet, document, "").Wants(t, http.StatusOK)["components"].(servicetest.Record)
		parameters, _ := parts["parameters"].(servicetest.Record)
		for name, want := range map[string]any{"q": nil, "query": true} {
			p, _ := parameters[name].(servicetest.Record)
			servicetest.Same(t, "name of "+name, p["name"], any(name))
			servicetest.Same(t, "deprecation of "+name, p["deprecated"], want)
		}
	}
}

// A code finds its item before others, and items that are not active are left
// out.
func TestAutocompleteFindsItemsByCode(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop, viewer := h.NewSeller(), h.Session(org.ViewInvoice, h.Org)
		coded := func(name, sku, barcode string, active bool) {
			shop.Stocked(name, func(i *trade.Item) { i.SKU, i.Barcode, i.Active = sku, barcode, active })
		}
		coded("By barcode", "", "6281", true)
		coded("By SKU", "6281", "", true)
		coded("Longer", "62815", "", true)
		coded("Inactive", "628", "", false)
		ask := func(q string) []string { return results(h, viewer, "items/?q="+q, "item_name") }
		servicetest.Same(t, "items", ask("6281"), []string{"By SKU", "By barcode", "Longer"})
		servicetest.Same(t, "items", ask("628"), []string{"Longer", "By SKU", "By barcode"})
		servicetest.Same(t, "items", ask("inactive"), []string{})
		list, _ := h.As(viewer, http.MethodGet, "/app/api/autocomplete/items/?q=6281", "").Wants(t, http.StatusOK)["results"].([]any)
		first, _ := list[0].(servicetest.Record)
		servicetest.Same(t, "the first item", list[0], any(servicetest.Record{
			"uuid": servicetest.IDOf(first), "item_name": "By SKU", "item_name_arabic": "", "sku": "6281", "barcode": "", "item_net_price": "10.00",
			"unit_of_measure": "PCE", "vat_category_code": "S", "vat_rate": "15", "stock": nil, "exact": true,
		}))
		third, _ := list[2].(servicetest.Record)
		servicetest.Same(t, "exact of the third item", third["exact"], any(false))
		// More matches that are not active than are read together.
		for n := range 130 {
			coded(fmt.Sprint("Old lamp ", n), "", "", false)
		}
		coded("Old lamp", "", "", false)
		servicetest.Same(t, "items without a text", ask("")[:1], []string{"Longer"})
		item := shop.Stocked("Lamp", nil)
		for n := range 130 {
			coded(fmt.Sprint("Worn lamp ", n), "", "", false)
		}
		servicetest.Same(t, "items behind many inactive ones", ask("lamp"), []string{item.Name})
	})
}

func TestAutocompleteFindsInvoices(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop, viewer := h.NewSeller(), h.Session(org.ViewInvoice, h.Org)
		h.SellerOf(h.Organisation("Other", "business")).Refundable()
		pending := shop.Created(shop.Standard(servicetest.Fields{"notes": servicetest.Note("a")}))
		cleared := shop.Created(shop.Standard(servicetest.Fields{"notes": servicetest.Note("b")}))
		shop.Answered(cleared, ledger.Cleared)
		advance := shop.Created(shop.Standard(servicetest.Fields{"type_code": 386, "notes": servicetest.Note("c")}))
		ask := func(query string) []string { return results(h, viewer, "invoices/?"+query, "uuid") }
		want := func(name, query string, ids ...fmt.Stringer) {
			t.Helper()
			texts := []string{}
			for _, id := range ids {
				texts = append(texts, id.String())
			}
			servicetest.Same(t, name, ask(query), texts)
		}
		want("all invoices", "", advance, cleared, pending)
		want("accepted invoices", "accepted=true", cleared)
		want("advances", "type_code=386", advance)
		want("invoices of the buyer", "buyer="+shop.Buyer.ID.String(), advance, cleared, pending)
		want("invoices of an unknown buyer", "buyer=01933b6e-7c5a-7b9e-8c1d-2f3a4b5c6d7f")
		want("invoices by number", "q=INV-2026-000001", pending)
		want("invoices by the end of the number", "query=2", cleared)
		want("invoices by the name of the buyer", "q="+url.QueryEscape(shop.Buyer.Name), advance, cleared, pending)
		want("accepted invoices by the name of the buyer", "accepted=true&q="+url.QueryEscape(shop.Buyer.Name), cleared)
		want("an invoice by its id", "q="+pending.String(), pending)
		want("an invoice by its id and another type", "type_code=386&q="+pending.String())
		want("one invoice", "limit=1&q="+url.QueryEscape(shop.Buyer.Name), advance)
		kept, err := h.Service.Store().Invoice(context.Background(), org.TenantOf(h.Org.ID), cleared)
		if err != nil {
			t.Fatal(err)
		}
		list, _ := h.As(viewer, http.MethodGet, "/app/api/autocomplete/invoices/?accepted=true", "").Wants(t, http.StatusOK)["results"].([]any)
		servicetest.Same(t, "the invoice", list[0], any(servicetest.Record{
			"uuid": cleared.String(), "ref_num": kept.Number, "type_code": servicetest.Number(388), "issue_date": kept.IssueDate, "buyer_name": kept.Record.Buyer.Name,
			"invoice_payable_amount": kept.Record.Totals.Payable.Fixed2(), "currency": "SAR", "authority_response_status": "CLEARED",
		}))
	})
}

// Suggestions use nothing of the allowance of writes.
func TestInterface_8_AutocompleteIsNotCounted(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		viewer := h.Session(org.ViewInvoice, h.Org)
		h.Allow(0)
		for _, kind := range []string{"clients", "items", "invoices", "reasons"} {
			results(h, viewer, kind+"/?q=a", "uuid")
		}
	})
}
