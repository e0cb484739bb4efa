package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"khatm/service/internal/blob"
	"khatm/service/internal/database"
	"khatm/service/internal/store"
)

// Target is the destination of a restore.
type Target struct {
	Data     string // data folder; created if necessary
	Database string // address of an empty PostgreSQL database; empty means SQLite in Data
	Progress Progress
	Pace     Pace
}

// Restore verifies a backup, restores it into an empty target and verifies the
// result. If the manifest could be read, it is returned even with an error.
func Restore(ctx context.Context, path string, t Target) (m Manifest, err error) {
	file, err := os.Open(path)
	if err != nil {
		return m, fmt.Errorf("open the backup: %w", err)
	}
	defer func() { _ = file.Close() }() // read only
	info, err := file.Stat()
	if err != nil {
		return m, fmt.Errorf("open the backup: %w", err)
	}
	from, err := read(ctx, file, t.Pace, t.Progress.counter(Verifying, info.Size()))
	if err != nil {
		return m, err
	}
	m = from.manifest
	if err := t.accepts(m); err != nil {
		return m, err
	}
	if err := t.emptyFolder(); err != nil {
		return m, err
	}
	release, err := t.claim(ctx)
	if err != nil {
		return m, err
	}
	defer release()
	if err := checkSpace(t.Data, info.Size()); err != nil {
		return m, err
	}
	return m, t.fill(ctx, from, t.Progress.counter(Restoring, info.Size()))
}

// accepts returns an error if a backup cannot be restored into the target.
func (t Target) accepts(m Manifest) error {
	switch {
	case m.Schema > store.SchemaVersion():
		return fmt.Errorf("the backup was made by a newer khatm (schema version %d, this program needs at most %d): use the newer program", m.Schema, store.SchemaVersion())
	case m.Engine == PostgreSQL && t.Database == "":
		return errors.New("the backup is of a PostgreSQL database: restore it into an empty one with --database")
	case m.Engine == SQLite && t.Database != "":
		return errors.New("the backup is of an SQLite database and cannot be restored into PostgreSQL: leave out --database (and KHATM_DATABASE)")
	}
	return nil
}

// claim checks that the target is empty and, for SQLite, locks it until release
// is called.
func (t Target) claim(ctx context.Context) (release func(), err error) {
	if t.Database != "" {
		if _, err := database.EmptyPostgres(ctx, t.Database); err != nil {
			return nil, err
		}
		if err := os.MkdirAll(t.Data, 0o700); err != nil {
			return nil, fmt.Errorf("create the data folder: %w", err)
		}
		return func() {}, nil
	}
	if release, err = database.Claim(t.Data); err != nil {
		return nil, err
	}
	if err := t.emptyFolder(); err != nil { // a server may have been started in it meanwhile
		release()
		return nil, err
	}
	return release, nil
}

// harmless reports whether an entry of the data folder may exist before a
// restore: the master key, locks and the state of the simulator.
func harmless(name string) bool {
	return name == "master.key" || name == "authority" || strings.HasSuffix(name, ".lock") || name == restoring
}

// restoring is the name of the database file while it is being written.
const restoring = store.DatabaseFile + ".restoring"

// filesFolder is the name of the files folder in the data folder.
const filesFolder = "files"

// emptyFolder returns an error if the data folder contains anything that could
// be lost.
func (t Target) emptyFolder() error {
	entries, err := os.ReadDir(t.Data)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the data folder: %w", err)
	}
	for _, e := range entries {
		if harmless(e.Name()) {
			continue
		}
		if e.Name() == filesFolder && emptyTree(filepath.Join(t.Data, filesFolder)) {
			continue
		}
		return fmt.Errorf("%s is not empty (it contains %s): use another folder with --data, or move this one away", t.Data, e.Name())
	}
	return nil
}

