package api

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"khatm/codes"
	"khatm/service/internal/fault"
	"khatm/service/internal/wire"
)

// referenceDay is how long clients may cache reference data.
const referenceDay = 24 * time.Hour

// referenceRow returns a route for reference data: any key may read it, and it is
// the same for every caller until the program changes.
func referenceRow(path, name, summary, doc string, codes ...fault.Code) wire.Route {
	return wire.Route{
		Method: http.MethodGet, Path: "/api/invoices/" + path + "/", Name: name, Tag: tagReference,
		Summary: summary, Doc: doc, Cache: referenceDay, Codes: codes,
	}
}

func referenceRows() []wire.Route {
	return []wire.Route{
		wire.Serve(referenceRow("vat-categories", "list-vat-categories", "List VAT categories",
			"Returns the four VAT categories by name."), always(vatCategories)),
		wire.Serve(referenceRow("vat", "list-vat-rates", "List VAT rates and reasons",
			"Returns the rates and exemption reasons of each VAT category by its code, or of the one in `vat_category_code`.", fault.InvalidVATCategory), vatRates),
		wire.Serve(referenceRow("vat-exemption-reasons", "list-vat-exemption-reasons", "List VAT exemption reasons",
			"Returns the reasons for not charging VAT, or those of the category in `category`. For a category without reasons the object is empty."), exemptionReasons),
		wire.Serve(referenceRow("invoice-type-codes", "list-invoice-type-codes", "List invoice type codes",
			"Returns the document types."), always(typeCodes)),
		wire.Serve(referenceRow("units-of-measure", "list-units-of-measure", "List units of measure",
			"Returns 41 units with 39 different codes: LTR and STN are each listed under two names."), always(unitsOfMeasure)),
		wire.Serve(referenceRow("payment-means-types", "list-payment-means-types", "List payment means",
			"Returns the payment means. The code is a number here and a string in an invoice."), always(paymentMeans)),
		wire.Serve(referenceRow("invoice-charges-codes", "list-invoice-charges-codes", "List charge reasons",
			"Returns the reasons for a charge, in English only."), always(chargeReasons)),
		wire.Serve(referenceRow("invoice-allowances-codes", "list-invoice-allowances-codes", "List allowance reasons",
			"Returns the reasons for an allowance."), always(allowanceReasons)),
	}
}

// always returns a handler whose response never changes.
func always[Out any](list func() Out) func(context.Context, wire.Caller, *nothing) (*Out, error) {
	out := list()
	return func(context.Context, wire.Caller, *nothing) (*Out, error) { return &out, nil }
}

// entry is an entry of a code list.
type entry struct {
	Code          string `json:"code" example:"S" doc:"Code to use in an invoice or a record."`
	Description   string `json:"description" example:"Standard rate" doc:"Description in English."`
	DescriptionAR string `json:"description_ar" example:"التوريدات الخاضعة للضريبة بالنسبة الأساسية" doc:"Description in Arabic."`
}

// numbered is an entry of a list whose codes are numbers.
type numbered struct {
	Code          int    `json:"code" example:"388" doc:"Code to use in an invoice."`
	Description   string `json:"description" example:"Tax invoice" doc:"Description in English."`
	DescriptionAR string `json:"description_ar" example:"فاتورة ضريبية" doc:"Description in Arabic."`
}

// plain is an entry of a list without Arabic texts.
type plain struct {
	Code        string `json:"code" example:"FC" doc:"Code to use in an invoice."`
	Description string `json:"description" example:"Freight service" doc:"Description in English."`
}

// allowance is an allowance reason, whose Arabic text may be missing.
type allowance struct {
	Code          string  `json:"code" example:"95" doc:"Code to use in an invoice."`
	Description   string  `json:"description" example:"Discount" doc:"Description in English."`
	DescriptionAR *string `json:"description_ar" example:"خصم" doc:"Description in Arabic; if it is null, use the English description."`
}

func entries(list []codes.Entry) map[string]entry {
	out := map[string]entry{}
	for _, e := range list {
		out[e.Key] = entry{e.Code, e.EN, e.AR}
	}
	return out
}

