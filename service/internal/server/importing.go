package server

import (
	"bytes"
	"context"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/capacity"
	"khatm/service/internal/fault"
	"khatm/service/internal/intake"
	"khatm/service/internal/org"
)

// imports stores the imports of organisations, and their files.
type imports struct{ s *Server }

// Upload counts the rows of a file, stores it and begins to check it.
func (i imports) Upload(ctx context.Context, by org.Actor, j intake.Job, file []byte) (intake.Job, []string, error) {
	var unknown []string
	err := i.count(ctx, &j, file, &unknown)
	if err != nil {
		return j, nil, err
	}
	j.File = "org/" + by.Tenant.ID().String() + "/import/" + j.ID.String()
	stored := files{i.s.files}
	if err := stored.Keep(ctx, j.File, file); err != nil {
		return j, nil, err
	}
	if err := i.s.store.AddImport(ctx, by, j); err != nil {
		if removing := stored.Remove(context.WithoutCancel(ctx), j.File); removing != nil {
			i.s.config.Log.Warn("cannot remove a file that is not used", "file", j.File, "cause", removing.Error())
		}
		return j, nil, err
	}
	i.s.wakeImports()
	return j, unknown, nil
}

// count reads a file once, so that one that cannot be imported is refused at once.
func (i imports) count(ctx context.Context, j *intake.Job, file []byte, unknown *[]string) error {
	work, err := i.s.limits.Process(ctx, intake.Memory)
	if capacity.IsBusy(err) {
		return capacity.Busy(fault.UploadsBusy, "Too many files are being uploaded at the moment. Try again shortly.")
	}
	if err != nil {
		return err
	}
	defer work.End()
	table, err := intake.Open(bytes.NewReader(file), int64(len(file)), j.Kind, j.Options)
	if err != nil {
		return err
	}
	*unknown = table.Unknown()
	if j.Total, err = table.Count(); err == nil && j.Total == 0 {
		err = fault.New(fault.ImportEmpty, "The file has no rows below the headings.")
	}
	return err
}

// Import returns an import.
func (i imports) Import(ctx context.Context, of org.Tenant, id uuid.UUID) (intake.Job, error) {
	return i.s.store.Import(ctx, of, id)
}

// Imports returns a page of imports.
func (i imports) Imports(ctx context.Context, of org.Tenant, page org.Page) (org.List[intake.Job], error) {
	return i.s.store.Imports(ctx, of, page)
}

// ImportRows returns the fates of rows, in the order of the file.
func (i imports) ImportRows(ctx context.Context, of org.Tenant, id uuid.UUID, fate intake.Fate, after, most int) ([]intake.Result, error) {
	return i.s.store.ImportRows(ctx, of, id, fate, after, most)
}

// RunImport begins to run an import.
func (i imports) RunImport(ctx context.Context, by org.Actor, id uuid.UUID) (intake.Job, error) {
	j, err := i.s.store.RunImport(ctx, by, id)
	if err == nil {
		i.s.wakeImports()
	}
	return j, err
}

// CancelImport ends an import. What it has already imported remains.
func (i imports) CancelImport(ctx context.Context, by org.Actor, id uuid.UUID) (intake.Job, error) {
	return i.s.store.CancelImport(ctx, by, id)
}

// startImports starts the loop that checks and runs imports.
func (s *Server) startImports() {
	runner := intake.NewRunner(intake.Config{Keeper: s.store, Files: uploads{files{s.files}, s.files}, Capacity: s.limits, Now: s.config.Now, Log: s.config.Log})
	wake := s.loops.Start("import files", importEvery, runner.Turn)
	s.importing.Store(&wake)
}

// importEvery is how often a server looks for imports that another one has left.
const importEvery = 2 * time.Second

// wakeImports begins to process imports at once.
func (s *Server) wakeImports() {
	if wake := s.importing.Load(); wake != nil {
		(*wake)()
	}
}
