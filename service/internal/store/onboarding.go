package store

import (
	"context"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/onboard"
	"khatm/service/internal/org"
)

const enrolmentColumns = `device_id, renewal, turn, status, request, request_id, token, code, trouble, changed_at`

func scanEnrolment(row scanner) (onboard.Enrolment, error) {
	var e onboard.Enrolment
	err := row.Scan(&e.Device, &e.Renewal, &e.Turn, &e.Status, &e.Request, &e.RequestID, &e.Token, &e.Trouble.Code, &e.Trouble.Message, instant{&e.ChangedAt})
	return e, err
}

// Enrolments returns the enrolments of a device that have started: the first
// one and the last renewal.
func (s *Store) Enrolments(ctx context.Context, of org.Tenant, id uuid.UUID) ([]onboard.Enrolment, error) {
	const query = `
		SELECT ` + enrolmentColumns + `
		FROM enrolment
		WHERE org_id = $1 AND device_id = $2
		ORDER BY renewal`
	return database.All(ctx, s.db, query, []any{of.ID(), id}, scanEnrolment)
}

// TakeEnrolment starts a new turn of a device's enrolment. Steps of earlier
// turns are refused from then on.
func (s *Store) TakeEnrolment(ctx context.Context, by org.Actor, id uuid.UUID, renewal bool) (onboard.Enrolment, error) {
	var taken onboard.Enrolment
	err := s.write(ctx, func(t *tx) error {
		begin, err := t.deviceStatus(by.Tenant, id)
		if err != nil {
			return err
		}
		if renewal {
			begin = device.CSRPending
		}
		const take = `
			INSERT INTO enrolment (org_id, device_id, renewal, turn, status, request, request_id, token, code, trouble, changed_at)
			VALUES ($1, $2, $3, 1, $4, '', '', '', '', '', $5)
			ON CONFLICT (org_id, device_id, renewal) DO UPDATE SET turn = enrolment.turn + 1, changed_at = excluded.changed_at
			RETURNING ` + enrolmentColumns
		taken, err = scanEnrolment(t.QueryRow(take, by.Tenant.ID(), id, bit(renewal), string(begin), millis(s.now())))
		if err != nil {
			return err
		}
		return t.event(by, action(renewal), id.String(), map[string]any{"turn": taken.Turn, "status": taken.Status})
	})
	return taken, err
}

// action returns the action of an enrolment step in the audit trail.
func action(renewal bool) string {
	if renewal {
		return "device.renew"
	}
	return "device.onboard"
}

// deviceStatus locks the row of a device and returns its status.
func (t *tx) deviceStatus(of org.Tenant, id uuid.UUID) (status device.Status, err error) {
	query := `SELECT status FROM device WHERE org_id = $1 AND id = $2` + t.store.dialect.LockRow
	err = t.QueryRow(query, of.ID(), id).Scan(&status)
	return status, missingIf(err, "Device")
}

// KeepStep records a step of an enrolment with its certificates and secrets. It
// returns an error if a later turn has started or the status has changed.
func (s *Store) KeepStep(ctx context.Context, by org.Actor, step onboard.Step) error {
	return s.write(ctx, func(t *tx) error {
		// The row of the device is locked first, as in every transaction that
		// needs it.
		if err := t.keepDevice(by, step); err != nil {
			return err
		}
		const update = `
			UPDATE enrolment
			SET status = $1, request = $2, request_id = $3, token = $4, code = $5, trouble = $6, changed_at = $7
			WHERE org_id = $8 AND device_id = $9 AND renewal = $10 AND turn = $11 AND status = $12`
		taken := fault.New(fault.StateConflict, "Another request is already enrolling this device. Check its status before you try again.").
			Arabic("يجري الآن ربط هذا الجهاز بالهيئة بطلب آخر.").Advise("Check the status of the device before you try again.", "تحقق من حالة الجهاز قبل المحاولة مرة أخرى.")
		if err := t.ExecOne(taken, update, string(step.Status), step.Request, step.RequestID, step.Token, step.Trouble.Code, step.Trouble.Message,
			millis(s.now()), by.Tenant.ID(), step.Device, bit(step.Renewal), step.Turn, string(step.From)); err != nil {
			return err
		}
		if err := t.keepSecrets(by.Tenant, step); err != nil {
			return err
		}
		details := map[string]any{"from": step.From, "to": step.Status}
		if step.Trouble.Code != "" {
			details["code"] = step.Trouble.Code
		}
		if step.RequestID != "" {
			details["request_id"] = step.RequestID
		}
		return t.event(by, action(step.Renewal), step.Device.String(), details)
	})
}

// keepDevice updates the device after a step. A renewal does not change its
// status, because the device continues to issue.
func (t *tx) keepDevice(by org.Actor, step onboard.Step) error {
	if _, err := t.deviceStatus(by.Tenant, step.Device); err != nil {
		return err
	}
	if v := step.Validity; v != nil {
		const update = `UPDATE device SET compliance_from = $1, compliance_until = $2 WHERE org_id = $3 AND id = $4`
		if err := t.Exec(update, millis(v.NotBefore), millis(v.NotAfter), by.Tenant.ID(), step.Device); err != nil {
			return err
		}
	}
	if p := step.Issued; p != nil {
		const update = `UPDATE device SET token = $1, production_from = $2, production_until = $3 WHERE org_id = $4 AND id = $5`
		if err := t.Exec(update, p.Token, millis(p.Validity.NotBefore), millis(p.Validity.NotAfter), by.Tenant.ID(), step.Device); err != nil {
			return err
		}
		if err := t.keepCertificate(by.Tenant, step.Device, p.Token); err != nil {
			return err
		}
	}
	if step.Renewal {
		return nil
	}
	return t.Exec(`UPDATE device SET status = $1 WHERE org_id = $2 AND id = $3`, string(step.Status), by.Tenant.ID(), step.Device)
}

// keepCertificate stores a production certificate permanently. The row of the
// device has only the newest one.
func (t *tx) keepCertificate(of org.Tenant, device uuid.UUID, token string) error {
	const insert = `
		INSERT INTO certificate (org_id, device_id, token, since)
		VALUES ($1, $2, $3, $4)
		ON CONFLICT (org_id, device_id, token) DO NOTHING`
	return t.Exec(insert, of.ID(), device, token, millis(t.store.now()))
}

func (t *tx) keepSecrets(of org.Tenant, step onboard.Step) error {
	for _, secret := range step.Secrets {
		const put = `
			INSERT INTO secret (org_id, purpose, owner, sealed)
			VALUES ($1, $2, $3, $4)
			ON CONFLICT (org_id, purpose, owner) DO UPDATE SET sealed = excluded.sealed`
		if err := t.Exec(put, of.ID(), secret.Purpose, step.Device.String(), secret.Sealed); err != nil {
			return err
		}
	}
	for _, purpose := range step.Forget {
		const forget = `DELETE FROM secret WHERE org_id = $1 AND purpose = $2 AND owner = $3`
		if err := t.Exec(forget, of.ID(), purpose, step.Device.String()); err != nil {
			return err
		}
	}
	return nil
}
