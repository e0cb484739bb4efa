package store

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/mail"
	"khatm/service/internal/share"
)

// checkLetterLimit returns an error if the daily limit of e-mails is reached.
// It locks the organisation, so that concurrent e-mails are counted one by one.
func (t *tx) checkLetterLimit(l mail.Letter) error {
	var id uuid.UUID
	if err := t.QueryRow(`SELECT id FROM organisation WHERE id = $1`+t.store.dialect.LockRow, l.Of.ID()).Scan(&id); err != nil {
		return missingIf(err, "Organisation")
	}
	const count = `
		SELECT count(*), count(CASE WHEN lower(recipient) = lower($1) THEN 1 END)
		FROM letter
		WHERE org_id = $2 AND id >= $3 AND created_at > $4`
	since := l.CreatedAt.Add(-24 * time.Hour)
	var all, here int
	if err := t.QueryRow(count, l.To, l.Of.ID(), firstID(since), millis(since)).Scan(&all, &here); err != nil {
		return fmt.Errorf("count the e-mails of a day: %w", err)
	}
	return share.TooMany(all, here)
}
