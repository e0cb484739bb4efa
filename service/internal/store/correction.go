package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/org"
	"khatm/service/internal/share"
)

// Correction returns the draft and the invoice that replace a rejected invoice,
// and the rejected invoice that an invoice replaces. See share.Keeper.
func (s *Store) Correction(ctx context.Context, of org.Tenant, invoice uuid.UUID) (share.Correction, error) {
	const query = `
		SELECT id, invoice_id, NULL
		FROM draft
		WHERE org_id = $1 AND corrects = $2 AND removed = 0
		UNION ALL
		SELECT NULL, NULL, corrects
		FROM draft
		WHERE org_id = $1 AND invoice_id = $2 AND corrects IS NOT NULL`
	rows, err := database.All(ctx, s.db, query, []any{of.ID(), invoice}, func(row scanner) (c [3]uuid.NullUUID, err error) {
		return c, row.Scan(&c[0], &c[1], &c[2])
	})
	if err != nil {
		return share.Correction{}, fmt.Errorf("read the correction of invoice %s: %w", invoice, err)
	}
	var found share.Correction
	for _, row := range rows {
		for n, into := range []**uuid.UUID{&found.Draft, &found.ReplacedBy, &found.Replaces} {
			if row[n].Valid {
				*into = &row[n].UUID
			}
		}
	}
	return found, nil
}
