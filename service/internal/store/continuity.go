package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/continuity"
	"khatm/service/internal/database"
	"khatm/service/internal/org"
)

// Installation returns the id of this installation.
func (s *Store) Installation(ctx context.Context) (id uuid.UUID, err error) {
	err = s.db.One(ctx, errNotInstalled, `SELECT id FROM installation WHERE one = 1`, nil, &id)
	return id, err
}

// Continuity returns the continuity state that is recorded in the database.
func (s *Store) Continuity(ctx context.Context) (continuity.State, error) {
	const query = `SELECT generation, identity, stopped_at, reason, trail_head, synchronous FROM continuity WHERE one = 1`
	var state continuity.State
	var identity, synchronous sql.NullString
	var stopped sql.NullInt64
	if err := s.db.One(ctx, errNotInstalled, query, nil, &state.Generation, &identity, &stopped, &state.Reason, &state.TrailHead, &synchronous); err != nil {
		return state, fmt.Errorf("read the continuity state: %w", err)
	}
	if at := timeOrNil(stopped); at != nil {
		state.StoppedAt = *at
	}
	if identity.Valid {
		state.Identity = &continuity.Identity{}
		if err := json.Unmarshal([]byte(identity.String), state.Identity); err != nil {
			return state, fmt.Errorf("read the identity of the database: %w", err)
		}
	}
	if synchronous.Valid {
		state.Replication = &continuity.Replication{}
		if err := json.Unmarshal([]byte(synchronous.String), state.Replication); err != nil {
			return state, fmt.Errorf("read the replication of the database: %w", err)
		}
	}
	return state, nil
}

// RecordIdentity records the identity of the database. If the database is a
// copy, documents without an answer are treated as sent, as in StopIssuing.
func (s *Store) RecordIdentity(ctx context.Context, i continuity.Identity, copied bool) error {
	text, err := documentOf(i)
	if err != nil {
		return err
	}
	return s.write(ctx, func(t *tx) error {
		if err := t.ExecOne(errNotInstalled, `UPDATE continuity SET identity = $1 WHERE one = 1`, text); err != nil || !copied {
			return err
		}
		return t.doubtUnanswered()
	})
}

// DoubtUnanswered treats every document without an answer as sent when it was
// created, as StopIssuing does. It is for a database that was restored from a
// copy.
func (s *Store) DoubtUnanswered(ctx context.Context) error {
	return s.write(ctx, func(t *tx) error { return t.doubtUnanswered() })
}

// doubtUnanswered marks every document without an answer as sent just before it
// was created. No real attempt is that early, so the row can be recognised.
func (t *tx) doubtUnanswered() error {
	const doubt = `
		UPDATE submission
		SET asked = 0, doubt_at = (SELECT i.created_at - 1 FROM invoice i WHERE i.org_id = submission.org_id AND i.id = submission.invoice_id)
		WHERE state <> 'done'`
	if err := t.Exec(doubt); err != nil {
		return fmt.Errorf("mark unanswered documents as possibly sent: %w", err)
	}
	return nil
}

// StopIssuing records that the database may lack documents, so that no server
// issues until a recovery. A document without an answer may have been sent
// after the copy was made from which this database was restored. So it is
// treated as sent when it was created, and is not sent again if it is too old.
func (s *Store) StopIssuing(ctx context.Context, reason string) error {
	return s.write(ctx, func(t *tx) error {
		n, err := t.moved(`UPDATE continuity SET stopped_at = $1, reason = $2 WHERE one = 1 AND stopped_at IS NULL`, millis(s.now()), reason)
		if err != nil || n == 0 {
			return err
		}
		if err := t.doubtUnanswered(); err != nil {
			return err
		}
		return t.event(bySystem(org.Tenant{}), "continuity.stop", "", map[string]any{"reason": reason})
	})
}

