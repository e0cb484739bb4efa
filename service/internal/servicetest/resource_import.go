package servicetest

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
)

// ImportsPath is the endpoint of imports.
const ImportsPath = "/app/api/imports/"

// NoImport is the response to an unknown import in a path.
var NoImport = Refusal{http.StatusNotFound, `{"message":"Import not found"}` + "\n"}

func importResource() resource {
	return resource{
		bodies: map[string]body{
			"POST /api/imports/": func(shop *Seller) func(*http.Request) {
				return ImportBody(shop.TB, "clients", "clients.csv", newClients())
			},
		},
		records: map[string]record{
			"import_id": {func(t *Seller, admin string) string {
				t.TB.Helper()
				id := IDOf(t.Upload(admin, ImportsPath, ImportBody(t.TB, "clients", "clients.csv", newClients())).Wants(t.TB, http.StatusAccepted))
				t.ImportIn(t.TB, admin, id, "checked")
				return id
			}, NoImport},
		},
		lists: []string{ImportsPath},
	}
}

// ImportBody returns a function that sets the form of a new import.
func ImportBody(t testing.TB, kind, name, content string) func(*http.Request) {
	return FormBody(t, Part{"import_data", "", `{"kind":"` + kind + `"}`}, Part{"file", name, content})
}

// Upload sends a form with the session of a person.
func (h *Instance) Upload(session, path string, fill func(*http.Request)) Answer {
	return h.Send(http.MethodPost, path, Bearer(session), fill)
}

// ImportIn waits until an import is in a state and returns it.
func (h *Instance) ImportIn(t testing.TB, session, id, state string) Record {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		got := h.As(session, http.MethodGet, ImportsPath+id+"/", "").Wants(t, http.StatusOK)
		if got["state"] == state {
			return got
		}
		if time.Now().After(end) {
			t.Fatalf("the import is %v, want state %s", got, state)
		}
	}
}

// newClients returns a table with one client, which is refused because its region
// is missing: running the import changes nothing.
func newClients() string {
	return "buyer_name,business_type,industry,street,province_state\nClient " + uuid.NewString() + ",B2C,OTHER,King Road,\n"
}
