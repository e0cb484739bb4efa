package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/org"
)

// event writes an entry of the audit trail in the transaction of the change.
func (t *tx) event(by org.Actor, action, subject string, details map[string]any) error {
	rows := t.events()
	if err := rows.addEvent(by, action, subject, details); err != nil {
		return err
	}
	if err := rows.flush(); err != nil {
		return fmt.Errorf("write %s into the audit trail: %w", action, err)
	}
	return nil
}

// eventRows collects entries of the audit trail.
type eventRows struct{ rowsOf }

const insertEvent = `INSERT INTO event (id, org_id, at, kind, actor, address, request, action, subject, details)`

func (t *tx) events() *eventRows {
	return &eventRows{rowsOf{t: t, insert: insertEvent}}
}

// addEvent adds an entry.
func (r *eventRows) addEvent(by org.Actor, action, subject string, details map[string]any) error {
	if details == nil {
		details = map[string]any{}
	}
	text, err := documentOf(details)
	if err != nil {
		return err
	}
	return r.add(r.t.store.newID(), tenantOrNull(by.Tenant), millis(r.t.store.now()), string(by.Kind), by.Name, by.Address, by.Request, action, subject, text)
}

// Note writes an entry of the audit trail for an action that changed nothing in
// the database.
func (s *Store) Note(ctx context.Context, by org.Actor, action, subject string) error {
	return s.write(ctx, func(t *tx) error { return t.event(by, action, subject, nil) })
}

func tenantOrNull(t org.Tenant) any {
	if t.IsZero() {
		return nil
	}
	return t.ID()
}

const eventColumns = `id, org_id, at, kind, actor, address, request, action, subject, details`

func scanEvent(row scanner, more ...any) (org.Event, error) {
	var e org.Event
	var organisation uuid.NullUUID
	into := []any{&e.ID, &organisation, instant{&e.At}, &e.Kind, &e.Actor, &e.Address, &e.Request, &e.Action, &e.Subject, &e.Details}
	if err := row.Scan(append(into, more...)...); err != nil {
		return e, fmt.Errorf("read the audit trail: %w", err)
	}
	if organisation.Valid {
		e.Tenant = org.TenantOf(organisation.UUID)
	}
	return e, nil
}

// Events returns the newest entries of an organisation's audit trail.
func (s *Store) Events(ctx context.Context, of org.Tenant, most int) ([]org.Event, error) {
	const query = `
		SELECT ` + eventColumns + `
		FROM event
		WHERE org_id = $1
		ORDER BY id DESC
		LIMIT $2`
	return database.All(ctx, s.db, query, []any{of.ID(), most}, func(row scanner) (org.Event, error) { return scanEvent(row) })
}

// SealTrail links up to most entries that are not linked yet and returns
// their number and the last link. Only one process does so at a time. It
// returns org.ErrTrailBroken and changes nothing if the trail does not contain
// kept, the head stored outside the database. It accepts every trail if kept is
// zero.
func (s *Store) SealTrail(ctx context.Context, kept org.Link, most int) (linked int, head org.Link, err error) {
	// Usually there is nothing to link. Finding this out needs no lock.
	look := func(query string, args ...any) *sql.Row { return s.db.QueryRowContext(ctx, query, args...) }
	head, waiting, err := trailEnd(look, kept)
	if err != nil || !waiting {
		return 0, head, database.Outage(err)
	}
	err = s.write(ctx, func(t *tx) error {
		// This excludes other processes.
		if err := t.lockInstallation(); err != nil {
			return err
		}
		if head, _, err = trailEnd(t.QueryRow, kept); err != nil {
			return err
		}
		events, err := t.unlinked(most)
		if err != nil {
			return err
		}
		linked = len(events)
		head, err = t.link(events, head)
		return err
	})
	return linked, head, err
}

