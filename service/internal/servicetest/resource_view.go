package servicetest

import (
	"net/http"

	"github.com/google/uuid"
)

// ViewsPath is the endpoint of saved views.
const ViewsPath = "/app/api/views/"

// NoView is the response to an unknown view in a path.
var NoView = Refusal{http.StatusNotFound, `{"message":"View not found"}` + "\n"}

func viewResource() resource {
	return resource{
		bodies: map[string]body{
			"POST /api/views/": func(*Seller) func(*http.Request) { return JSONBody(newView()) },
			"PATCH /api/views/{view_id}/": func(*Seller) func(*http.Request) {
				return JSONBody(`{"query":"invoice_status=CLEARED"}`)
			},
		},
		records: map[string]record{
			"view_id": {func(t *Seller, admin string) string {
				t.TB.Helper()
				return t.UUIDIn(t.As(admin, http.MethodPost, ViewsPath, newView()))
			}, NoView},
		},
		lists: []string{ViewsPath},
	}
}

func newView() string {
	return `{"list":"invoices","name":"Rejected ` + uuid.NewString() + `","query":"invoice_status=NOT_CLEARED"}`
}
