package service_test

import (
	"net/http"

	"khatm/service/internal/org"
)

// apiKeyPermissions are those of managing API keys, which no key may do.
var apiKeyPermissions = map[string]permission{
	"GET /api/keys/":             signed(org.Admin, http.StatusOK),
	"POST /api/keys/":            signed(org.Admin, http.StatusCreated),
	"DELETE /api/keys/{key_id}/": signed(org.Admin, http.StatusOK),
}
