package service_test

import (
	"net/http"

	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

// draftPermissions are those of drafts.
var draftPermissions = map[string]permission{
	"GET /api/drafts/":                     signed(org.ViewInvoice, http.StatusOK),
	"POST /api/drafts/":                    signed(org.CreateInvoice, http.StatusCreated),
	"GET /api/drafts/{draft_id}/":          signed(org.ViewInvoice, http.StatusOK),
	"PATCH /api/drafts/{draft_id}/":        signed(org.CreateInvoice, http.StatusOK),
	"DELETE /api/drafts/{draft_id}/":       signed(org.CreateInvoice, http.StatusOK),
	"POST /api/drafts/{draft_id}/preview/": signed(org.ViewInvoice, http.StatusOK),
	"POST /api/drafts/{draft_id}/share/":   signed(org.CreateInvoice, http.StatusOK),
	"DELETE /api/drafts/{draft_id}/share/": signed(org.CreateInvoice, http.StatusOK),
	"POST /api/drafts/{draft_id}/issue/":   {least: org.CreateInvoice, status: http.StatusAccepted, people: true, denied: &servicetest.NoCreating},
}
