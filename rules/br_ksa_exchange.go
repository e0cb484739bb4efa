package rules

import (
	"khatm/codes"
	"khatm/ubl"
)

const exchangePath = "/Invoice/cac:TaxExchangeRate"

// exchangeRules are those of BR-KSA on foreign currencies.
var exchangeRules = []Rule{
	{
		ID: "BR-KSA-87", Flag: Warning, Applies: exchangeRates,
		Says:  Words{"An exchange rate must have both currencies and the rate.", "يجب أن تتضمن بيانات سعر الصرف العملتين وقيمة السعر."},
		Fix:   Words{"Give `exchange_rate`; in the XML, SourceCurrencyCode, TargetCurrencyCode and CalculationRate.", "أدخل `exchange_rate`، وفي ملف XML أكمل SourceCurrencyCode وTargetCurrencyCode وCalculationRate."},
		check: atEach(currencyNodes, together(incompleteExchange)),
	},
	{
		ID: "BR-KSA-88", Flag: Error, Applies: exchangeRates,
		Says:  Words{"The exchange rate must convert from the currency of the invoice.", "يجب أن تكون العملة المحوَّل منها في سعر الصرف هي عملة الفاتورة."},
		Fix:   Words{"Write the `currency` of the invoice into SourceCurrencyCode.", "اكتب عملة الفاتورة (`currency`) في SourceCurrencyCode."},
		check: atEach(currencyNodes, wrongSourceCurrency),
	},
	{
		ID: "BR-KSA-89", Flag: Error, Applies: exchangeRates,
		Says:  Words{"The exchange rate must convert into the currency of the tax.", "يجب أن تكون العملة المحوَّل إليها في سعر الصرف هي عملة الضريبة."},
		Fix:   Words{"Write SAR into TargetCurrencyCode, as in TaxCurrencyCode.", "اكتب SAR في TargetCurrencyCode كما في TaxCurrencyCode."},
		check: atEach(currencyNodes, wrongTargetCurrency),
	},
	{
		ID: "BR-KSA-90", Flag: Error, Applies: exchangeRates,
		Says:  Words{"The exchange rate must have at most 14 characters, the point included.", "يجب ألا يزيد طول سعر الصرف على 14 خانة، بما فيها الفاصلة العشرية."},
		Fix:   Words{"Round `exchange_rate` to fewer decimals.", "قلّل عدد المنازل العشرية في `exchange_rate`."},
		check: atEach(currencyNodes, tooLongRate),
	},
	{
		ID: "BR-KSA-97", Flag: Warning, Applies: foreignCurrency,
		Says:  Words{"In a foreign currency, the VAT total and the VAT total in SAR cannot be the same number.", "إذا كانت عملة الفاتورة غير الريال السعودي وجب أن يختلف إجمالي الضريبة بعملة الفاتورة عن إجماليها بالريال السعودي."},
		Fix:   Words{"Check `exchange_rate`: the VAT total in SAR is the VAT total times the rate.", "تحقق من `exchange_rate`: إجمالي الضريبة بالريال السعودي هو إجماليها بعملة الفاتورة مضروبًا في سعر الصرف."},
		check: unconvertedVAT,
	},
}

var exchangeRates = Words{"documents with an exchange rate", "المستندات التي تتضمن سعر صرف"}

// currencyNodes returns the number of nodes at which the sheet tests the exchange
// rate: the rate itself and the two currencies of the document.
func currencyNodes(d *document) int {
	return 1 + len(d.currencies(currencyPath, d.DocumentCurrencyCode)) + len(d.currencies(taxCurrencyPath, d.TaxCurrencyCode))
}

func incompleteExchange(d *document, t *trial) {
	rate := d.TaxExchangeRate
	if rate == nil {
		return
	}
	t.seen()
	for _, part := range []struct {
		name string
		text *ubl.Text
	}{
		{"/cbc:SourceCurrencyCode", rate.SourceCurrencyCode},
		{"/cbc:TargetCurrencyCode", rate.TargetCurrencyCode},
		{"/cbc:CalculationRate", rate.CalculationRate},
	} {
		if part.text.String() == "" {
			t.fail(exchangePath+part.name, "", "a value")
		}
	}
}

func wrongSourceCurrency(d *document, t *trial) {
	wrongCurrency(t, "/cbc:SourceCurrencyCode", orEmpty(d.TaxExchangeRate).SourceCurrencyCode, d.DocumentCurrencyCode)
}

func wrongTargetCurrency(d *document, t *trial) {
	wrongCurrency(t, "/cbc:TargetCurrencyCode", orEmpty(d.TaxExchangeRate).TargetCurrencyCode, d.TaxCurrencyCode)
}

// wrongCurrency reports a currency of the exchange rate that differs from want.
// Like the sheet, it searches one currency within the other: SA passes for SAR,
// and SAR with a trailing blank fails.
func wrongCurrency(t *trial, name string, got, want *ubl.Text) {
	if got.String() == "" {
		return
	}
	t.seen()
	if currency := normalize(want.String()); !matches(currency, got.Value) {
		t.fail(exchangePath+name, got.Value, currency)
	}
}

func tooLongRate(d *document, t *trial) {
	rate := orEmpty(d.TaxExchangeRate).CalculationRate.String()
	if rate == "" {
		return
	}
	t.seen()
	if stringLength(normalize(rate)) >= 15 {
		t.fail(exchangePath+"/cbc:CalculationRate", rate, "at most 14 characters")
	}
}

func unconvertedVAT(d *document, t *trial) {
	if currency := d.DocumentCurrencyCode.String(); currency == "" || currency == codes.Riyal {
		return
	}
	t.seen()
	var own, riyals *ubl.Text
	at := 0
	for i, total := range d.TaxTotals {
		if len(total.Subtotals) > 0 {
			own = total.TaxAmount
		} else {
			riyals, at = total.TaxAmount, i
		}
	}
	if double(own.String()) > 0 && double(riyals.String()) > 0 && sameCents(own.Value, riyals.Value) {
		t.fail(numbered("/Invoice/cac:TaxTotal", at)+"/cbc:TaxAmount", riyals.Value, "the VAT total times the exchange rate")
	}
}
