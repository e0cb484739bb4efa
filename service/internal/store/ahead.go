package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/org"
)

// AcceptClock records that an operator confirmed the clock at now.
func (s *Store) AcceptClock(ctx context.Context, by org.Actor, now time.Time) error {
	return s.write(ctx, func(t *tx) error {
		if err := t.ExecOne(errNotInstalled, `UPDATE installation SET clock_accepted_at = $1 WHERE one = 1`, millis(now)); err != nil {
			return err
		}
		return t.event(by, "clock.accept", now.UTC().Format(time.RFC3339), nil)
	})
}

// AcceptedClock returns the time at which an operator last confirmed the clock,
// or zero if none has.
func (s *Store) AcceptedClock(ctx context.Context) (time.Time, error) {
	var at sql.NullInt64
	err := s.db.One(ctx, errNotInstalled, `SELECT clock_accepted_at FROM installation WHERE one = 1`, nil, &at)
	if err != nil || !at.Valid {
		return time.Time{}, err
	}
	return *timeOrNil(at), nil
}

// released is an SQL condition: the last document of the device was released.
const released = `EXISTS (SELECT 1 FROM clock_release r WHERE r.org_id = device.org_id AND r.device_id = device.id AND r.counter = chain.counter)`

// DatedAhead lists the devices and series of all organisations whose last
// document is dated in the future.
func (s *Store) DatedAhead(ctx context.Context, now time.Time) ([]issue.Ahead, error) {
	after, year := issue.AheadOf(now)
	const devices = `
		SELECT device.org_id, id, common_name, last_issued_at
		FROM ` + deviceTables + `
		WHERE last_issued_at > $1 AND retired_at IS NULL AND NOT ` + released + `
		ORDER BY device.org_id, id`
	found, err := database.All(ctx, s.db, devices, []any{millis(after)}, func(row scanner) (issue.Ahead, error) {
		var a issue.Ahead
		var of uuid.UUID
		err := row.Scan(&of, &a.Device, &a.Name, instant{&a.LastIssuedAt})
		a.Tenant = org.TenantOf(of)
		return a, err
	})
	if err != nil {
		return nil, err
	}
	const series = `SELECT org_id, kind, year FROM series WHERE year > $1 ORDER BY org_id, kind`
	more, err := database.All(ctx, s.db, series, []any{year}, func(row scanner) (issue.Ahead, error) {
		var a issue.Ahead
		var of uuid.UUID
		err := row.Scan(&of, &a.Series, &a.Year)
		a.Tenant = org.TenantOf(of)
		return a, err
	})
	return append(found, more...), err
}

// AllDatedAhead reports whether there are issuing devices and each of them, or
// its organisation's invoice series, is dated in the future.
func (s *Store) AllDatedAhead(ctx context.Context, now time.Time) (bool, error) {
	after, year := issue.AheadOf(now)
	const issuing = `FROM ` + deviceTables + ` WHERE status = '` + string(device.PCSIDGenerated) + `' AND retired_at IS NULL AND production_until > $3`
	// One statement, so that a device created meanwhile is counted in both
	// parts.
	const query = `
		SELECT
			(SELECT count(*) FROM (SELECT 1 ` + issuing + ` LIMIT 1) issuing),
			(SELECT count(*) FROM (
				SELECT 1 ` + issuing + `
					AND (last_issued_at IS NULL OR last_issued_at <= $1 OR ` + released + `)
					AND NOT EXISTS (SELECT 1 FROM series s WHERE s.org_id = device.org_id AND s.kind = 'INV' AND s.year > $2)
				LIMIT 1) present)`
	var some, present int
	err := s.db.One(ctx, nil, query, []any{millis(after), year, millis(now)}, &some, &present)
	return some > 0 && present == 0, err
}

// ReleaseClock lets a device continue with the current time although its last
// document has a later date, and its organisation's series although their last
// number is of a later year. With the id uuid.Nil it releases only the series.
// It returns the devices and series that it released.
func (s *Store) ReleaseClock(ctx context.Context, by org.Actor, id uuid.UUID, now time.Time) (freed []issue.Ahead, err error) {
	err = s.write(ctx, func(t *tx) error {
		freed = nil // the transaction may run twice
		if err := t.takeBook(by.Tenant); err != nil {
			return err
		}
		var one *issue.Ahead
		if id != uuid.Nil {
			var err error
			if one, err = t.releaseDevice(by.Tenant, id, now); err != nil {
				return err
			}
		}
		series, err := t.releaseSeries(by.Tenant, now)
		if err != nil {
			return err
		}
		details := map[string]any{}
		if one != nil {
			freed = append(freed, *one)
			details["last_issued_at"] = one.LastIssuedAt.Format(time.RFC3339)
		}
		for _, a := range series {
			details[a.Series] = a.Year
		}
		if freed = append(freed, series...); len(freed) == 0 {
			return nil
		}
		subject := "series"
		if id != uuid.Nil {
			subject = id.String()
		}
		return t.event(by, "clock.release", subject, details)
	})
	return freed, err
}

