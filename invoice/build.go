package invoice

import (
	"strconv"

	"khatm/codes"
	"khatm/money"
	"khatm/ubl"
)

// Values that are the same in every document.
const (
	vatScheme   = "VAT"
	profile     = "reporting:1.0"
	taxCurrency = codes.Riyal
)

// UBL returns the document with the given identity as a UBL invoice. If the
// identity has neither counter nor previous hash, the result can be shown and
// validated, but not signed. The error is a [Problems] about the identity.
func (d *Document) UBL(id Identity) (*ubl.Invoice, error) {
	if err := id.check(); err != nil {
		return nil, err
	}
	return d.UBLUnchecked(id), nil
}

// UBLUnchecked is like [Document.UBL] but does not check the identity. It also
// accepts a document made by [ComputeUnchecked]. Empty values are omitted, so that a
// validator of the result reports them as missing.
func (d *Document) UBLUnchecked(id Identity) *ubl.Invoice {
	inv := &ubl.Invoice{
		ProfileID:            ubl.NewText(profile),
		ID:                   optional(id.Number),
		UUID:                 optional(id.UUID),
		IssueDate:            optional(id.IssueDate),
		IssueTime:            optional(id.IssueTime),
		InvoiceTypeCode:      ubl.NewText(strconv.Itoa(int(d.Kind)), "name", d.Transaction.String()),
		DocumentCurrencyCode: optional(d.Currency),
		TaxCurrencyCode:      ubl.NewText(taxCurrency),
		Supplier:             &ubl.AccountingParty{Party: d.Seller.ubl()},
		Customer:             &ubl.AccountingParty{},
		MonetaryTotal:        d.monetaryTotal(),
		TaxTotals:            d.taxTotals(),
	}
	if id.chained() {
		inv.AdditionalDocumentReferences = []*ubl.DocumentReference{
			{ID: ubl.NewText("ICV"), UUID: ubl.NewText(strconv.FormatInt(id.Counter, 10))},
			{ID: ubl.NewText("PIH"), Attachment: &ubl.Attachment{
				EmbeddedDocumentBinaryObject: ubl.NewText(id.PreviousHash, "mimeCode", "text/plain"),
			}},
		}
	}
	for _, n := range d.Notes {
		inv.Notes = append(inv.Notes, attributed(n.Text, "languageID", n.Language))
	}
	for _, o := range d.Originals {
		inv.BillingReferences = append(inv.BillingReferences, &ubl.BillingReference{
			InvoiceDocumentReference: &ubl.DocumentReference{ID: optional(o.Number), IssueDate: optional(o.IssueDate)},
		})
	}
	if d.Buyer != nil {
		inv.Customer.Party = d.Buyer.ubl(d.needsNationalID())
	}
	d.addDelivery(inv)
	d.addPayment(inv)
	d.addAllowances(inv)
	if d.Currency != taxCurrency && d.Currency != "" && !d.ExchangeRate.IsZero() {
		inv.TaxExchangeRate = &ubl.ExchangeRate{
			SourceCurrencyCode: ubl.NewText(d.Currency),
			TargetCurrencyCode: ubl.NewText(taxCurrency),
			CalculationRate:    ubl.NewText(d.ExchangeRate.String()),
		}
	}
	d.addLines(inv)
	return inv
}

// optional returns an element with the text, or nil if the text is empty. The
// authority rejects empty elements.
func optional(text string) *ubl.Text {
	if text == "" {
		return nil
	}
	return ubl.NewText(text)
}

// attributed returns an element with the text, and with the attribute if value
// is not empty.
func attributed(text, name, value string) *ubl.Text {
	if value == "" {
		return ubl.NewText(text)
	}
	return ubl.NewText(text, name, value)
}

func (d *Document) amount(a money.Decimal) *ubl.Text {
	return attributed(twoPlaces(a), "currencyID", d.Currency)
}

func (d *Document) addDelivery(inv *ubl.Invoice) {
	if d.SupplyDate == "" && d.SupplyEndDate == "" {
		return
	}
	inv.Deliveries = []*ubl.Delivery{{
		ActualDeliveryDate: optional(d.SupplyDate),
		LatestDeliveryDate: optional(d.SupplyEndDate),
	}}
}

