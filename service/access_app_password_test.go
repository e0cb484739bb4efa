package service_test

import (
	"net/http"

	"khatm/service/internal/servicetest"
)

// passwordPermissions are those of the account of a person.
var passwordPermissions = map[string]permission{
	"POST /api/password/reset/":  {public: true, status: http.StatusAccepted},
	"POST /api/password/":        {public: true, status: http.StatusNotFound, always: &servicetest.NoAccessLink, unsent: "the token of the link is secret"},
	"PATCH /api/person/":         {status: http.StatusOK, people: true, withoutOrg: true},
	"POST /api/person/password/": {status: http.StatusForbidden, people: true, withoutOrg: true}, // sent with a wrong password, because the right one ends the sessions
}
