package service_test

import (
	"net/http"

	"khatm/service/internal/org"
)

// attentionPermissions are those of what needs attention.
var attentionPermissions = map[string]permission{
	"GET /api/attention/": signed(org.ViewInvoice, http.StatusOK),
}
