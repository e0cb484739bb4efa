package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/issue"
	"khatm/service/internal/org"
)

// Append writes new documents in one transaction. See issue.Book.
func (s *Store) Append(ctx context.Context, of org.Tenant, wants issue.Wants, decide func(*issue.State) (*issue.Entries, error)) error {
	if of.IsZero() {
		return errors.New("append documents: no organisation")
	}
	err := s.write(ctx, func(t *tx) error {
		taken, state, err := t.takeState(of, wants)
		if err != nil {
			return err
		}
		if err := s.db.Point("state read"); err != nil {
			return err
		}
		entries, err := decide(state)
		if err != nil {
			return err
		}
		if err := s.db.Point("decided"); err != nil {
			return err
		}
		if len(entries.Invoices) == 0 {
			return nil
		}
		return t.enter(of, taken.last(), entries)
	})
	if database.OutcomeUnknown(err) {
		return errors.Join(issue.ErrUnknown, err)
	}
	return err
}

// book is the row that is locked while documents of an organisation are
// written.
type book struct {
	documents    int64
	organisation int64 // number of the organisation
}

// last returns the place of the last document.
func (b book) last() int64 { return b.organisation<<placeBits | b.documents }

// takeState locks the book of an organisation and reads the state for a batch. The
// book is locked first.
func (t *tx) takeState(of org.Tenant, wants issue.Wants) (book, *issue.State, error) {
	rd := newReader(t.Context(), t, of, t.store.dialect.LockRow)
	queries, err := rd.state(wants)
	if err != nil {
		return book{}, nil, err
	}
	taken, err := t.takeBook(of, queries...)
	if err == nil {
		err = t.store.db.Point("book taken")
	}
	if err == nil {
		err = rd.rest(t.store, wants)
	}
	rd.into.Documents = taken.documents
	return taken, rd.into, err
}

// takeBook locks the book of an organisation, then runs the queries, and returns the
// book. It creates the book if necessary; the queries then run twice.
func (t *tx) takeBook(of org.Tenant, queries ...database.Query) (b book, err error) {
	const take = `
		SELECT documents, (SELECT number FROM organisation WHERE id = $1)
		FROM book
		WHERE org_id = $1`
	found := false
	queries = slices.Insert(queries, 0, database.Query{Text: take + t.store.dialect.LockRow, Args: []any{of.ID()}, Row: func(row scanner) error {
		found = true
		return row.Scan(&b.documents, &b.organisation)
	}})
	err = t.ReadAll(queries)
	if err == nil && !found {
		if err := t.Exec(`INSERT INTO book (org_id, documents) VALUES ($1, 0) ON CONFLICT (org_id) DO NOTHING`, of.ID()); err != nil {
			return b, fmt.Errorf("create the book: %w", err)
		}
		err = t.ReadAll(queries)
	}
	if err != nil {
		return b, fmt.Errorf("lock the book and read the state: %w", err)
	}
	return b, nil
}

// Issued returns which of the ids are issued documents. It waits until no other
// transaction is writing documents of the organisation.
func (s *Store) Issued(ctx context.Context, of org.Tenant, ids []uuid.UUID) (map[uuid.UUID]bool, error) {
	there := map[uuid.UUID]bool{}
	err := s.write(ctx, func(t *tx) error {
		if _, err := t.takeBook(of); err != nil {
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
	return there, err
}

// SweepGuards deletes the entries of the duplicate guard that have expired.
func (s *Store) SweepGuards(ctx context.Context, now time.Time) error {
	return s.write(ctx, func(t *tx) error { return t.Exec(`DELETE FROM guard WHERE until <= $1`, millis(now)) })
}