// Books returns the ends of the chains and number series of all organisations.
func (s *Store) Books(ctx context.Context) (continuity.Books, error) {
	books := continuity.Books{}
	book := func(id uuid.UUID) continuity.Book {
		b, known := books[id]
		if !known {
			b = continuity.Book{Numbers: map[string]continuity.Number{}, Ahead: map[string]continuity.Number{}, Devices: map[uuid.UUID]continuity.End{}}
			books[id] = b
		}
		return b
	}
	err := s.Snapshot(ctx, func(p *Snapshot) error {
		var id uuid.UUID
		const every = `SELECT o.id, coalesce(b.documents, 0) FROM organisation o LEFT JOIN book b ON b.org_id = o.id`
		err := p.each(ctx, every, nil, func(row scanner) error {
			var n int64
			err := row.Scan(&id, &n)
			b := book(id)
			b.Documents = n
			books[id] = b
			return err
		})
		if err != nil {
			return fmt.Errorf("read the books: %w", err)
		}
		err = p.each(ctx, `SELECT org_id, kind, prefix, year, last, ahead FROM series`, nil, func(row scanner) error {
			var kind string
			var n continuity.Number
			var ahead map[int]int64
			err := row.Scan(&id, &kind, &n.Prefix, &n.Year, &n.Last, document{&ahead})
			b := book(id)
			b.Numbers[kind] = n
			for year, last := range ahead {
				if later := (continuity.Number{Prefix: n.Prefix, Year: year, Last: last}); later.After(b.Ahead[kind]) {
					b.Ahead[kind] = later
				}
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("read the numbers: %w", err)
		}
		err = p.each(ctx, `SELECT device.org_id, id, counter, last_hash, retired_at IS NOT NULL FROM `+deviceTables+` WHERE counter > 0 OR retired_at IS NOT NULL`, nil, func(row scanner) error {
			var device uuid.UUID
			var end continuity.End
			err := row.Scan(&id, &device, &end.Counter, &end.Hash, &end.Retired)
			book(id).Devices[device] = end
			return err
		})
		if err != nil {
			return fmt.Errorf("read the chains: %w", err)
		}
		return nil
	})
	return books, err
}

// HashAt returns the hash of a device's document with a counter, which may be
// the last one of a declared gap. It returns "" if there is none.
func (s *Store) HashAt(ctx context.Context, of org.Tenant, device uuid.UUID, counter int64) (hash string, err error) {
	const query = `
		SELECT hash FROM invoice WHERE org_id = $1 AND device_id = $2 AND counter = $3
		UNION ALL
		SELECT hash FROM gap WHERE org_id = $1 AND device_id = $2 AND last = $3`
	err = s.db.One(ctx, sql.ErrNoRows, query, []any{of.ID(), device, counter}, &hash)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return hash, err
}

// TrailEnd returns the last link of the audit trail, or zero if no entry is
// linked.
func (s *Store) TrailEnd(ctx context.Context) (org.Link, error) {
	ctx, end, err := s.db.Begin(ctx)
	if err != nil {
		return org.Link{}, err
	}
	defer end()
	link, err := linkOf(s.db.QueryRowContext(ctx, lastLink))
	return link, database.Outage(err)
}

// CheckTrail returns org.ErrTrailBroken if the audit trail does not contain
// head.
func (s *Store) CheckTrail(ctx context.Context, head org.Link) error {
	ctx, end, err := s.db.Begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	_, _, err = trailEnd(func(query string, args ...any) *sql.Row { return s.db.QueryRowContext(ctx, query, args...) }, head)
	return database.Outage(err)
}

// Recover applies a recovery in one transaction: it declares the gaps, moves
// the ends of chains and series, retires devices and starts the next
// generation. Issuing can then continue.
func (s *Store) Recover(ctx context.Context, by org.Actor, r continuity.Recovery) error {
	identity, err := documentOf(r.Identity)
	if err != nil {
		return err
	}
	return s.write(ctx, func(t *tx) error {
		const begin = `
			UPDATE continuity
			SET generation = $1, identity = $2, stopped_at = NULL, reason = '', trail_head = $3
			WHERE one = 1 AND generation < $1`
		if err := t.ExecOne(errRecovered, begin, r.Generation, identity, r.TrailHead); err != nil {
			return err
		}
		now := s.now()
		for _, g := range r.Gaps {
			if err := t.declare(g, now); err != nil {
				return fmt.Errorf("declare the gap of device %s: %w", g.Device, err)
			}
		}
		for _, n := range r.Numbers {
			if err := t.skip(n, now); err != nil {
				return fmt.Errorf("move the numbers of organisation %s: %w", n.Organisation, err)
			}
		}
		for _, d := range r.Retired {
			const retire = `UPDATE device SET retired_at = $3 WHERE org_id = $1 AND id = $2 AND retired_at IS NULL`
			if err := t.ExecOne(errDeviceMoved, retire, d.Organisation, d.Device, millis(now)); err != nil {
				return fmt.Errorf("retire device %s: %w", d.Device, err)
			}
		}
		return t.event(by, "continuity.recover", "", r.Details())
	})
}

var (
	errRecovered   = errors.New("another recovery was completed at the same time")
	errDeviceMoved = errors.New("the device was changed at the same time")

	errNumbersMoved = errors.New("the numbers were changed at the same time")
)

// declare records a gap and moves the end of the chain past it.
func (t *tx) declare(g continuity.Gap, now time.Time) error {
	const insert = `INSERT INTO gap (org_id, device_id, first, last, hash, issued_at, declared_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`
	if err := t.Exec(insert, g.Organisation, g.Device, g.First, g.Last, g.Hash, millis(g.IssuedAt), millis(now)); err != nil {
		return err
	}
	const move = `UPDATE chain SET counter = $3, last_hash = $4, last_issued_at = $5 WHERE org_id = $1 AND device_id = $2 AND counter = $6`
	return t.ExecOne(errDeviceMoved, move, g.Organisation, g.Device, g.Last, g.Hash, millis(g.IssuedAt), g.First-1)
}

// skip moves the last number of a series and records the skipped numbers.
func (t *tx) skip(n continuity.NumberMove, now time.Time) error {
	if n.First > 0 {
		const insert = `INSERT INTO number_gap (org_id, series, first, last, declared_at) VALUES ($1, $2, $3, $4, $5)`
		if err := t.Exec(insert, n.Organisation, n.To.Series(), n.First, n.To.Last, millis(now)); err != nil {
			return err
		}
	}
	if n.From.Prefix == "" {
		const begin = `INSERT INTO series (org_id, kind, prefix, first, year, last) VALUES ($1, $2, $3, 1, $4, $5)`
		return t.Exec(begin, n.Organisation, n.Kind, n.To.Prefix, n.To.Year, n.To.Last)
	}
	const move = `
		UPDATE series SET prefix = $3, first = 1, year = $4, last = $5
		WHERE org_id = $1 AND kind = $2 AND prefix = $6 AND year = $7 AND last = $8`
	return t.ExecOne(errNumbersMoved, move, n.Organisation, n.Kind, n.To.Prefix, n.To.Year, n.To.Last, n.From.Prefix, n.From.Year, n.From.Last)
}

// RewrapTrailHead encrypts the sealed head of the last recovery with another
// master key. It reports whether this was necessary.
func (s *Store) RewrapTrailHead(ctx context.Context, rewrap func(sealed []byte) ([]byte, bool, error)) (moved bool, err error) {
	state, err := s.Continuity(ctx)
	if err != nil || state.TrailHead == nil {
		return false, err
	}
	sealed, moved, err := rewrap(state.TrailHead)
	if err != nil || !moved {
		return false, err
	}
	return true, s.write(ctx, func(t *tx) error {
		const update = `UPDATE continuity SET trail_head = $1 WHERE one = 1 AND generation = $2`
		return t.ExecOne(errRecovered, update, sealed, state.Generation)
	})
}
