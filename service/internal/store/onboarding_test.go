package store_test

import (
	"database/sql"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/pressly/goose/v3"

	"khatm/service/internal/database"
	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/onboard"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

// newDevice adds a device that has not been onboarded.
func (s *fixture) newDevice() device.Device {
	s.t.Helper()
	d := sampleDevice(s.config.NewID(), nil)
	d.Status, d.Compliance, d.Production, d.Token = device.CSRPending, nil, nil, ""
	d.Counter, d.LastHash = 0, device.GenesisHash
	d.LastIssuedAt = device.Device{}.LastIssuedAt
	ok(s.t, s.AddDevice(s.ctx, s.by, d))
	return d
}

// take starts a turn of an enrolment.
func (s *fixture) take(d device.Device, renewal bool) onboard.Enrolment {
	s.t.Helper()
	e, err := s.TakeEnrolment(s.ctx, s.by, d.ID, renewal)
	ok(s.t, err)
	return e
}

// wholeStep returns a step of an enrolment with all fields set.
func wholeStep(e onboard.Enrolment, to device.Status) onboard.Step {
	step := onboard.Step{
		Enrolment: e, From: e.Status,
		Validity: &device.Certificate{NotBefore: instantOf(1), NotAfter: instantOf(2)},
		Issued:   &onboard.Production{Token: "production", Validity: device.Certificate{NotBefore: instantOf(3), NotAfter: instantOf(4)}},
		Secrets:  []onboard.Secret{{Purpose: "one", Sealed: sealedSample(1)}, {Purpose: "two", Sealed: sealedSample(2)}},
	}
	step.Status, step.Request, step.RequestID, step.Token = to, "request", "17", "compliance"
	step.Trouble = onboard.Trouble{Code: "Invalid-OTP", Message: "الرمز غير صحيح"}
	return step
}

func TestTakeEnrolment(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		d := s.newDevice()
		for turn := range int64(3) {
			want := onboard.Enrolment{Device: d.ID, Turn: turn + 1, Status: device.CSRPending, ChangedAt: storetest.Start}
			same(t, want)(s.TakeEnrolment(s.ctx, s.by, d.ID, false))
			want.Renewal = true
			same(t, want)(s.TakeEnrolment(s.ctx, s.by, d.ID, true))
		}
		active := sampleDevice(s.config.NewID(), nil)
		ok(t, s.AddDevice(s.ctx, s.by, active))
		if got := s.take(active, false).Status; got != device.PCSIDGenerated {
			t.Errorf("first enrolment of an active device has status %s, want %s", got, device.PCSIDGenerated)
		}
		if got := s.take(active, true).Status; got != device.CSRPending {
			t.Errorf("first renewal of an active device has status %s, want %s", got, device.CSRPending)
		}
		_, err := s.TakeEnrolment(s.ctx, s.other, d.ID, false)
		refused(t, err, fault.NotFound, "Device not found")
		_, err = s.TakeEnrolment(s.ctx, s.by, uuid.Max, true)
		refused(t, err, fault.NotFound, "Device not found")
	})
}

func TestKeepStepStoresAllFields(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		d := s.newDevice()
		step := wholeStep(s.take(d, false), device.PCSIDGenerated)
		ok(t, s.KeepStep(s.ctx, s.by, step))
		same(t, []onboard.Enrolment{step.Enrolment})(s.Enrolments(s.ctx, s.by.Tenant, d.ID))
		d.Status, d.Token, d.Compliance, d.Production = device.PCSIDGenerated, "production", step.Validity, &step.Issued.Validity
		same(t, d)(s.Device(s.ctx, s.by.Tenant, d.ID))
		for i, purpose := range []string{"one", "two"} {
			same(t, sealedSample(byte(i+1)))(s.Secret(s.ctx, s.by.Tenant, purpose, d.ID.String()))
		}
		events, err := s.Events(s.ctx, s.by.Tenant, 1)
		ok(t, err)
		for _, word := range []string{`"from":"csr_pending"`, `"to":"pcsid_generated"`, `"code":"Invalid-OTP"`, `"request_id":"17"`} {
			if !strings.Contains(strings.ReplaceAll(events[0].Details, ": ", ":"), word) {
				t.Errorf("entry in the audit trail is %s, want %s in it", events[0].Details, word)
			}
		}
		same(t, []onboard.Enrolment{})(s.Enrolments(s.ctx, s.other.Tenant, d.ID))
	})
}

