package pgtest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"khatm/internal/testtool"
)

// Cluster is a PostgreSQL server for one test, which can be stopped, copied,
// promoted and restored.
type Cluster struct {
	t       testing.TB
	bin     string
	folder  string // folder of the cluster and its copies
	data    string
	archive string // archive of the write-ahead log
	port    int
	killed  bool // by Kill
}

// NewCluster starts a cluster with an empty database. Its write-ahead log is
// archived.
func NewCluster(t testing.TB) *Cluster {
	t.Helper()
	bin, err := programs()
	if err != nil {
		testtool.Missing(t, err)
	}
	// t.TempDir cannot be used, because the owner of a cluster may be another
	// user.
	folder, err := os.MkdirTemp("", "khatm-cluster")
	if err != nil {
		t.Fatal(err)
	}
	c := &Cluster{t: t, bin: bin, folder: folder, data: filepath.Join(folder, "first"), archive: filepath.Join(folder, "archive"), port: freePort(t)}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	for _, dir := range []string{folder, c.archive} {
		if err := errors.Join(os.MkdirAll(dir, 0o777), os.Chmod(dir, 0o777)); err != nil {
			t.Fatal(err)
		}
	}
	c.run("initdb", "--pgdata", c.data, "--username", "postgres", "--auth", "trust", "--encoding", "UTF8", "--locale", "C.UTF-8", "--no-sync", "--no-instructions")
	c.configure("archive_mode = on", fmt.Sprintf("archive_command = 'cp %%p %s/%%f'", c.archive), "wal_level = replica", "max_connections = 100", "unix_socket_directories = ''", "listen_addresses = '127.0.0.1'")
	c.Start()
	c.Execute(`CREATE ROLE khatm LOGIN CREATEDB`, `CREATE DATABASE khatm OWNER khatm`)
	return c
}

// programs returns the folder of PostgreSQL's programs.
func programs() (string, error) {
	if testtool.OnlyGo() {
		return "", errAbsent
	}
	if bin := os.Getenv("KHATM_POSTGRES_BIN"); bin != "" {
		return bin, nil
	}
	if path, err := exec.LookPath("initdb"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			return filepath.Dir(path), nil
		}
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		return "", errors.Join(errAbsent, err)
	}
	version := func(path string) int {
		n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path))))
		return n
	}
	return filepath.Dir(slices.MaxFunc(found, func(a, b string) int { return version(a) - version(b) })), nil
}

func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() //nolint:errcheck // only its port is needed
	at, err := netip.ParseAddrPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return int(at.Port())
}

// run runs a program as a user who may own a cluster: PostgreSQL does not run
// as root.
func (c *Cluster) run(program string, args ...string) {
	c.t.Helper()
	if out, err := c.command(program, args...).CombinedOutput(); err != nil {
		c.t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, out)
	}
}

func (c *Cluster) command(program string, args ...string) *exec.Cmd {
	command := exec.Command(filepath.Join(c.bin, program), args...)
	if os.Geteuid() == 0 {
		command = exec.Command("runuser", append([]string{"-u", "postgres", "--", filepath.Join(c.bin, program)}, args...)...)
	}
	command.Dir = c.folder
	return command
}

