package service_test

import (
	"net/http"

	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

const secretToken = "the token of the link is secret"

// memberPermissions are those of members and invitations.
var memberPermissions = map[string]permission{
	"GET /api/members/":                        signed(org.Admin, http.StatusOK),
	"PATCH /api/members/{person_id}/":          signed(org.Admin, http.StatusOK),
	"GET /api/members/{person_id}/keys/":       signed(org.Admin, http.StatusOK),
	"DELETE /api/members/{person_id}/":         signed(org.Admin, http.StatusOK),
	"GET /api/invitations/":                    signed(org.Admin, http.StatusOK),
	"POST /api/invitations/":                   signed(org.Admin, http.StatusCreated),
	"DELETE /api/invitations/{invitation_id}/": signed(org.Admin, http.StatusOK),
	"POST /api/invitations/read/":              {public: true, status: http.StatusNotFound, always: &servicetest.NoAccessLink, unsent: secretToken},
	"POST /api/invitations/accept/":            {public: true, status: http.StatusNotFound, always: &servicetest.NoAccessLink, unsent: secretToken},
	"POST /api/invitations/join/":              {status: http.StatusNotFound, people: true, withoutOrg: true, unsent: secretToken},
}
