package codes_test

import (
	"testing"

	"khatm/codes"
)

func TestRoles(t *testing.T) {
	wantList(t, keysOf(codes.Roles()), "ViewInvoice CreateInvoice Accountant Admin")
	for role, want := range map[string]string{
		"ViewInvoice":   "View only",
		"CreateInvoice": "Create and view invoices",
		"Accountant":    "Accountant",
		"Admin":         "Admin",
	} {
		if w, ok := codes.FindRole(role); !ok || w.EN != want {
			t.Errorf("FindRole(%q) = %v, %v, want %q", role, w, ok, want)
		}
	}
	if w, ok := codes.FindRole("CLEARED"); ok {
		t.Errorf("FindRole(CLEARED) = %v, want none", w)
	}
}
