package app

import (
	"context"
	"net/http"
	"time"

	"khatm/invoice"
	"khatm/service/internal/codec"
	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

// Summaries adds up the documents of an organisation.
type Summaries interface {
	// Days returns the sums of each day from one to another that has documents, in
	// the order of the days.
	Days(ctx context.Context, of org.Tenant, from, to string) ([]ledger.Day, error)
}

const tagSummary = "Summary"

// summaryDays is the length of the longest period that is added up.
const summaryDays = 92

func (s *Surface) summaryRows() []wire.Route {
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: "/api/summary/", Name: "get-summary", Tag: tagSummary, Access: wire.People, Scope: org.InvoiceGet, Long: true,
			Summary: "Add up the documents of a period",
			Doc: "Returns how many documents were issued, accepted and rejected on each day, and their VAT and totals in SAR. Rejected documents do not count in amounts; credit notes and what invoices deduct from advance payments are subtracted. " +
				"Days are those of `issue_date`. A period has at most 92 days.",
		}, s.getSummary),
	}
}

type getSummary struct {
	From codec.Date `query:"date_from" optional:"true" doc:"First day, such as 2026-11-01. Default: the first day of the current month in Riyadh."`
	To   codec.Date `query:"date_to" optional:"true" doc:"Last day, such as 2026-11-30. Default: today in Riyadh."`
}

// Summary is what the documents of a period add up to, in a response.
type Summary struct {
	From   string       `json:"date_from" format:"date" doc:"First day."`
	To     string       `json:"date_to" format:"date" doc:"Last day."`
	Days   []summaryDay `json:"days" doc:"The days that have documents, in their order."`
	Totals summarySums  `json:"totals" doc:"Sums of all days."`
}

type summaryDay struct {
	Date string `json:"date" format:"date" doc:"Issue date, in Riyadh time."`
	summarySums
}

type summarySums struct {
	Issued   int    `json:"issued" example:"7" doc:"Number of documents issued."`
	Accepted int    `json:"accepted" example:"4" doc:"Number of them that the tax authority has cleared or that were reported to it."`
	Waiting  int    `json:"waiting" example:"2" doc:"Number of them without a final answer."`
	Rejected int    `json:"rejected" example:"1" doc:"Number of them that the tax authority has rejected."`
	VAT      string `json:"vat_sar" example:"1050.00" doc:"VAT in SAR: the sum of invoice_total_vat_amount_sar, without rejected documents, less credit notes and deducted advance payments."`
	Total    string `json:"total_sar" example:"8050.00" doc:"Total including VAT in SAR, without rejected documents, less credit notes and deducted advance payments. An amount in another currency is converted and rounded for each VAT category."`
}

func sumsOf(d ledger.Day) summarySums {
	return summarySums{d.Issued, d.Accepted, d.Issued - d.Accepted - d.Rejected, d.Rejected, d.VAT.Fixed2(), d.WithVAT.Fixed2()}
}

// period returns the first and the last day.
func (in *getSummary) period(now time.Time) (from, to codec.Date, err error) {
	from, to = in.From, in.To
	today := codec.DateOf(now.In(invoice.Riyadh()))
	if from.IsZero() {
		from = codec.Date{Year: today.Year, Month: today.Month, Day: 1}
	}
	if to.IsZero() {
		to = today
	}
	if to.String() < from.String() {
		return from, to, fault.Wrong(fault.Problem{Path: "date_to", Message: "must not be before date_from", MessageAR: "يجب ألا يسبق تاريخ النهاية تاريخ البداية."})
	}
	if last := time.Date(from.Year, from.Month, from.Day+summaryDays-1, 0, 0, 0, 0, time.UTC); codec.DateOf(last).String() < to.String() {
		return from, to, fault.Wrong(fault.Problem{Path: "date_to", Message: "must be at most 91 days after date_from", MessageAR: "يجب ألا تزيد المدة على 92 يومًا."})
	}
	return from, to, nil
}

func (s *Surface) getSummary(ctx context.Context, c wire.Caller, in *getSummary) (*Summary, error) {
	from, to, err := in.period(s.Now())
	if err != nil {
		return nil, err
	}
	days, err := s.Summaries.Days(ctx, c.Actor.Tenant, from.String(), to.String())
	if err != nil {
		return nil, err
	}
	out := &Summary{From: from.String(), To: to.String()}
	sum := ledger.Day{}
	for _, d := range days {
		out.Days = append(out.Days, summaryDay{d.Date, sumsOf(d)})
		sum.Issued, sum.Accepted, sum.Rejected = sum.Issued+d.Issued, sum.Accepted+d.Accepted, sum.Rejected+d.Rejected
		sum.VAT, sum.WithVAT = sum.VAT.Add(d.VAT), sum.WithVAT.Add(d.WithVAT)
	}
	out.Totals = sumsOf(sum)
	return out, nil
}
