package servicetest

import "net/http"

// KeysPath is the endpoint of API keys.
const KeysPath = "/app/api/keys/"

// NoSuchKey is the response to an unknown API key in a path.
var NoSuchKey = Refusal{http.StatusNotFound, `{"code":"not_found","message":"API key not found"}` + "\n"}

const goodKey = `{"title":"Online shop","role":"ViewInvoice","scopes":["invoice.get"]}`

func keyResource() resource {
	return resource{
		bodies: map[string]body{
			"POST /api/keys/": func(*Seller) func(*http.Request) { return JSONBody(goodKey) },
		},
		records: map[string]record{
			"key_id": {func(t *Seller, admin string) string {
				t.TB.Helper()
				return t.UUIDIn(t.As(admin, http.MethodPost, KeysPath, goodKey))
			}, NoSuchKey},
		},
		lists: []string{KeysPath},
	}
}
