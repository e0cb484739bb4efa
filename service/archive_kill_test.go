package service_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"khatm/internal/testtool"
	"khatm/service/admin"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

// TestArchiveSurvivesALostFolder kills the server at random moments, removes its
// whole data folder and restores an older copy: every acknowledged document is
// entered again from the archive.
func TestArchiveSurvivesALostFolder(t *testing.T) {
	t.Parallel()
	b := newLoaded(t, "")
	b.archive = server.Archive{Location: filepath.Join(t.TempDir(), "archive"), Wait: true}
	archive := "KHATM_TEST_SERVER_ARCHIVE=" + b.archive.Location
	rounds := testtool.Scale(2, 4, 20)
	random := rand.New(rand.NewPCG(3, 4))
	entered := 0
	for range rounds {
		copied := filepath.Join(t.TempDir(), "copy")
		servicetest.CopyTree(t, b.data, copied)
		b.killAfter(startProcess(t, b.data, "", "", archive), 1+random.IntN(testtool.Count(30, 150)))
		entered += b.loseFolder(copied, archive)
	}
	b.survives(t)
	if entered < len(b.told) {
		t.Errorf("%d documents were entered from the archive, want at least %d", entered, len(b.told))
	}
	servicetest.ReportScenario(t, "loss of the data folder while 20 create, archive awaited", fmt.Sprint(rounds, " losses"), 1, fmt.Sprint(len(b.told), " acknowledged, none lost"))
}

// TestArchiveNotAwaited shows that the test above would find a loss: without
// waiting for the archive, acknowledged documents can be missing in it.
func TestArchiveNotAwaited(t *testing.T) {
	t.Parallel()
	if !testtool.All() {
		t.Skip("a control run; see TestArchiveSurvivesALostFolder")
	}
	lost, told := 0, 0
	// Each round has its own installation: one whose last documents are lost does not
	// issue any more, also if none of them was acknowledged.
	for range 20 {
		b := newLoaded(t, "")
		b.archive = server.Archive{Location: filepath.Join(t.TempDir(), "archive")}
		archive := "KHATM_TEST_SERVER_ARCHIVE=" + b.archive.Location
		copied := filepath.Join(t.TempDir(), "copy")
		servicetest.CopyTree(t, b.data, copied)
		v := startProcess(t, b.data, "", "archive#2", archive, "KHATM_TEST_SERVER_ARCHIVE_WAIT=no")
		b.attack(v)
		v.wantKilled(t, "archive")
		b.loseFolder(copied, archive)
		told += len(b.told)
		if lost = b.lost(); lost > 0 {
			break
		}
	}
	if lost == 0 {
		t.Error("no acknowledged document was lost, so that the test is blind")
	}
	t.Logf("%d of %d acknowledged documents were lost", lost, told)
}

// loseFolder replaces the data folder with an older copy and enters what it lacks.
func (b *loaded) loseFolder(copied, archive string) (entered int) {
	b.t.Helper()
	if err := os.RemoveAll(b.data); err != nil {
		b.t.Fatal(err)
	}
	servicetest.CopyTree(b.t, copied, b.data)
	a, err := admin.Open(b.t.Context(), adminOf(b.data, ""))
	if err != nil {
		b.t.Fatal(err)
	}
	defer a.Close()
	done, err := a.RecoverFromArchive(b.t.Context(), admin.ArchiveRecovery{Location: archive[len("KHATM_TEST_SERVER_ARCHIVE="):], TakeOver: true, Log: servicetest.Quiet()})
	if err != nil {
		b.t.Fatal(err)
	}
	return done.Documents
}

// lost counts the acknowledged documents that are not in the database.
func (b *loaded) lost() (n int) {
	b.t.Helper()
	h := servicetest.Open(b.t, func(c *server.Config) { c.Data, c.Archive = b.data, b.archive })
	defer h.Service.Close()
	kept := map[string]bool{}
	for _, i := range h.AllInvoices(b.shop.Org) {
		kept[i.ID.String()] = true
	}
	for id := range b.told {
		if !kept[id] {
			n++
		}
	}
	return n
}
