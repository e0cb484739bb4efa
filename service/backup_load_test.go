package service_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/internal/testtool"
	"khatm/service/admin"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store/pgtest"
)

// asBackup is the environment variable that turns this test binary into a
// backup command; its value is the file to write.
const asBackup = "KHATM_TEST_BACKUP"

// TestBackupProcess is not a test: it is the backup command of the tests below.
func TestBackupProcess(t *testing.T) {
	file := os.Getenv(asBackup)
	if file == "" {
		t.Skip("run by other tests in a separate process")
	}
	m, err := admin.Backup(t.Context(), adminOf(os.Getenv(serverVariable), os.Getenv("KHATM_TEST_SERVER_DATABASE")), file, "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("backup of %d documents\n", m.Counts.Documents)
}

// adminOf returns the configuration of operator commands on an installation.
func adminOf(data, database string) admin.Config {
	return admin.Config{
		Data: data, Database: database, Operator: "test", Now: time.Now, NewID: server.NewIDs(time.Now, rand.Reader), Random: rand.Reader,
	}
}

// stopwatch records how long requests to create an invoice take.
type stopwatch struct {
	mu    sync.Mutex
	took  []time.Duration
	count atomic.Int64
}

// lap returns the durations since the last call.
func (w *stopwatch) lap() []time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	took := w.took
	w.took = nil
	return took
}

// percentile returns the p-th percentile of durations.
func percentile(took []time.Duration, p int) time.Duration {
	if len(took) == 0 {
		return 0
	}
	slices.Sort(took)
	return took[len(took)*p/100]
}

// keepCreating creates invoices with twenty concurrent callers until ctx is
// done.
func (b *loaded) keepCreating(ctx context.Context, v *process, w *stopwatch) {
	client := &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 20}}
	defer client.CloseIdleConnections()
	var all sync.WaitGroup
	for n := range 20 {
		all.Go(func() {
			for ctx.Err() == nil {
				began := time.Now()
				if !b.create(client, v.address, b.devices[n%len(b.devices)]) {
					b.t.Error("creating an invoice failed during the backup")
					return
				}
				w.mu.Lock()
				w.took = append(w.took, time.Since(began))
				w.mu.Unlock()
				w.count.Add(1)
			}
		})
	}
	all.Wait()
}

// TestTorture_BackupUnderLoad makes a backup while twenty callers create
// invoices, deletes the installation, restores it and audits it. The backup
// must contain every invoice acknowledged before it, and creating invoices must
// stay fast.
func TestTorture_BackupUnderLoad(t *testing.T) {
	if !testtool.Torture() { // durations are compared in a long run only
		t.Parallel()
	}
	for name, database := range servicetest.Databases {
		t.Run(name, func(t *testing.T) {
			if name == "PostgreSQL" && !testtool.Torture() {
				t.Skip("the short run is on SQLite; both run with KHATM_TORTURE=1")
			}
			documents, calm := int64(100), 50*time.Millisecond
			if testtool.Torture() {
				documents, calm = 100_000, 45*time.Second
			}
			b := newLoaded(t, database(t))
			v := startProcess(t, b.data, b.database, "")
			t.Cleanup(v.kill)
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			w := &stopwatch{}
			ended := make(chan struct{})
			began := time.Now()
			go func() { b.keepCreating(ctx, v, w); close(ended) }()
			becomesSlowly(t, documents, w)
			filled := time.Since(began)
			w.lap()
			time.Sleep(calm)
			normal := w.lap()
			b.mu.Lock()
			before := len(b.told)
			must := make([]string, 0, before)
			for id := range b.told {
				must = append(must, id)
			}
			b.mu.Unlock()
			file := filepath.Join(t.TempDir(), "khatm.backup")
			w.lap()
			began = time.Now()
			b.backup(t, file)
			backedUp := time.Since(began)
			during := w.lap()
			time.Sleep(calm)
			normal = append(normal, w.lap()...)
			stop()
			<-ended
			v.kill()
			info, err := os.Stat(file)
			if err != nil {
				t.Fatal(err)
			}
			normal99, during99 := percentile(normal, 99), percentile(during, 99)
			figure := fmt.Sprintf("%d documents issued in %s; backup of %d MiB in %s; creates before and after: p50 %s, p99 %s (%d); during: p50 %s, p99 %s (%d), %.2f times",
				before, filled.Round(time.Second), info.Size()>>20, backedUp.Round(time.Millisecond), percentile(normal, 50), normal99, len(normal),
				percentile(during, 50), during99, len(during), float64(during99)/float64(normal99))
			t.Log(figure)
			if testtool.Torture() && during99 > 2*normal99 {
				t.Errorf("creating takes %s at the 99th percentile during a backup, want at most twice the usual %s", during99, normal99)
			}
			restored := b.restored(t, file, must)
			servicetest.ReportScenario(t, "backup under load, delete, restore, audit, "+name, fmt.Sprint(documents, " invoices, 20 creators"), 0, figure+"; "+restored)
		})
	}
}