func (d *Document) addPayment(inv *ubl.Invoice) {
	if d.PaymentMeans == "" && d.PaymentTerms == "" && d.Reason == "" {
		return
	}
	means := &ubl.PaymentMeans{PaymentMeansCode: optional(d.PaymentMeans)}
	if d.Reason != "" {
		means.InstructionNotes = []*ubl.Text{ubl.NewText(d.Reason)}
	}
	if d.PaymentTerms != "" {
		means.PayeeFinancialAccount = &ubl.FinancialAccount{PaymentNotes: []*ubl.Text{ubl.NewText(d.PaymentTerms)}}
	}
	inv.PaymentMeans = []*ubl.PaymentMeans{means}
}

func (d *Document) addAllowances(inv *ubl.Invoice) {
	for _, a := range d.Allowances {
		ac := &ubl.AllowanceCharge{
			ChargeIndicator: ubl.NewText("false"),
			ReasonCode:      optional(a.ReasonCode),
			Amount:          d.amount(a.Amount),
			TaxCategories:   []*ubl.TaxCategory{Tax{Category: a.Category, Rate: a.Rate}.ubl(false)},
		}
		if a.Reason != "" {
			ac.Reasons = []*ubl.Text{ubl.NewText(a.Reason)}
		}
		inv.AllowanceCharges = append(inv.AllowanceCharges, ac)
	}
}

// ubl returns the tax category, with its exemption reason if reasoned is true.
func (t Tax) ubl(reasoned bool) *ubl.TaxCategory {
	c := &ubl.TaxCategory{
		ID:        optional(t.Category),
		Percent:   ubl.NewText(twoPlaces(t.Rate)),
		TaxScheme: &ubl.Identification{ID: ubl.NewText(vatScheme)},
	}
	if !reasoned {
		return c
	}
	c.TaxExemptionReasonCode = optional(t.ReasonCode)
	if t.ReasonText != "" {
		c.TaxExemptionReasons = []*ubl.Text{ubl.NewText(t.ReasonText)}
	}
	return c
}

// twoPlaces formats a number with two decimal places, or with more if the number
// has more. It does not round, so that the authority's rules can reject a number
// with too many decimals.
func twoPlaces(d money.Decimal) string {
	if d.Places() > 2 {
		return d.String()
	}
	return d.Fixed2()
}

// taxTotals returns the VAT total twice: in riyals without a breakdown, then in
// the currency of the document with the breakdown. The QR code contains the
// first.
func (d *Document) taxTotals() []*ubl.TaxTotal {
	total := &ubl.TaxTotal{TaxAmount: d.amount(d.VAT)}
	for _, s := range d.Breakdown {
		total.Subtotals = append(total.Subtotals, d.subtotal(s))
	}
	inSAR := &ubl.TaxTotal{TaxAmount: ubl.NewText(twoPlaces(d.VATInSAR), "currencyID", taxCurrency)}
	return []*ubl.TaxTotal{inSAR, total}
}

func (d *Document) subtotal(s Subtotal) *ubl.TaxSubtotal {
	return &ubl.TaxSubtotal{
		TaxableAmount: d.amount(s.Taxable),
		TaxAmount:     d.amount(s.Amount),
		TaxCategory:   s.Tax.ubl(true),
	}
}

func (d *Document) monetaryTotal() *ubl.MonetaryTotal {
	m := &ubl.MonetaryTotal{
		LineExtensionAmount: d.amount(d.LineTotal),
		TaxExclusiveAmount:  d.amount(d.WithoutVAT),
		TaxInclusiveAmount:  d.amount(d.WithVAT),
		PayableAmount:       d.amount(d.Payable),
	}
	if len(d.Allowances) > 0 || !d.AllowanceTotal.IsZero() {
		m.AllowanceTotalAmount = d.amount(d.AllowanceTotal)
	}
	if !d.Prepaid.IsZero() {
		m.PrepaidAmount = d.amount(d.Prepaid)
	}
	if !d.Rounding.IsZero() {
		m.PayableRoundingAmount = d.amount(d.Rounding)
	}
	return m
}
