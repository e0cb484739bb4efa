package store_test

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/internal/testtool"
	"khatm/service/internal/fault"
	"khatm/service/internal/intake"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
	"khatm/spreadsheet"
)

// localFiles opens files by their paths.
type localFiles struct{}

// OpenFile opens a file.
func (localFiles) OpenFile(_ context.Context, path string) (intake.File, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	stat, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	return f, stat.Size(), nil
}

// Remove does nothing.
func (localFiles) Remove(context.Context, string) error { return nil }

// progress prints the progress of a job after each step.
type progress struct{ *store.Store }

// StepImport prints the state of the job, its rows that are done, the memory of this
// process and the part of it that is in use on the Go heap, both in KiB.
func (s progress) StepImport(ctx context.Context, j intake.Job, rows []intake.Row) (intake.Job, error) {
	next, err := s.Store.StepImport(ctx, j, rows)
	fmt.Println(next.State, next.Done, resident(), live())
	return next, err
}

// live returns the memory in use on the Go heap in KiB. The page caches of SQLite
// are outside it.
func live() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc >> 10)
}

// resident returns the memory of this process in KiB, or 0 if it is unknown.
func resident() int {
	text, _ := os.ReadFile("/proc/self/statm")
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.Atoi(fields[1])
	return pages * os.Getpagesize() / 1024
}

// runImporter checks and runs the only import of an organisation. Its clock is
// ahead by some seconds, so that leases of killed processes have ended.
func runImporter(args []string) error {
	ctx := context.Background()
	of := org.TenantOf(uuid.MustParse(args[0]))
	ahead, _ := strconv.Atoi(args[1])
	c := processConfig()
	c.Wait = time.Minute
	c.Now = func() time.Time { return time.Now().Add(time.Duration(ahead) * time.Second) }
	s, err := store.Serve(ctx, c)
	if err != nil {
		return err
	}
	defer s.Close()
	runner := intake.NewRunner(intake.Config{Keeper: progress{s}, Files: localFiles{}, Now: c.Now, Log: slog.New(slog.DiscardHandler)})
	for {
		if err := runner.Turn(ctx); fault.KindOf(err) == fault.Unavailable {
			time.Sleep(10 * time.Millisecond) // PostgreSQL is busy; a server tries again, too
			continue
		} else if err != nil {
			return err
		}
		list, err := s.Imports(ctx, of, org.Page{Size: 1, Number: 1})
		if err != nil {
			return err
		}
		j := list.Rows[0]
		if j.State != intake.Checked {
			fmt.Println("end", j.State, j.Counts[intake.Create])
			return nil
		}
		if _, err := s.RunImport(ctx, j.By, j.ID); err != nil {
			return err
		}
	}
}

// importFile writes a file with clients and returns its path. Every tenth row
// repeats the one before it.
func importFile(t testing.TB, format spreadsheet.Format, rows int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "clients")
	f, err := os.Create(path)
	ok(t, err)
	w := spreadsheet.NewWriter(f, format, spreadsheet.Sheet{})
	write := func(cells ...string) {
		var row []spreadsheet.Cell
		for _, text := range cells {
			row = append(row, spreadsheet.Text(text))
		}
		ok(t, w.Write(row...))
	}
	write("buyer_name", "business_type", "industry", "street", "city", "province_state")
	for n := range rows {
		if n%10 == 9 {
			n--
		}
		write(fmt.Sprintf("شركة رقم %d", n), "B2C", "OTHER", fmt.Sprintf("King Road %d", n), "Riyadh", "Riyadh")
	}
	ok(t, w.Close())
	ok(t, f.Close())
	return path
}

// importing adds an import of a file with the given number of rows.
func (s *fixture) importing(format spreadsheet.Format, rows int) {
	s.t.Helper()
	by := s.by
	by.ID = s.person()
	j := sampleImport(s.config.NewID())
	j.File, j.Total = importFile(s.t, format, rows), rows
	ok(s.t, s.AddImport(s.ctx, by, j))
}

// An import that is killed again and again creates every client once.
func TestKilledWhileImporting(t *testing.T) {
	t.Parallel()
	rows := testtool.Scale(900, 3_000, 3_000)
	storetest.Each(t, func(t *testing.T, c store.Config) {
		s := open(t, c)
		s.importing(spreadsheet.CSV, rows)
		of := s.by.Tenant.ID().String()
		s.Close() // only one server can be open
		kills := testtool.Scale(2, 5, 12)
		for round := range kills {
			p := start(t, "import", s.config, of, strconv.Itoa(60*round))
			for range 1 + round*5%6 {
				p.line()
			}
			if err := p.run.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			says(t, p.end(), "signal: killed")
		}
		last := start(t, "import", s.config, of, strconv.Itoa(60*kills))
		lines := last.rest()
		ok(t, last.end())
		same(t, fmt.Sprint("end done ", rows*9/10))(lines[len(lines)-1], nil)
		s.Store = storetest.Open(t, c)
		same(t, rows*9/10)(s.count(`SELECT count(*) FROM client`), nil)
		same(t, rows*9/10)(s.count(`SELECT count(DISTINCT name) FROM client`), nil)
		same(t, rows*9/10)(s.count(`SELECT count(*) FROM event WHERE action = 'client.create'`), nil)
		same(t, rows)(s.count(`SELECT count(*) FROM import_row`), nil)
		same(t, rows/10)(s.count(`SELECT count(*) FROM import_row WHERE fate = 'repeated'`), nil)
		s.tallied()
	})
}

// heapGrowth is the maximum difference of the memory in use between two steps, in KiB.
const heapGrowth = 512

// The memory of an import does not grow with the number of rows: what is in use on the
// Go heap is the same at every step, and the page caches of SQLite are limited.
func TestImportOfManyRowsNeedsLittleMemory(t *testing.T) {
	if !testtool.All() {
		t.Skip("runs with make check; package spreadsheet tests its memory in every run")
	}
	rows := testtool.Count(4_000, intake.MaxRows)
	for _, format := range []spreadsheet.Format{spreadsheet.XLSX, spreadsheet.CSV} {
		t.Run(format.String(), func(t *testing.T) {
			s := open(t, storetest.SQLite(t))
			s.importing(format, rows)
			of := s.by.Tenant.ID().String()
			s.Close()
			begun := time.Now()
			p := start(t, "import", s.config, of, "0")
			first, peak, checked := 0, 0, time.Time{}
			least, most := math.MaxInt, 0 // of the Go heap
			for {
				fields := strings.Fields(p.line())
				if fields[0] == "end" {
					same(t, fmt.Sprint("done ", rows*9/10))(fields[1]+" "+fields[2], nil)
					break
				}
				used, err := strconv.Atoi(fields[2])
				ok(t, err)
				if first == 0 {
					first = used
				}
				peak = max(peak, used)
				heap, err := strconv.Atoi(fields[3])
				ok(t, err)
				least, most = min(least, heap), max(most, heap)
				if fields[0] == "checked" {
					checked = time.Now()
				}
			}
			ok(t, p.end())
			t.Logf("%d rows as %s: checked in %.1fs, imported in %.1fs; memory %d MiB after the first step, %d MiB at most; Go heap %d to %d KiB",
				rows, format, checked.Sub(begun).Seconds(), time.Since(checked).Seconds(), first>>10, peak>>10, least, most)
			if most-least > heapGrowth {
				t.Errorf("the Go heap has %d to %d KiB in use, want at most %d KiB more", least, most, heapGrowth)
			}
			if peak-first > 100<<10 {
				t.Errorf("the memory grew from %d to %d KiB, want at most 100 MiB more", first, peak)
			}
		})
	}
}
