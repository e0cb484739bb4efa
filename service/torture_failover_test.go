package service_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"khatm/internal/testtool"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store/pgtest"
)

// failoverTime is how long issuing may take to resume after a promotion.
const failoverTime = 10 * time.Second

// TestTorture_Failover kills the primary of PostgreSQL while documents are issued,
// and promotes a synchronous standby. The server finds it by itself. Requests are
// answered with 202 or 503.
func TestTorture_Failover(t *testing.T) {
	if !testtool.All() {
		t.Skip("starts three PostgreSQL servers; runs with KHATM_ALL=1")
	}
	for _, kind := range []struct {
		name    string
		archive bool
		seed    int
	}{{"trusted", false, 31}, {"archived", true, 32}} {
		t.Run(kind.name, func(t *testing.T) {
			replicas := pgtest.NewReplicas(t)
			s := newKillRun(t, func(_ testing.TB, c *server.Config) { c.Database = replicas.URL() }, uint64(kind.seed))
			trust := "KHATM_TEST_SERVER_TRUST_FAILOVER=yes"
			if kind.archive {
				s.archive, trust = filepath.Join(t.TempDir(), "archive"), ""
			}
			s.serveUntil(0, "", trust)
			stop := s.load(8)
			rounds := testtool.Scale(1, 1, 5)
			var took []time.Duration
			for range rounds {
				s.recordsReplication()
				s.await(20)
				replicas.FailOver()
				promoted := time.Now()
				s.await(1)
				took = append(took, time.Since(promoted).Round(10*time.Millisecond))
				if took[len(took)-1] > failoverTime && testtool.Torture() {
					t.Errorf("issuing resumed %s after the promotion, want at most %s", took[len(took)-1], failoverTime)
				}
				replicas.Rejoin()
			}
			s.await(20)
			stop()
			servicetest.ReportScenario(t, "the primary of PostgreSQL is killed and a synchronous standby promoted, "+kind.name, fmt.Sprint(rounds, " promotions"), kind.seed,
				fmt.Sprintf("issuing resumed after %v; %s", took, s.finish()))
		})
	}
}

// recordsReplication waits until the database has recorded the synchronous replication
// on its timeline.
func (s *killRun) recordsReplication() {
	s.t.Helper()
	const query = `SELECT coalesce(synchronous::json->>'timeline' = identity::json->>'timeline', false) FROM continuity`
	servicetest.Eventually(s.t, "synchronous replication is recorded", func() (recorded bool) {
		conn, err := pgx.Connect(s.t.Context(), s.database)
		if err != nil {
			s.t.Fatal(err)
		}
		defer conn.Close(context.Background()) //nolint:errcheck // only read
		if err := conn.QueryRow(s.t.Context(), query).Scan(&recorded); err != nil {
			s.t.Fatal(err)
		}
		return recorded
	})
}

// TestTorture_P2_PostmasterKilled kills the main process of PostgreSQL while documents
// are issued.
func TestTorture_P2_PostmasterKilled(t *testing.T) {
	if !testtool.All() {
		t.Skip("starts a PostgreSQL server several times; runs with KHATM_ALL=1")
	}
	kills := testtool.Scale(1, 1, 10)
	cluster := pgtest.NewCluster(t)
	s := newKillRun(t, func(_ testing.TB, c *server.Config) { c.Database = cluster.URL() }, 33)
	s.serve(0)
	stop := s.load(8)
	for range kills {
		s.await(20)
		cluster.KillPostmaster()
		cluster.StartAgain()
	}
	s.await(20)
	stop()
	servicetest.ReportScenario(t, "P-2 the main process of PostgreSQL is killed", fmt.Sprint(kills, " kills"), 33, s.finish())
}
