package store

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// RetireDevice retires a device permanently: no document is appended to its chain
// afterwards, and those in the queue are still sent. Retiring it again changes
// nothing.
func (s *Store) RetireDevice(ctx context.Context, by org.Actor, id uuid.UUID, at time.Time) error {
	return s.write(ctx, func(t *tx) error {
		// Appending locks the row too, so none is in progress.
		if _, err := t.deviceStatus(by.Tenant, id); err != nil {
			return err
		}
		const retire = `UPDATE device SET retired_at = $3 WHERE org_id = $1 AND id = $2 AND retired_at IS NULL`
		changed, err := t.moved(retire, by.Tenant.ID(), id, millis(at))
		if err != nil || changed == 0 {
			return err
		}
		return t.event(by, "device.retire", id.String(), nil)
	})
}

// ProbeDevice makes a parked device due for a try now. It returns a StateConflict
// fault if the device is not parked.
func (s *Store) ProbeDevice(ctx context.Context, by org.Actor, id uuid.UUID, now time.Time) error {
	return s.write(ctx, func(t *tx) error {
		if _, err := t.deviceStatus(by.Tenant, id); err != nil {
			return err
		}
		const due = `UPDATE device SET probe_at = $3 WHERE org_id = $1 AND id = $2 AND parked = 1`
		running := errors.New("the device is not parked")
		err := t.ExecOne(running, due, by.Tenant.ID(), id, millis(now))
		if errors.Is(err, running) {
			return fault.New(fault.StateConflict, "The device is not parked: its documents are being sent.").
				Arabic("إرسال مستندات هذا الجهاز إلى الهيئة غير متوقف.").Advise("Nothing is to be done.", "لا يلزم أي إجراء.")
		}
		if err != nil {
			return err
		}
		return t.event(by, "device.resume", id.String(), nil)
	})
}