// link links entries and returns the last link. One statement for many entries takes
// much less time than one for each.
func (t *tx) link(events []org.Event, head org.Link) (org.Link, error) {
	if len(events) == 0 {
		return head, nil
	}
	ids, numbers, hashes := make([]uuid.UUID, len(events)), make([]int64, len(events)), make([][]byte, len(events))
	for i, e := range events {
		head = e.Link(head)
		ids[i], numbers[i], hashes[i] = e.ID, head.Number, slices.Clone(head.Hash[:])
	}
	do := t.linkArrays
	if t.store.dialect.Embedded {
		do = t.linkValues
	}
	if err := do(ids, numbers, hashes); err != nil {
		return head, fmt.Errorf("link entries of the audit trail: %w", err)
	}
	return head, nil
}

// linkArrays links entries on PostgreSQL, which has arrays as parameters.
func (t *tx) linkArrays(ids []uuid.UUID, numbers []int64, hashes [][]byte) error {
	return t.Exec(`
		UPDATE event
		SET link = link_of.link, hash = link_of.hash
		FROM unnest(CAST($1 AS UUID[]), CAST($2 AS BIGINT[]), CAST($3 AS BYTEA[])) AS link_of (id, link, hash)
		WHERE event.id = link_of.id`, ids, numbers, hashes)
}

// linkValues links entries on SQLite.
func (t *tx) linkValues(ids []uuid.UUID, numbers []int64, hashes [][]byte) error {
	rows := rowsOf{t: t, insert: `WITH link_of (id, link, hash) AS (`, behind: `)
		UPDATE event
		SET link = link_of.link, hash = link_of.hash
		FROM link_of
		WHERE event.id = link_of.id`}
	for i := range ids {
		if err := rows.add(ids[i], numbers[i], hashes[i]); err != nil {
			return err
		}
	}
	return rows.flush()
}

// trailEnd checks that the trail contains kept. It returns the last link and
// whether entries are waiting to be linked.
func trailEnd(row func(string, ...any) *sql.Row, kept org.Link) (last org.Link, waiting bool, err error) {
	at, err := linkOf(row(`SELECT link, hash FROM event WHERE link = $1`, kept.Number))
	if err != nil {
		return last, false, err
	}
	if at != kept {
		return last, false, fmt.Errorf("%w: entry %d is missing or was changed", org.ErrTrailBroken, kept.Number)
	}
	last, err = linkOf(row(lastLink))
	if err != nil {
		return last, false, err
	}
	err = row(`SELECT count(*) FROM (SELECT 1 FROM event WHERE link IS NULL LIMIT 1) any_waiting`).Scan(&waiting)
	return last, waiting, err
}

// lastLink selects the newest linked entry.
const lastLink = `SELECT link, hash FROM event WHERE link IS NOT NULL ORDER BY link DESC LIMIT 1`

// linkOf reads a link, or returns zero if there is none.
func linkOf(row *sql.Row) (link org.Link, err error) {
	var hash []byte
	if err := row.Scan(&link.Number, &hash); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return link, fmt.Errorf("read the audit trail: %w", err)
	}
	copy(link.Hash[:], hash)
	return link, nil
}

func (t *tx) unlinked(most int) ([]org.Event, error) {
	rows, err := t.Query(`SELECT `+eventColumns+` FROM event WHERE link IS NULL ORDER BY id LIMIT $1`, most)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var events []org.Event
	for rows.Next() {
		e, err := scanEvent(rows)
		if err != nil {
			return nil, err
		}
		events = append(events, e)
	}
	return events, rows.Err()
}

// WalkTrail calls see with every linked entry, in the order of the links.
func (s *Store) WalkTrail(ctx context.Context, see func(org.Event, org.Link) error) error {
	rows, err := s.db.QueryContext(ctx, `SELECT `+eventColumns+`, link, hash FROM event WHERE link IS NOT NULL ORDER BY link`)
	if err != nil {
		return database.Outage(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var link org.Link
		var hash []byte
		e, err := scanEvent(rows, &link.Number, &hash)
		if err != nil {
			return err
		}
		copy(link.Hash[:], hash)
		if err := see(e, link); err != nil {
			return err
		}
	}
	return database.Outage(rows.Err())
}