func (t *tx) releaseDevice(of org.Tenant, id uuid.UUID, now time.Time) (*issue.Ahead, error) {
	after, _ := issue.AheadOf(now)
	query := `SELECT ` + deviceColumns + ` FROM ` + deviceTables + ` WHERE device.org_id = $1 AND device.id = $2` + t.store.dialect.LockRow
	d, err := scanDevice(t.QueryRow(query, of.ID(), id))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, fault.Missing("Device")
	case err != nil:
		return nil, fmt.Errorf("read device %s: %w", id, err)
	case !d.LastIssuedAt.After(after):
		return nil, nil //nolint:nilnil // no release is needed
	}
	const insert = `
		INSERT INTO clock_release (org_id, device_id, counter, last_issued_at, released_at)
		VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (org_id, device_id, counter) DO NOTHING`
	result, err := t.Change(insert, of.ID(), id, d.Counter, millis(d.LastIssuedAt), millis(now))
	if err != nil {
		return nil, fmt.Errorf("release device %s: %w", id, err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return nil, err // already released, and nothing issued since
	}
	return &issue.Ahead{Tenant: of, Device: id, Name: d.CommonName, LastIssuedAt: d.LastIssuedAt}, nil
}

// releaseSeries moves each series that is in a later year back to the current
// year, after the last number used in it.
func (t *tx) releaseSeries(of org.Tenant, now time.Time) (freed []issue.Ahead, err error) {
	_, year := issue.AheadOf(now)
	rd := reader{ctx: t.Context(), db: t, of: of, into: &issue.State{Series: map[string]issue.Series{}}}
	if err := rd.numbers(issue.Wants{At: now}); err != nil {
		return nil, fmt.Errorf("read the series: %w", err)
	}
	for kind, series := range rd.into.Series {
		if series.Year <= year {
			continue
		}
		freed = append(freed, issue.Ahead{Tenant: of, Series: kind, Year: series.Year})
		ahead := map[int]int64{series.Year: series.Last}
		for y, last := range series.Ahead {
			if y != series.Year {
				ahead[y] = last
			}
		}
		if series.Last, err = t.lastNumber(of, kind, series, year); err != nil {
			return nil, err
		}
		text, err := documentOf(ahead)
		if err != nil {
			return nil, err
		}
		const update = `UPDATE series SET year = $1, last = $2, ahead = $3 WHERE org_id = $4 AND kind = $5`
		if err := t.ExecOne(fault.Missing("Series"), update, year, series.Last, text, of.ID(), kind); err != nil {
			return nil, fmt.Errorf("release series %s: %w", kind, err)
		}
	}
	return freed, nil
}

// lastNumber returns the last number of a series in a year. If there is none,
// it returns the number before the first one of the year.
func (t *tx) lastNumber(of org.Tenant, kind string, series issue.Series, year int) (int64, error) {
	code := int(issue.KindOf(kind))
	begins := series.Prefix + "-" + strconv.Itoa(year) + "-"
	const newest = `
		SELECT coalesce(max(n), -1)
		FROM (
			SELECT tail AS n FROM invoice WHERE org_id = $1 AND type_code = $2 AND substr(ref_num, 1, $3) = $4
			UNION ALL
			SELECT last FROM number_gap WHERE org_id = $1 AND series = $4
		) used`
	var last int64
	if err := t.QueryRow(newest, of.ID(), code, len([]rune(begins)), begins).Scan(&last); err != nil || last >= 0 {
		return last, err
	}
	const before = `SELECT count(*) FROM (SELECT 1 FROM invoice WHERE org_id = $1 AND type_code = $2 AND issue_date < $3 LIMIT 1) earlier`
	var earlier int
	err := t.QueryRow(before, of.ID(), code, strconv.Itoa(year)+"-01-01").Scan(&earlier)
	if earlier > 0 {
		return 0, err
	}
	return series.First - 1, err
}
