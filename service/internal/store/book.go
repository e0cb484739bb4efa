package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/org"
)

// book is the row that is locked while documents of an organisation are
// written.
type book struct {
	documents    int64
	organisation int64 // number of the organisation
	found        bool
}

// last returns the place of the last document.
func (b book) last() int64 { return b.organisation<<placeBits | b.documents }

// query returns the query that locks the book of an organisation and reads it. It
// finds no row before the first document of the organisation.
func (b *book) query(of org.Tenant, lock string) database.Query {
	const take = `
		SELECT documents, (SELECT number FROM organisation WHERE id = $1)
		FROM book
		WHERE org_id = $1`
	return database.Query{Text: take + lock, Args: []any{of.ID()}, Row: func(row scanner) error {
		b.found = true
		return row.Scan(&b.documents, &b.organisation)
	}}
}

// errNoBook means that an organisation has no book yet.
var errNoBook = errors.New("the organisation has no book")

// takeBooks runs queries that lock the books of organisations. It returns errNoBook if
// a book does not exist. Then the books behind it are already locked, and creating and
// locking it after them could deadlock with transactions that lock it first. So the
// caller rolls back, and calls addBooks at the beginning of the next transaction.
func (t *tx) takeBooks(books []*book, queries []database.Query) error {
	err := t.ReadAll(queries)
	if err == nil && slices.ContainsFunc(books, func(b *book) bool { return !b.found }) {
		err = errNoBook
	}
	if err != nil {
		return fmt.Errorf("lock the book: %w", err)
	}
	return nil
}

// addBooks creates the books of organisations that have none. They are sorted by
// byID, so that two transactions cannot deadlock.
func (t *tx) addBooks(of ...org.Tenant) error {
	for _, one := range of {
		if err := t.Exec(`INSERT INTO book (org_id, documents) VALUES ($1, 0) ON CONFLICT (org_id) DO NOTHING`, one.ID()); err != nil {
			return fmt.Errorf("create the book: %w", err)
		}
	}
	return nil
}

// byID compares organisations by their ids.
func byID(a, b org.Tenant) int {
	x, y := a.ID(), b.ID()
	return bytes.Compare(x[:], y[:])
}

// takeBook locks the book of an organisation, before any other row. It creates the
// book if necessary.
func (t *tx) takeBook(of org.Tenant) error {
	var b book
	take := func() error {
		return t.takeBooks([]*book{&b}, []database.Query{b.query(of, t.store.dialect.LockRow)})
	}
	err := take()
	if errors.Is(err, errNoBook) {
		if err = t.addBooks(of); err == nil {
			err = take()
		}
	}
	return err
}

// Issued returns which of the ids are issued documents. It waits until no other
// transaction is writing documents of the organisation, and until the documents are
// in the archive.
func (s *Store) Issued(ctx context.Context, of org.Tenant, ids []uuid.UUID) (map[uuid.UUID]bool, error) {
	there := map[uuid.UUID]bool{}
	err := s.write(ctx, func(t *tx) error {
		if err := t.takeBook(of); err != nil {
			return err
		}
		rd := reader{ctx: t.Context(), db: t, of: of}
		return rd.among(ids, func(places string, args []any) error {
			return rd.rows(`SELECT id FROM invoice WHERE org_id = $1 AND id IN (`+places+`)`, args, func(row scanner) error {
				var id uuid.UUID
				err := row.Scan(&id)
				there[id] = true
				return err
			})
		})
	})
	if err == nil {
		err = s.awaitArchived(ctx, of, slices.Collect(maps.Keys(there)))
	}
	return there, err
}

// SweepGuards deletes the entries of the duplicate guard that have expired.
func (s *Store) SweepGuards(ctx context.Context, now time.Time) error {
	return s.write(ctx, func(t *tx) error { return t.Exec(`DELETE FROM guard WHERE until <= $1`, millis(now)) })
}
