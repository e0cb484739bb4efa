package service_test

import (
	"context"
	crand "crypto/rand"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"khatm/internal/testtool"
	"khatm/service/admin"
	"khatm/service/internal/archive"
	"khatm/service/internal/recovery"
	"khatm/service/internal/s3/s3test"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store/storetest"
)

// newArchivedRun prepares a run whose documents are archived before they are
// acknowledged.
func newArchivedRun(t *testing.T, set func(testing.TB, *server.Config), seed uint64, location string) *killRun {
	t.Helper()
	s := newKillRunOf(t, set, seed, testtool.Scale(2, 5, 5))
	s.archive = location
	return s
}

// load creates invoices until the returned function is called.
func (s *killRun) load(creators int) (stop func()) {
	ctx, cancel := context.WithCancel(s.t.Context())
	ended := make(chan struct{})
	go func() { s.create(ctx, creators); close(ended) }()
	return func() {
		cancel()
		<-ended
	}
}

// archivedIDs returns the ids of the documents in the archive.
func (s *killRun) archivedIDs() map[string]bool {
	s.t.Helper()
	ids := map[string]bool{}
	s.readArchive(func(line []byte) error {
		var document struct{ Kind, ID string }
		if err := json.Unmarshal(line, &document); err != nil {
			return err
		}
		if document.Kind == "document" {
			ids[document.ID] = true
		}
		return nil
	})
	return ids
}

func (s *killRun) readArchive(each func(line []byte) error) {
	s.t.Helper()
	a, err := archive.Open(s.t.Context(), archive.Options{
		Location: s.archive, Server: "reader", Installation: "unknown", Now: time.Now, Random: crand.Reader,
	})
	if err != nil {
		s.t.Fatal(err)
	}
	defer a.Close() //nolint:errcheck // only read
	if _, err := a.Read(s.t.Context(), func(_ archive.Position, line []byte) error { return each(line) }); err != nil {
		s.t.Fatal(err)
	}
}

func (s *killRun) admin() *admin.Admin {
	s.t.Helper()
	a, err := admin.Open(s.t.Context(), admin.Config{Data: s.data, Database: s.database, Operator: "test", Now: time.Now, NewID: uuid.New, Random: crand.Reader})
	if err != nil {
		s.t.Fatal(err)
	}
	return a
}

// takeOver enters what the database lacks, as khatm recover --take-over does.
func (s *killRun) takeOver() {
	s.t.Helper()
	a := s.admin()
	defer a.Close()
	if _, err := a.RecoverFromArchive(s.t.Context(), admin.ArchiveRecovery{Location: s.archive, TakeOver: true, Log: servicetest.Quiet()}); err != nil {
		s.t.Fatal(err)
	}
}

// sentIsArchived checks that the archive has every document that the authority has
// read.
func (s *killRun) sentIsArchived() {
	s.t.Helper()
	archived := s.archivedIDs()
	for _, e := range s.sim.Journal() {
		if e.UUID != "" && !archived[e.UUID] { // it is empty if the authority failed before it read the document
			s.t.Errorf("the authority has document %s (counter %s), which is not archived", e.UUID, e.Counter)
		}
	}
}

// archiveSteps are the steps between the transaction that issues documents and the
// request to the authority.
var archiveSteps = []string{"outbox written", "batch written", "commit", "committed", "archive", "archived", "outbox deleted", "claimed", "sending"}

// TestTorture_ArchiveSteps kills the server at each step between the transaction
// that issues documents and the end of their archiving. The authority never has a
// document that the archive lacks, and no acknowledged document is lost.
func TestTorture_ArchiveSteps(t *testing.T) {
	t.Parallel()
	for _, engine := range servicetest.Engines() {
		t.Run(engine.Name, func(t *testing.T) {
			t.Parallel()
			steps := archiveSteps
			if !testtool.All() {
				steps = map[string][]string{
					"SQLite": {"committed"}, "PostgreSQL": {"archive"},
				}[engine.Name]
			}
			killAtSteps(t, engine, filepath.Join(t.TempDir(), "archive"), steps, testtool.Scale(1, 1, 5))
		})
	}
}

