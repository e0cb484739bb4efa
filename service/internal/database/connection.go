package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// connection is what is known about a connection to PostgreSQL.
type connection struct {
	changes int64          // serverWatch.changes when the connection was made
	drops   int64          // serverWatch.drops when the connection was made
	pooled  bool           // it goes through a pooler
	warning *pgconn.Notice // last warning of the server
}

// connectionKey is the key of a connection in the custom data of the driver.
const connectionKey = "khatm"

func connectionOf(conn *pgconn.PgConn) *connection {
	known, _ := conn.CustomData()[connectionKey].(*connection)
	return known
}

// noticed keeps warnings of the server.
func noticed(conn *pgconn.PgConn, n *pgconn.Notice) {
	if c := connectionOf(conn); c != nil && n.SeverityUnlocalized == "WARNING" {
		c.warning = n
	}
}

// Times of connections. A connection that was idle for pingAfter is tested before
// it is used. With several hosts, those that do not answer must leave time for the
// others within readTime.
const (
	pingAfter       = time.Second
	pingTime        = 2 * time.Second
	hostConnectTime = 2 * time.Second
)

// reused is called before a connection is used again. It returns driver.ErrBadConn
// if another one must be used.
func (w *serverWatch) reused(ctx context.Context, conn *pgx.Conn) error {
	if c := connectionOf(conn.PgConn()); c == nil || c.drops != w.drops.Load() {
		return driver.ErrBadConn
	}
	return nil
}

// answers tests a connection that was idle, if there are several hosts. If the server
// does not answer, all idle connections are dropped, because each would have to be
// waited for, and another host is tried.
func (w *serverWatch) answers(ctx context.Context, idle stdlib.ShouldPingParams) bool {
	if idle.IdleDuration <= pingAfter || idle.Conn.IsClosed() {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, pingTime)
	defer cancel()
	if err := idle.Conn.Ping(ctx); err != nil {
		w.drop()
	}
	return false // it was tested here
}

// drop makes every connection that exists now unusable, after its current use.
func (w *serverWatch) drop() { w.drops.Add(1) }

// Errors of transactions on PostgreSQL.
var (
	// errReplaced means that the server was replaced by another one during a
	// transaction, which was rolled back.
	errReplaced = errors.New("the database server was replaced during the transaction")

	// errWarned means that a transaction is committed on this server but perhaps not
	// on a standby.
	errWarned = errors.New("the database server committed with a warning")
)

// stateOf returns what is known about a connection.
func stateOf(conn *sql.Conn) (c *connection, err error) {
	err = raw(conn, func(driven *pgx.Conn) error {
		if c = connectionOf(driven.PgConn()); c == nil {
			return errors.New("the connection is not known")
		}
		return nil
	})
	return c, err
}

// raw calls do with the driver's connection to PostgreSQL.
func raw(conn *sql.Conn, do func(*pgx.Conn) error) error {
	return conn.Raw(func(raw any) error {
		driven, is := raw.(*stdlib.Conn)
		if !is {
			return errors.New("the connection is not one of PostgreSQL")
		}
		return do(driven.Conn())
	})
}
