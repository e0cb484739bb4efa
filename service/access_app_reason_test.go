package service_test

import (
	"net/http"

	"khatm/service/internal/org"
)

// reasonPermissions are those of payment terms and reasons for notes.
var reasonPermissions = map[string]permission{
	"GET /api/reasons/":               signed(org.ViewInvoice, http.StatusOK),
	"POST /api/reasons/":              signed(org.Accountant, http.StatusCreated),
	"PATCH /api/reasons/{reason_id}/": signed(org.Accountant, http.StatusOK),
}
