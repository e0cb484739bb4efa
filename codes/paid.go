package codes

// PaymentStatuses returns the labels of the payment statuses of an invoice. The
// keys are the values of payment_status.
func PaymentStatuses() []Word { return paymentStatuses.all() }

// FindPaymentStatus returns the label of a payment_status.
func FindPaymentStatus(status string) (Word, bool) { return paymentStatuses.find(status) }

var paymentStatuses = words([]Word{
	{"Pending", "Pending", "غير مدفوعة"},
	{"Partially Paid", "Partially Paid", "مدفوعة جزئيًا"},
	{"Paid", "Paid", "مدفوعة"},
})
