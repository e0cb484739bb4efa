package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// deviceColumns are the columns of deviceTables that scanDevice reads.
const deviceColumns = `
	device.id, branch_id, environment, common_name, serial_number, location, unit_name, industry, invoice_type, status,
	compliance_from, compliance_until, production_from, production_until, token,
	parked, parked_why, retired_at, created_at, chain.counter, chain.last_hash, chain.last_issued_at`

// deviceTables are the devices, each with the end of its chain.
const deviceTables = `device JOIN chain ON chain.org_id = device.org_id AND chain.device_id = device.id`

func scanDevice(row scanner) (device.Device, error) {
	var d device.Device
	var branch uuid.NullUUID
	var compliance, production [2]sql.NullInt64
	var issued, retired sql.NullInt64
	err := row.Scan(&d.ID, &branch, &d.Environment, &d.CommonName, &d.SerialNumber, &d.Location, &d.UnitName, &d.Industry, &d.InvoiceType, &d.Status,
		&compliance[0], &compliance[1], &production[0], &production[1], &d.Token,
		&d.Parked, &d.ParkedWhy, &retired, instant{&d.CreatedAt}, &d.Counter, &d.LastHash, &issued)
	d.Retired = retired.Valid
	if branch.Valid {
		d.Branch = &branch.UUID
	}
	d.Compliance, d.Production = certificateOf(compliance), certificateOf(production)
	if at := timeOrNil(issued); at != nil {
		d.LastIssuedAt = *at
	}
	return d, err
}

func certificateOf(life [2]sql.NullInt64) *device.Certificate {
	from, until := timeOrNil(life[0]), timeOrNil(life[1])
	if from == nil || until == nil {
		return nil
	}
	return &device.Certificate{NotBefore: *from, NotAfter: *until}
}

func lifeOf(c *device.Certificate) (from, until any) {
	if c == nil {
		return nil, nil
	}
	return millis(c.NotBefore), millis(c.NotAfter)
}

// AddDevice inserts a new device of the actor's organisation.
func (s *Store) AddDevice(ctx context.Context, by org.Actor, d device.Device) error {
	compliantFrom, compliantUntil := lifeOf(d.Compliance)
	productiveFrom, productiveUntil := lifeOf(d.Production)
	if d.LastHash == "" {
		d.LastHash = device.GenesisHash
	}
	var issued, retired *time.Time
	if d.Retired {
		retired = &d.CreatedAt
	}
	if !d.LastIssuedAt.IsZero() {
		issued = &d.LastIssuedAt
	}
	err := s.write(ctx, func(t *tx) error {
		const insert = `
			INSERT INTO device (org_id, id, branch_id, environment, common_name, serial_number, location, unit_name, industry, invoice_type, status,
				compliance_from, compliance_until, production_from, production_until, token, parked, parked_why, retired_at, created_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)`
		if err := t.Exec(insert, by.Tenant.ID(), d.ID, d.Branch, string(d.Environment), d.CommonName, d.SerialNumber, d.Location, d.UnitName, d.Industry,
			d.InvoiceType, string(d.Status), compliantFrom, compliantUntil, productiveFrom, productiveUntil, d.Token,
			bit(d.Parked), d.ParkedWhy, millisOrNull(retired), millis(d.CreatedAt)); err != nil {
			return err
		}
		const begin = `INSERT INTO chain (org_id, device_id, counter, last_hash, last_issued_at) VALUES ($1, $2, $3, $4, $5)`
		if err := t.Exec(begin, by.Tenant.ID(), d.ID, d.Counter, d.LastHash, millisOrNull(issued)); err != nil {
			return err
		}
		if d.Token != "" {
			if err := t.keepCertificate(by.Tenant, d.ID, d.Token); err != nil {
				return err
			}
		}
		return t.event(by, "device.create", d.ID.String(), map[string]any{"serial_number": d.SerialNumber, "environment": d.Environment})
	})
	if database.IsDuplicate(err) {
		return fault.New(fault.AlreadyExists, "The organisation already has a device with this serial number.").Arabic("لدى المنشأة جهاز بهذا الرقم التسلسلي.").
			Advise("Use the existing device, or another serial number.", "استخدم الجهاز الموجود، أو رقمًا تسلسليًا آخر.")
	}
	return err
}

// Device returns a device of an organisation, or a NotFound fault.
func (s *Store) Device(ctx context.Context, of org.Tenant, id uuid.UUID) (device.Device, error) {
	const query = `SELECT ` + deviceColumns + ` FROM ` + deviceTables + ` WHERE device.org_id = $1 AND device.id = $2`
	return database.First(ctx, s.db, fault.Missing("Device"), query, []any{of.ID(), id}, scanDevice)
}

// Devices returns a page of an organisation's devices, newest first.
func (s *Store) Devices(ctx context.Context, of org.Tenant, page org.Page) (org.List[device.Device], error) {
	const query = `
		SELECT ` + deviceColumns + `
		FROM ` + deviceTables + `
		WHERE device.org_id = $1 AND device.id < $2
		ORDER BY device.id DESC
		LIMIT $3 OFFSET $4`
	rows, err := database.All(ctx, s.db, query, []any{of.ID(), before(page), page.Size + 1, page.Skip()}, scanDevice)
	if err != nil {
		return org.List[device.Device]{}, err
	}
	list := listOf(rows, page, func(d device.Device) uuid.UUID { return d.ID })
	err = s.db.One(ctx, nil, `SELECT count(*) FROM device WHERE org_id = $1`, []any{of.ID()}, &list.Total)
	return list, err
}

// CountDevices returns how many of an organisation's devices can issue, and how
// many certificates of each kind have expired at now.
func (s *Store) CountDevices(ctx context.Context, of org.Tenant, now time.Time) (active, complianceExpired, productionExpired int, err error) {
	const query = `
		SELECT
			coalesce(sum(CASE WHEN status = 'pcsid_generated' AND retired_at IS NULL THEN 1 ELSE 0 END), 0),
			coalesce(sum(CASE WHEN compliance_until <= $2 THEN 1 ELSE 0 END), 0),
			coalesce(sum(CASE WHEN production_until <= $2 THEN 1 ELSE 0 END), 0)
		FROM device
		WHERE org_id = $1`
	err = s.db.One(ctx, nil, query, []any{of.ID(), millis(now)}, &active, &complianceExpired, &productionExpired)
	return active, complianceExpired, productionExpired, err
}
