package invoice

import (
	"khatm/money"
	"khatm/ubl"
)

func (r *reading) delivery(f *Facts, deliveries []*ubl.Delivery) {
	for i, d := range deliveries {
		path := step("/Invoice", "cac:Delivery", i)
		if i > 0 {
			r.problems.add(path, "is not supported")
			continue
		}
		f.SupplyDate = d.ActualDeliveryDate.String()
		f.SupplyEndDate = d.LatestDeliveryDate.String()
		r.unsupported(path, d.Rest)
	}
}

func (r *reading) payment(f *Facts, all []*ubl.PaymentMeans) {
	for i, m := range all {
		path := step("/Invoice", "cac:PaymentMeans", i)
		if i > 0 {
			r.problems.add(path, "is not supported")
			continue
		}
		f.PaymentMeans = m.PaymentMeansCode.String()
		f.Reason = r.single(path+"/cbc:InstructionNote", m.InstructionNotes)
		r.unsupported(path, m.Rest,
			element{"cbc:PaymentDueDate", m.PaymentDueDate != nil},
			element{"cbc:PaymentID", len(m.PaymentIDs) > 0})
		if account := m.PayeeFinancialAccount; account != nil {
			path += "/cac:PayeeFinancialAccount"
			f.PaymentTerms = r.single(path+"/cbc:PaymentNote", account.PaymentNotes)
			r.unsupported(path, account.Rest, element{"cbc:ID", account.ID != nil})
		}
	}
}

// single reads a text that may repeat in UBL but not in Facts.
func (r *reading) single(path string, texts []*ubl.Text) string {
	if len(texts) == 0 {
		return ""
	}
	if len(texts) > 1 {
		r.problems.add(path, "occurs %d times, must occur once", len(texts))
	}
	return texts[0].Value
}

// exchangeRate reads the rate to the riyal, which is 1 for the riyal itself.
func (r *reading) exchangeRate(f *Facts, rate *ubl.ExchangeRate) {
	const path = "/Invoice/cac:TaxExchangeRate"
	if f.Currency == taxCurrency {
		f.ExchangeRate = money.FromInt(1)
		r.unsupported("/Invoice", ubl.Rest{}, element{"cac:TaxExchangeRate", rate != nil})
		return
	}
	if rate == nil {
		return
	}
	known := len(r.problems)
	f.ExchangeRate = r.decimal(path+"/cbc:CalculationRate", rate.CalculationRate)
	if f.ExchangeRate.Sign() <= 0 && len(r.problems) == known { // treat it as missing
		r.problems.add(path+"/cbc:CalculationRate", "must be greater than zero, is %q", rate.CalculationRate.String())
		f.ExchangeRate = money.Decimal{}
	}
	r.mustEqual(path+"/cbc:SourceCurrencyCode", rate.SourceCurrencyCode, f.Currency)
	r.mustEqual(path+"/cbc:TargetCurrencyCode", rate.TargetCurrencyCode, taxCurrency)
	r.unsupported(path, rate.Rest)
}

func (r *reading) allowances(all []*ubl.AllowanceCharge) []Allowance {
	var kept []Allowance
	for i, a := range all {
		path := step("/Invoice", "cac:AllowanceCharge", i)
		if c := a.ChargeIndicator.String(); c != "false" && c != "0" {
			r.problems.add(path, "is a charge, which is not supported")
			continue
		}
		tax := r.tax(path, "cac:TaxCategory", a.TaxCategories)
		kept = append(kept, Allowance{
			Amount:     r.amount(path+"/cbc:Amount", a.Amount),
			ReasonCode: a.ReasonCode.String(),
			Reason:     r.single(path+"/cbc:AllowanceChargeReason", a.Reasons),
			Category:   tax.Category,
			Rate:       tax.Rate,
		})
		r.unsupported(path, a.Rest,
			element{"cbc:MultiplierFactorNumeric", a.MultiplierFactorNumeric != nil},
			element{"cbc:BaseAmount", a.BaseAmount != nil},
			element{"cac:TaxCategory/cbc:TaxExemptionReasonCode", tax.ReasonCode != ""})
	}
	return kept
}

// totals reads from the totals what Compute cannot compute: the rounded payable
// amount. It reports a prepaid amount and charges that no line accounts for.
func (r *reading) totals(f *Facts, m *ubl.MonetaryTotal) {
	const path = "/Invoice/cac:LegalMonetaryTotal"
	if m == nil {
		return
	}
	if m.PayableRoundingAmount != nil {
		payable := r.amount(path+"/cbc:PayableAmount", m.PayableAmount)
		f.ExpectedPayable = &payable
	}
	var advances money.Decimal
	for _, a := range f.Advances {
		for _, s := range a.Breakdown {
			advances = money.Sum(advances, s.Taxable, s.Amount)
		}
	}
	if prepaid := r.amount(path+"/cbc:PrepaidAmount", m.PrepaidAmount); !prepaid.Equal(advances) {
		r.problems.add(path+"/cbc:PrepaidAmount", "is %s, but the lines deduct advances of %s", prepaid, advances)
	}
	r.unsupported(path, m.Rest, element{"cbc:ChargeTotalAmount", m.ChargeTotalAmount != nil && !r.decimal(path+"/cbc:ChargeTotalAmount", m.ChargeTotalAmount).IsZero()})
}
