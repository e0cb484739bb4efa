package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/org"
	"khatm/service/internal/submit"
)

// device parks the device of a result whose credentials were refused, and
// releases a parked device when the authority has answered one of its
// documents.
func (r *recording) device(one submit.Result) (parked, released bool, err error) {
	switch was := r.parked[one.Device]; {
	case one.Park != nil && !was:
		const park = `UPDATE device SET parked = 1, parked_why = $3, probe_at = $4, probes = 0 WHERE org_id = $1 AND id = $2`
		err = r.Exec(park, r.of.ID(), one.Device, one.Park.Why, millis(one.Park.ProbeAt))
		r.parked[one.Device], parked = true, true
		if err == nil {
			err = r.events.addEvent(bySystem(r.of), "device.park", one.Device.String(), map[string]any{"why": one.Park.Why})
		}
	case one.Answer != nil && was:
		const release = `UPDATE device SET parked = 0, parked_why = '', probe_at = NULL, probes = 0 WHERE org_id = $1 AND id = $2`
		err = r.Exec(release, r.of.ID(), one.Device)
		r.parked[one.Device], released = false, true
		if err == nil {
			err = r.events.addEvent(bySystem(r.of), "device.release", one.Device.String(), nil)
		}
	}
	return parked, released, err
}

// deviceRef is a device with its organisation.
type deviceRef struct {
	of     org.Tenant
	id     uuid.UUID
	probes int
	probe  time.Time
}

func (s *Store) parkedDevices(ctx context.Context) ([]deviceRef, error) {
	const query = `SELECT org_id, id, probes, probe_at FROM device WHERE parked = 1 ORDER BY org_id, id`
	return database.All(ctx, s.db, query, nil, func(row scanner) (m deviceRef, err error) {
		var of uuid.UUID
		var probe sql.NullInt64
		err = row.Scan(&of, &m.id, &m.probes, &probe)
		m.of = org.TenantOf(of)
		if at := timeOrNil(probe); at != nil {
			m.probe = *at
		}
		return m, err
	})
}

// HoldParked holds the queued and waiting documents of parked devices, except
// those whose sending was requested. It returns the number of held documents.
func (s *Store) HoldParked(ctx context.Context, most int) (held int, err error) {
	devices, err := s.parkedDevices(ctx)
	if err != nil {
		return 0, err
	}
	for _, m := range devices {
		const waiting = `SELECT count(*) FROM (SELECT 1 FROM submission WHERE org_id = $1 AND device_id = $2 AND state IN ('queued', 'waiting') AND asked = 0 LIMIT 1) any_waiting`
		var some int
		if err := s.db.One(ctx, nil, waiting, []any{m.of.ID(), m.id}, &some); err != nil {
			return held, err
		}
		if some == 0 {
			continue
		}
		n := 0
		err := s.write(ctx, func(t *tx) (err error) {
			// The device is read again in the transaction: it may have been
			// released.
			const still = `SELECT count(*) FROM device WHERE org_id = $1 AND id = $2 AND parked = 1`
			if err := t.QueryRow(still, m.of.ID(), m.id).Scan(&some); err != nil || some == 0 {
				return err
			}
			n, err = t.moved(`
				UPDATE submission SET state = 'held', due_at = NULL
				WHERE org_id = $1 AND invoice_id IN (
					SELECT invoice_id FROM submission
					WHERE org_id = $1 AND device_id = $2 AND state IN ('queued', 'waiting') AND asked = 0
					LIMIT $3`+s.skipLocked()+`)`, m.of.ID(), m.id, most-held)
			return err
		})
		if held += n; err != nil || held >= most {
			return held, err
		}
	}
	return held, nil
}

