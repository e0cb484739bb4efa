package app

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/money"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
	"khatm/service/internal/wire"
)

// Suggestions finds records of an organisation while a person types.
type Suggestions interface {
	SuggestClients(ctx context.Context, of org.Tenant, search string, most int) ([]trade.Client, error)
	SuggestItems(ctx context.Context, of org.Tenant, code, search string, most int) ([]trade.Item, error)
	SuggestInvoices(ctx context.Context, of org.Tenant, f ledger.Filter, most int) ([]ledger.Brief, error)
	SuggestReasons(ctx context.Context, of org.Tenant, search string, most int) ([]trade.Reason, error)
}

const tagAutocomplete = "Autocomplete"

func (s *Surface) autocompleteRows() []wire.Route {
	const path = "/api/autocomplete/"
	row := func(name string, scope org.Scope, summary, doc string) wire.Route {
		return wire.Route{
			Method: http.MethodGet, Path: path + name + "/", Name: "autocomplete-" + name, Tag: tagAutocomplete, Access: wire.People, Scope: scope,
			Summary: summary, Doc: doc + " Without `q` it returns the newest ones.",
		}
	}
	return []wire.Route{
		wire.Serve(row("clients", org.ClientGet, "Suggest clients", "Returns clients that contain every word of `q`, newest first."), s.suggestClients),
		wire.Serve(row("items", org.ItemGet, "Suggest items", "Returns active items that contain every word of `q`, newest first. An item whose SKU or barcode equals `q` comes first."), s.suggestItems),
		wire.Serve(row("invoices", org.InvoiceGet, "Suggest invoices", "Returns invoices that match `q` as in the list of invoices, newest first, for example the original of a credit note."), s.suggestInvoices),
		wire.Serve(row("reasons", org.ReasonGet, "Suggest reasons", "Returns active reasons that contain every word of `q`, newest first."), s.suggestReasons),
	}
}

// suggest is the query of every autocomplete.
type suggest struct {
	Q     string `query:"q" optional:"true" maxLength:"200" example:"النور" doc:"What the person has typed. Spelling variants match, as in search_text of the lists."`
	Query string `query:"query" optional:"true" deprecated:"true" maxLength:"200" doc:"Old name of q, used if q is absent or empty. It will be removed."`
	Limit int    `query:"limit" default:"10" minimum:"1" maximum:"50" doc:"Most results to return."`
}

// text returns what the person has typed.
func (q suggest) text() string { return strings.TrimSpace(cmp.Or(q.Q, q.Query)) }

// search returns the folded text.
func (q suggest) search() string { return trade.Fold(q.text()) }

// impossible reports whether a text cannot match, because nothing of it is left
// when it is folded.
func (q suggest) impossible() bool { return q.text() != "" && q.search() == "" }

type clientSuggestion struct {
	UUID       uuid.UUID `json:"uuid" doc:"UUID of the client, for buyer of an invoice."`
	Name       string    `json:"buyer_name" example:"Al Noor Trading" doc:"Name of the client."`
	NameArabic string    `json:"buyer_name_arabic" example:"شركة النور للتجارة" doc:"Name in Arabic letters."`
	VATNumber  string    `json:"vat_registration_number" example:"300000000000003" doc:"VAT number; empty if the client has none."`
	City       string    `json:"city" example:"Riyadh" doc:"City of the address."`
	Country    string    `json:"country_code" example:"SA" doc:"Country code of the address."`
}

type clientSuggestions struct {
	Results []clientSuggestion `json:"results" doc:"Matching clients."`
}

func (s *Surface) suggestClients(ctx context.Context, c wire.Caller, in *suggest) (*clientSuggestions, error) {
	out := &clientSuggestions{}
	if in.impossible() {
		return out, nil
	}
	found, err := s.Suggestions.SuggestClients(ctx, c.Actor.Tenant, in.search(), in.Limit)
	for _, one := range found {
		out.Results = append(out.Results, clientSuggestion{one.ID, one.Name, one.NameArabic, one.VATNumber, one.Address.City, one.Address.CountryCode})
	}
	return out, err
}

type itemSuggestion struct {
	UUID       uuid.UUID      `json:"uuid" doc:"UUID of the item, for item_id of a line."`
	Name       string         `json:"item_name" example:"Laptop 15 inch" doc:"Name as printed on the invoice."`
	NameArabic string         `json:"item_name_arabic" example:"حاسوب محمول" doc:"Name in Arabic letters."`
	SKU        string         `json:"sku" example:"LAP-15" doc:"Your number for the item; empty if it has none."`
	Barcode    string         `json:"barcode" example:"6281000000014" doc:"Number on the package of the item; empty if it has none."`
	Price      string         `json:"item_net_price" pattern:"^[0-9]+[.][0-9]{2}$" example:"4200.00" doc:"Unit price before VAT, such as 4200.00."`
	Unit       string         `json:"unit_of_measure" example:"PCE" doc:"Code of the unit of measure."`
	Category   string         `json:"vat_category_code" enum:"S,Z,E,O" example:"S" doc:"VAT category: S standard rate, Z zero rate, E exempt, O not subject to VAT."`
	Rate       money.Decimal  `json:"vat_rate" example:"15" doc:"VAT rate in percent, such as 15."`
	Stock      *money.Decimal `json:"stock" example:"12.5" doc:"Quantity in stock; null if unlimited."`
	Exact      bool           `json:"exact" doc:"Whether the SKU or the barcode equals q."`
}

