package store_test

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/capacity"
	"khatm/service/internal/fault"
	"khatm/service/internal/intake"
	"khatm/service/internal/org"
	"khatm/service/internal/store/storetest"
	"khatm/spreadsheet"
)

// importedFile is the file of sampleImport.
const importedFile = "buyer_name,business_type,industry,street,province_state\nFirst,B2C,OTHER,King Road,Riyadh\nSecond,B2C,OTHER,King Road,\n"

func sampleImport(id uuid.UUID) intake.Job {
	return intake.Job{ID: id, Kind: intake.Clients, State: intake.Checking, Filename: "clients.csv", File: "org/x/import/1", Total: 2, Created: instantOf(9), Changed: instantOf(9)}
}

// wrongImports are rows of imports that the tables must refuse.
var wrongImports = map[string][][]any{
	"import_job": {
		{"org_id", unknownID}, {"id", "short"}, {"kind", "kings"}, {"state", "asleep"}, {"options", "{"}, {"total", 0}, {"done", -1}, {"done", 3}, {"counts", "{"},
		{"problem", "x"}, {"state", "failed"}, {"person_id", unknownID}, {"turn", -1},
	},
	"import_row": {
		{"org_id", unknownID}, {"import_id", unknownID}, {"number", 0}, {"fate", "lost"}, {"record_id", "short"}, {"first", 1}, {"fate", "repeated"}, {"problems", "["},
		{"identity", []byte("short")}, {"code", []byte("short")},
	},
}

// rowsOfFile returns the rows of a file.
func rowsOfFile(t testing.TB, kind intake.Kind, file string) []intake.Row {
	t.Helper()
	table, err := intake.Open(strings.NewReader(file), int64(len(file)), kind, intake.Options{})
	ok(t, err)
	var rows []intake.Row
	for {
		row, err := table.Next()
		if err != nil {
			return rows
		}
		rows = append(rows, row)
	}
}

func TestImportIsTakenByOneServer(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		by := s.by
		by.ID = s.person()
		j := sampleImport(s.config.NewID())
		ok(t, s.AddImport(s.ctx, by, j))
		now := s.config.Now()
		first, found, err := s.ClaimImport(s.ctx, now)
		if err != nil || !found {
			t.Fatalf("ClaimImport = %v, %v, want the import", found, err)
		}
		if _, found, err := s.ClaimImport(s.ctx, now); found || err != nil {
			t.Errorf("an import that is taken was taken again: %v, %v", found, err)
		}
		// After its lease another server takes it. The first one can no longer write.
		second, found, err := s.ClaimImport(s.ctx, now.Add(intake.Lease+time.Second))
		if err != nil || !found || second.Turn != first.Turn+1 {
			t.Fatalf("ClaimImport after the lease = %v, %v, %v, want the import", second.Turn, found, err)
		}
		rows := rowsOfFile(t, intake.Clients, importedFile)
		before := s.contents()
		if _, err := s.StepImport(s.ctx, first, rows); !errors.Is(err, intake.ErrTaken) {
			t.Errorf("step of the first server: %v, want ErrTaken", err)
		}
		same(t, before)(s.contents(), nil)
		checked, err := s.StepImport(s.ctx, second, rows)
		same(t, intake.Checked)(checked.State, err)
		if _, err := s.StepImport(s.ctx, second, rows); !errors.Is(err, intake.ErrTaken) {
			t.Errorf("the same step again: %v, want ErrTaken", err)
		}
		same(t, 0)(s.count(`SELECT count(*) FROM client`), nil)
		_, err = s.RunImport(s.ctx, by, j.ID)
		ok(t, err)
		running, _, err := s.ClaimImport(s.ctx, now)
		ok(t, err)
		done, err := s.StepImport(s.ctx, running, rows)
		same(t, intake.Done)(done.State, err)
		same(t, map[intake.Fate]int{intake.Create: 1, intake.Refused: 1})(done.Counts, nil)
		same(t, 1)(s.count(`SELECT count(*) FROM client`), nil)
		same(t, 1)(s.count(`SELECT count(*) FROM event WHERE action = 'client.create'`), nil)
		s.tallied()

		// The file is removed once, and the import is kept.
		unused, err := s.UnusedImportFiles(s.ctx, now)
		same(t, 1)(len(unused), err)
		ok(t, s.ImportFileRemoved(s.ctx, by.Tenant, j.ID))
		unused, err = s.UnusedImportFiles(s.ctx, now)
		same(t, 0)(len(unused), err)
	})
}

