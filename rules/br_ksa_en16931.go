package rules

import (
	"strings"

	"khatm/money"
)

// saudiArithmeticRules are the family BR-KSA-EN16931: rules of the European
// standard that Saudi Arabia made stricter.
var saudiArithmeticRules = []Rule{
	{
		ID: "BR-KSA-EN16931-01", Flag: Error, Applies: everyDocument,
		Says:  Words{"The business process of the document must be reporting:1.0.", "يجب أن يكون نوع عملية الفوترة في المستند reporting:1.0."},
		Fix:   Words{"Write reporting:1.0 into cbc:ProfileID.", "اكتب reporting:1.0 في العنصر cbc:ProfileID."},
		check: wrongProfile,
	},
	{
		ID: "BR-KSA-EN16931-02", Flag: Error, Applies: everyDocument,
		Says:  Words{"The currency of the tax must be the Saudi riyal, whatever the currency of the document.", "يجب أن تكون عملة الضريبة الريال السعودي أيًّا كانت عملة المستند."},
		Fix:   Words{"Write SAR into cbc:TaxCurrencyCode.", "اكتب SAR في العنصر cbc:TaxCurrencyCode."},
		check: taxNotInRiyals,
	},
	{
		ID: "BR-KSA-EN16931-03", Flag: Warning, Applies: Words{"each discount or charge on the document or a line that gives a base amount", "كل خصم أو رسم إضافي، على مستوى المستند أو البند، ذُكر له مبلغ أساسي"},
		Says:  Words{"The amount of a discount or charge must be its base amount times its percentage, rounded half up to two decimals.", "يجب أن يساوي مبلغ الخصم أو الرسم الإضافي حاصل ضرب المبلغ الأساسي في النسبة المئوية، مقرّبًا إلى منزلتين عشريتين (ويُقرَّب النصف إلى أعلى)."},
		Fix:   Words{"Correct Amount, BaseAmount or MultiplierFactorNumeric, or give the amount alone, without base and percentage.", "صحّح Amount أو BaseAmount أو MultiplierFactorNumeric، أو اكتفِ بالمبلغ دون المبلغ الأساسي والنسبة."},
		check: wrongPercentAmount,
	},
	{
		ID: "BR-KSA-EN16931-04", Flag: Warning, Applies: Words{"each discount or charge that gives a percentage", "كل خصم أو رسم إضافي ذُكرت نسبته المئوية"},
		Says:  Words{"A discount or charge that gives a percentage must give the base amount as well.", "إذا ذُكرت النسبة المئوية للخصم أو الرسم الإضافي وجب ذكر المبلغ الأساسي."},
		Fix:   Words{"Add BaseAmount, or remove MultiplierFactorNumeric.", "أضف BaseAmount أو احذف MultiplierFactorNumeric."},
		check: percentageWithoutBase,
	},
	{
		ID: "BR-KSA-EN16931-05", Flag: Warning, Applies: Words{"each discount or charge on the document or a line that gives a base amount", "كل خصم أو رسم إضافي، على مستوى المستند أو البند، ذُكر له مبلغ أساسي"},
		Says:  Words{"A discount or charge that gives a base amount must give the percentage as well.", "إذا ذُكر المبلغ الأساسي للخصم أو الرسم الإضافي وجب ذكر النسبة المئوية."},
		Fix:   Words{"Add MultiplierFactorNumeric, or remove BaseAmount.", "أضف MultiplierFactorNumeric أو احذف BaseAmount."},
		check: baseWithoutPercentage,
	},
	{
		ID: "BR-KSA-EN16931-06", Flag: Error, Applies: pricesWithDiscount,
		Says:  Words{"A price may contain a discount but no charge.", "يجوز أن يتضمن سعر الوحدة خصمًا، ولا يجوز أن يتضمن رسمًا إضافيًا."},
		Fix:   Words{"Set ChargeIndicator within cac:Price to false, and put charges on the line.", "اجعل ChargeIndicator داخل cac:Price بقيمة false، وأضف الرسوم الإضافية إلى البند."},
		check: chargeInPrice,
	},
	{
		ID: "BR-KSA-EN16931-07", Flag: Error, Applies: pricesWithDiscount,
		Says:  Words{"The net price must be the gross price minus the discount in the price.", "يجب أن يكون سعر الوحدة الصافي مساويًا لسعر الوحدة قبل الخصم مطروحًا منه الخصم الوارد في السعر."},
		Fix:   Words{"Correct `item_net_price` (PriceAmount), or BaseAmount and Amount within cac:Price.", "صحّح `item_net_price` (PriceAmount)، أو صحّح BaseAmount وAmount داخل cac:Price."},
		check: wrongNetPrice,
	},
	{
		ID: "BR-KSA-EN16931-08", Flag: Warning, Applies: everyDocument,
		Says:  Words{"Exactly one VAT total of the document must have a breakdown.", "يجب أن يرد تفصيل الضريبة تحت إجمالي واحد فقط من إجماليات ضريبة القيمة المضافة في المستند."},
		Fix:   Words{"Put all rows of the breakdown into one cac:TaxTotal.", "ضع جميع صفوف تفصيل الضريبة في عنصر cac:TaxTotal واحد."},
		check: notOneBreakdown,
	},
	{
		ID: "BR-KSA-EN16931-09", Flag: Warning, Applies: Words{"documents with a VAT currency", "المستندات التي ذُكرت فيها عملة الضريبة"},
		Says:  Words{"Exactly one VAT total of the document, the one in riyals, must have no breakdown.", "يجب أن يكون في المستند إجمالي واحد فقط لضريبة القيمة المضافة دون تفصيل، وهو الإجمالي بالريال السعودي."},
		Fix:   Words{"Give the VAT in riyals in a separate cac:TaxTotal without rows; the service computes it from `currency` and `exchange_rate`.", "اذكر الضريبة بالريال السعودي في عنصر cac:TaxTotal مستقل دون صفوف؛ وتحسبها الخدمة من الحقلين `currency` و`exchange_rate`."},
		check: notOneTotalInRiyals,
	},
	{
		ID: "BR-KSA-EN16931-11", Flag: Warning, Applies: eachLine,
		Says: Words{
			"The net amount of a line must be quantity times price (divided by the base quantity, if there is one) plus charges minus discounts, with a tolerance of 0.01.",
			"يجب أن يكون المبلغ الصافي للبند مساويًا لحاصل ضرب الكمية في السعر (مقسومًا على الكمية الأساسية للسعر إن وُجدت)، مضافًا إليه الرسوم الإضافية ومطروحًا منه الخصومات، بفارق لا يتجاوز 0.01.",
		},
		Fix:   Words{"Correct LineExtensionAmount, or `invoiced_quantity` and `item_net_price` of the line.", "صحّح LineExtensionAmount، أو صحّح `invoiced_quantity` و`item_net_price` في البند."},
		check: wrongNet,
	},
	{
		ID: "BR-KSA-EN16931-12", Flag: Error, Applies: wherePresent,
		Says:  Words{"The base quantity of a price must be above 0.", "يجب أن تكون الكمية الأساسية للسعر أكبر من 0."},
		Fix:   Words{"Write a number above 0 into BaseQuantity, or remove it: the price is then for one unit.", "اكتب في BaseQuantity رقمًا أكبر من 0، أو احذفه فيكون السعر لوحدة واحدة."},
		check: baseQuantityNotPositive,
	},
}

