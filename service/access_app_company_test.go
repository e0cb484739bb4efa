package service_test

import (
	"net/http"

	"khatm/service/internal/org"
)

// companyPermissions are those of the record and the logo of an organisation. The
// logo is set before it is read and removed.
var companyPermissions = map[string]permission{
	"GET /api/company/":         signed(org.ViewInvoice, http.StatusOK),
	"PATCH /api/company/":       signed(org.Admin, http.StatusOK),
	"PUT /api/company/logo/":    {least: org.Admin, status: http.StatusOK, people: true, unsent: "the body is a picture"},
	"GET /api/company/logo/":    signed(org.ViewInvoice, http.StatusOK),
	"DELETE /api/company/logo/": signed(org.Admin, http.StatusOK),
}
