package service_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"khatm/internal/testtool"
	"khatm/service/internal/s3/s3test"
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
	if !testtool.Torture() {
		t.Skip("runs with make torture; TestTorture_P3_EveryPartFails covers it with fewer kills")
	}
	const kills = 10
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

// TestTorture_P3_EveryPartFails runs three servers on one PostgreSQL with an archive in
// S3. One of them is killed every two seconds, the main process of PostgreSQL is killed
// from time to time, and one server is cut off from the database.
func TestTorture_P3_EveryPartFails(t *testing.T) {
	if !testtool.All() {
		t.Skip("starts a PostgreSQL server several times; runs with KHATM_ALL=1")
	}
	rounds := testtool.Scale(0, 6, 60)
	bucket, cluster := s3test.Start(t), pgtest.NewCluster(t)
	s := newKillRun(t, func(_ testing.TB, c *server.Config) { c.Database = cluster.URL() }, 34)
	s.archive = bucket.Address(bucket.Bucket(false), "")
	link, through := servicetest.NewLink(t, cluster.URL())
	more := make([][]string, 3)
	for place := range more {
		// The name of a server in the archive has its port.
		more[place] = []string{"KHATM_TEST_SERVER_ADDRESS=" + freeAddress(t)}
	}
	more[2] = append(more[2], "KHATM_TEST_SERVER_DATABASE="+through)
	for place := range more {
		s.serveUntil(place, "", more[place]...)
	}
	random := rand.New(rand.NewPCG(34, 3))
	stop := s.load(20)
	kills, cuts := 0, 0
	for n := range rounds {
		switch n % 6 {
		case 2:
			cluster.KillPostmaster()
			cluster.StartAgain()
			kills++
		case 4:
			link.Set(true)
			time.Sleep(2 * time.Second)
			link.Set(false)
			cuts++
		}
		time.Sleep(time.Second)
		place := random.IntN(3)
		s.process(place).kill()
		time.Sleep(time.Second)
		s.serveUntil(place, "", more[place]...)
	}
	s.await(20)
	stop()
	figure := s.finish()
	s.sentIsArchived()
	servicetest.ReportScenario(t, "P-3 three servers on one PostgreSQL with an archive in S3: one is killed every two seconds, PostgreSQL is killed, one server is cut off from it",
		fmt.Sprintf("%d, %d and %d times", rounds, kills, cuts), 34, figure)
}

// freeAddress returns an address whose port is free.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", testtool.Loopback())
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() //nolint:errcheck // nothing was accepted
	return l.Addr().String()
}
