package store

import (
	"context"

	"github.com/google/uuid"

	"khatm/service/internal/org"
)

// AnswerDigest is the digest that belongs to the status of an invoice as it is
// stored now.
func AnswerDigest(ctx context.Context, s *Store, of org.Tenant, id uuid.UUID) ([]byte, error) {
	const query = `SELECT ` + storedColumns + ` FROM ` + storedTables + ` WHERE i.org_id = $1 AND i.id = $2`
	var r stored
	err := s.db.One(ctx, errNoInvoice(), query, []any{of.ID(), id}, r.into()...)
	return r.answerSum(), err
}

// GramsOf lets benchmarks write rows as the store does, many at a time.
func GramsOf(folded string) string { return gramsOf(folded) }

// KeptStatements is how many prepared statements are kept.
func (s *Store) KeptStatements() int { return s.db.Prepared() }

// Claims are the queries that look for what is to be sent next, with as many
// arguments.
func Claims() map[string][]any {
	return map[string][]any{
		urgentTurn: {"reporting", 0, 0},
		probeTurn:  {"reporting"},
		everyTurn:  {"reporting", "", 0},
		pickNext:   {"reporting", 0, 0, ""},
		pickUrgent: {"reporting", 0, 0, 0, 0},
		pickProbe:  {"reporting", 0, 0},
		dueCopies:  {0, 0, 0},
	}
}

// Plan is how the embedded database would go about a query.
func Plan(ctx context.Context, s *Store, query string, args ...any) (steps []string, err error) {
	rows, err := s.db.QueryContext(ctx, "EXPLAIN QUERY PLAN "+query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			return nil, err
		}
		steps = append(steps, step)
	}
	return steps, rows.Err()
}
