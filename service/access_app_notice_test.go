package service_test

import (
	"net/http"

	"khatm/service/internal/org"
)

// noticePermissions are those of notices.
var noticePermissions = map[string]permission{
	"GET /api/notices/":       signed(org.ViewInvoice, http.StatusOK),
	"POST /api/notices/read/": signed(org.ViewInvoice, http.StatusOK),
}
