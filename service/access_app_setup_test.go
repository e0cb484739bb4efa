package service_test

import (
	"net/http"

	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

// setUpPermissions are those of the set-up. The tests use an installation that is
// already set up.
var setUpPermissions = map[string]permission{
	"GET /api/setup/":            anybody,
	"POST /api/environment/":     signed(org.Admin, http.StatusOK),
	"POST /api/signup/":          {public: true, status: http.StatusForbidden, always: &servicetest.NoSignUp, unsent: "sign-up is not open in the tests"},
	"POST /api/signup/complete/": {public: true, status: http.StatusNotFound, always: &servicetest.NoAccessLink, unsent: "the token of the link is secret"},
	"POST /api/setup/":           {public: true, status: http.StatusNotFound, always: &servicetest.NoAccessLink, unsent: "the token of the link is secret"},
}
