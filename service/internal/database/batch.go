package database

import (
	"context"
	"database/sql/driver"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
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
// SendBatch sends them to PostgreSQL together. On SQLite, which runs in this
// process, it does nothing and statements run at once.
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

// SendBatch runs the statements of the batch in their order. It does nothing if
// there is no batch.
func (t *Tx) SendBatch() error {
	b := t.batch
	t.batch = nil
	if b == nil || b.statements.Len() == 0 {
		return nil
	}
	t.wrote = true
	return t.send(&b.statements, func(results pgx.BatchResults) error {
		for _, missing := range b.expects {
			tag, err := results.Exec()
			if err != nil {
				return err
			}
			if missing != nil && tag.RowsAffected() != 1 {
				return missing
			}
		}
		return nil
	})
}

// send sends statements to PostgreSQL in one round trip and calls read with their
// results. The driver keeps the statements prepared.
func (t *Tx) send(statements *pgx.Batch, read func(pgx.BatchResults) error) error {
	return t.conn.Raw(func(raw any) error {
		conn, is := raw.(*stdlib.Conn)
		if !is {
			return errors.New("the connection is not one of PostgreSQL")
		}
		// The context is that of the transaction, which has a timeout.
		results := conn.Conn().SendBatch(t.ctx, statements)
		err := read(results)
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
