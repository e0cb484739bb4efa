package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/submit"
)

// mostRaw limits how much of an answer is stored. Useful answers are shorter.
const mostRaw = 256 << 10

// endAttempt records the result of an attempt, unless it has already ended.
func (r *recording) endAttempt(one submit.Result) error {
	if one.Event == ledger.Lapse {
		const lapse = `UPDATE attempt SET lapsed_at = $4 WHERE org_id = $1 AND invoice_id = $2 AND number = $3 AND outcome IS NULL AND lapsed_at IS NULL`
		return r.Exec(lapse, r.of.ID(), one.Invoice, one.Attempt, millis(one.At))
	}
	v := one.Verdict
	code, cause := any(nil), ""
	if v.Code != 0 {
		code = v.Code
	}
	if v.Cause != nil {
		cause = v.Cause.Error()
	}
	// An attempt must not end before it began, even if the clock was set back, or if the
	// database was restored from an older copy and the result is that of an earlier
	// claim.
	const end = `
		UPDATE attempt
		SET ended_at = CASE WHEN claimed_at > $4 THEN claimed_at ELSE $4 END, outcome = $5, sent = $6, code = $7, took = $8, cause = $9, raw = $10
		WHERE org_id = $1 AND invoice_id = $2 AND number = $3 AND outcome IS NULL`
	return r.Exec(end, r.of.ID(), one.Invoice, one.Attempt, millis(one.At), string(v.Outcome), bit(v.Sent), code,
		max(v.Took, 0).Milliseconds(), cause, bytesOrNull(v.Raw[:min(len(v.Raw), mostRaw)]))
}

// Attempts returns all attempts to send an invoice, oldest first.
func (s *Store) Attempts(ctx context.Context, of org.Tenant, invoice uuid.UUID) ([]ledger.Attempt, error) {
	const query = `
		SELECT number, for_copy, route, worker, claimed_at, lapsed_at, ended_at, outcome, sent, code, took, cause, raw
		FROM attempt
		WHERE org_id = $1 AND invoice_id = $2
		ORDER BY number`
	return database.All(ctx, s.db, query, []any{of.ID(), invoice}, func(row scanner) (ledger.Attempt, error) {
		var a ledger.Attempt
		var lapsed, ended, code sql.NullInt64
		var outcome sql.NullString
		var took int64
		err := row.Scan(&a.Number, &a.Copy, &a.Route, &a.Worker, instant{&a.ClaimedAt}, &lapsed, &ended, &outcome, &a.Sent, &code, &took, &a.Cause, &a.Raw)
		a.LapsedAt, a.EndedAt, a.Outcome, a.Code = timeOrNil(lapsed), timeOrNil(ended), ledger.Outcome(outcome.String), int(code.Int64)
		a.Took = time.Duration(took) * time.Millisecond
		return a, err
	})
}