func TestImportsAreLimited(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		by := s.by
		by.ID = s.person()
		for range intake.MaxActive {
			ok(t, s.AddImport(s.ctx, by, sampleImport(s.config.NewID())))
		}
		err := s.AddImport(s.ctx, by, sampleImport(s.config.NewID()))
		same(t, fault.ImportTooMany)(fault.CodeOf(err), nil)

		// Only the last ones that have ended are kept.
		s.execute(`UPDATE import_job SET state = 'done', file = ''`)
		for range intake.MaxKept {
			ok(t, s.AddImport(s.ctx, by, sampleImport(s.config.NewID())))
			s.execute(`UPDATE import_job SET state = 'failed', problem = 'x', file = '' WHERE state = 'checking'`)
		}
		ok(t, s.AddImport(s.ctx, by, sampleImport(s.config.NewID())))
		same(t, intake.MaxKept+1)(s.count(`SELECT count(*) FROM import_job`), nil)

		// One that was checked long ago is cancelled.
		s.execute(fmt.Sprintf(`UPDATE import_job SET state = 'checked', changed_at = %d WHERE state = 'checking'`, s.config.Now().Add(-intake.Forget-time.Hour).UnixMilli()))
		unused, err := s.UnusedImportFiles(s.ctx, s.config.Now())
		same(t, 1)(len(unused), err)
		same(t, intake.Cancelled)(unused[0].State, nil)
	})
}

// person adds a person and returns the id.
func (s *fixture) person() uuid.UUID {
	s.t.Helper()
	p := samplePerson(s.config.NewID())
	ok(s.t, s.AddMember(s.ctx, s.by, p, "", "Admin"))
	return p.ID
}

// An import whose organisation has other work does not delay the imports of others,
// and continues later.
func TestImportOfABusyOrganisation(t *testing.T) {
	t.Parallel()
	c := storetest.SQLite(t)
	var now atomic.Int64
	c.Now = func() time.Time { return instantOf(10).Add(time.Duration(now.Add(1)) * time.Millisecond) } // after sampleImport
	s := open(t, c)
	limits := &capacity.Limits{Work: capacity.NewPool(capacity.Bounds{Total: 2, Each: 1, Queue: 1, Wait: time.Millisecond})}
	runner := intake.NewRunner(intake.Config{Keeper: s.Store, Files: localFiles{}, Capacity: limits, Now: s.config.Now, Log: slog.New(slog.DiscardHandler)})
	s.importing(spreadsheet.CSV, 3)
	quiet := *s
	quiet.by = s.other
	quiet.importing(spreadsheet.CSV, 3)
	states := func() (all []intake.State) {
		for _, by := range []org.Actor{s.by, s.other} {
			list, err := s.Imports(s.ctx, by.Tenant, org.Page{Size: 1, Number: 1})
			ok(t, err)
			all = append(all, list.Rows[0].State)
		}
		return all
	}
	other, err := limits.Process(capacity.WithOrganisation(s.ctx, s.by.Tenant.ID()), 1)
	ok(t, err)
	ok(t, runner.Turn(s.ctx))
	if got, want := states(), []intake.State{intake.Checking, intake.Checked}; !slices.Equal(got, want) {
		t.Errorf("states %v while the first organisation has other work, want %v", got, want)
	}
	other.End()
	ok(t, runner.Turn(s.ctx))
	if got, want := states(), []intake.State{intake.Checked, intake.Checked}; !slices.Equal(got, want) {
		t.Errorf("states %v afterwards, want %v", got, want)
	}
}
