package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/database"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// reader reads rows of one organisation and fills a state for a batch. If lock
// is set, it locks devices, items and drafts by id, in this order; the caller
// has already locked the book. A transaction that locks a draft must not lock
// any of the others afterwards; see folder.
type reader struct {
	ctx    context.Context
	db     database.Reader
	of     org.Tenant
	lock   string
	into   *issue.State
	places buyerPlaces       // of the buyers of the batch
	queued *[]database.Query // collects queries instead of running them; nil runs them
}

func newReader(ctx context.Context, db database.Reader, of org.Tenant, lock string) reader {
	return reader{ctx: ctx, db: db, of: of, lock: lock, places: buyerPlaces{}, into: &issue.State{
		Series: map[string]issue.Series{}, Devices: map[uuid.UUID]*issue.Chain{}, Stock: map[uuid.UUID]issue.Stock{}, Claims: map[uuid.UUID]uuid.UUID{},
		Earlier: map[uuid.UUID]issue.Earlier{}, Guards: map[issue.Digest]issue.Guard{}, Keys: map[string]issue.Issued{},
	}}
}

// state returns the queries of the part of a state that every batch needs. None of
// them depends on the result of another.
func (rd reader) state(wants issue.Wants) ([]database.Query, error) {
	var queries []database.Query
	rd.queued = &queries
	for _, step := range []func(issue.Wants) error{rd.chains, rd.stock, rd.claims, rd.seller, rd.numbers, rd.guards, rd.buyers, rd.keys} {
		if err := step(wants); err != nil {
			return nil, err
		}
	}
	return queries, nil
}

// rest reads the part of a state that few batches need.
func (rd reader) rest(s *Store, wants issue.Wants) error {
	if err := rd.earlier(wants); err != nil {
		return err
	}
	s.noteAll(rd.of, rd.into)
	return nil
}

// noteAll notes the damaged invoices of a state.
func (s *Store) noteAll(of org.Tenant, state *issue.State) {
	for _, e := range state.Earlier {
		if e.Damage != nil {
			s.note(of, e.Damage)
		}
	}
	for _, one := range state.Keys {
		if one.Invoice.Damage != nil {
			s.note(of, one.Invoice.Damage)
		}
	}
}

// rows calls scan with every row of a query, or queues the query.
func (rd reader) rows(query string, args []any, scan func(scanner) error) error {
	q := database.Query{Text: query, Args: args, Row: scan}
	if rd.queued != nil {
		*rd.queued = append(*rd.queued, q)
		return nil
	}
	return database.Each(rd.ctx, rd.db, q)
}

// among calls query for rows by their ids, in order and in parts that fit into
// a statement. The parameters of query are the placeholders "$2, $3, …" and the
// values, of which the first is the organisation. query is not called for an
// empty list, which PostgreSQL does not accept.
func (rd reader) among(ids []uuid.UUID, query func(places string, args []any) error) error {
	ids = slices.Clone(ids)
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	for part := range slices.Chunk(ids, maxValues) {
		args := padded(append([]any{rd.of.ID()}, anyOf(part)...), 1)
		if err := query(numbered(2, len(args)-1), args); err != nil {
			return err
		}
	}
	return nil
}

func numbered(from, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("$" + strconv.Itoa(from+i))
	}
	return b.String()
}

func (rd reader) chains(w issue.Wants) error {
	if err := rd.among(w.Devices, rd.devices); err != nil {
		return fmt.Errorf("read the devices: %w", err)
	}
	// The keys need a separate statement. A statement that waited for a lock
	// sees the locked rows as they are now, but all others as they were before
	// the wait. So it could combine a new certificate with the key of the
	// previous one.
	return rd.among(w.Devices, rd.deviceKeys)
}

func (rd reader) devices(places string, args []any) error {
	return rd.rows(`
		SELECT `+deviceColumns+`, CASE WHEN `+released+` THEN 1 ELSE 0 END
		FROM `+deviceTables+`
		WHERE device.org_id = $1 AND device.id IN (`+places+`)
		ORDER BY device.id`+rd.lock, args, func(row scanner) error {
		c := &issue.Chain{}
		var err error
		c.Device, err = scanDevice(withMore{row, []any{&c.Released}})
		rd.into.Devices[c.ID] = c
		return err
	})
}

// deviceKeys reads the sealed keys of devices. The owner of a secret is a text
// column.
func (rd reader) deviceKeys(places string, owners []any) error {
	for i := range owners[1:] {
		owners[i+1] = fmt.Sprint(owners[i+1])
	}
	return rd.rows(`
		SELECT owner, sealed
		FROM secret
		WHERE org_id = $1 AND purpose = '`+issue.DeviceKey+`' AND owner IN (`+places+`)`, owners, func(row scanner) error {
		var owner string
		var sealed []byte
		if err := row.Scan(&owner, &sealed); err != nil {
			return err
		}
		id, err := uuid.Parse(owner)
		if chain := rd.into.Devices[id]; chain != nil {
			chain.Key = sealed
		}
		return err
	})
}

func (rd reader) stock(w issue.Wants) error {
	return rd.among(w.Items, rd.items)
}

func (rd reader) items(places string, args []any) error {
	return rd.rows(`
		SELECT id, name, active, stock
		FROM item
		WHERE org_id = $1 AND id IN (`+places+`)
		ORDER BY id`+rd.lock, args, func(row scanner) error {
		var id uuid.UUID
		var one issue.Stock
		var left sql.NullString
		if err := row.Scan(&id, &one.Name, &one.Active, &left); err != nil {
			return err
		}
		if left.Valid {
			amount, err := money.Parse(left.String)
			if err != nil {
				return err
			}
			one.Left = &amount
		}
		rd.into.Stock[id] = one
		return nil
	})
}

