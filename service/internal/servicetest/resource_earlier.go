package servicetest

import (
	"net/http"
	"testing"

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
			"POST /api/earlier-invoices/file/": func(shop *Seller) func(*http.Request) {
				return EarlierFile(shop.TB, EarlierHeadings+"OLD-"+uuid.NewString()+",2025-12-31,simplified,,S,15,1000.00,150.00\n")
			},
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

// EarlierHeadings are the headings of a file with invoices of an older system.
const EarlierHeadings = "number,issue_date,simplified,buyer_name,vat_category_code,vat_rate,taxable_amount,vat_amount\n"

// EarlierFile returns a function that sets the form with a file of invoices of an
// older system.
func EarlierFile(t testing.TB, content string) func(*http.Request) {
	return FormBody(t, Part{"file", "invoices", content})
}

func newEarlier() string {
	return `{"number":"OLD-` + uuid.NewString() + `","issue_date":"2025-12-31","simplified":true,"currency":"SAR",
		"totals":[{"vat_category_code":"S","vat_rate":15,"taxable_amount":"1000.00","vat_amount":"150.00"}]}`
}