// becomesSlowly waits until the given number of invoices has been created.
func becomesSlowly(t *testing.T, documents int64, w *stopwatch) {
	t.Helper()
	for end := time.Now().Add(20 * time.Minute); w.count.Load() < documents; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) || t.Failed() {
			t.Fatalf("%d invoices created before the timeout, want %d", w.count.Load(), documents)
		}
	}
}

// backup writes a backup to file in a separate process.
func (b *loaded) backup(t *testing.T, file string) {
	t.Helper()
	run := exec.Command(os.Args[0], "-test.run", "^TestBackupProcess$", "-test.v")
	run.Env = append(os.Environ(), serverVariable+"="+b.data, "KHATM_TEST_SERVER_DATABASE="+b.database, asBackup+"="+file)
	if said, err := run.CombinedOutput(); err != nil || !strings.Contains(string(said), "backup of ") {
		t.Fatalf("backup command: %v: %s", err, said)
	}
}

// restored deletes the installation, restores the backup into a new one, audits
// it, and checks that it contains the invoices of must. It returns how long the
// steps took.
func (b *loaded) restored(t *testing.T, file string, must []string) string {
	t.Helper()
	key, err := os.ReadFile(filepath.Join(b.data, "master.key"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(b.data); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(b.data, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(b.data, "master.key"), key, 0o600); err != nil {
		t.Fatal(err)
	}
	if b.database != "" {
		b.database = pgtest.URL(t)
	}
	began := time.Now()
	var proving time.Time
	r, err := admin.Restore(t.Context(), adminOf(b.data, b.database), file, nil, admin.Proof{Progress: func(int64, int64) {
		if proving.IsZero() {
			proving = time.Now()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if r.KeyError != nil || !r.Report.Sound() {
		t.Errorf("after the restore: master key error %v, audit %+v; want none and a clean audit", r.KeyError, r.Report)
	}
	figure := fmt.Sprintf("restore in %s, audit of %d documents in %s", proving.Sub(began).Round(time.Millisecond), r.Manifest.Counts.Documents, time.Since(proving).Round(time.Millisecond))
	h := servicetest.Open(t, func(c *server.Config) { c.Data, c.Database, c.Now = b.data, b.database, time.Now })
	kept := map[string]bool{}
	for page := (org.Page{Size: 100, Number: 1}); ; {
		list, err := h.Service.Store().Invoices(t.Context(), org.TenantOf(b.shop.Org.ID), ledger.Filter{}, page)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range list.Rows {
			kept[i.ID.String()] = true
		}
		if page.After = list.Next; list.Next == uuid.Nil {
			break
		}
	}
	for _, id := range must {
		if !kept[id] {
			t.Fatalf("invoice %s was acknowledged before the backup but is not in it", id)
		}
	}
	return figure
}