// heldDevices returns the devices that have held documents and are not parked,
// with one index lookup for each.
func (s *Store) heldDevices(ctx context.Context) ([]deviceRef, error) {
	const query = `
		WITH RECURSIVE step (org_id, device_id) AS (
			SELECT * FROM (SELECT s.org_id, s.device_id FROM submission s WHERE s.state = 'held' AND s.stopped = '' ORDER BY s.org_id, s.device_id LIMIT 1) first
			UNION ALL
			SELECT
				(SELECT s.org_id FROM submission s WHERE s.state = 'held' AND s.stopped = '' AND (s.org_id, s.device_id) > (step.org_id, step.device_id) ORDER BY s.org_id, s.device_id LIMIT 1),
				(SELECT s.device_id FROM submission s WHERE s.state = 'held' AND s.stopped = '' AND (s.org_id, s.device_id) > (step.org_id, step.device_id) ORDER BY s.org_id, s.device_id LIMIT 1)
			FROM step
			WHERE step.org_id IS NOT NULL
		)
		SELECT d.org_id, d.id
		FROM step
		JOIN device d ON d.org_id = step.org_id AND d.id = step.device_id
		WHERE d.parked = 0`
	return database.All(ctx, s.db, query, nil, func(row scanner) (m deviceRef, err error) {
		var of uuid.UUID
		err = row.Scan(&of, &m.id)
		m.of = org.TenantOf(of)
		return m, err
	})
}

// FreeHeld queues the held documents of devices that are not parked and returns
// their number.
func (s *Store) FreeHeld(ctx context.Context, most int) (freed int, err error) {
	devices, err := s.heldDevices(ctx)
	if err != nil {
		return 0, err
	}
	for _, m := range devices {
		n := 0
		err := s.write(ctx, func(t *tx) (err error) {
			n, err = t.moved(`
				UPDATE submission SET state = 'queued'
				WHERE org_id = $1 AND invoice_id IN (
					SELECT invoice_id FROM submission
					WHERE org_id = $1 AND device_id = $2 AND state = 'held' AND stopped = ''
					ORDER BY deadline
					LIMIT $3`+s.skipLocked()+`)`, m.of.ID(), m.id, most-freed)
			return err
		})
		if freed += n; err != nil || freed >= most {
			return freed, err
		}
	}
	return freed, nil
}

// Probe queues one document of each parked device whose probe is due. It
// prefers documents that have not failed, so that one that never succeeds does
// not keep the device parked, and skips those that may have been sent longer
// than submit.DoubtTime ago.
func (s *Store) Probe(ctx context.Context, now, far time.Time, again func(probes int) time.Duration) (probed int, err error) {
	devices, err := s.parkedDevices(ctx)
	if err != nil {
		return 0, err
	}
	for _, m := range devices {
		if now.Before(m.probe) && !m.probe.After(far) {
			continue
		}
		n := 0
		if err := s.write(ctx, func(t *tx) error {
			n = 0
			// Only one of several processes updates the row and probes.
			const next = `UPDATE device SET probes = probes + 1, probe_at = $3 WHERE org_id = $1 AND id = $2 AND parked = 1 AND probes = $4`
			mine, err := t.moved(next, m.of.ID(), m.id, millis(now.Add(again(m.probes+2))), m.probes)
			if err != nil || mine == 0 {
				return err
			}
			n, err = t.moved(`
				UPDATE submission SET state = 'queued', asked = 1
				WHERE org_id = $1 AND invoice_id IN (
					SELECT invoice_id FROM submission
					WHERE org_id = $1 AND device_id = $2 AND state = 'held' AND stopped = '' AND (doubt_at IS NULL OR doubt_at > $3)
					ORDER BY failures, deadline
					LIMIT 1`+s.skipLocked()+`)`, m.of.ID(), m.id, millis(now.Add(-submit.DoubtTime)))
			return err
		}); err != nil {
			return probed, err
		}
		probed += n
	}
	return probed, nil
}

// moved runs a statement and returns how many rows it changed.
func (t *tx) moved(query string, args ...any) (int, error) {
	result, err := t.Change(query, args...)
	if err != nil {
		return 0, err
	}
	n, err := result.RowsAffected()
	return int(n), err
}
