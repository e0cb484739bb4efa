package intake

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/capacity"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// Keeper stores jobs.
type Keeper interface {
	ClaimImport(ctx context.Context, now time.Time) (j Job, found bool, err error)
	ImportsWaiting(ctx context.Context, now time.Time) (int, error)
	// StepImport processes the next rows of a job that was claimed and returns the
	// job after it. It returns ErrTaken if the job is no longer this server's.
	StepImport(ctx context.Context, j Job, rows []Row) (Job, error)
	ReleaseImport(ctx context.Context, j Job) error
	FailImport(ctx context.Context, j Job, why fault.Code) error
	UnusedImportFiles(ctx context.Context, now time.Time) ([]Job, error)
	ImportFileRemoved(ctx context.Context, of org.Tenant, id uuid.UUID) error
}

// Files stores the files.
type Files interface {
	// OpenFile returns a file and its size, or a NotFound fault.
	OpenFile(ctx context.Context, key string) (File, int64, error)
	Remove(ctx context.Context, key string) error
}

// File is an open file.
type File interface {
	io.ReaderAt
	io.Closer
}

// Config configures a Runner.
type Config struct {
	Keeper   Keeper
	Files    Files
	Capacity *capacity.Limits // may be nil
	Now      func() time.Time
	Log      *slog.Logger
}

// Runner processes jobs in the background, one at a time.
type Runner struct{ Config }

// NewRunner returns a runner.
func NewRunner(c Config) *Runner { return &Runner{c} }

// slice is how long a job is processed while others wait.
const slice = time.Second

// stepMemory is what the rows of a step need, in bytes.
const stepMemory = 4 << 20

// patience is how long a job waits until its organisation may compute. Then the
// jobs of others have their turn.
const patience = 2 * time.Second

// errBusy is returned if the organisation of a job may not compute at the moment.
var errBusy = errors.New("the organisation of the import has other work")

// Turn processes jobs until no more wait or the organisations of all have other
// work, and removes files that are no longer needed.
func (r *Runner) Turn(ctx context.Context) error {
	busy := map[uuid.UUID]bool{} // jobs that could not continue since another one did
	for ctx.Err() == nil {
		j, found, err := r.Keeper.ClaimImport(ctx, r.Now())
		if err != nil {
			return err
		}
		if !found {
			break
		}
		err = r.process(ctx, j)
		switch {
		case err == nil:
			clear(busy)
		case !errors.Is(err, errBusy):
			return fmt.Errorf("import %s: %w", j.ID, err)
		case busy[j.ID]:
			return r.sweep(ctx)
		default:
			busy[j.ID] = true
		}
	}
	return r.sweep(ctx)
}

func (r *Runner) sweep(ctx context.Context) error {
	unused, err := r.Keeper.UnusedImportFiles(ctx, r.Now())
	for _, j := range unused {
		if err == nil {
			err = r.Files.Remove(ctx, j.File)
		}
		if err == nil {
			err = r.Keeper.ImportFileRemoved(ctx, j.By.Tenant, j.ID)
		}
	}
	return err
}

// process processes a job until it ends, or until others should have their turn. It
// returns errBusy if it did not begin or complete a step for lack of capacity.
func (r *Runner) process(ctx context.Context, j Job) error {
	ctx = capacity.WithOrganisation(ctx, j.By.Tenant.ID())
	err := r.steps(ctx, j)
	if capacity.IsBusy(err) {
		err = errBusy
	}
	var refused *fault.Error
	switch {
	case err == nil, errors.Is(err, ErrTaken):
		return nil
	case errors.As(err, &refused) && fails[refused.Code()]:
		r.Log.Warn("an import failed", "import", j.ID.String(), "cause", err.Error())
		return r.Keeper.FailImport(ctx, j, refused.Code())
	}
	if ctx.Err() != nil { // the server stops; another one or the next start continues
		ctx = context.WithoutCancel(ctx)
	}
	if released := r.Keeper.ReleaseImport(ctx, j); released != nil {
		return errors.Join(released, err)
	}
	return err
}

// begin waits a short time until the organisation of a job may compute.
func (r *Runner) begin(ctx context.Context, bytes int64) (*capacity.Job, error) {
	short, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	work, err := r.Capacity.Process(short, bytes)
	if err != nil && ctx.Err() == nil && short.Err() != nil {
		return nil, errBusy
	}
	return work, err
}

// fails are the errors after which a job cannot continue.
var fails = map[fault.Code]bool{
	fault.ImportLost: true, fault.ImportUnreadable: true, fault.ImportTooManyRows: true, fault.ImportUnpacked: true, fault.ImportEmpty: true, fault.ImportColumns: true,
}

func (r *Runner) steps(ctx context.Context, j Job) error {
	file, size, err := r.Files.OpenFile(ctx, j.File)
	if fault.KindOf(err) == fault.NotFound {
		return fault.New(fault.ImportLost, "The file of the import does not exist.")
	}
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	table, err := r.open(ctx, j, file, size)
	if err != nil {
		return err
	}
	for until := r.Now().Add(slice); j.State.Active(); {
		if err := ctx.Err(); err != nil {
			return err
		}
		if j, err = r.step(ctx, j, table); err != nil {
			return err
		}
		if !j.State.Active() || r.Now().Before(until) {
			continue
		}
		until = r.Now().Add(slice)
		waiting, err := r.Keeper.ImportsWaiting(ctx, r.Now())
		if err != nil {
			return err
		}
		if waiting > 0 {
			return r.Keeper.ReleaseImport(ctx, j)
		}
	}
	return nil
}

// open opens the file of a job and skips the rows that are done.
func (r *Runner) open(ctx context.Context, j Job, file File, size int64) (*Table, error) {
	work, err := r.begin(ctx, Memory)
	if err != nil {
		return nil, err
	}
	defer work.End()
	table, err := Open(file, size, j.Kind, j.Options)
	for n := 0; err == nil && n < j.Done; n++ {
		_, err = table.Next()
	}
	return table, err
}

// step processes the next rows. It waits until the organisation may compute, so
// that others have their turn between steps.
func (r *Runner) step(ctx context.Context, j Job, table *Table) (Job, error) {
	work, err := r.begin(ctx, stepMemory)
	if err != nil {
		return j, err
	}
	defer work.End()
	rows := make([]Row, 0, Batch)
	for len(rows) < Batch && j.Done+len(rows) < j.Total {
		row, err := table.Next()
		if errors.Is(err, io.EOF) {
			return j, fault.New(fault.ImportUnreadable, "The file has fewer rows than when it was uploaded.")
		}
		if err != nil {
			return j, err
		}
		rows = append(rows, row)
	}
	return r.Keeper.StepImport(ctx, j, rows)
}
