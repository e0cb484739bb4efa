package service_test

import (
	"net/http"

	"khatm/service/internal/org"
)

// picturePermissions are those of the pictures of clients and items.
var picturePermissions = map[string]permission{
	"PUT /api/buyers/{buyer_id}/logo/":    {least: org.CreateInvoice, status: http.StatusOK, people: true, unsent: "the body is a picture"},
	"DELETE /api/buyers/{buyer_id}/logo/": signed(org.CreateInvoice, http.StatusOK),
	"PUT /api/items/{item_id}/images/":    {least: org.CreateInvoice, status: http.StatusOK, people: true, unsent: "the body is a picture"},
	"DELETE /api/items/{item_id}/images/": signed(org.CreateInvoice, http.StatusOK),
}
