package store

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/google/uuid"

	"khatm/service/internal/device"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/submit"
)

// Waiting returns the documents of devices that the authority has not answered.
// Devices without such documents are left out.
func (s *Store) Waiting(ctx context.Context, of org.Tenant, devices []uuid.UUID) (map[uuid.UUID]device.Waiting, error) {
	ctx, end, err := s.db.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	found := map[uuid.UUID]device.Waiting{}
	rd := reader{ctx: ctx, db: s.db, of: of}
	err = rd.among(devices, func(places string, args []any) error {
		return rd.rows(waitingOfDevices(places), args, func(row scanner) error {
			var id uuid.UUID
			var w device.Waiting
			var standard, simplified sql.NullInt64
			if err := row.Scan(&id, &w.Count, &standard, &simplified); err != nil {
				return err
			}
			w.Oldest = earliest(timeOrNil(standard), ledger.StandardDeadline, timeOrNil(simplified), submit.Legal)
			found[id] = w
			return nil
		})
	})
	if err != nil {
		return nil, fmt.Errorf("count the documents that wait: %w", err)
	}
	return found, nil
}

// waitingOfDevices returns the query for the documents of devices without an answer.
// Each part reads a partial index that contains no answered documents. Few documents
// are being sent at a time, in all organisations.
func waitingOfDevices(places string) string {
	const columns = `SELECT device_id, deadline, expires_at FROM `
	ofDevices := ` WHERE org_id = $1 AND device_id IN (` + places + `)`
	return `
		WITH being_sent AS MATERIALIZED (
			SELECT org_id, device_id, deadline, expires_at FROM submission WHERE state = 'sending' AND lease_until >= 0
		)
		SELECT device_id, count(*), min(CASE WHEN expires_at IS NULL THEN deadline END), min(expires_at)
		FROM (
			` + columns + `submission` + ofDevices + ` AND state IN ('queued', 'waiting')
			UNION ALL
			` + columns + `submission` + ofDevices + ` AND state = 'held' AND stopped = ''
			UNION ALL
			` + columns + `submission` + ofDevices + ` AND stopped <> ''
			UNION ALL
			` + columns + `being_sent` + ofDevices + `
		) unanswered
		GROUP BY device_id`
}