// TestTorture_ArchiveStepsOnS3 does the same with an archive in S3.
func TestTorture_ArchiveStepsOnS3(t *testing.T) {
	if !testtool.All() {
		t.Skip("the same with a folder: TestTorture_ArchiveSteps")
	}
	bucket := s3test.Start(t)
	for _, engine := range servicetest.Engines() {
		t.Run(engine.Name, func(t *testing.T) {
			killAtSteps(t, engine, bucket.Address(bucket.Bucket(false), ""), archiveSteps, testtool.Scale(1, 1, 2))
		})
	}
}

// killAtSteps kills the server at each of the steps, in several rounds.
func killAtSteps(t *testing.T, engine servicetest.Engine, location string, steps []string, rounds int) {
	t.Helper()
	s := newArchivedRun(t, engine.Set, 21, location)
	s.slow.Store(true) // appends at short intervals delete archived entries of the outbox
	s.serveUntil(0, steps[0]+"#2")
	stop := s.load(3)
	for n := range rounds * len(steps) {
		s.process(0).wantKilled(t, steps[n%len(steps)])
		s.sentIsArchived()
		next := ""
		if n+1 < rounds*len(steps) {
			next = fmt.Sprintf("%s#%d", steps[(n+1)%len(steps)], 2+n%5)
		}
		s.serveUntil(0, next)
	}
	stop()
	figure := s.finish()
	s.sentIsArchived()
	servicetest.ReportScenario(t, "kill at every step of archiving, moody authority, "+engine.Name+on(location), fmt.Sprint(rounds*len(steps), " kills"), 21, figure)
}

// on returns where an archive is, for the report.
func on(location string) string {
	if archive.IsBucket(location) {
		return ", archive on S3"
	}
	return ""
}

// clone copies the data folder, and the database if it is on PostgreSQL, while no
// server runs. The copy shares the archive.
func (s *killRun) clone(name string) *killRun {
	s.t.Helper()
	other := &killRun{t: s.t, sim: s.sim, data: s.data + "-" + name, database: s.database, archive: s.archive}
	servicetest.CopyTree(s.t, s.data, other.data)
	if s.database != "" {
		source := servicetest.DatabaseName(s.t, s.database)
		copied := "clone_" + strings.ReplaceAll(uuid.NewString(), "-", "")
		servicetest.Eventually(s.t, "no connection to "+source, func() bool { return connections(s.t, s.database) == 0 })
		servicetest.OnPostgres(s.t, s.database, fmt.Sprintf(`CREATE DATABASE %s TEMPLATE %s`, copied, source))
		s.t.Cleanup(func() { servicetest.OnPostgres(s.t, s.database, `DROP DATABASE IF EXISTS `+copied+` WITH (FORCE)`) })
		other.database = strings.Replace(s.database, source, copied, 1)
	}
	return other
}

