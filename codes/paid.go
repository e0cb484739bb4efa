package codes

// PaymentStatuses returns the words for how far an invoice has been paid. The
// keys are the values of payment_status.
func PaymentStatuses() []Word { return paymentStatuses.all() }

// FindPaymentStatus looks the word for a payment status up.
func FindPaymentStatus(status string) (Word, bool) { return paymentStatuses.find(status) }

var paymentStatuses = words([]Word{
	{"Pending", "Pending", "غير مدفوعة"},
	{"Partially Paid", "Partially Paid", "مدفوعة جزئيًا"},
	{"Paid", "Paid", "مدفوعة"},
})