// emptyTree reports whether a folder and its subfolders contain no files,
// except the store's own.
func emptyTree(dir string) bool {
	empty := true
	err := filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && !strings.HasPrefix(entry.Name(), "~") {
			empty = false
		}
		return err
	})
	return empty && err == nil
}

// fill writes the files first and the database last, because the folder is an
// installation only when it has a database.
func (t Target) fill(ctx context.Context, from *contents, seen func(n int)) error {
	files := filepath.Join(t.Data, filesFolder)
	err := t.fillFiles(ctx, from, seen)
	if err == nil && t.Database != "" {
		err = t.fillPostgres(ctx, from, seen)
	} else if err == nil {
		err = t.fillSQLite(ctx, from, seen)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(files)) // it was empty before
	}
	return nil
}

func (t Target) fillFiles(ctx context.Context, from *contents, seen func(n int)) (err error) {
	disk, err := blob.OpenDisk(filepath.Join(t.Data, filesFolder))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, disk.Close()) }()
	for _, e := range from.manifest.Entries {
		key, is := strings.CutPrefix(e.Name, filesPrefix)
		if !is {
			continue
		}
		in := &counted{in: from.entry(e), pace: newPacer(ctx, t.Pace), seen: seen}
		if _, err := disk.Put(ctx, key, in, e.Size); err != nil {
			return err
		}
		written, _, err := disk.Open(ctx, key)
		if err != nil {
			return err
		}
		if err := errors.Join(hasDigest(written, e), written.Close()); err != nil {
			return err
		}
	}
	return nil
}

func (t Target) fillSQLite(ctx context.Context, from *contents, seen func(n int)) (err error) {
	e := from.databaseEntry()
	file, err := os.OpenFile(filepath.Join(t.Data, restoring), os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("restore the database: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	_, err = io.Copy(file, &counted{in: from.entry(e), pace: newPacer(ctx, t.Pace), seen: seen})
	if err == nil {
		err = file.Sync()
	}
	if err == nil {
		err = hasDigest(io.NewSectionReader(file, 0, e.Size), e)
	}
	if err == nil {
		err = checkRestored(ctx, file, e, from.manifest)
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("restore the database: %w", err)
	}
	if err := os.Rename(file.Name(), filepath.Join(t.Data, store.DatabaseFile)); err != nil {
		return fmt.Errorf("restore the database: %w", err)
	}
	return syncFolder(t.Data)
}

// checkRestored verifies the structure of the restored database and compares
// its contents with the manifest.
func checkRestored(ctx context.Context, file *os.File, e Entry, m Manifest) error {
	holds, err := store.CheckCopy(ctx, file, e.Size)
	if err == nil {
		err = m.describes(holds)
	}
	return err
}

func (t Target) fillPostgres(ctx context.Context, from *contents, seen func(n int)) error {
	version, err := database.EmptyPostgres(ctx, t.Database)
	if err != nil {
		return err
	}
	e := from.databaseEntry()
	in := &counted{in: from.entry(e), pace: newPacer(ctx, t.Pace), seen: seen}
	if err := load(ctx, t.Database, version, in); err != nil {
		return fmt.Errorf("restore the database: %w", err)
	}
	holds, err := store.ContentsAt(ctx, store.Config{URL: t.Database})
	if err == nil {
		err = from.manifest.describes(holds)
	}
	if err != nil {
		return fmt.Errorf("read back the database: %w", err)
	}
	return nil
}

// hasDigest returns an error if the size or the digest of in differs from e.
func hasDigest(in io.Reader, e Entry) error {
	hash := sha256.New()
	size, err := io.Copy(hash, in)
	if err != nil {
		return fmt.Errorf("read back %s: %w", e.Name, err)
	}
	if got := hex.EncodeToString(hash.Sum(nil)); size != e.Size || got != e.SHA256 {
		return fmt.Errorf("read back %s: %d bytes with digest %.16s…, want %d and %.16s…", e.Name, size, got, e.Size, e.SHA256)
	}
	return nil
}
