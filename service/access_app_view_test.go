package service_test

import (
	"net/http"

	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

// viewPermissions are those of saved views. A view belongs to one person, so that
// the calls on a view of another person are refused.
var viewPermissions = map[string]permission{
	"GET /api/views/":              signed(org.ViewInvoice, http.StatusOK),
	"POST /api/views/":             signed(org.ViewInvoice, http.StatusCreated),
	"PATCH /api/views/{view_id}/":  ofOneself("views are changed by their owner only"),
	"DELETE /api/views/{view_id}/": ofOneself(""),
}

// ofOneself returns the permission of calls that succeed for the owner of the
// record only; in this test every record has another owner.
func ofOneself(unsent string) permission {
	p := signed(org.ViewInvoice, http.StatusNotFound)
	p.always, p.unsent = &servicetest.NoView, unsent
	return p
}
