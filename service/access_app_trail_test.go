package service_test

import (
	"net/http"

	"khatm/service/internal/org"
)

// trailPermissions are those of the audit trail.
var trailPermissions = map[string]permission{
	"GET /api/trail/":        signed(org.Admin, http.StatusOK),
	"GET /api/trail/export/": signed(org.Admin, http.StatusOK),
}
