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

// referenceDay is how long reference data may be kept by whoever read it.
const referenceDay = 24 * time.Hour

// referenceRow is a row of reference data: any key reads it, and it is the
// same for everybody until the program changes.
func referenceRow(path, name, summary, doc string) wire.Route {
	return wire.Route{
		Method: http.MethodGet, Path: "/api/invoices/" + path + "/", Name: name, Tag: tagReference,
		Summary: summary, Doc: doc, Cache: referenceDay,
	}
}

func referenceRows() []wire.Route {
	return []wire.Route{
		wire.Serve(referenceRow("vat-categories", "list-vat-categories", "VAT categories",
			"The four categories, by name."), always(vatCategories)),
		wire.Serve(referenceRow("vat", "list-vat-rates", "VAT rates and reasons",
			"What each category allows, by its code; with `vat_category_code`, that one."), vatRates),
		wire.Serve(referenceRow("vat-exemption-reasons", "list-vat-exemption-reasons", "VAT exemption reasons",
			"Why a supply bears no VAT. With `category`, those of one; a category without reasons gives an empty object."), exemptionReasons),
		wire.Serve(referenceRow("invoice-type-codes", "list-invoice-type-codes", "Invoice type codes",
			"The kinds of document."), always(typeCodes)),
		wire.Serve(referenceRow("units-of-measure", "list-units-of-measure", "Units of measure",
			"41 units; LTR and STN each stand under two names."), always(unitsOfMeasure)),
		wire.Serve(referenceRow("payment-means-types", "list-payment-means-types", "Payment means",
			"Ways to pay. The code is a number here and a string in an invoice."), always(paymentMeans)),
		wire.Serve(referenceRow("invoice-charges-codes", "list-invoice-charges-codes", "Charge reasons",
			"Reasons for a charge, in English only."), always(chargeReasons)),
		wire.Serve(referenceRow("invoice-allowances-codes", "list-invoice-allowances-codes", "Allowance reasons",
			"Reasons for an allowance."), always(allowanceReasons)),
	}
}

// always makes a verb of an answer that never changes.
func always[Out any](list func() Out) func(context.Context, wire.Caller, *nothing) (*Out, error) {
	out := list()
	return func(context.Context, wire.Caller, *nothing) (*Out, error) { return &out, nil }
}

// entry is a line of a code list.
type entry struct {
	Code          string `json:"code" example:"S" doc:"What stands in an invoice or a record."`
	Description   string `json:"description" example:"Standard rate" doc:"In English."`
	DescriptionAR string `json:"description_ar" example:"التوريدات الخاضعة للضريبة بالنسبة الأساسية" doc:"In Arabic."`
}

// numbered is a line of a list whose codes are numbers.
type numbered struct {
	Code          int    `json:"code" example:"388" doc:"What stands in an invoice."`
	Description   string `json:"description" example:"Tax invoice" doc:"In English."`
	DescriptionAR string `json:"description_ar" example:"فاتورة ضريبية" doc:"In Arabic."`
}

// plain is a line of a list that has no Arabic.
type plain struct {
	Code        string `json:"code" example:"FC" doc:"What stands in an invoice."`
	Description string `json:"description" example:"Freight service" doc:"In English."`
}

// allowance is a line of the allowance reasons, whose Arabic may be missing.
type allowance struct {
	Code          string  `json:"code" example:"95" doc:"What stands in an invoice."`
	Description   string  `json:"description" example:"Discount" doc:"In English."`
	DescriptionAR *string `json:"description_ar" example:"خصم" doc:"null where there is none; use the English."`
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

// vatOfCategory is what a category allows.
type vatOfCategory struct {
	Rates    []json.Number `json:"vat_rates" example:"15.0" doc:"Rates in percent that the category allows."`
	Reasons  []vatReason   `json:"reasons" doc:"Reasons for no VAT that the category allows."`
	FreeText bool          `json:"is_free_text" doc:"The text of the reason is your own."`
}

type vatReason struct {
	Code   string `json:"code" example:"VATEX-SA-32" doc:"What stands in an invoice."`
	Text   string `json:"text" example:"Export of goods" doc:"In English."`
	TextAR string `json:"text_ar" example:"صادرات السلع من المملكة" doc:"In Arabic."`
}

type vatQuery struct {
	Category string `query:"vat_category_code" optional:"true" example:"S" doc:"Code of a category: S, Z, E or O."`
}

func vatRates(_ context.Context, _ wire.Caller, in *vatQuery) (*map[string]vatOfCategory, error) {
	out := map[string]vatOfCategory{}
	for _, c := range codes.Categories() {
		if in.Category == "" || in.Category == c.Code {
			out[c.Code] = vatOf(c)
		}
	}
	if len(out) == 0 {
		return nil, fault.New(fault.Invalid, "Invalid VAT Category")
	}
	return &out, nil
}

func vatOf(c codes.Category) vatOfCategory {
	v := vatOfCategory{FreeText: c.FreeText}
	for _, rate := range c.Rates() {
		text := rate.String()
		if !strings.Contains(text, ".") {
			text += ".0" // the interface writes rates with a place
		}
		v.Rates = append(v.Rates, json.Number(text))
	}
	for _, r := range codes.ReasonsOf(c.Code) {
		v.Reasons = append(v.Reasons, vatReason{r.Code, r.EN, r.AR})
	}
	return v
}

// exemption is a line of the exemption reasons.
type exemption struct {
	Category      string `json:"category" example:"Z" doc:"Code of the VAT category that it belongs to."`
	Code          string `json:"code" example:"VATEX-SA-32" doc:"What stands in an invoice."`
	DescriptionEN string `json:"description_en" example:"Export of goods" doc:"In English."`
	DescriptionAR string `json:"description_ar" example:"صادرات السلع من المملكة" doc:"In Arabic."`
}

type exemptionQuery struct {
	Category string `query:"category" optional:"true" example:"Z" doc:"Code of a category: Z, E or O."`
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
