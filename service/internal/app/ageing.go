package app

import (
	"context"
	"net/http"

	"khatm/service/internal/api"
	"khatm/service/internal/org"
	"khatm/service/internal/payment"
	"khatm/service/internal/wire"
)

const ageingPath = "/api/ageing/"

func (s *Surface) ageingRows() []wire.Route {
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: ageingPath, Name: "get-ageing", Tag: tagStatements, Access: wire.People, Scope: org.PaymentGet,
			Summary: "List what clients owe by age",
			Doc: "Returns the clients with open invoices, the newest client first, and what they owe in each currency by the days since the due date. Without a due date, an invoice is due when it is issued. " +
				"A standard document counts once it is cleared, a simplified one from its issue; documents without a client do not count.",
		}, s.getAgeing),
	}
}

type ageingQuery struct {
	Currency string `query:"currency" optional:"true" minLength:"3" maxLength:"3" example:"SAR" doc:"Only what is owed in this currency (ISO 4217)."`
}

type getAgeing struct {
	ageingQuery
	api.PageQuery
}

// Ageing is what clients owe in a response.
type Ageing struct {
	Date    string        `json:"as_of" format:"date" doc:"Today in Riyadh time: the day of the balances, from which ages are counted."`
	Clients []debtorOut   `json:"clients" doc:"Clients on this page."`
	Totals  []ageingTotal `json:"totals" doc:"Sums of all clients, one for each currency, on the first page; empty on other pages."`
	api.Envelope
}

type debtorOut struct {
	clientOut
	Owed []ageingOut `json:"owed" doc:"What the client owes, one entry for each currency."`
}

type ageingTotal struct {
	Currency string `json:"currency" example:"SAR" doc:"Currency code (ISO 4217)."`
	NotDue   string `json:"not_due" example:"100.00" doc:"Due today or later."`
	Days30   string `json:"days_1_30" example:"0.00" doc:"Due since 1 to 30 days."`
	Days60   string `json:"days_31_60" example:"0.00" doc:"Due since 31 to 60 days."`
	Days90   string `json:"days_61_90" example:"0.00" doc:"Due since 61 to 90 days."`
	Older    string `json:"over_90" example:"15.00" doc:"Due since more than 90 days."`
	Total    string `json:"total" example:"115.00" doc:"Sum of the balances."`
}

type ageingOut struct {
	ageingTotal
	Credit string `json:"credit" example:"35.00" doc:"What your organisation owes the client: unused payments and refunds that are due. It is not deducted from total."`
}

func ageingOf(a payment.Aged) ageingTotal {
	return ageingTotal{
		a.Currency, a.Owed[payment.NotDue].Fixed2(), a.Owed[payment.Days30].Fixed2(), a.Owed[payment.Days60].Fixed2(), a.Owed[payment.Days90].Fixed2(),
		a.Owed[payment.Older].Fixed2(), a.Total.Fixed2(),
	}
}

func (s *Surface) getAgeing(ctx context.Context, c wire.Caller, in *getAgeing) (*Ageing, error) {
	page, err := in.Page()
	if err == nil {
		err = knownCurrency(in.Currency)
	}
	if err != nil {
		return nil, err
	}
	today := s.today()
	found, err := s.Statements.Debtors(ctx, c.Actor.Tenant, in.Currency, today, page)
	if err != nil {
		return nil, err
	}
	out := &Ageing{Date: today, Envelope: api.EnvelopeOf(found, page)}
	for _, d := range found.Rows {
		to := debtorOut{clientOut: clientOut{d.ID, d.Name, d.NameArabic}}
		for _, a := range d.Owes {
			to.Owed = append(to.Owed, ageingOut{ageingOf(a), a.Credit.Fixed2()})
		}
		out.Clients = append(out.Clients, to)
	}
	if in.Cursor != "" || in.Number > 1 {
		return out, nil
	}
	totals, err := s.Statements.OwedTotals(ctx, c.Actor.Tenant, in.Currency, today)
	if err != nil {
		return nil, err
	}
	for _, a := range totals {
		out.Totals = append(out.Totals, ageingOf(a))
	}
	return out, nil
}
