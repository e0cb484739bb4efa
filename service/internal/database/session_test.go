package database_test

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"khatm/service/internal/database"
	"khatm/service/internal/store/pgtest"
)

// ignoring is the setting of PgBouncer without which it refuses our connections.
const ignoring = "ignore_startup_parameters = statement_timeout,client_min_messages"

// withPassword adds a password, which no error may contain.
func withPassword(t *testing.T, address string) string {
	t.Helper()
	at, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	at.User = url.UserPassword(at.User.Username(), "hunter2")
	return at.String()
}

// openAt opens the database at an address in every mode, then as a target of
// restore.
func openAt(t *testing.T, address string) map[string]error {
	t.Helper()
	outcomes := map[string]error{}
	for name, mode := range map[string]database.Mode{"serve": database.Serve, "command": database.Command, "migrate": database.Maintain} {
		db, err := database.Open(t.Context(), database.Config{URL: withPassword(t, address), Now: time.Now, Log: slog.New(slog.DiscardHandler), Wait: time.Minute}, mode)
		if outcomes[name] = err; err == nil {
			outcomes[name] = errors.Join(db.EnsureTables(t.Context()), settled(t.Context(), db, mode))
			db.Close()
		}
	}
	return outcomes
}

// settled returns an error if the settings of a connection are not in force.
func settled(ctx context.Context, db *database.DB, mode database.Mode) error {
	want := "30s"
	if mode == database.Maintain {
		want = "0"
	}
	for range 3 {
		var timeout, zone, path string
		const query = `SELECT current_setting('statement_timeout'), current_setting('TimeZone'), current_setting('search_path')`
		if err := db.QueryRowContext(ctx, query).Scan(&timeout, &zone, &path); err != nil {
			return err
		}
		if timeout != want || zone != "UTC" || path != `"$user", public` {
			return errors.New("settings of the connection: " + timeout + " " + zone + " " + path)
		}
	}
	return nil
}

func TestPoolerThatKeepsSessions(t *testing.T) {
	t.Parallel()
	direct := pgtest.URL(t)
	for name, address := range map[string]string{
		"direct":       direct,
		"session mode": pgtest.Pooler(t, direct, "pool_mode = session", ignoring),
	} {
		for mode, err := range openAt(t, address) {
			if err != nil {
				t.Errorf("%s, %s: %v", name, mode, err)
			}
		}
	}
}

func TestPoolerWithoutSessions(t *testing.T) {
	t.Parallel()
	direct := pgtest.URL(t)
	for _, settings := range []string{
		"pool_mode = transaction",
		"pool_mode = statement",
		"pool_mode = transaction\nserver_round_robin = 1\nmin_pool_size = 5",
	} {
		address := pgtest.Pooler(t, direct, settings, ignoring)
		outcomes := openAt(t, address)
		_, outcomes["restore"] = database.EmptyPostgres(t.Context(), withPassword(t, address))
		for mode, err := range outcomes {
			if err == nil || !strings.Contains(err.Error(), "pool_mode=session") || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%s, %s: %v, want an error that names pool_mode=session, without the password", settings, mode, err)
			}
		}
	}
}

// Other clients of a pooler hold transactions, so that it uses several connections to
// the server.
func TestBusyPoolerWithoutSessions(t *testing.T) {
	t.Parallel()
	address := pgtest.Pooler(t, pgtest.URL(t), "pool_mode = transaction", ignoring)
	for range 3 {
		conn, err := pgx.Connect(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close(context.Background()) })
		if _, err := conn.Exec(t.Context(), `BEGIN`); err != nil {
			t.Fatal(err)
		}
	}
	for mode, err := range openAt(t, address) {
		if err == nil || !strings.Contains(err.Error(), "pool_mode=session") {
			t.Errorf("%s: %v, want an error that names pool_mode=session", mode, err)
		}
	}
}

// A pooler that refuses the settings of a connection is not waited for.
func TestPoolerThatRefusesSettings(t *testing.T) {
	t.Parallel()
	for mode, err := range openAt(t, pgtest.Pooler(t, pgtest.URL(t), "pool_mode = session")) {
		if err == nil || !strings.Contains(err.Error(), "ignore_startup_parameters") || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v, want an error that names ignore_startup_parameters, without the password", mode, err)
		}
	}
}

// Two poolers at one address have different pools, so that their connections to the
// server do not show that they are shared.
func TestNotificationsThroughPoolers(t *testing.T) {
	t.Parallel()
	direct := pgtest.URL(t)
	connect := func(address string) *pgx.Conn {
		conn, err := pgx.Connect(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close(context.Background()) })
		return conn
	}
	for mode, want := range map[string]bool{"session": true, "transaction": false} {
		a, b := connect(pgtest.Pooler(t, direct, "pool_mode = "+mode)), connect(direct)
		if got, err := database.KeepsSession(t.Context(), a, b); got != want || err != nil {
			t.Errorf("%s: got %t, %v, want %t", mode, got, err, want)
		}
	}
}
