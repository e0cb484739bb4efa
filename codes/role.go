package codes

// Roles returns the words for what a person or a key may do, the least first.
// Only a person can be Admin.
func Roles() []Word { return roles.all() }

// FindRole looks the word for a role up.
func FindRole(role string) (Word, bool) { return roles.find(role) }

var roles = words([]Word{
	{"ViewInvoice", "View only", "اطلاع فقط"},
	{"CreateInvoice", "Create and view invoices", "مُصدر فواتير"},
	{"Accountant", "Accountant", "محاسب"},
	{"Admin", "Admin", "مدير النظام"},
})
