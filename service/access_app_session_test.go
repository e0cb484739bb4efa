package service_test

import (
	"net/http"

	"khatm/service/internal/servicetest"
)

// sessionPermissions are those of signing in and out.
var sessionPermissions = map[string]permission{
	"POST /api/session/":      anybody,
	"POST /api/session/link/": {public: true, status: http.StatusNotFound, always: &servicetest.NoAccessLink, unsent: "the token of the link is secret"},
	"GET /api/session/":       {status: http.StatusOK, people: true, withoutOrg: true},
	"DELETE /api/session/":    {status: http.StatusOK, people: true, withoutOrg: true, last: 2},
}
