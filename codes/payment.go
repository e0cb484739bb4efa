package codes

import "strconv"

// Codes of payment means, as text.
const (
	InCash         = "10"
	CreditTransfer = "30" // requires payment terms
)

// PaymentMeans is a means of payment (UNTDID 4461).
type PaymentMeans struct {
	Key  string
	Code int
	EN   string
	AR   string
}

// AllPaymentMeans returns the 12 payment means.
func AllPaymentMeans() []PaymentMeans { return paymentMeans.all() }

// FindPaymentMeans returns the payment means with the given code, written as
// text as in an invoice.
func FindPaymentMeans(code string) (PaymentMeans, bool) { return paymentMeans.find(code) }

// Text returns the code as it is written in an invoice.
func (p PaymentMeans) Text() string { return strconv.Itoa(p.Code) }

var paymentMeans = listBy(PaymentMeans.Text, []PaymentMeans{
	{"IN_CASH", 10, "In cash", "نقدًا"},
	{"CHEQUE", 20, "Cheque", "شيك"},
	{"BANK_CHEQUE", 23, "Bank cheque (issued by a banking or similar establishment)", "شيك مصرفي"},
	{"CERTIFIED_CHEQUE", 25, "Certified cheque", "شيك مصدّق"},
	{"LOCAL_CHEQUE", 26, "Local cheque", "شيك محلي"},
	{"CREDIT_TRANSFER", 30, "Credit transfer", "آجل / تحويل بنكي"},
	{"DEBIT_TRANSFER", 31, "Debit transfer", "تحويل بالخصم من الحساب"},
	{"INTERBANK_DEBIT_TRANSFER", 46, "Interbank debit transfer", "تحويل بالخصم بين البنوك"},
	{"BANK_CARD", 48, "Bank card", "بطاقة بنكية"},
	{"DIRECT_DEBIT", 49, "Direct debit", "خصم مباشر من الحساب البنكي"},
	{"CREDIT_CARD", 54, "Credit card", "بطاقة ائتمانية"},
	{"DEBIT_CARD", 55, "Debit card", "بطاقة خصم (مدى)"},
})
