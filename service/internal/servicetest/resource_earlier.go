package servicetest

import (
	"net/http"

	"github.com/google/uuid"
)

// EarlierPath is the endpoint of invoices of older systems.
const EarlierPath = "/app/api/earlier-invoices/"

// NoEarlier is the response to an unknown earlier invoice in a path.
var NoEarlier = Refusal{http.StatusNotFound, `{"message":"Earlier invoice not found"}` + "\n"}

func earlierResource() resource {
	return resource{
		bodies: map[string]body{
			"POST /api/earlier-invoices/": func(*Seller) func(*http.Request) { return JSONBody(newEarlier()) },
		},
		records: map[string]record{
			"earlier_id": {func(t *Seller, admin string) string {
				t.TB.Helper()
				return t.UUIDIn(t.As(admin, http.MethodPost, EarlierPath, newEarlier()))
			}, NoEarlier},
		},
		lists: []string{EarlierPath},
	}
}

func newEarlier() string {
	return `{"number":"OLD-` + uuid.NewString() + `","issue_date":"2025-12-31","simplified":true,"currency":"SAR",
		"totals":[{"vat_category_code":"S","vat_rate":15,"taxable_amount":"1000.00","vat_amount":"150.00"}]}`
}