func (rd reader) seller(w issue.Wants) error {
	if !w.Seller {
		return nil
	}
	return rd.rows(`SELECT `+organisationColumns+` FROM organisation WHERE id = $1`, []any{rd.of.ID()}, func(row scanner) error {
		o, err := scanOrganisation(row)
		rd.into.Seller = &o
		return err
	})
}

// numbers reads the usage of the month, the last numbers, and the reason of a
// stop. The reason must not be read by the statement that waits for the book,
// which would see it as it was before the wait.
func (rd reader) numbers(w issue.Wants) error {
	const query = `
		SELECT ` + planColumns + `, coalesce(u.invoices, 0), coalesce(u.validations, 0),
			coalesce(s.kind, ''), coalesce(s.prefix, ''), coalesce(s.first, 0), coalesce(s.year, 0), coalesce(s.last, 0), coalesce(s.ahead, '{}'),
			(SELECT reason FROM continuity WHERE one = 1)
		FROM organisation o
		JOIN plan p ON p.slug = o.plan
		LEFT JOIN usage u ON u.org_id = o.id AND u.month = $2
		LEFT JOIN series s ON s.org_id = o.id
		WHERE o.id = $1`
	use := &rd.into.Usage
	use.Month = org.UsageMonth(w.At)
	return rd.rows(query, []any{rd.of.ID(), use.Month.Format(monthForm)}, func(row scanner) error {
		var kind string
		var s issue.Series
		into := append(planInto(&use.Plan), &use.Invoices, &use.Validations, &kind, &s.Prefix, &s.First, &s.Year, &s.Last, document{&s.Ahead}, &rd.into.Stopped)
		if err := row.Scan(into...); err != nil {
			return err
		}
		if kind != "" {
			if len(s.Ahead) == 0 {
				s.Ahead = nil
			}
			rd.into.Series[kind] = s
		}
		return nil
	})
}

func (rd reader) guards(w issue.Wants) error {
	if len(w.Guards) == 0 {
		return nil
	}
	args := []any{rd.of.ID()}
	for _, g := range w.Guards {
		args = append(args, g[:])
	}
	args = padded(args, 1)
	// With a condition on until, PostgreSQL might use its index, which finds the
	// entries of all organisations.
	return rd.rows(`
		SELECT digest, invoice_id, until
		FROM guard
		WHERE org_id = $1 AND digest IN (`+numbered(2, len(args)-1)+`)`, args, func(row scanner) error {
		var digest []byte
		var g issue.Guard
		err := row.Scan(&digest, &g.Invoice, instant{&g.Until})
		if g.Until.After(w.At) {
			rd.into.Guards[issue.Digest(digest)] = g
		}
		return err
	})
}

func (rd reader) keys(w issue.Wants) error {
	if len(w.Keys) == 0 {
		return nil
	}
	args := padded(append([]any{rd.of.ID()}, anyOf(w.Keys)...), 1)
	query := `SELECT ` + storedColumns + ` FROM ` + storedTables + ` WHERE i.org_id = $1 AND i.idempotency_key IN (` + numbered(2, len(args)-1) + `)`
	return rd.rows(query, args, func(row scanner) error {
		var r stored
		damage, err := scanStored(row, &r)
		switch {
		case err != nil:
			return err
		case damage != nil && !slices.Contains(w.Keys, r.key.String):
			// Its key is damaged and may be any of those that no other row has.
			for _, key := range w.Keys {
				if _, known := rd.into.Keys[key]; !known {
					rd.into.Keys[key] = issue.Issued{Invoice: ledger.Invoice{ID: damage.Invoice, Damage: damage}}
				}
			}
			return nil
		case damage != nil:
			rd.into.Keys[r.key.String] = issue.Issued{Invoice: ledger.Invoice{ID: damage.Invoice, Damage: damage}}
			return nil
		}
		one := issue.Issued{Digest: [sha256.Size]byte(r.body)}
		one.Invoice, err = r.invoice()
		one.Invoice = summaryOf(one.Invoice)
		rd.into.Keys[r.key.String] = one
		return err
	})
}

// summaryOf returns the fields of an invoice that are returned when the request
// to create it is repeated.
func summaryOf(i ledger.Invoice) ledger.Invoice {
	return ledger.Invoice{
		ID: i.ID, Task: i.Task, Number: i.Number, Transaction: i.Transaction, Status: i.Status, QR: i.QR, Held: i.Held, IdempotencyKey: i.IdempotencyKey,
	}
}

// Look reads the state for a batch without locking anything.
func (s *Store) Look(ctx context.Context, of org.Tenant, wants issue.Wants) (*issue.State, error) {
	state, err := s.look(ctx, of, wants)
	if err == nil && len(repeated(state)) > 0 {
		err = s.confirm(ctx, of)
	}
	if err == nil {
		err = s.awaitArchived(ctx, of, repeated(state))
	}
	return state, err
}

func (s *Store) look(ctx context.Context, of org.Tenant, wants issue.Wants) (*issue.State, error) {
	ctx, end, err := s.db.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	rd := newReader(ctx, s.db, of, "")
	queries, err := rd.state(wants)
	for _, q := range queries {
		if err == nil {
			err = database.Each(ctx, s.db, q)
		}
	}
	if err == nil {
		err = rd.rest(s, wants)
	}
	return rd.into, database.Outage(err)
}
