package service_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/audit"
	"khatm/internal/lossyfs"
	"khatm/internal/testtool"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

// TestTorture_PowerFailures cuts the power while documents are issued. The data
// folder and the archive are on disks that lose what was not synced.
func TestTorture_PowerFailures(t *testing.T) {
	t.Parallel()
	if !testtool.All() {
		t.Skip("runs with make check; package archive tests what is synced in every run")
	}
	data, archive := lossyfs.Mount(t), lossyfs.Mount(t)
	s := newArchivedRun(t, servicetest.Engines()[0].Set, 24, filepath.Join(archive.Dir, "archive"))
	// The archive is begun before the folder is moved: it proves that the copy, which has
	// no marks, is complete.
	s.serve(0)
	s.process(0).kill()
	s.moveTo(data)
	cuts := testtool.Scale(1, 6, 50)
	random := rand.New(rand.NewPCG(24, 3))
	s.serve(0)
	stop := s.load(8)
	lost := 0
	for n := range cuts {
		s.await(1 + random.IntN(testtool.Count(20, 60)))
		lost += s.cutPower(randomly(random, n), data, archive)
		s.serve(0)
	}
	s.await(5)
	stop()
	s.process(0).kill()
	s.copyFrom(data)
	figure := s.finish()
	s.sentIsArchived()
	if lost == 0 {
		t.Error("the disks lost nothing, so that the test is blind")
	}
	servicetest.ReportScenario(t, "power failures while documents are issued, data and archive on disks that lose what is not synced", fmt.Sprint(cuts, " cuts"), 24,
		fmt.Sprintf("%d changes of the disks lost; %s", lost, figure))
}

// randomly returns nil every other time: then everything that was not synced is lost.
func randomly(random *rand.Rand, n int) *rand.Rand {
	if n%2 == 0 {
		return nil
	}
	return random
}

// cutPower kills the server and loses what the disks have not synced.
func (s *killRun) cutPower(random *rand.Rand, disks ...*lossyfs.Disk) (lost int) {
	s.process(0).kill()
	for _, d := range disks {
		d.Cut()
	}
	for _, d := range disks {
		lost += d.Restore(random)
	}
	return lost
}

// moveTo moves the data folder to a disk.
func (s *killRun) moveTo(d *lossyfs.Disk) {
	s.t.Helper()
	to := filepath.Join(d.Dir, "data")
	servicetest.CopyTree(s.t, s.data, to)
	err := filepath.WalkDir(d.Dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }()
		return file.Sync()
	})
	if err != nil {
		s.t.Fatal(err)
	}
	s.data = to
}

// copyFrom copies the data folder from a disk, because SQLite maps one of its files
// into memory, and this process serves the disk.
func (s *killRun) copyFrom(d *lossyfs.Disk) {
	s.t.Helper()
	to := filepath.Join(s.t.TempDir(), "data")
	servicetest.CopyTree(s.t, filepath.Join(d.Dir, "data"), to)
	s.data = to
}

// TestPowerFailuresUnsafe shows that the test above would find a loss: with
// synchronous=NORMAL and without an archive, acknowledged documents are lost.
func TestPowerFailuresUnsafe(t *testing.T) {
	t.Parallel()
	if !testtool.All() {
		t.Skip("a control run; see TestTorture_PowerFailures")
	}
	disk, marks := lossyfs.Mount(t), t.TempDir() // with marks, the folder can be moved to the disk
	s := newArchivedRun(t, func(_ testing.TB, c *server.Config) { c.Marks = marks }, 25, "")
	s.moveTo(disk)
	serve := func() { s.serveUntil(0, "", unsafeVariable+"=yes", "KHATM_TEST_SERVER_MARKS="+marks) }
	serve()
	defer s.load(8)()
	lost := 0
	for range 10 {
		s.await(60)
		s.cutPower(nil, disk)
		if lost = s.lost(disk); lost > 0 {
			break
		}
		serve()
	}
	if lost == 0 {
		t.Error("no acknowledged document was lost, so that the test is blind")
	}
	t.Logf("%d of %d acknowledged documents were lost", lost, s.told.Load())
}

// lost counts the acknowledged documents that are not in the database on a disk.
func (s *killRun) lost(d *lossyfs.Disk) (n int) {
	s.t.Helper()
	data := filepath.Join(s.t.TempDir(), "data")
	servicetest.CopyTree(s.t, filepath.Join(d.Dir, "data"), data)
	h := servicetest.Open(s.t, func(c *server.Config) { c.Data, c.Now = data, time.Now })
	defer h.Service.Close()
	kept := map[uuid.UUID]bool{}
	for _, i := range h.AllInvoices(s.shop.Org) {
		kept[i.ID] = true
	}
	for line := range strings.Lines(servicetest.ReadFile(s.t, s.clients.Name())) {
		var r audit.Request
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			s.t.Fatal(err)
		}
		if r.Status == http.StatusAccepted && !kept[r.Document] {
			n++
		}
	}
	return n
}
