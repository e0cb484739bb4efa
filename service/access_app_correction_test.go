package service_test

import (
	"net/http"

	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

// correctionPermissions are those of corrections of rejected invoices; in this
// test the authority has rejected no invoice.
var correctionPermissions = map[string]permission{
	"GET /api/invoices/{invoice_id}/correct/":  signed(org.ViewInvoice, http.StatusOK),
	"POST /api/invoices/{invoice_id}/correct/": {least: org.CreateInvoice, status: http.StatusConflict, people: true, always: &servicetest.NotRejected},
}
