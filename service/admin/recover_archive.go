package admin

import (
	"context"
	"fmt"
	"log/slog"

	"khatm/service/internal/archive"
	"khatm/service/internal/recovery"
)

// ArchiveRecovery enters what the database lacks from its archive.
type ArchiveRecovery struct {
	Location string   // of the archive, as for a server
	TakeOver bool     // even if another server may still be writing to it
	Marks    []string // folders of marks
	Log      *slog.Logger
}

// FromArchive is the result of RecoverFromArchive.
type FromArchive struct {
	Documents int     `json:"documents"` // that were missing
	Rows      int     `json:"rows"`      // other rows that were missing or changed
	Seconds   float64 `json:"seconds"`

	// Stopped is why issuing is still stopped: the archive does not prove that it has
	// every document. It is empty if issuing is not stopped.
	Stopped string `json:"stopped,omitempty"`

	// ReplacedBy is the location of the archive that has replaced this one and has later
	// documents.
	ReplacedBy string `json:"replaced_by,omitempty"`
}

// RecoverFromArchive enters the documents and changes that the archive has and the
// database lacks, and begins the next epoch of the archive, so that no server can
// write with another copy of the database any more. If issuing was stopped, it
// resumes if the archive proves that it has every document.
func (a *Admin) RecoverFromArchive(ctx context.Context, r ArchiveRecovery) (done FromArchive, err error) {
	location, err := recovery.Location(r.Location)
	if err != nil {
		return done, err
	}
	installation, err := a.store.Installation(ctx)
	if err != nil {
		return done, err
	}
	open, err := archive.Open(ctx, archive.Options{
		Location: r.Location, Server: "recover-" + a.config.NewID().String()[24:], Installation: installation.String(), Now: a.config.Now, Random: a.config.Random, Existing: true,
	})
	if err != nil {
		return done, err
	}
	defer func() { _ = open.Close() }()
	switch newest, err := open.Newest(ctx); {
	case err != nil:
		return done, err
	case newest.Number == 0:
		return done, recovery.ErrNoArchive
	}
	found, err := recovery.Connect(ctx, recovery.Options{
		Store: a.store, Archive: open, Location: location, Automatic: true, Replaces: true, TakeOver: r.TakeOver, Alone: a.config.Database == "", Now: a.config.Now, Log: r.Log,
	})
	if err != nil {
		return done, err
	}
	if err := a.store.RecordArchive(ctx, location, found.Epoch); err != nil {
		return done, fmt.Errorf("record the archive: %w", err)
	}
	done = FromArchive{Documents: found.Entered.Documents, Rows: found.Entered.Rows, Seconds: found.Took.Seconds()}
	last, err := open.LastNote(ctx)
	if err != nil {
		return done, err
	}
	done.ReplacedBy = last.ReplacedBy
	state, err := a.store.Continuity(ctx)
	if err != nil || !state.Stopped() {
		return done, err
	}
	if !last.Complete {
		done.Stopped = state.Reason
		return done, nil
	}
	_, err = a.Recover(ctx, Recovery{Marks: r.Marks, Complete: true})
	return done, err
}
