package service_test

import (
	"net/http"

	"khatm/service/internal/org"
)

// autocompletePermissions are those of suggestions while a person types.
var autocompletePermissions = map[string]permission{
	"GET /api/autocomplete/clients/":  signed(org.ViewInvoice, http.StatusOK),
	"GET /api/autocomplete/items/":    signed(org.ViewInvoice, http.StatusOK),
	"GET /api/autocomplete/invoices/": signed(org.ViewInvoice, http.StatusOK),
	"GET /api/autocomplete/reasons/":  signed(org.ViewInvoice, http.StatusOK),
}
