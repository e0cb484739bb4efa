package service_test

import (
	"net/http"

	"khatm/service/internal/org"
)

// summaryPermissions are those of the sums of documents.
var summaryPermissions = map[string]permission{
	"GET /api/summary/": signed(org.ViewInvoice, http.StatusOK),
}
