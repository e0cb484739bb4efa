package codes

// Roles returns the labels of the roles of a user or an API key, the least
// powerful first. An API key cannot be Admin.
func Roles() []Word { return roles.all() }

// FindRole returns the label of a role.
func FindRole(role string) (Word, bool) { return roles.find(role) }

var roles = words([]Word{
	{"ViewInvoice", "View only", "اطلاع فقط"},
	{"CreateInvoice", "Create and view invoices", "مُصدر فواتير"},
	{"Accountant", "Accountant", "محاسب"},
	{"Admin", "Admin", "مدير النظام"},
})
