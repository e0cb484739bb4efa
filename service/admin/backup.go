package admin

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"khatm/audit"
	"khatm/service/internal/backup"
	"khatm/service/internal/blob"
	"khatm/service/internal/continuity"
	"khatm/service/internal/store"
	"khatm/service/internal/vault"
)

// BackupManifest describes a backup.
type BackupManifest = backup.Manifest

// BackupProgress is called while a backup is made or restored.
type BackupProgress = backup.Progress

// Backup writes the installation to a file, beside a running server or without
// one, and verifies it. Program is the version of this program.
func Backup(ctx context.Context, c Config, file, program string, progress BackupProgress) (m BackupManifest, err error) {
	if err := c.installed(); err != nil {
		return m, err
	}
	kept, err := store.ForBackup(ctx, c.store())
	if err != nil {
		return m, err
	}
	defer kept.Close()
	files, err := c.keptFiles()
	if err != nil {
		return m, err
	}
	switch {
	case files != nil:
		defer func() { err = errors.Join(err, files.Close()) }()
	case c.Database != "": // every server of the database keeps files
		return m, fmt.Errorf("no server has kept its files in %s: the backup would lack pictures and the end of the audit trail; name the server's data folder with --data", full(c.Data))
	}
	return backup.Make(ctx, backup.Config{
		Store: kept, Files: files, Database: c.Database, Data: c.Data, Program: program, Now: c.Now, Progress: progress,
		Pace: backup.Gentle(c.Now),
	}, file)
}

// keptFiles opens the files of the installation; nil if no server has kept one
// here yet.
func (c Config) keptFiles() (*blob.Disk, error) {
	_, err := os.Stat(filepath.Join(c.Data, "files"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // there are none
	}
	if err != nil {
		return nil, err
	}
	return c.files()
}

// KeyPlace says where the master keys of the installation are.
func (c Config) KeyPlace() string {
	if !c.MasterKey.IsZero() {
		return "the environment variable KHATM_MASTER_KEY"
	}
	return full(c.keyFile())
}

// Restored is what Restore found.
type Restored struct {
	Manifest BackupManifest
	Upgrade  Upgrade
	Checked  Checked       // documents from before documents had digests
	KeyError error         // why the master key could not be used; nil: it is here, or none is needed
	Report   *audit.Report // of what was restored; without the master key, the head of the trail is left out
	Notes    []string      // what else the operator must know
}

// Restore puts a backup into an empty data folder or database, brings its
// tables to the version of this program, gives digests to documents that have
// none, and proves what is there.
func Restore(ctx context.Context, c Config, file string, progress BackupProgress, p Proof) (r Restored, err error) {
	r.Manifest, err = backup.Restore(ctx, file, backup.Target{
		Data: c.Data, Database: c.Database, Progress: progress, Pace: backup.Pace{Now: c.Now},
	})
	if err != nil {
		return r, err
	}
	if err := r.complete(ctx, c, p); err != nil {
		return r, fmt.Errorf("the backup was restored into %s, but %w; run khatm audit, then khatm recover, before the server is started", c.place(), err)
	}
	return r, nil
}

// place names the database for the operator, without a password.
func (c Config) place() string {
	if c.Database != "" {
		return "the database, and " + full(c.Data)
	}
	return full(c.Data)
}

// complete makes of the restored data an installation of this version.
func (r *Restored) complete(ctx context.Context, c Config, p Proof) (err error) {
	// The backup is the copy that would be made here.
	if r.Upgrade, err = store.Upgrade(ctx, c.store(), Precaution{None: true}); err != nil {
		return fmt.Errorf("its tables cannot be brought to this version (khatm migrate tries again): %w", err)
	}
	// First of all: what follows takes long and may be interrupted.
	if r.Notes, err = c.judgeRestored(ctx); err != nil {
		return fmt.Errorf("it could not be compared with the marks: %w", err)
	}
	if r.Checked, err = DigestDocuments(ctx, c, func(done, total int) {
		if p.Progress != nil {
			p.Progress(int64(done), int64(total))
		}
	}); err != nil {
		return fmt.Errorf("its documents cannot be verified (khatm migrate goes on): %w", err)
	}
	a, err := Open(ctx, c)
	if err != nil {
		return fmt.Errorf("it cannot be opened: %w", err)
	}
	defer a.Close()
	if r.Manifest.MasterKey != "" {
		_, r.KeyError = vault.LoadFor(ctx, c.vault(), a.store)
	}
	p.NoHead = r.KeyError != nil
	if r.Report, err = a.Audit(ctx, p); err != nil {
		return fmt.Errorf("it could not be proved: %w", err)
	}
	return nil
}

// judgeRestored stops issuing unless the restored database is known to have
// every document that was issued, and returns what the operator must do then.
// Documents without an answer may have been sent since the backup in any case.
func (c Config) judgeRestored(ctx context.Context) (notes []string, err error) {
	kept, err := store.ForBackup(ctx, c.store()) // documents may have no digests yet
	if err != nil {
		return nil, err
	}
	defer kept.Close()
	a := &Admin{config: c, store: kept}
	var folders []string
	if c.Marks != "" {
		folders = append(folders, c.Marks)
	}
	marks, err := a.readMarks(ctx, folders)
	if err != nil {
		return nil, err
	}
	facts, books, err := continuity.Gather(ctx, kept, marks)
	if err != nil {
		return nil, err
	}
	reason := facts.Judge()
	if reason == "" && facts.State.Identity == nil && len(books) > 0 {
		reason = "the backup was made before Khatm recorded which database it works on, so invoices may have been issued that the backup does not hold"
	}
	if reason != "" {
		notes = []string{"Issuing is stopped: " + reason + ". khatm recover shows what to do."}
		if err := kept.StopIssuing(ctx, reason); err != nil {
			return nil, err
		}
	}
	return notes, kept.DoubtUnanswered(ctx)
}
