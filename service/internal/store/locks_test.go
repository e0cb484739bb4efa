package store_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/pressly/goose/v3/lock"

	"khatm/internal/testtool"
	"khatm/service/internal/database"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/service/internal/store/pgtest"
	"khatm/service/internal/store/storetest"
)

// system is the actor in child processes.
var system = org.Actor{Kind: org.SystemActor, Name: "another process"}

// runServe opens the database as a server, writes once and waits for the end of
// its input.
func runServe(args []string) error {
	return runRole(store.Serve, args)
}

// runCommand does the same as a command.
func runCommand(args []string) error {
	return runRole(store.Command, args)
}

// together makes a process print a line and wait for a byte before it opens the
// database.
const together = "together"

func runRole(open func(context.Context, store.Config) (*store.Store, error), args []string) error {
	if slices.Contains(args, together) {
		fmt.Println("here")
		if _, err := os.Stdin.Read(make([]byte, 1)); err != nil {
			return err
		}
	}
	s, err := open(context.Background(), processConfig())
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.AddPerson(context.Background(), system, samplePerson(processConfig().NewID()), ""); err != nil {
		return err
	}
	fmt.Println("ready")
	waitForEOF()
	return nil
}

// runMigrate migrates the tables to the newest version.
func runMigrate([]string) error {
	from, to, err := store.Migrate(context.Background(), processConfig())
	fmt.Println(from, to)
	return err
}

// says checks that err contains all words.
func says(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("got no error, want one with %q", words)
		return
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("error %q does not contain %q", err, word)
		}
	}
}

func TestLocksRefuseASecondServer(t *testing.T) {
	t.Parallel()
	c := storetest.SQLite(t)
	first := start(t, "serve", c)
	first.line()
	for range testtool.Count(3, 20) {
		says(t, start(t, "serve", c).end(), "another khatm server uses "+c.Dir, "stop it first")
	}
	if _, err := store.Serve(t.Context(), c); err == nil {
		t.Error("a second server started in this process, want an error")
	}
	ok(t, first.end())
	storetest.Open(t, c)
}

func TestLocksEndWithTheProcess(t *testing.T) {
	t.Parallel()
	c := storetest.SQLite(t)
	for range 3 {
		first := start(t, "serve", c)
		first.line()
		first.kill()
		second := start(t, "serve", c)
		second.line()
		ok(t, second.end())
	}
}

func TestCommandsRunBesideAServer(t *testing.T) {
	t.Parallel()
	s := open(t, storetest.SQLite(t))
	var beside []*process
	for range 3 {
		beside = append(beside, start(t, "command", s.config))
	}
	for _, p := range beside {
		p.line()
	}
	ok(t, s.AddReason(s.ctx, s.by, sampleReason(s.config.NewID())))
	for _, p := range beside {
		ok(t, p.end())
	}
	if got := s.count(`SELECT count(*) FROM person`); got != 3 {
		t.Errorf("commands wrote %d users, want 3", got)
	}
}

func TestServerStartsBesideACommand(t *testing.T) {
	t.Parallel()
	c := storetest.SQLite(t)
	command := start(t, "command", c)
	command.line()
	storetest.Open(t, c)
	ok(t, command.end())
}

func TestMigrateNeedsExclusiveUse(t *testing.T) {
	t.Parallel()
	c := storetest.SQLite(t)
	server := start(t, "serve", c)
	server.line()
	says(t, start(t, "migrate", c).end(), "another khatm server uses "+c.Dir, "stop it first")
	ok(t, server.end())
	alone := start(t, "migrate", c)
	if got, want := alone.line(), fmt.Sprint(store.SchemaVersion(), store.SchemaVersion()); got != want {
		t.Errorf("migrated from and to %s, want %s", got, want)
	}
	ok(t, alone.end())
}

// The tables are not changed while a command runs.
func TestMigrateWaitsForCommands(t *testing.T) {
	t.Parallel()
	c := storetest.SQLite(t)
	command, err := store.Command(t.Context(), c)
	ok(t, err)
	defer command.Close()
	migrated := make(chan error, 1)
	go func() {
		_, _, err := store.Migrate(t.Context(), c)
		migrated <- err
	}()
	for range testtool.Count(3, 10) { // meanwhile other commands start and end
		other := start(t, "command", c)
		other.line()
		ok(t, other.end())
	}
	select {
	case err := <-migrated: // it timed out, on a slow machine
		says(t, err, c.Dir+" is in use", "stop the server and other commands first")
	default:
		command.Close()
		ok(t, <-migrated)
	}
}

// Processes that start in a folder without a database create only one.
func TestConcurrentCreation(t *testing.T) {
	t.Parallel()
	for round := range testtool.Scale(2, 4, 10) {
		c := storetest.Empty(t)
		parts := [][]string{{"serve", "command", "command"}, {"command", "command"}}[round%2]
		var all []*process
		for _, part := range parts {
			p := start(t, part, c, together)
			p.line()
			all = append(all, p)
		}
		for _, p := range all {
			_, err := p.stdin.Write([]byte("!"))
			ok(t, err)
		}
		for _, p := range all {
			p.line()
		}
		for _, p := range all {
			ok(t, p.end())
		}
	}
}

func TestConcurrentCreationOnPostgreSQL(t *testing.T) {
	t.Parallel()
	c := store.Config{URL: pgtest.URL(t)}
	first, second := start(t, "serve", c), start(t, "serve", c)
	first.line()
	second.line()
	ok(t, first.end())
	ok(t, second.end())
}

// The data folder may have any valid name.
func TestFolderWithUnusualName(t *testing.T) {
	t.Parallel()
	c := storetest.Empty(t)
	c.Dir = filepath.Join(c.Dir, "a b?c#d%20e&f=g;h'i\"j", "بيانات")
	s, err := store.Serve(t.Context(), c)
	ok(t, err)
	ok(t, s.Ping(t.Context()))
	s.Close()
	if _, err := os.Stat(filepath.Join(c.Dir, "khatm.db")); err != nil {
		t.Error(err)
	}
}

// A server that starts while another one creates the tables waits for it.
func TestServeWaitsForTheTables(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	conn, err := pgx.Connect(t.Context(), url)
	ok(t, err)
	defer conn.Close(context.Background()) //nolint:errcheck // the test ends
	execute := func(statement string, values ...any) {
		t.Helper()
		_, err := conn.Exec(t.Context(), statement, values...)
		ok(t, err)
	}
	execute(`SELECT pg_advisory_lock($1)`, lock.DefaultLockID)
	execute(`CREATE TABLE goose_db_version (version_id BIGINT)`)
	execute(`INSERT INTO goose_db_version VALUES (2)`)
	served := make(chan error, 1)
	go func() {
		s, err := store.Serve(t.Context(), store.Config{URL: url, Now: time.Now, NewID: storetest.NewIDs(), Log: slog.New(slog.DiscardHandler)})
		if err == nil {
			s.Close()
		}
		served <- err
	}()
	eventually(t, "the server waits or ends", func() bool {
		var waiting int
		ok(t, conn.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%pg_try_advisory_lock%'`).Scan(&waiting))
		return waiting > 0 || len(served) > 0
	})
	execute(`UPDATE goose_db_version SET version_id = $1`, database.SchemaVersion())
	execute(`SELECT pg_advisory_unlock($1)`, lock.DefaultLockID)
	if err := <-served; err == nil || strings.Contains(err.Error(), "schema version") {
		t.Errorf("error %v, want one about the tables, which the test has not created", err)
	}
}
