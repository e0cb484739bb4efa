package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Errors of poolers that the service cannot use.
var (
	errNoSession = errors.New("the address is that of a pooler that does not keep a session for each connection, such as PgBouncer with pool_mode=transaction or statement: set pool_mode=session for this database, or connect to PostgreSQL directly")

	errPoolerSettings = errors.New("the pooler refuses a setting of the connection: connect to PostgreSQL directly, or let PgBouncer use pool_mode=session and ignore_startup_parameters=statement_timeout,client_min_messages, and the parameters of the address, such as search_path")
)

// refusesSettings reports whether a connection failed because PgBouncer does not know
// one of its settings. PgBouncer has the same code for everything, so this is decided
// by the text.
func refusesSettings(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "08P01" && strings.HasPrefix(pg.Message, "unsupported startup parameter")
}

// requireSession returns an error if the connections of a pool do not keep a session
// on the server. Migrations hold a lock in their session, the driver prepares
// statements in it, and statements have a timeout in it. Without a pooler it makes no
// query.
func (w *serverWatch) requireSession(ctx context.Context, pool *sql.DB) error {
	first, err := pool.Conn(ctx)
	if err != nil {
		return sessionError(err)
	}
	defer func() { _ = first.Close() }()
	on, err := stateOf(first)
	if err != nil || !on.pooled || w.session.Load() {
		return err
	}
	second, err := pool.Conn(ctx)
	if err != nil {
		return sessionError(err)
	}
	defer func() { _ = second.Close() }()
	keeps := false
	err = raw(first, func(a *pgx.Conn) error {
		return raw(second, func(b *pgx.Conn) (err error) {
			keeps, err = keepsSession(ctx, a, b)
			return err
		})
	})
	if err != nil {
		return fmt.Errorf("check the pooler: %w", err)
	}
	if !keeps {
		return errNoSession
	}
	// The connections made so far may lack settings; see connected.
	w.session.Store(true)
	w.drop()
	return nil
}

// sessionError explains why a connection failed, if a pooler refused its settings.
func sessionError(err error) error {
	if refusesSettings(err) {
		return errPoolerSettings
	}
	return fmt.Errorf("connect: %w", err)
}

// hearTime limits the wait for a notification.
const hearTime = 5 * time.Second

// keepsSession reports whether connection a keeps a session on the server; b is
// another connection. A pooler without sessions usually uses the same process of the
// server for both, or several for one. If its pool is busy, or there are several
// poolers at one address, it may not show that, but it never delivers a notification
// to a connection that waits for one.
func keepsSession(ctx context.Context, a, b *pgx.Conn) (bool, error) {
	var processes [3]int32
	for i, conn := range []*pgx.Conn{a, b, a} {
		// An extended query with an unnamed statement needs no session.
		if err := conn.QueryRow(ctx, `SELECT pg_backend_pid()`, pgx.QueryExecModeExec).Scan(&processes[i]); err != nil {
			return false, err
		}
	}
	if processes[0] == processes[1] || processes[0] != processes[2] {
		return false, nil
	}
	return hears(ctx, a, b, strconv.Itoa(int(processes[1])))
}

// hears reports whether connection a receives a text that b notifies. In a pooler
// without sessions, a has no connection to the server while it waits.
func hears(ctx context.Context, a, b *pgx.Conn, text string) (bool, error) {
	const channel = "khatm_session"
	if _, err := a.Exec(ctx, `LISTEN `+channel, pgx.QueryExecModeExec); err != nil {
		return false, err
	}
	// Without a session this may run in another one, where it has no effect.
	defer func() { _, _ = a.Exec(ctx, `UNLISTEN `+channel, pgx.QueryExecModeExec) }()
	if _, err := b.Exec(ctx, `SELECT pg_notify($1, $2)`, pgx.QueryExecModeExec, channel, text); err != nil {
		return false, err
	}
	waiting, cancel := context.WithTimeout(ctx, hearTime)
	defer cancel()
	for {
		heard, err := a.WaitForNotification(waiting)
		switch {
		case err == nil && heard.Payload == text:
			return true, nil
		case err != nil && ctx.Err() == nil && waiting.Err() != nil:
			return false, nil
		case err != nil:
			return false, err
		}
	}
}

// configure makes the settings of a connection again, because a pooler may have
// ignored them.
func configure(ctx context.Context, conn *pgx.Conn) error {
	for name, value := range conn.Config().RuntimeParams {
		if name == "options" { // not a setting
			continue
		}
		if _, err := conn.Exec(ctx, `SELECT set_config($1, $2, false)`, pgx.QueryExecModeExec, name, value); err != nil {
			return fmt.Errorf("set %s: %w", name, err)
		}
	}
	return nil
}
