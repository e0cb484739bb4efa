package service_test

import (
	"net/http"

	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

// devicePermissions are those of devices in the app.
var devicePermissions = map[string]permission{
	"GET /api/devices/":                      signed(org.ViewInvoice, http.StatusOK),
	"POST /api/devices/":                     signed(org.Admin, http.StatusCreated),
	"GET /api/devices/{device_id}/":          signed(org.ViewInvoice, http.StatusOK),
	"GET /api/devices/{device_id}/steps/":    signed(org.ViewInvoice, http.StatusOK),
	"POST /api/devices/{device_id}/onboard/": {least: org.Admin, people: true, status: http.StatusConflict, always: &servicetest.NoAuthority, unsent: "the server of the test has no connection to the authority"},
	"POST /api/devices/{device_id}/renew/":   {least: org.Admin, people: true, status: http.StatusConflict, always: &servicetest.NoAuthority, unsent: "the server of the test has no connection to the authority"},
	"POST /api/devices/{device_id}/release/": signed(org.Admin, http.StatusOK),
	"POST /api/devices/{device_id}/resume/":  {least: org.Admin, people: true, status: http.StatusConflict, always: &servicetest.NotParked},
}
