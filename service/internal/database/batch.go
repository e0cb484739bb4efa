package database

import (
	"context"
	"database/sql/driver"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// batch collects statements that are sent to PostgreSQL together, because each
// separate statement costs a round trip during which rows stay locked.
type batch struct {
	statements pgx.Batch
	values     int
	expects    []error // error if the statement does not change exactly one row; nil if any number is allowed
}

// batchValues limits the values of a batch, so that its memory is limited.
const batchValues = 20_000

// BeginBatch starts a batch: Exec and ExecOne queue their statements until
// SendBatch sends them to PostgreSQL together. A batch that is still open when the
// transaction ends is sent together with its COMMIT. On SQLite, which runs in this
// process, BeginBatch does nothing and statements run at once.
func (t *Tx) BeginBatch() {
	if t.writer == nil {
		t.batch = &batch{}
	}
}

// addToBatch adds a statement. A large batch is sent and a new one started.
func (t *Tx) addToBatch(query string, values []any, missing error) error {
	converted, err := pgxValues(values)
	if err != nil {
		return err
	}
	if missing != nil {
		query = exactlyOne(query)
	}
	t.batch.statements.Queue(query, converted...)
	t.batch.values += len(values)
	t.batch.expects = append(t.batch.expects, missing)
	if t.batch.values < batchValues {
		return nil
	}
	err = t.SendBatch()
	t.BeginBatch()
	return err
}

// exactlyOne returns a statement that does what the given one does and fails with
// a division by zero unless that changes exactly one row. So PostgreSQL does not
// commit, even if it has received the COMMIT already.
func exactlyOne(change string) string {
	return `WITH changed AS (` + change + ` RETURNING 1) SELECT 1 / (CASE count(*) WHEN 1 THEN 1 ELSE 0 END) FROM changed`
}

// divisionByZero is the SQLSTATE of the error.
const divisionByZero = "22012"

// SendBatch runs the statements of the batch in their order. It does nothing if
// there is no batch.
func (t *Tx) SendBatch() error {
	b := t.batch
	t.batch = nil
	if b == nil || b.statements.Len() == 0 {
		return nil
	}
	t.wrote = true
	return t.send(&b.statements, b.check)
}

// check reads the results of the statements.
func (b *batch) check(results pgx.BatchResults) error {
	for _, missing := range b.expects {
		_, err := results.Exec()
		var pg *pgconn.PgError
		if missing != nil && errors.As(err, &pg) && pg.Code == divisionByZero {
			// The error of the database says that nothing was committed.
			return errors.Join(missing, err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// send sends statements to PostgreSQL in one round trip, after BEGIN if they are the
// first of the transaction, and calls read with their results. The driver keeps the
// statements prepared.
func (t *Tx) send(statements *pgx.Batch, read func(pgx.BatchResults) error) error {
	if t.beginErr != nil {
		return t.beginErr
	}
	first := !t.begun
	if first {
		t.begun = true
		statements.QueuedQueries = slices.Insert(statements.QueuedQueries, 0, &pgx.QueuedQuery{SQL: beginText})
	}
	return raw(t.conn, func(driven *pgx.Conn) error {
		// The context is that of the transaction, which has a timeout.
		results := driven.SendBatch(t.ctx, statements)
		var err error
		if first {
			_, err = results.Exec()
			t.beginErr = err
		}
		if err == nil {
			err = read(results)
		}
		if closed := results.Close(); err == nil {
			err = closed
		}
		return err
	})
}

// pgxValues returns the values as database/sql passes them to a driver.
func pgxValues(values []any) ([]any, error) {
	converted := make([]any, len(values))
	for i, value := range values {
		if valuer, is := value.(driver.Valuer); is {
			var err error
			if value, err = valuer.Value(); err != nil {
				return nil, err
			}
		}
		converted[i] = value
	}
	return converted, nil
}

// Query is one of several queries that are read together.
type Query struct {
	Text string
	Args []any
	Row  func(Scanner) error // called with each row
}

// ReadAll runs queries in their order, and calls the functions of the rows in the
// same order. PostgreSQL gets them in one round trip; each sees what was committed
// before it began.
func (t *Tx) ReadAll(queries []Query) error {
	if t.writer == nil {
		return t.readTogether(queries)
	}
	for _, q := range queries {
		if err := Each(t.ctx, t, q); err != nil {
			return err
		}
	}
	return nil
}

// Each runs one query and calls its function with each row.
func Each(ctx context.Context, db Reader, q Query) error {
	rows, err := db.QueryContext(ctx, q.Text, q.Args...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		if err := q.Row(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (t *Tx) readTogether(queries []Query) error {
	var statements pgx.Batch
	for _, q := range queries {
		values, err := pgxValues(q.Args)
		if err != nil {
			return err
		}
		statements.Queue(q.Text, values...)
	}
	return t.send(&statements, func(results pgx.BatchResults) error {
		for _, q := range queries {
			rows, err := results.Query()
			if err != nil {
				return err
			}
			for rows.Next() && err == nil {
				err = q.Row(pgxRow{rows})
			}
			rows.Close()
			if err = errors.Join(err, rows.Err()); err != nil {
				return err
			}
		}
		return nil
	})
}
