package service_test

import (
	"encoding/json"
	"net/http"
)

const (
	draftsPath = "/app/api/drafts/"
	outboxPath = "/app/api/outbox/"
)

var (
	noDraft  = refusal{http.StatusNotFound, `{"message":"Draft not found"}` + "\n"}
	noLetter = refusal{http.StatusNotFound, `{"message":"Letter not found"}` + "\n"}
)

// draft is the body of a draft of a right invoice, to a recipient.
func (t *till) draft(changes ...fields) string {
	return asJSON(t.t, record{
		"invoice":   json.RawMessage(t.standard(changes...)),
		"recipient": record{"name": "Sara", "email": "sara@buyer.example", "language": "en"},
	})
}

// draftedBy writes a draft with a session and gives its id.
func (t *till) draftedBy(session string, changes ...fields) string {
	t.t.Helper()
	return idOf(t.as(session, http.MethodPost, draftsPath, t.draft(changes...)).wants(t.t, http.StatusCreated))
}