func vatCategories() map[string]entry {
	out := map[string]entry{}
	for _, c := range codes.Categories() {
		out[c.Key] = entry{c.Code, c.EN, c.AR}
	}
	return out
}

func unitsOfMeasure() map[string]entry { return entries(codes.Units()) }

func typeCodes() map[string]numbered {
	out := map[string]numbered{}
	for _, d := range codes.DocumentTypes() {
		out[d.Key] = numbered{d.Code, d.EN, d.AR}
	}
	return out
}

func paymentMeans() map[string]numbered {
	out := map[string]numbered{}
	for _, p := range codes.AllPaymentMeans() {
		out[p.Key] = numbered{p.Code, p.EN, p.AR}
	}
	return out
}

func chargeReasons() map[string]plain {
	out := map[string]plain{}
	for _, e := range codes.ChargeReasons() {
		out[e.Key] = plain{e.Code, e.EN}
	}
	return out
}

func allowanceReasons() map[string]allowance {
	out := map[string]allowance{}
	for _, e := range codes.AllowanceReasons() {
		one := allowance{Code: e.Code, Description: e.EN}
		if e.AR != "" {
			one.DescriptionAR = &e.AR
		}
		out[e.Key] = one
	}
	return out
}

// vatOfCategory holds the rates and reasons of a VAT category.
type vatOfCategory struct {
	Rates    []json.Number `json:"vat_rates" example:"15.0" doc:"VAT rates of the category in percent."`
	Reasons  []vatReason   `json:"reasons" doc:"Exemption reasons of the category."`
	FreeText bool          `json:"is_free_text" doc:"Whether the text of the exemption reason can be chosen freely."`
}

type vatReason struct {
	Code   string `json:"code" example:"VATEX-SA-32" doc:"Code to use in an invoice."`
	Text   string `json:"text" example:"Export of goods" doc:"Exemption reason in English."`
	TextAR string `json:"text_ar" example:"صادرات السلع من المملكة" doc:"Exemption reason in Arabic."`
}

type vatQuery struct {
	Category string `query:"vat_category_code" optional:"true" values:"S,Z,E,O" example:"S" doc:"Code of a VAT category: S, Z, E or O."`
}

func vatRates(_ context.Context, _ wire.Caller, in *vatQuery) (*map[string]vatOfCategory, error) {
	out := map[string]vatOfCategory{}
	for _, c := range codes.Categories() {
		if in.Category == "" || in.Category == c.Code {
			out[c.Code] = vatOf(c)
		}
	}
	if len(out) == 0 {
		return nil, fault.New(fault.InvalidVATCategory, "Invalid VAT Category")
	}
	return &out, nil
}

func vatOf(c codes.Category) vatOfCategory {
	v := vatOfCategory{FreeText: c.FreeText}
	for _, rate := range c.Rates() {
		text := rate.String()
		if !strings.Contains(text, ".") {
			text += ".0" // docs/contract.md shows rates with a decimal place
		}
		v.Rates = append(v.Rates, json.Number(text))
	}
	for _, r := range codes.ReasonsOf(c.Code) {
		v.Reasons = append(v.Reasons, vatReason{r.Code, r.EN, r.AR})
	}
	return v
}

// exemption is an exemption reason.
type exemption struct {
	Category      string `json:"category" example:"Z" doc:"Code of the VAT category: Z, E or O."`
	Code          string `json:"code" example:"VATEX-SA-32" doc:"Code to use in an invoice."`
	DescriptionEN string `json:"description_en" example:"Export of goods" doc:"Description in English."`
	DescriptionAR string `json:"description_ar" example:"صادرات السلع من المملكة" doc:"Description in Arabic."`
}

type exemptionQuery struct {
	Category string `query:"category" optional:"true" example:"Z" doc:"Code of a VAT category: Z, E or O."`
}

func exemptionReasons(_ context.Context, _ wire.Caller, in *exemptionQuery) (*map[string]exemption, error) {
	out := map[string]exemption{}
	for _, r := range codes.Reasons() {
		if in.Category == "" || in.Category == r.Category {
			out[r.Key] = exemption{r.Category, r.Code, r.EN, r.AR}
		}
	}
	return &out, nil
}
