package servicetest

import (
	"net/http"

	"github.com/google/uuid"
)

// ReasonsPath is the endpoint of reasons.
const ReasonsPath = "/app/api/reasons/"

// NoReason is the response to an unknown reason in a path.
var NoReason = Refusal{http.StatusNotFound, `{"message":"Reason not found"}` + "\n"}

func reasonResource() resource {
	return resource{
		bodies: map[string]body{
			"POST /api/reasons/": func(*Seller) func(*http.Request) {
				return JSONBody(`{"description":"Terms ` + uuid.NewString() + `","due_days":45}`)
			},
			"PATCH /api/reasons/{reason_id}/": func(*Seller) func(*http.Request) { return JSONBody(`{"is_active":false}`) },
		},
		records: map[string]record{
			"reason_id": {func(t *Seller, admin string) string {
				t.TB.Helper()
				return t.UUIDIn(t.As(admin, http.MethodPost, ReasonsPath, `{"description":"Payment within 45 days"}`))
			}, NoReason},
		},
		lists: []string{ReasonsPath},
	}
}
