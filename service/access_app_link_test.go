package service_test

import (
	"net/http"

	"khatm/service/internal/org"
)

// linkPermissions are those of the links of invoices.
var linkPermissions = map[string]permission{
	"POST /api/invoices/{invoice_id}/share/":   signed(org.CreateInvoice, http.StatusOK),
	"DELETE /api/invoices/{invoice_id}/share/": signed(org.CreateInvoice, http.StatusOK),
}
