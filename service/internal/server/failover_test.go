package server_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"khatm/service/admin"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store/pgtest"
)

// TestFailover_TrustIsRefused promotes a standby of a server that did not replicate
// synchronously. It lacks nothing, but this is not known.
func TestFailover_TrustIsRefused(t *testing.T) {
	t.Parallel()
	cluster := pgtest.NewCluster(t)
	r := newRestorable(t, cluster.URL())
	last := r.sell(2)
	r.stop()
	r.trust = true
	r.start()
	servicetest.Eventually(t, "replication is missing", func() bool {
		_, text := r.readiness("/readyz/issuing")
		return strings.Contains(text, "synchronous_standby_names is \"\"")
	})
	if a := r.shop.Create(r.body()); a.Status != http.StatusServiceUnavailable {
		t.Fatalf("create without a standby: got %d %s, want 503", a.Status, a.Body)
	}
	r.stop()
	standby := cluster.Copy("standby")
	standby.Standby()
	cluster.Stop()
	standby.Promote()
	r.start()
	r.refusesToIssue()
	if _, text := r.readiness("/readyz/issuing"); !strings.Contains(text, "--trust-failover is refused: synchronous replication was not in force") {
		t.Errorf("/readyz/issuing: %s, want why --trust-failover is refused", text)
	}
	r.trust = false
	r.stop()
	r.start()
	if err := r.recover(func(a *admin.Recovery) { a.Complete, a.Unchanged = true, nil }); err != nil {
		t.Fatal(err)
	}
	r.goesOn(last)
	r.stop()
}

// TestCommitWithAWarning cancels the wait of a commit for a synchronous standby. The
// document is then on the primary only, and is not acknowledged before a standby
// has it.
func TestCommitWithAWarning(t *testing.T) {
	t.Parallel()
	cluster := pgtest.NewCluster(t)
	var armed atomic.Bool
	h := servicetest.Open(t, func(c *server.Config) {
		c.Database = cluster.URL()
		server.Point(c, func(step string) error {
			if step == "batch written" && armed.CompareAndSwap(true, false) {
				setStandbys(t, cluster, "absent")
			}
			return nil
		})
	})
	shop := h.NewSeller()
	armed.Store(true)
	answer := make(chan servicetest.Answer, 1)
	go func() { answer <- shop.Create(shop.Simplified(servicetest.Fields{})) }()
	servicetest.Eventually(t, "a commit with an unknown outcome", func() bool {
		cluster.Execute(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`)
		select {
		case a := <-answer:
			t.Fatalf("create without a standby: got %d %s, want no response yet", a.Status, a.Body)
		default:
		}
		return strings.Contains(h.Log.String(), "canceling wait for synchronous replication")
	})
	setStandbys(t, cluster, "")
	a := <-answer
	if a.Status != http.StatusAccepted && !(a.Status == http.StatusServiceUnavailable && strings.Contains(a.Body, "outcome_unknown")) {
		t.Errorf("create: got %d %s, want 202 after the standby is not required any more", a.Status, a.Body)
	}
	if got := h.CheckChains(h.Org); got != 1 {
		t.Errorf("the chains have %d documents, want 1", got)
	}
}

// setStandbys sets synchronous_standby_names and waits until commits wait for them.
func setStandbys(t *testing.T, cluster *pgtest.Cluster, names string) {
	t.Helper()
	cluster.Execute(fmt.Sprintf(`ALTER SYSTEM SET synchronous_standby_names = '%s'`, names), `SELECT pg_reload_conf()`)
	config, err := pgx.ParseConfig(cluster.URL())
	if err != nil {
		t.Fatal(err)
	}
	warned := false
	config.OnNotice = func(*pgconn.PgConn, *pgconn.Notice) { warned = true }
	config.RuntimeParams["statement_timeout"] = "50"
	conn, err := pgx.ConnectConfig(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background()) //nolint:errcheck // test helper
	servicetest.Eventually(t, "commits wait for "+names, func() bool {
		warned = false
		_, err := conn.Exec(context.Background(), `CREATE TABLE probe (); DROP TABLE probe`)
		return err == nil && warned == (names != "")
	})
}
