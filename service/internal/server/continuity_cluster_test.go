package server_test

import (
	"fmt"
	"testing"

	"khatm/internal/testtool"
	"khatm/service/admin"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store/pgtest"
)

// TestR13_PromotedStandby replaces the primary with a standby that has not
// received the last documents.
func TestR13_PromotedStandby(t *testing.T) {
	t.Parallel()
	rounds := 1
	if testtool.Torture() {
		rounds = 5
	}
	t.Run("the server notices", func(t *testing.T) {
		for range rounds {
			replaced(t, func(c *pgtest.Cluster) func() {
				standby := c.Copy("standby")
				standby.Standby()
				return standby.Promote
			})
		}
	})
	servicetest.ReportScenario(t, "R-13 promotion of a lagging standby", fmt.Sprint(rounds, " promotions"), 1, "0 documents before the recovery, 0 forks")
}

// TestR13_PointInTime restores a PostgreSQL server to an earlier position of
// its write-ahead log.
func TestR13_PointInTime(t *testing.T) {
	t.Parallel()
	if !testtool.Torture() {
		t.Skip("similar to the promotion of a standby; runs with KHATM_TORTURE=1")
	}
	const rounds = 5
	t.Run("the server notices", func(t *testing.T) {
		for range rounds {
			replaced(t, func(c *pgtest.Cluster) func() {
				copied := c.Copy("copy")
				position := c.Position()
				return func() { copied.RestoreTo(position) }
			})
		}
	})
	servicetest.ReportScenario(t, "R-13 point-in-time recovery", fmt.Sprint(rounds, " restores"), 1, "0 documents before the recovery, 0 forks")
}

// replaced copies the database server with take, issues documents, replaces the
// server with the copy, and checks that nothing is issued before the recovery
// and that the chain continues after it.
func replaced(t *testing.T, take func(*pgtest.Cluster) (replace func())) {
	t.Helper()
	cluster := pgtest.NewCluster(t)
	r := newRestorable(t, cluster.URL())
	r.sell(2)
	replace := take(cluster)
	last := r.sell(3)
	cluster.Execute(`SELECT pg_switch_wal()`)
	cluster.Stop()
	replace()
	r.refusesWhenBack()
	r.refusesToIssue()
	if err := r.recover(func(a *admin.Recovery) { a.Complete, a.Unchanged = true, nil }); err == nil {
		t.Fatal("recover confirmed a database that lacks documents as complete")
	}
	r.recoverAfter(last)
	r.goesOn(last)
	r.stop()
}
