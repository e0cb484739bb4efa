package service_test

import (
	"net/http"

	"khatm/service/internal/org"
)

// branchPermissions are those of the branches of an organisation.
var branchPermissions = map[string]permission{
	"GET /api/branches/":               signed(org.ViewInvoice, http.StatusOK),
	"POST /api/branches/":              signed(org.Admin, http.StatusCreated),
	"GET /api/branches/{branch_id}/":   signed(org.ViewInvoice, http.StatusOK),
	"PATCH /api/branches/{branch_id}/": signed(org.Admin, http.StatusOK),
}
