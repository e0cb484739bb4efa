package issue

import (
	"strings"

	"github.com/google/uuid"
)

// draftKey is the prefix of the idempotency keys of drafts.
const draftKey = "draft-"

// DraftKey returns the idempotency key that a draft is issued with. Callers may
// not use such keys: their invoice would be mistaken for the one of the draft.
func DraftKey(draft uuid.UUID) string { return draftKey + draft.String() }

// IsDraftKey reports whether key has the form of a draft's idempotency key, in
// any letter case.
func IsDraftKey(key string) bool {
	if len(key) < len(draftKey) || !strings.EqualFold(key[:len(draftKey)], draftKey) {
		return false
	}
	return uuid.Validate(key[len(draftKey):]) == nil
}