var pricesWithDiscount = Words{"each price with a discount", "كل سعر وحدة يتضمن خصمًا"}

func wrongProfile(d *document, t *trial) {
	t.seen()
	if normalize(d.ProfileID.String()) != "reporting:1.0" {
		t.fail("/Invoice/cbc:ProfileID", d.ProfileID.String(), "reporting:1.0")
	}
}

func taxNotInRiyals(d *document, t *trial) {
	for _, c := range d.currencies(taxCurrencyPath, d.TaxCurrencyCode) {
		t.seen()
		if code := c.node.Text; normalize(strings.ToUpper(code)) != "SAR" {
			t.fail(c.path, code, "SAR")
		}
	}
}

// eachAdjustment calls visit for the discounts and charges of the document and
// of the lines, but not for those in prices.
func (d *document) eachAdjustment(visit func(adjustment)) {
	for _, a := range d.adjustments {
		visit(a)
	}
	for i := range d.lines {
		for _, a := range d.lines[i].adjustments {
			visit(a)
		}
	}
}

// wrongPercentAmount reports discounts and charges that differ from their
// percentage of the base amount. It compares both sides as texts with two
// decimals, computed in doubles. A base amount without a percentage fails as
// well.
func wrongPercentAmount(d *document, t *trial) {
	d.eachAdjustment(func(a adjustment) {
		amount, base := a.Amount.String(), a.BaseAmount.String()
		if amount == "" || base == "" {
			return
		}
		t.seen()
		want := formattedPercent(base, a.MultiplierFactorNumeric.String())
		if formatted(amount) != want {
			t.fail(a.path+"/cbc:Amount", amount, want)
		}
	})
}

func percentageWithoutBase(d *document, t *trial) {
	for a := range d.everyAdjustment {
		if a.MultiplierFactorNumeric == nil {
			continue
		}
		t.seen()
		if a.BaseAmount == nil {
			t.fail(a.path+"/cbc:BaseAmount", "", "the amount that the percentage is of")
		}
	}
}

func baseWithoutPercentage(d *document, t *trial) {
	d.eachAdjustment(func(a adjustment) {
		if a.BaseAmount == nil {
			return
		}
		t.seen()
		if a.MultiplierFactorNumeric == nil {
			t.fail(a.path+"/cbc:MultiplierFactorNumeric", "", "a percentage")
		}
	})
}

func notOneBreakdown(d *document, t *trial) { countTotals(d, t, true) }

func notOneTotalInRiyals(d *document, t *trial) {
	for _, c := range d.currencies(taxCurrencyPath, d.TaxCurrencyCode) {
		if c.path == taxCurrencyPath {
			countTotals(d, t, false)
			continue
		}
		t.fail(c.path, "", "a place in the document itself") // the sheet counts the totals next to it
	}
}

func countTotals(d *document, t *trial, withRows bool) {
	t.seen()
	n := 0
	for _, total := range d.TaxTotals {
		if len(total.Subtotals) > 0 == withRows {
			n++
		}
	}
	if n != 1 {
		t.fail("/Invoice/cac:TaxTotal", money.FromInt(int64(n)).String(), "1")
	}
}
