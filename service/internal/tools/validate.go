package tools

import (
	"context"
	"net/http"

	"khatm/rules"
	"khatm/service/internal/fault"
	"khatm/service/internal/wire"
)

// invoiceExample is a minimal standard invoice.
const invoiceExample = `{"ref_num":"INV-2026-000001","issue_date":"2026-11-15",` +
	`"seller":{"name_arabic":"شركة ختم التجريبية","vat_registration_number":"310175397400003","additional_seller_id":{"type_id":"CRN","value":"1010183482"},` +
	`"street":"طريق الملك فهد","building_number":"8091","district":"حي العليا","city":"الرياض","postal_code":"12214"},` +
	`"buyer":{"buyer_name_arabic":"مؤسسة النور للقرطاسية","vat_registration_number":"311287654900003",` +
	`"street":"شارع فلسطين","building_number":"3542","district":"حي الحمراء","city":"جدة","postal_code":"23321"},` +
	`"payment_means_type_code":"10",` +
	`"lines":[{"item_name":"Laptop 15 inch","item_net_price":"4200.00","invoiced_quantity":2}]}`

func (s *Surface) validateRows() []wire.Route {
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: "/api/public/validate-zatca/", Name: "validate-zatca", Tag: tagTools, Access: wire.Public, Strict: true, Memory: memory,
			Codes:   []fault.Code{fault.UnusableInput},
			Summary: "Check an invoice against all rules of the authority",
			Doc: "Only `ref_num`, `issue_date`, `seller` and `lines` are required; the other fields have defaults, and amounts are calculated. An amount that you send is checked instead of the calculated one.\n\n" +
				"`results` lists all rules of the authority in their official order. Rules about the stamp, the chain and the time of submission (BR-KSA-26 to 30, 33, 34, 60, 61, 98 and BR-CL-KSA-14) are `not_applicable`, because an invoice in JSON has none of these. " +
				"If the resulting document violates UBL, or the authority's own checks could not read it, `results` contains additional failed results with our own ids (`UBL-…`, `SHEET-…`). A rule that only gives a warning is `failed` too, with `severity` `warning`.",
			Example: invoiceExample,
		}, s.validate),
	}
}

type validation struct {
	Body Invoice `body:"json"`
}

// validated holds the results of the rules for an invoice.
type validated struct {
	Total         int      `json:"total_rules" example:"245" doc:"Number of results."`
	Passed        int      `json:"passed" example:"98" doc:"Number of rules that passed."`
	Failed        int      `json:"failed" example:"0" doc:"Number of rules that failed, including warnings."`
	NotApplicable int      `json:"not_applicable" example:"147" doc:"Number of rules that do not apply to the invoice."`
	Results       []result `json:"results" doc:"The rules in their official order, followed by other findings."`
	Branded
}

func (s *Surface) validate(_ context.Context, _ wire.Caller, in *validation) (*validated, error) {
	t, err := s.judge(in.Body)
	if err != nil {
		return nil, err
	}
	out := &validated{Total: len(t.results), Results: t.results, Branded: Brand()}
	for _, r := range t.results {
		switch rules.Status(r.Status) {
		case rules.Passed:
			out.Passed++
		case rules.Failed:
			out.Failed++
		case rules.NotApplicable:
			out.NotApplicable++
		}
	}
	return out, nil
}
