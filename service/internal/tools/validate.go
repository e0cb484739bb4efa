package tools

import (
	"context"
	"net/http"

	"khatm/rules"
	"khatm/service/internal/wire"
)

// invoiceExample is the least that makes a standard invoice.
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
			Method: http.MethodPost, Path: "/api/public/validate-zatca/", Name: "validate-zatca", Tag: tagTools, Access: wire.Public, Strict: true, Turn: s.turn,
			Summary: "Hold an invoice against every rule of the authority",
			Doc: "Only `ref_num`, `issue_date`, `seller` and `lines` must be there; the rest has defaults, and amounts are computed. An amount that you do state is judged instead of the computed one.\n\n" +
				"`results` has every rule of the authority's book, in its order. Those that speak of the stamp, the chain and the time of sending (BR-KSA-26 to 30, 33, 34, 60, 61, 98 and BR-CL-KSA-14) are `not_applicable`: an invoice in JSON has none of these. " +
				"Where the document made of the invoice departs from UBL, or could not be read by the authority's own checks, `results` has further ones that failed, with ids of ours (`UBL-…`, `SHEET-…`). A warning that is not heeded is `failed` too, with `severity` `warning`.",
			Example: invoiceExample,
		}, s.validate),
	}
}

type validation struct {
	Body Invoice `body:"json"`
}

// validated is what the book says of an invoice.
type validated struct {
	Total         int      `json:"total_rules" example:"245" doc:"How many results there are."`
	Passed        int      `json:"passed" example:"98" doc:"How many of them passed."`
	Failed        int      `json:"failed" example:"0" doc:"How many failed, warnings among them."`
	NotApplicable int      `json:"not_applicable" example:"147" doc:"How many speak of nothing that the invoice has."`
	Results       []result `json:"results" doc:"The rules in the order of the book, and then what else is wrong."`
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
