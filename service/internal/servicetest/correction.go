package servicetest

import (
	"net/http"

	"github.com/google/uuid"
)

// NotRejected is the response to the correction of an invoice that is not
// rejected.
var NotRejected = Refusal{http.StatusConflict, `{"code":"invoice_not_rejected","message":"Only an invoice that the authority rejected can be corrected by a new one."}` + "\n"}

// CorrectionPath returns the path of the correction of an invoice.
func CorrectionPath(invoice uuid.UUID) string {
	return "/app/api/invoices/" + invoice.String() + "/correct/"
}
