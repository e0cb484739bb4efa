package service_test

import (
	"net/http"

	"khatm/service/internal/org"
)

// planPermissions are those of the plan and its usage.
var planPermissions = map[string]permission{
	"GET /api/plan/": signed(org.ViewInvoice, http.StatusOK),
}
