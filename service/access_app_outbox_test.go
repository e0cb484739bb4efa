package service_test

import (
	"net/http"

	"khatm/service/internal/org"
)

// outboxPermissions are those of the e-mails of an organisation.
var outboxPermissions = map[string]permission{
	"GET /api/outbox/":             signed(org.Admin, http.StatusOK),
	"GET /api/outbox/{letter_id}/": signed(org.Admin, http.StatusOK),
}
