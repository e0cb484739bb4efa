package store

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// AnswerDigest returns the digest for the answer of an invoice as it is stored
// now.
func AnswerDigest(ctx context.Context, s *Store, of org.Tenant, id uuid.UUID) ([]byte, error) {
	const query = `SELECT ` + storedColumns + ` FROM ` + storedTables + ` WHERE i.org_id = $1 AND i.id = $2`
	var r stored
	err := s.db.One(ctx, errNoInvoice(), query, []any{of.ID(), id}, r.into()...)
	return r.answerSum(), err
}

// GramsOf exports gramsOf, so that benchmarks can insert many rows at a time.
func GramsOf(folded string) string { return gramsOf(folded) }

// KeptStatements returns the number of prepared statements.
func (s *Store) KeptStatements() int { return s.db.Prepared() }

// Claims returns the queries for the next documents to send, with sample
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

// WaitingOfDevices returns the query for the documents of devices without an answer.
func WaitingOfDevices(places string) string { return waitingOfDevices(places) }

// Oldest returns the queries for the oldest invoice that is not reported.
func Oldest() []string { return []string{oldestWaiting, oldestUnknown} }

// Plan returns the steps of SQLite's query plan.
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

// AppendOneByOne limits the concurrent transactions that write documents to one.
func AppendOneByOne(s *Store) { s.appends.most = 1 }

// WaitingAppends returns the number of batches that wait for a transaction.
func WaitingAppends(s *Store) int {
	s.appends.mu.Lock()
	defer s.appends.mu.Unlock()
	return len(s.appends.waiting)
}

// ReadersInUse returns the number of connections that are in use for reading.
func (s *Store) ReadersInUse() int { return s.db.ReadersInUse() }

// DayQueries returns the queries for the sums of days, with sample arguments.
func DayQueries() map[string][]any {
	args := []any{uuid.UUID{15: 1}, "2026-11-01", "2026-11-30"}
	return map[string][]any{daySums: args, foreignSums: args, foreignMixed: args}
}

// DatedList returns the query for a page of the invoices of a period, with sample
// arguments.
func DatedList() (query string, args []any) {
	c := filtered(org.TenantOf(uuid.UUID{15: 1}), ledger.Filter{From: "2026-11-01", To: "2026-11-30"})
	c.add("i.id < ?", uuid.Max)
	return `SELECT i.id FROM invoice i WHERE ` + c.text() + ` ORDER BY i.id DESC LIMIT 100`, c.args
}

// LimitSearch changes the limits of a search of invoices: the matches that are
// counted, the buyers whose lists are merged, the newest invoices that are searched
// first, and the invoices of a filter that are all read.
func LimitSearch(s *Store, found, buyers, newest, few int) {
	s.limits = searchLimits{found: found, buyers: buyers, newest: newest, few: few}
}

// SpotsQuery returns the query for the invoices at a number of places.
func (s *Store) SpotsQuery(places int) string { return s.spotsQuery(places) }

// AgeingQueries returns the queries for what clients owe, with sample arguments.
func AgeingQueries() map[string][]any {
	of := uuid.UUID{15: 1}
	return map[string][]any{
		debtorPage:  {of, "", uuid.Max, 9, 0},
		debtorCount: {of, "", uuid.Max, 9},
		owedByAge:   {of, "", uuid.Nil, uuid.Max, "2026-11-15", "2026-10-15", "2026-09-15", "2026-08-15"},
		owedInTotal: {of, "", uuid.Nil, uuid.Max, "2026-11-15", "2026-10-15", "2026-09-15", "2026-08-15"},
	}
}

// StatementQueries returns the queries for a statement, with sample arguments.
func StatementQueries() map[string][]any {
	of := uuid.UUID{15: 1}
	return map[string][]any{
		statementLines:   {of, of, "2026-11-15", "2026-11-30", "", 9},
		statementOpening: {of, of, "2026-11-15", ""},
	}
}

// ArchivedTable is an entry of archivedTables.
type ArchivedTable struct {
	Name               string
	Key                []string
	Document, Captured bool
	Why                string
}

// ArchivedTables returns how each table is archived.
func ArchivedTables() (all []ArchivedTable) {
	for _, t := range archivedTables {
		all = append(all, ArchivedTable{t.name, t.key, t.document, t.captured, t.why})
	}
	return all
}

// DocumentLine reads the line of a document from the database.
func DocumentLine(ctx context.Context, s *Store, of org.Tenant, id uuid.UUID, seq int64) ([]byte, error) {
	l, err := readDocument(ctx, s.db, of.ID(), id)
	if err != nil {
		return nil, err
	}
	return l.encode(seq)
}

// DocumentColumn is a column that has a digest, or a digest.
type DocumentColumn struct{ Table, Name, Part string }

// DocumentColumns returns all columns that Repair repairs.
func DocumentColumns() (all []DocumentColumn) {
	for _, p := range documentParts {
		for _, c := range append(slices.Clone(p.columns), p.digest) {
			if c.name == "flag" {
				continue // has no digest, and is only written with the copy
			}
			all = append(all, DocumentColumn{c.table, c.name, p.what})
		}
	}
	return all
}

// InsertedInvoices returns the numbers of rows of the statements that inserted
// invoices, in ascending order and without repetitions.
func InsertedInvoices(s *Store) (rows []int) {
	s.inserts.mu.Lock()
	defer s.inserts.mu.Unlock()
	for i := range s.inserts.kept {
		if i.insert == insertInvoice {
			rows = append(rows, i.rows)
		}
	}
	slices.Sort(rows)
	return rows
}
