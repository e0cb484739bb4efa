package admin

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"khatm/audit"
	"khatm/service/internal/archive"
	"khatm/service/internal/backup"
	"khatm/service/internal/blob"
	"khatm/service/internal/continuity"
	"khatm/service/internal/store"
	"khatm/service/internal/vault"
)

// BackupManifest describes a backup.
type BackupManifest = backup.Manifest

// BackupProgress receives the progress of a backup or a restore.
type BackupProgress = backup.Progress

// Backup writes the installation to a file and verifies the file. A server may be
// running. Program is the version of this program.
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
	case c.Database != "": // servers on PostgreSQL also store files in a data folder
		return m, fmt.Errorf("%s has no files of a server: the backup would lack pictures and the head of the audit trail; give the server's data folder with --data", full(c.Data))
	}
	return backup.Make(ctx, backup.Config{
		Store: kept, Files: files, Database: c.Database, Data: c.Data, Program: program, Now: c.Now, Progress: progress,
		Pace: backup.Gentle(c.Now),
	}, file)
}

// keptFiles opens the files of the installation. It returns nil if no server has
// stored files in the data folder.
func (c Config) keptFiles() (*blob.Disk, error) {
	_, err := os.Stat(filepath.Join(c.Data, "files"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // nil means that there are no files
	}
	if err != nil {
		return nil, err
	}
	return c.files()
}

// KeyPlace describes where the master keys are, for messages.
func (c Config) KeyPlace() string {
	if !c.MasterKey.IsZero() {
		return "the environment variable KHATM_MASTER_KEY"
	}
	return full(c.keyFile())
}

// Restored is the result of Restore.
type Restored struct {
	Manifest BackupManifest
	Upgrade  Upgrade
	Checked  Checked       // documents that had no digests
	KeyError error         // why the master key cannot be used; nil if it can, or if none is needed
	Report   *audit.Report // of the restored data; without the master key it leaves out the head of the trail
	Notes    []string      // further messages for the operator
	Archive  string        // location of the archive when the backup was made; empty if there was none
	Blob     string        // location of uploaded files; empty for the data folder
	Wait     bool          // servers used --archive-wait, which a folder does not need
}

// Restore restores a backup into an empty data folder or database, upgrades its
// tables to the version of this program, computes the digests of documents that
// have none, and audits the result.
func Restore(ctx context.Context, c Config, file string, progress BackupProgress, p Proof) (r Restored, err error) {
	r.Manifest, err = backup.Restore(ctx, file, backup.Target{
		Data: c.Data, Database: c.Database, Progress: progress, Pace: backup.Pace{Now: c.Now},
	})
	if err != nil {
		return r, err
	}
	if err := r.complete(ctx, c, p); err != nil {
		return r, fmt.Errorf("the backup was restored into %s, but %w; run khatm audit and khatm recover before you start the server", c.place(), err)
	}
	return r, nil
}

// place describes where the installation is, without a database password.
func (c Config) place() string {
	if c.Database != "" {
		return "the database, and " + full(c.Data)
	}
	return full(c.Data)
}

// complete upgrades, checks and audits the restored data.
func (r *Restored) complete(ctx context.Context, c Config, p Proof) (err error) {
	// No copy is needed before the upgrade, because there is the backup.
	if r.Upgrade, err = store.Upgrade(ctx, c.store(), Precaution{None: true}); err != nil {
		return fmt.Errorf("the database cannot be upgraded (khatm migrate tries again): %w", err)
	}
	// Stop issuing, if necessary, before the long steps below, which may be
	// interrupted.
	if r.Notes, err = c.judgeRestored(ctx); err != nil {
		return fmt.Errorf("it could not be compared with the marks: %w", err)
	}
	if r.Checked, err = DigestDocuments(ctx, c, func(done, total int) {
		if p.Progress != nil {
			p.Progress(int64(done), int64(total))
		}
	}); err != nil {
		return fmt.Errorf("its documents cannot be verified (khatm migrate continues): %w", err)
	}
	a, err := Open(ctx, c)
	if err != nil {
		return fmt.Errorf("it cannot be opened: %w", err)
	}
	defer a.Close()
	if err := r.archive(ctx, a.store); err != nil {
		return err
	}
	if err := r.uploads(ctx, c, a.store); err != nil {
		return err
	}
	if r.Manifest.MasterKey != "" {
		_, r.KeyError = vault.LoadFor(ctx, c.vault(), a.store)
	}
	p.NoHead = r.KeyError != nil
	if r.Report, err = a.Audit(ctx, p); err != nil {
		return fmt.Errorf("it could not be audited: %w", err)
	}
	return nil
}

// archive reads which archive the database had.
func (r *Restored) archive(ctx context.Context, s *store.Store) error {
	use, err := s.ArchiveUse(ctx)
	if err != nil || use.Location == "" {
		return err
	}
	_, since, err := s.ArchiveNote(ctx)
	r.Archive, r.Wait = use.Location, !since.IsZero() && archive.IsBucket(use.Location)
	return err
}

// uploads determines where servers must look for uploaded files.
func (r *Restored) uploads(ctx context.Context, c Config, s *store.Store) error {
	stored, err := s.HasFiles(ctx)
	if r.Blob = c.Blob; r.Blob == "" && stored {
		r.Blob = blob.Postgres
	}
	return err
}

// judgeRestored stops issuing unless the restored database is known to have every
// issued document, and returns what the operator must do then. In any case it
// marks documents without an answer, because they may have been sent after the
// backup was made.
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
		reason = "the backup was made before Khatm recorded which database it works on, so it may lack invoices that were issued later"
	}
	if reason != "" {
		notes = []string{"Issuing is stopped: " + reason + ". khatm recover shows what to do."}
		if err := kept.StopIssuing(ctx, reason); err != nil {
			return nil, err
		}
	}
	return notes, kept.DoubtUnanswered(ctx)
}