// connections returns the number of connections to a PostgreSQL database. Those of a
// process that was killed end a little later.
func connections(t testing.TB, address string) (n int) {
	t.Helper()
	at, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	at.Path = "/postgres"
	conn, err := pgx.Connect(t.Context(), at.String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background()) //nolint:errcheck // test cleanup
	if err := conn.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity WHERE datname = $1 AND backend_type = 'client backend'`, servicetest.DatabaseName(t, address)).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestTorture_ArchiveClone starts an older copy of an installation while its server
// still issues. The copy is refused until an operator takes over; from then on the
// old server issues nothing, whether it was running or halted meanwhile.
func TestTorture_ArchiveClone(t *testing.T) {
	t.Parallel()
	if !testtool.All() {
		t.Skip("runs with make check; tests of package server start older copies in every run")
	}
	for _, engine := range servicetest.UsualEngines() {
		t.Run(engine.Name, func(t *testing.T) {
			t.Parallel()
			copiesTakeOver(t, engine, filepath.Join(t.TempDir(), "archive"), testtool.Scale(1, 2, 10))
		})
	}
}

// TestTorture_ArchiveCloneOnS3 does the same with an archive in S3.
func TestTorture_ArchiveCloneOnS3(t *testing.T) {
	if !testtool.All() {
		t.Skip("the same with a folder: TestTorture_ArchiveClone")
	}
	bucket := s3test.Start(t)
	for _, engine := range servicetest.Engines() {
		t.Run(engine.Name, func(t *testing.T) {
			copiesTakeOver(t, engine, bucket.Address(bucket.Bucket(false), ""), testtool.Scale(1, 2, 5))
		})
	}
}

func copiesTakeOver(t *testing.T, engine servicetest.Engine, location string, rounds int) {
	t.Helper()
	set := func(t testing.TB, c *server.Config) {
		engine.Set(t, c)
		if c.Database != "" { // a database that is used again has another connection, so that it cannot be copied
			c.Database = storetest.NewPostgres(t).URL
		}
	}
	s := newArchivedRun(t, set, 22, location)
	s.serve(0)
	stop := s.load(8)
	for n := range rounds {
		s.slow.Store(false)
		s.pause(300*time.Millisecond, 10)
		s.process(0).kill()
		s.slow.Store(true) // while servers start
		other := s.clone(fmt.Sprint("clone", n))
		s.serve(0)
		s.pause(300*time.Millisecond, 10)
		other.isRefused()
		s.slow.Store(false)
		old := s.process(0).process.Process
		halted := n%2 == 1
		if halted {
			_ = old.Signal(syscall.SIGSTOP)
		}
		other.takeOver()
		other.serve(0)
		s.setPlaces(s.process(0), other.process(0))
		if halted {
			_ = old.Signal(syscall.SIGCONT)
		}
		s.pause(500*time.Millisecond, 20)
		for place := range 2 {
			s.process(place).kill()
		}
		s.sentIsArchived()
		s.data, s.database = other.data, other.database
		s.setPlaces(other.process(0))
		s.serve(0)
	}
	stop()
	servicetest.ReportScenario(t, "an older copy takes over from a server that still issues, "+engine.Name+on(location), fmt.Sprint(rounds, " copies"), 22, s.finish())
}

// setPlaces sets the processes to which requests are sent.
func (s *killRun) setPlaces(all ...*process) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.processes = all
}

// isRefused checks that a server does not start with a database that lacks what
// another server has issued.
func (s *killRun) isRefused() {
	s.t.Helper()
	c := server.Defaults()
	c.Data, c.Database, c.Archive, c.Random = s.data, s.database, server.Archive{Location: s.archive, Wait: true}, crand.Reader
	c.Log = servicetest.Quiet()
	v, err := server.New(s.t.Context(), c)
	if err == nil {
		v.Close()
	}
	if err == nil || !strings.Contains(err.Error(), recovery.ErrInUse.Error()) {
		s.t.Errorf("start with an older copy: got %v, want %v", err, recovery.ErrInUse)
	}
}

// TestTorture_ArchiveOnS3 kills the S3 server of the archive while documents are
// issued, and finally loses the whole data folder.
func TestTorture_ArchiveOnS3(t *testing.T) {
	if !testtool.All() {
		t.Skip("runs with make check; package archive tests S3 in every run")
	}
	bucket := s3test.Start(t)
	s := newArchivedRun(t, servicetest.Engines()[0].Set, 23, bucket.Address(bucket.Bucket(true), "lock=governance"))
	copied := filepath.Join(t.TempDir(), "copy")
	servicetest.CopyTree(t, s.data, copied)
	kills := testtool.Scale(2, 10, 10)
	random := rand.New(rand.NewPCG(23, 3))
	s.slow.Store(testtool.All())
	s.serve(0)
	stop := s.load(8)
	for n := range kills {
		s.pause(time.Duration(100+random.IntN(400))*time.Millisecond, 5)
		bucket.Kill()
		time.Sleep(time.Duration(random.IntN([]int{200, 3000}[n%2])) * time.Millisecond)
		if n%4 == 3 { // both at once
			s.process(0).kill()
		}
		bucket.Restart()
		if n%4 == 3 {
			s.serve(0)
		}
	}
	s.pause(time.Second, 5)
	stop()
	s.process(0).kill()
	if err := os.RemoveAll(s.data); err != nil {
		t.Fatal(err)
	}
	servicetest.CopyTree(t, copied, s.data)
	s.takeOver()
	figure := s.finish()
	s.sentIsArchived()
	servicetest.ReportScenario(t, "archive on S3, its server killed, then the data folder lost", fmt.Sprint(kills, " kills"), 23, figure)
}