func (c *Cluster) configure(lines ...string) {
	c.t.Helper()
	file, err := os.OpenFile(filepath.Join(c.data, "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		c.t.Fatal(err)
	}
	_, err = file.WriteString(strings.Join(lines, "\n") + "\n")
	if err := errors.Join(err, file.Close()); err != nil {
		c.t.Fatal(err)
	}
}

// Start starts the server.
func (c *Cluster) Start() {
	c.t.Helper()
	c.run("pg_ctl", "start", "--wait", "--timeout", "60", "--pgdata", c.data, "--log", filepath.Join(c.folder, "log"), "--options", "-p "+strconv.Itoa(c.port))
	c.t.Cleanup(func() { c.stop("immediate") })
}

// Stop stops the server.
func (c *Cluster) Stop() { c.stop("fast") }

func (c *Cluster) stop(mode string) {
	if c.killed {
		return
	}
	if _, err := os.Stat(filepath.Join(c.data, "postmaster.pid")); err == nil {
		c.run("pg_ctl", "stop", "--wait", "--mode", mode, "--pgdata", c.data)
	}
}

// URL returns the address of the database. A copy that is started in place of
// the cluster has the same address.
func (c *Cluster) URL() string {
	return fmt.Sprintf("postgres://khatm@127.0.0.1:%d/khatm?sslmode=disable", c.port)
}

// Execute runs statements as a superuser.
func (c *Cluster) Execute(statements ...string) {
	c.t.Helper()
	c.connected(func(ctx context.Context, conn *pgx.Conn) error {
		for _, s := range statements {
			if _, err := conn.Exec(ctx, s); err != nil {
				return fmt.Errorf("%s: %w", s, err)
			}
		}
		return nil
	})
}

// Position returns the current position of the write-ahead log.
func (c *Cluster) Position() (lsn string) {
	c.t.Helper()
	c.connected(func(ctx context.Context, conn *pgx.Conn) error {
		return conn.QueryRow(ctx, `SELECT pg_current_wal_lsn()::text`).Scan(&lsn)
	})
	return lsn
}

func (c *Cluster) connected(do func(context.Context, *pgx.Conn) error) {
	c.t.Helper()
	err := onServer(fmt.Sprintf("postgres://postgres@127.0.0.1:%d/postgres?sslmode=disable", c.port), do)
	if err != nil {
		c.t.Fatal(err)
	}
}

// Copy makes a base backup, which Standby or RestoreTo starts.
func (c *Cluster) Copy(name string) *Cluster {
	c.t.Helper()
	copied := *c
	copied.data = filepath.Join(c.folder, name)
	c.run("pg_basebackup", "--pgdata", copied.data, "--checkpoint", "fast", "--host", "127.0.0.1", "--port", strconv.Itoa(c.port), "--username", "postgres")
	return &copied
}

// Standby starts a copy as a standby of its original on another port, waits
// until it has caught up, and stops it.
func (c *Cluster) Standby() {
	c.t.Helper()
	want := c.Position()
	standby := *c
	standby.port = freePort(c.t)
	standby.configure(fmt.Sprintf("primary_conninfo = 'host=127.0.0.1 port=%d user=postgres'", c.port))
	if err := os.WriteFile(filepath.Join(c.data, "standby.signal"), nil, 0o666); err != nil {
		c.t.Fatal(err)
	}
	standby.Start()
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		behind := true
		standby.connected(func(ctx context.Context, conn *pgx.Conn) error {
			return conn.QueryRow(ctx, `SELECT coalesce(pg_last_wal_replay_lsn() < $1::pg_lsn, true)`, want).Scan(&behind)
		})
		if !behind {
			break
		}
		if time.Now().After(end) {
			c.t.Fatal("the standby did not catch up in time")
		}
	}
	standby.Stop()
}

// Promote starts a standby in place of its original and promotes it to primary.
func (c *Cluster) Promote() {
	c.t.Helper()
	c.Start()
	c.run("pg_ctl", "promote", "--wait", "--pgdata", c.data)
}

// RestoreTo starts a copy in place of its original, restored to a position.
func (c *Cluster) RestoreTo(lsn string) {
	c.t.Helper()
	c.configure(fmt.Sprintf("restore_command = 'cp %s/%%f %%p'", c.archive), fmt.Sprintf("recovery_target_lsn = '%s'", lsn), "recovery_target_action = 'promote'")
	if err := os.WriteFile(filepath.Join(c.data, "recovery.signal"), nil, 0o666); err != nil {
		c.t.Fatal(err)
	}
	c.Start()
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		recovering := true
		c.connected(func(ctx context.Context, conn *pgx.Conn) error {
			return conn.QueryRow(ctx, `SELECT pg_is_in_recovery()`).Scan(&recovering)
		})
		if !recovering {
			return
		}
		if time.Now().After(end) {
			c.t.Fatal("the copy did not finish its recovery in time")
		}
	}
}
