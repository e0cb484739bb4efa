package service_test

import (
	"net/http"

	"khatm/service/internal/org"
)

// naming is why the examples of payments are not sent.
const naming = "the example names records that do not exist"

// paymentPermissions are those of receipts, refunds and the credit of clients. The
// bodies of two operations name an invoice that does not exist.
var paymentPermissions = map[string]permission{
	"GET /api/receipts/":                           signed(org.ViewInvoice, http.StatusOK),
	"POST /api/receipts/":                          {least: org.Accountant, status: http.StatusCreated, people: true, unsent: naming},
	"GET /api/receipts/{receipt_id}/":              signed(org.ViewInvoice, http.StatusOK),
	"GET /api/receipts/{receipt_id}/pdf/":          signed(org.ViewInvoice, http.StatusOK),
	"POST /api/receipts/{receipt_id}/allocate/":    {least: org.Accountant, status: http.StatusBadRequest, people: true, unsent: naming},
	"POST /api/receipts/{receipt_id}/reverse/":     signed(org.Accountant, http.StatusOK),
	"POST /api/refunds/":                           {least: org.Accountant, status: http.StatusBadRequest, people: true, unsent: naming},
	"GET /api/refunds/":                            signed(org.ViewInvoice, http.StatusOK),
	"GET /api/buyers/{buyer_id}/statement/":        signed(org.ViewInvoice, http.StatusOK),
	"GET /api/buyers/{buyer_id}/statement/export/": signed(org.ViewInvoice, http.StatusOK),
	"GET /api/ageing/export/":                      signed(org.ViewInvoice, http.StatusOK),
	"GET /api/ageing/":                             signed(org.ViewInvoice, http.StatusOK),
	"GET /api/refunds/{refund_id}/":                signed(org.ViewInvoice, http.StatusOK),
	"POST /api/refunds/{refund_id}/reverse/":       signed(org.Accountant, http.StatusOK),
	"GET /api/buyers/{buyer_id}/credit/":           signed(org.ViewInvoice, http.StatusOK),
}
