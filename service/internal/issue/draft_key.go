package issue

import (
	"strings"

	"github.com/google/uuid"
)

// draftKey is what the idempotency keys of drafts begin with.
const draftKey = "draft-"

// DraftKey is the idempotency key that a draft is issued with. Nobody else may
// issue with one: the draft would be taken for that invoice.
func DraftKey(draft uuid.UUID) string { return draftKey + draft.String() }

// IsDraftKey says whether an idempotency key could be that of a draft, in
// whichever case it is written.
func IsDraftKey(key string) bool {
	if len(key) < len(draftKey) || !strings.EqualFold(key[:len(draftKey)], draftKey) {
		return false
	}
	return uuid.Validate(key[len(draftKey):]) == nil
}
