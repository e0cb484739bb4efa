package store

import (
	"context"
	"sync/atomic"
	"time"
)

// statistics keeps the planner statistics of PostgreSQL current while a new database
// grows. PostgreSQL caches the plans that it chose for almost empty tables until the
// tables are analysed, and autovacuum does that only once a minute. By then a check
// of a foreign key may read all invoices of an organisation.
type statistics struct {
	documents atomic.Int64 // written by this process
	next      atomic.Int64 // analyse when that many were written
}

const (
	firstAnalysis  = 64
	analysisFactor = 4
	lastAnalysis   = 100_000 // autovacuum is frequent enough for larger tables
)

// wrote counts written documents and analyses the tables if they have grown much.
func (s *Store) wrote(documents int) {
	n, next := s.statistics.documents.Add(int64(documents)), s.statistics.next.Load()
	if s.dialect.Embedded || n < max(firstAnalysis, next) || n > lastAnalysis || !s.statistics.next.CompareAndSwap(next, n*analysisFactor) {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := s.analyse(ctx, n); err != nil {
		s.log.Debug("cannot analyse tables", "cause", err.Error())
	}
}

// analyse analyses the tables of a create, unless they had more rows before than
// the given number of new ones.
func (s *Store) analyse(ctx context.Context, added int64) error {
	var known float64
	if err := s.db.One(ctx, nil, `SELECT reltuples FROM pg_class WHERE oid = 'invoice'::regclass`, nil, &known); err != nil || int64(known) > added {
		return err
	}
	_, err := s.db.ExecContext(ctx, `ANALYZE invoice, document, vat_row, share, submission, guard, event`)
	return err
}
