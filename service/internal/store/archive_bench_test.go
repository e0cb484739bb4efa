package store_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"khatm/service/internal/issue"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

// fileArchive is an archive in a file that is synced after each write.
type fileArchive struct{ file *os.File }

func (a fileArchive) Append(_ context.Context, lines [][]byte) error {
	if _, err := a.file.Write(append(bytes.Join(lines, []byte{'\n'}), '\n')); err != nil {
		return err
	}
	return a.file.Sync()
}

// TestBenchArchive compares appends without an archive with those that wait for
// one in a file on the same disk. The two take turns.
func TestBenchArchive(t *testing.T) {
	if os.Getenv("KHATM_BENCH") != "1" {
		t.Skip("benchmarks run with make bench")
	}
	storetest.Each(t, func(t *testing.T, c store.Config) {
		for _, organisations := range []int{1, 16} {
			t.Run(fmt.Sprint(organisations, " organisations"), func(t *testing.T) {
				without, with := open(t, c), open(t, another(t, c))
				file, err := os.Create(filepath.Join(t.TempDir(), "archive"))
				ok(t, err)
				ok(t, with.StartArchive(t.Context(), store.Archiving{To: fileArchive{file}, Location: "file", Wait: true}))
				with.caughtUp()
				var rate, cpu [2]float64
				sellers := [2][]*seller{without.sellers(organisations), with.sellers(organisations)}
				const rounds = 5
				for range rounds {
					for i := range rate {
						n, used, took := appendFor(t, sellers[i], 2*time.Second)
						rate[i] += float64(n) / took.Seconds() / rounds
						cpu[i] += float64(used.Microseconds()) / float64(n) / rounds
					}
				}
				t.Logf("without an archive %.0f documents/s, %.0f µs CPU each; with %.0f/s, %.0f µs: %.0f %%", rate[0], cpu[0], rate[1], cpu[1], 100*rate[1]/rate[0])
			})
		}
	})
}

// another returns the configuration of another database on the same engine.
func another(t *testing.T, c store.Config) store.Config {
	t.Helper()
	if c.URL != "" {
		return storetest.Postgres(t)
	}
	return storetest.SQLite(t)
}

// sellers returns sellers of several organisations.
func (s *fixture) sellers(n int) (all []*seller) {
	s.t.Helper()
	for i := range n {
		all = append(all, s.seller(s.register(fmt.Sprint("shop ", i, " of ", n))))
	}
	return all
}

// appendFor appends batches of four documents for a time. It returns their
// number, the CPU time of the process and the time that passed.
func appendFor(t *testing.T, sellers []*seller, d time.Duration) (n int, used, took time.Duration) {
	t.Helper()
	xml := bytes.Repeat([]byte("<cbc:ID>شركة 12</cbc:ID>\n"), 450)
	change := func(e *issue.Entry) { e.XML = xml }
	began, before := time.Now(), cpuTime(t)
	var mu sync.Mutex
	var work sync.WaitGroup
	for _, shop := range sellers {
		work.Go(func() {
			for time.Since(began) < d {
				written, err := shop.append(change, change, change, change)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				n += len(written)
				mu.Unlock()
			}
		})
	}
	work.Wait()
	return n, cpuTime(t) - before, time.Since(began)
}

// cpuTime returns the CPU time of this process.
func cpuTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	ok(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
