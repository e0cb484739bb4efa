package service_test

import "net/http"

// sessionPermissions are those of signing in and out.
var sessionPermissions = map[string]permission{
	"POST /api/session/":   anybody,
	"GET /api/session/":    {status: http.StatusOK, people: true, withoutOrg: true},
	"DELETE /api/session/": {status: http.StatusOK, people: true, withoutOrg: true, last: 2},
}
