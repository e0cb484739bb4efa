package service_test

import (
	"net/http"

	"khatm/service/internal/org"
)

// importPermissions are those of imports.
var importPermissions = map[string]permission{
	"POST /api/imports/":                        {least: org.Accountant, people: true, status: http.StatusAccepted, unsent: "the body is a file"},
	"GET /api/imports/":                         signed(org.Accountant, http.StatusOK),
	"GET /api/imports/{import_id}/":             signed(org.Accountant, http.StatusOK),
	"GET /api/imports/{import_id}/progress/":    signed(org.Accountant, http.StatusOK),
	"GET /api/imports/{import_id}/rows/":        signed(org.Accountant, http.StatusOK),
	"GET /api/imports/{import_id}/rows/export/": signed(org.Accountant, http.StatusOK),
	"POST /api/imports/{import_id}/run/":        signed(org.Accountant, http.StatusAccepted),
	"POST /api/imports/{import_id}/cancel/":     signed(org.Accountant, http.StatusOK),
}