func TestRenewalKeepsDeviceStatus(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		d := sampleDevice(s.config.NewID(), nil)
		ok(t, s.AddDevice(s.ctx, s.by, d))
		step := wholeStep(s.take(d, true), device.PCSIDPending)
		step.Validity, step.Issued = nil, nil
		ok(t, s.KeepStep(s.ctx, s.by, step))
		same(t, d)(s.Device(s.ctx, s.by.Tenant, d.ID))

		end := wholeStep(step.Enrolment, device.PCSIDGenerated)
		end.Secrets = []onboard.Secret{{Purpose: "one", Sealed: sealedSample(9)}}
		end.Forget = []string{"two", "three"}
		ok(t, s.KeepStep(s.ctx, s.by, end))
		d.Token, d.Compliance, d.Production = "production", end.Validity, &end.Issued.Validity
		same(t, d)(s.Device(s.ctx, s.by.Tenant, d.ID))
		same(t, sealedSample(9))(s.Secret(s.ctx, s.by.Tenant, "one", d.ID.String()))
		_, err := s.Secret(s.ctx, s.by.Tenant, "two", d.ID.String())
		refused(t, err, fault.NotFound, "Secret not found")
	})
}

// A step of an older turn or from another status is refused and changes
// nothing.
func TestOutdatedStepIsRefused(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		d := s.newDevice()
		late := s.take(d, false)
		mine := s.take(d, false)
		before := s.contents()
		astray := mine
		astray.Status = device.PCSIDPending
		for name, step := range map[string]onboard.Step{
			"an older turn": wholeStep(late, device.PCSIDGenerated),
			"another state": wholeStep(astray, device.PCSIDGenerated),
		} {
			if err := s.KeepStep(s.ctx, s.by, step); fault.KindOf(err) != fault.Conflict {
				t.Errorf("step of %s: %v, want an error of kind Conflict", name, err)
			}
		}
		if err := s.KeepStep(s.ctx, s.other, wholeStep(mine, device.PCSIDGenerated)); fault.KindOf(err) != fault.NotFound {
			t.Errorf("step of another organisation: %v, want an error of kind NotFound", err)
		}
		same(t, before)(s.contents(), nil)
		same(t, d)(s.Device(s.ctx, s.by.Tenant, d.ID))
		same(t, []onboard.Enrolment{mine})(s.Enrolments(s.ctx, s.by.Tenant, d.ID))
	})
}

// The last hash and the last issue time of a device change only together with
// its counter.
func TestLastHashChangesWithTheCounter(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		d := s.newDevice()
		hash := strings.Repeat("h", 44)
		const words = "nor does its last hash change without it"
		for _, statement := range []string{
			`UPDATE chain SET last_hash = '` + hash + `'`,
			`UPDATE chain SET last_issued_at = 5`,
		} {
			if _, err := s.raw.Exec(statement); err == nil || !strings.Contains(err.Error(), words) {
				t.Errorf("%s: %v, want a refusal", statement, err)
			}
		}
		s.execute(`UPDATE chain SET counter = 1, last_hash = '` + hash + `', last_issued_at = 5`)
		if _, err := s.raw.Exec(`UPDATE chain SET counter = 2, last_issued_at = 4`); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("earlier issue time: %v, want a refusal", err)
		}
		got, err := s.Device(s.ctx, s.by.Tenant, d.ID)
		ok(t, err)
		if got.Counter != 1 || got.LastHash != hash || got.LastIssuedAt.UnixMilli() != 5 {
			t.Errorf("device = %+v, want counter 1 with its hash and time", got)
		}
	})
}

// A device from the first schema version starts its chain like a new one.
func TestMigrateDevicesOfFirstVersion(t *testing.T) {
	t.Parallel()
	c := storetest.Empty(t)
	// Without foreign keys, because only the device is inserted.
	db, err := sql.Open("sqlite", "file:"+filepath.Join(c.Dir, "khatm.db"))
	ok(t, err)
	defer db.Close() //nolint:errcheck // temporary database
	folder, err := fs.Sub(database.Migrations(), "migrations/sqlite")
	ok(t, err)
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, folder, goose.WithDisableGlobalRegistry(true))
	ok(t, err)
	_, err = provider.UpTo(t.Context(), 1)
	ok(t, err)
	const insert = `
		INSERT INTO device (org_id, id, environment, common_name, serial_number, location, unit_name, industry, invoice_type, status, counter, parked, parked_why, created_at)
		VALUES ($1, $2, 'simulator', 'cn', 'sn', 'l', 'u', 'i', '1100', 'csr_pending', 0, 0, '', 1)`
	_, err = db.Exec(insert, c.NewID(), c.NewID())
	ok(t, err)
	from, to, err := store.Migrate(t.Context(), c)
	if err != nil || from != 1 || to < 2 {
		t.Fatalf("migrated from %d to %d, %v, want from 1", from, to, err)
	}
	var hash, token string
	var at sql.NullInt64
	ok(t, db.QueryRow(`SELECT last_hash, token, last_issued_at FROM device JOIN chain ON device_id = id`).Scan(&hash, &token, &at))
	if hash != device.GenesisHash || token != "" || at.Valid {
		t.Errorf("migrated device has hash %s, token %q, last issue time %v; want %s and no token or time", hash, token, at, device.GenesisHash)
	}
}
