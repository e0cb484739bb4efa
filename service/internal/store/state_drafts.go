package store

import (
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"khatm/service/internal/issue"
	"khatm/service/internal/share"
)

// claims reads the claims of the drafts that are being issued. The drafts stay
// locked until the documents are written, so a concurrent change of a draft
// happens before the read or after the write.
func (rd reader) claims(w issue.Wants) error {
	if err := rd.among(w.Drafts, rd.drafts); err != nil {
		return fmt.Errorf("read the claims of the drafts: %w", err)
	}
	return nil
}

func (rd reader) drafts(places string, args []any) error {
	return rd.rows(`
		SELECT id, issuing
		FROM draft
		WHERE org_id = $1 AND removed = 0 AND issuing IS NOT NULL AND id IN (`+places+`)
		ORDER BY id`+rd.lock, args, func(row scanner) error {
		var id uuid.UUID
		var claim share.Claim
		var text string
		if err := row.Scan(&id, &text); err != nil {
			return err
		}
		if err := json.Unmarshal([]byte(text), &claim); err != nil {
			return fmt.Errorf("read the claim of draft %s: %w", id, err)
		}
		if claim.ID != uuid.Nil {
			rd.into.Claims[id] = claim.ID
		}
		return nil
	})
}
