package servicetest

import (
	"net/http"

	"github.com/google/uuid"
)

func draftResource() resource {
	return resource{
		bodies: map[string]body{
			"POST /api/drafts/": func(shop *Seller) func(*http.Request) {
				return JSONBody(shop.Draft(Fields{"notes": Note(uuid.NewString())}))
			},
			"PATCH /api/drafts/{draft_id}/": func(*Seller) func(*http.Request) {
				return JSONBody(`{"recipient":{"name":"Sara","email":"sara@buyer.example","language":"en"}}`)
			},
		},
		records: map[string]record{
			"draft_id": {func(t *Seller, admin string) string { return t.DraftedBy(admin) }, NoDraft},
		},
		lists: []string{DraftsPath},
	}
}