type itemSuggestions struct {
	Results []itemSuggestion `json:"results" doc:"Matching items."`
}

func (s *Surface) suggestItems(ctx context.Context, c wire.Caller, in *suggest) (*itemSuggestions, error) {
	out, code := &itemSuggestions{}, in.text()
	if in.impossible() {
		return out, nil
	}
	found, err := s.Suggestions.SuggestItems(ctx, c.Actor.Tenant, code, in.search(), in.Limit)
	for _, one := range found {
		out.Results = append(out.Results, itemSuggestion{
			UUID: one.ID, Name: one.Name, NameArabic: one.NameArabic, SKU: one.SKU, Barcode: one.Barcode, Price: one.Price.Fixed2(),
			Unit: one.Unit, Category: one.Category, Rate: one.Rate, Stock: one.Stock, Exact: code != "" && (one.SKU == code || one.Barcode == code),
		})
	}
	return out, err
}

type suggestInvoices struct {
	suggest
	Kind     int        `query:"type_code" optional:"true" enum:"388,381,383,386" doc:"Only documents of this type: 388 tax invoice, 381 credit note, 383 debit note, 386 advance payment invoice."`
	Buyer    *uuid.UUID `query:"buyer" optional:"true" doc:"Only documents for the client with this UUID."`
	Accepted bool       `query:"accepted" optional:"true" doc:"true: only documents that the authority has accepted, which credit notes and deductions of advances need."`
}

type invoiceSuggestion struct {
	UUID      uuid.UUID `json:"uuid" doc:"UUID of the invoice."`
	Number    string    `json:"ref_num" example:"INV-2026-000001" doc:"Number of the invoice."`
	Kind      int       `json:"type_code" enum:"388,381,383,386" doc:"Type: 388 tax invoice, 381 credit note, 383 debit note, 386 advance payment invoice."`
	IssueDate string    `json:"issue_date" example:"2026-11-15" doc:"Issue date."`
	BuyerName string    `json:"buyer_name" example:"Al Noor Trading" doc:"Name of the buyer; empty for a simplified invoice without a buyer."`
	Payable   string    `json:"invoice_payable_amount" example:"1150.00" doc:"Amount to be paid."`
	Currency  string    `json:"currency" example:"SAR" doc:"Currency code (ISO 4217)."`
	Status    *string   `json:"authority_response_status" enum:"CLEARED,REPORTED,NOT_CLEARED,NOT_REPORTED,No response" doc:"Status of the authority; null until it has responded."`
}

type invoiceSuggestions struct {
	Results []invoiceSuggestion `json:"results" doc:"Matching invoices."`
}

func (s *Surface) suggestInvoices(ctx context.Context, c wire.Caller, in *suggestInvoices) (*invoiceSuggestions, error) {
	out := &invoiceSuggestions{}
	if in.impossible() {
		return out, nil
	}
	filter := ledger.Filter{Search: in.search(), Kind: invoice.Kind(in.Kind)}
	if in.Buyer != nil {
		filter.Buyer = *in.Buyer
	}
	if in.Accepted {
		filter.Statuses = []ledger.Status{ledger.Cleared, ledger.Reported}
	}
	found, err := s.Suggestions.SuggestInvoices(ctx, c.Actor.Tenant, filter, in.Limit)
	for _, one := range found {
		shown := invoiceSuggestion{
			UUID: one.ID, Number: one.Number, Kind: int(one.Kind), IssueDate: one.IssueDate, BuyerName: one.BuyerName,
			Payable: one.Payable.Fixed2(), Currency: one.Currency,
		}
		if one.Status != ledger.Unanswered {
			status := string(one.Status)
			shown.Status = &status
		}
		out.Results = append(out.Results, shown)
	}
	return out, err
}

type reasonSuggestion struct {
	UUID        uuid.UUID `json:"uuid" doc:"UUID of the reason, for reason_id of an invoice."`
	Description string    `json:"description" example:"Payment within 45 days" doc:"Text on the document."`
	DueDays     *int      `json:"due_days" doc:"Days from the issue until an invoice with this reason is due; null if the setting of the organisation applies."`
}

type reasonSuggestions struct {
	Results []reasonSuggestion `json:"results" doc:"Matching reasons."`
}

func (s *Surface) suggestReasons(ctx context.Context, c wire.Caller, in *suggest) (*reasonSuggestions, error) {
	out := &reasonSuggestions{}
	if in.impossible() {
		return out, nil
	}
	found, err := s.Suggestions.SuggestReasons(ctx, c.Actor.Tenant, in.search(), in.Limit)
	for _, one := range found {
		out.Results = append(out.Results, reasonSuggestion{one.ID, one.Description, one.DueDays})
	}
	return out, err
}
