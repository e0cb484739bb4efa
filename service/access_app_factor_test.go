package service_test

import "net/http"

// factorPermissions are those of the second factor of a person. The factor is added
// after the other calls, so that they find none.
var factorPermissions = map[string]permission{
	"GET /api/person/second-factor/":                 {status: http.StatusOK, people: true, withoutOrg: true},
	"POST /api/person/second-factor/":                {status: http.StatusCreated, people: true, withoutOrg: true, last: 1},
	"POST /api/person/second-factor/confirm/":        {status: http.StatusConflict, people: true, withoutOrg: true, unsent: "the code depends on the secret"},
	"POST /api/person/second-factor/recovery-codes/": {status: http.StatusConflict, people: true, withoutOrg: true, unsent: "the code depends on the secret"},
	"POST /api/person/second-factor/remove/":         {status: http.StatusConflict, people: true, withoutOrg: true, unsent: "the code depends on the secret"},
}
