package pgtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Replicas is a primary with two standbys. Every commit waits for one of them.
type Replicas struct {
	t       testing.TB
	nodes   []*Cluster
	primary int
}

// NewReplicas starts a primary and two standbys.
func NewReplicas(t testing.TB) *Replicas {
	t.Helper()
	first := NewCluster(t)
	r := &Replicas{t: t, nodes: []*Cluster{first}}
	for n := range 2 {
		node := *first
		node.data, node.port = filepath.Join(first.folder, nodeName(n+1)), freePort(t)
		r.nodes = append(r.nodes, &node)
	}
	first.configure("archive_mode = off")
	first.Stop()
	first.Start()
	r.join(1)
	r.join(2)
	r.configure(0)
	first.Execute(`SELECT pg_reload_conf()`)
	return r
}

func nodeName(n int) string { return fmt.Sprint("node", n) }

// configure sets synchronous replication of a node, as primary and as standby.
func (r *Replicas) configure(n int) {
	r.t.Helper()
	var hosts, ports, names []string
	for i, node := range r.nodes {
		hosts, ports, names = append(hosts, "127.0.0.1"), append(ports, strconv.Itoa(node.port)), append(names, nodeName(i))
	}
	r.nodes[n].configure("synchronous_standby_names = 'ANY 1 ("+strings.Join(names, ", ")+")'", "wal_retrieve_retry_interval = 200ms", "wal_keep_size = 512MB",
		fmt.Sprintf("primary_conninfo = 'host=%s port=%s user=postgres application_name=%s target_session_attrs=read-write'", strings.Join(hosts, ","), strings.Join(ports, ","), nodeName(n)))
}

// join makes a node a standby of the primary, with a new copy of its data.
func (r *Replicas) join(n int) {
	r.t.Helper()
	node, primary := r.nodes[n], r.nodes[r.primary]
	if err := os.RemoveAll(node.data); err != nil {
		r.t.Fatal(err)
	}
	node.run("pg_basebackup", "--pgdata", node.data, "--checkpoint", "fast", "--host", "127.0.0.1", "--port", strconv.Itoa(primary.port), "--username", "postgres")
	r.configure(n)
	if err := os.WriteFile(filepath.Join(node.data, "standby.signal"), nil, 0o666); err != nil {
		r.t.Fatal(err)
	}
	node.Start()
	waitFor(r.t, nodeName(n)+" replicates", func() (streams bool) {
		const query = `SELECT EXISTS (SELECT FROM pg_stat_replication WHERE application_name = $1 AND state = 'streaming')`
		primary.connected(func(ctx context.Context, conn *pgx.Conn) error {
			return conn.QueryRow(ctx, query, nodeName(n)).Scan(&streams)
		})
		return streams
	})
}

// waitFor waits until is returns true.
func waitFor(t testing.TB, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(3 * patience); !is(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited too long until %s", what)
		}
	}
}

// URL returns the address of the database with all hosts.
func (r *Replicas) URL() string {
	var hosts []string
	for _, node := range r.nodes {
		hosts = append(hosts, fmt.Sprint("127.0.0.1:", node.port))
	}
	return "postgres://khatm@" + strings.Join(hosts, ",") + "/khatm?sslmode=disable&target_session_attrs=read-write"
}

// FailOver kills the primary and promotes the standby that has received more. The
// standby that is left follows it.
func (r *Replicas) FailOver() {
	r.t.Helper()
	r.nodes[r.primary].Kill()
	best, most := -1, uint64(0)
	for n, node := range r.nodes {
		if n == r.primary {
			continue
		}
		if at := node.received(); best < 0 || at > most {
			best, most = n, at
		}
	}
	r.nodes[best].run("pg_ctl", "promote", "--wait", "--pgdata", r.nodes[best].data)
	r.primary = best
}

// Rejoin makes the nodes that were killed standbys again.
func (r *Replicas) Rejoin() {
	r.t.Helper()
	for n, node := range r.nodes {
		if node.killed {
			node.killed = false
			r.join(n)
		}
	}
}

// received returns the end of the write-ahead log that a standby has received.
func (c *Cluster) received() (position uint64) {
	c.t.Helper()
	c.connected(func(ctx context.Context, conn *pgx.Conn) error {
		return conn.QueryRow(ctx, `SELECT (pg_last_wal_receive_lsn() - '0/0'::pg_lsn)::bigint`).Scan(&position)
	})
	return position
}

// Kill ends the server and all its processes at once, as a power failure does.
func (c *Cluster) Kill() {
	c.t.Helper()
	postmaster := c.postmaster()
	_ = syscall.Kill(postmaster, syscall.SIGSTOP) // it must not start new processes
	for _, child := range children(postmaster) {
		_ = syscall.Kill(child, syscall.SIGKILL)
	}
	c.KillPostmaster()
	c.killed = true
}

// KillPostmaster kills the main process of the server. Its other processes end by
// themselves.
func (c *Cluster) KillPostmaster() {
	c.t.Helper()
	if err := syscall.Kill(c.postmaster(), syscall.SIGKILL); err != nil {
		c.t.Fatal(err)
	}
}

func (c *Cluster) postmaster() int {
	c.t.Helper()
	text, err := os.ReadFile(filepath.Join(c.data, "postmaster.pid"))
	if err != nil {
		c.t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	id, err := strconv.Atoi(line)
	if err != nil {
		c.t.Fatal(err)
	}
	return id
}

// children returns the processes whose parent has the given id.
func children(parent int) (ids []int) {
	all, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range all {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := strings.Cut(string(text), ") ")
		if fields := strings.Fields(rest); len(fields) > 1 && fields[1] == strconv.Itoa(parent) {
			if id, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// StartAgain starts a server whose main process was killed. The other processes of the
// killed server may still be ending, so it tries more than once.
func (c *Cluster) StartAgain() {
	c.t.Helper()
	waitFor(c.t, "the server starts again", func() bool {
		err := c.command("pg_ctl", "start", "--wait", "--timeout", "60", "--pgdata", c.data, "--log", filepath.Join(c.folder, "log"), "--options", "-p "+strconv.Itoa(c.port)).Run()
		var failed *exec.ExitError
		if err != nil && !errors.As(err, &failed) {
			c.t.Fatal(err)
		}
		return err == nil
	})
}
