package service_test

import (
	"net/http"

	"khatm/service/internal/org"
)

// earlierPermissions are those of invoices of older systems.
var earlierPermissions = map[string]permission{
	"GET /api/earlier-invoices/":              signed(org.ViewInvoice, http.StatusOK),
	"GET /api/earlier-invoices/{earlier_id}/": signed(org.ViewInvoice, http.StatusOK),
	"POST /api/earlier-invoices/":             signed(org.Accountant, http.StatusCreated),
	"POST /api/earlier-invoices/file/":        {least: org.Accountant, people: true, status: http.StatusOK, unsent: "the body is a file"},
}
