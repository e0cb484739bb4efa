package database

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Upgraded is the result of Upgrade.
type Upgraded struct {
	From, To int64
	Copy     string // path of the copy made before the upgrade; empty if there is none
}

// Precaution configures the copy of an SQLite database that is made before an
// upgrade.
type Precaution struct {
	Dir      string                  // folder of the copy; empty means the data folder
	None     bool                    // make no copy, because the caller has one
	Progress func(done, total int64) // called while copying, in bytes; may be nil
	Named    func(path string)       // called with the path of the copy before the tables change; may be nil
}

// Upgrade migrates the tables to the version of this program. Each migration is
// one transaction, so an interrupted upgrade continues after the last finished
// migration. The database must be open in mode Maintain. Upgrade fails if
// contents returns different values for the copy and for the database.
func (db *DB) Upgrade(ctx context.Context, p Precaution, contents func(Queryer) (any, error)) (u Upgraded, err error) {
	if u.From, err = db.Version(ctx); err != nil {
		return u, err
	}
	u.To = u.From
	want := versionOf(db.config.Migrations)
	if u.From > want {
		return u, db.CheckVersion(u.From)
	}
	if db.engine.Embedded && u.From > 0 && u.From < want && !p.None {
		if u.Copy, err = db.copyBefore(ctx, u.From, p, contents); err != nil {
			return u, fmt.Errorf("copy the database before the upgrade: %w; nothing was changed", err)
		}
	}
	if err := db.up(ctx); err != nil {
		return u, errors.Join(err, db.dropCopy(ctx, &u))
	}
	u.To, err = db.Version(ctx)
	return u, err
}

// dropCopy removes the copy if the upgrade has changed nothing, because the
// next attempt makes a new one.
func (db *DB) dropCopy(ctx context.Context, u *Upgraded) error {
	if u.Copy == "" {
		return nil
	}
	at, err := db.Version(context.WithoutCancel(ctx))
	if err != nil || at != u.From {
		return nil //nolint:nilerr // keep the copy: it may be needed
	}
	path := u.Copy
	u.Copy = ""
	return os.Remove(path)
}

// copyPrefix is the prefix of the names of copies made before an upgrade.
const copyPrefix = "before-upgrade-"

// copyBefore copies the database to before-upgrade-VERSION-TIME.db and verifies
// the copy. The caller must have exclusive use of the data folder.
func (db *DB) copyBefore(ctx context.Context, from int64, p Precaution, contents func(Queryer) (any, error)) (path string, err error) {
	if p.Dir == "" {
		p.Dir = db.config.Dir
	}
	name := fmt.Sprintf("%s%d-%s.db", copyPrefix, from, db.config.Now().UTC().Format("20060102T150405.000Z"))
	path = filepath.Join(p.Dir, name)
	if _, err := os.Lstat(path); err == nil {
		return "", fmt.Errorf("%s already exists", path)
	}
	if err := removePartial(p.Dir); err != nil {
		return "", err
	}
	file, err := os.CreateTemp(p.Dir, copyPrefix+"*.partial") // mode 0600
	if err != nil {
		return "", err
	}
	defer func() {
		if left := os.Remove(file.Name()); err != nil && !errors.Is(left, fs.ErrNotExist) {
			err = errors.Join(err, left)
		}
	}()
	err = db.writeCopy(ctx, file, p, contents)
	if err = errors.Join(err, file.Close()); err != nil {
		return "", err
	}
	if err := os.Rename(file.Name(), path); err != nil {
		return "", err
	}
	if err := syncFolder(p.Dir); err != nil {
		return "", errors.Join(err, os.Remove(path))
	}
	if p.Named != nil {
		p.Named(path)
	}
	return path, nil
}

// removePartial removes unfinished copies of upgrades that were killed.
func removePartial(dir string) error {
	left, err := filepath.Glob(filepath.Join(dir, copyPrefix+"*.partial"))
	for _, path := range left {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}

// writeCopy writes the database into file, syncs and verifies it.
func (db *DB) writeCopy(ctx context.Context, file *os.File, p Precaution, contents func(Queryer) (any, error)) error {
	return db.Snapshot(ctx, func(kept *Snapshot) error {
		holds, err := contents(kept)
		if err != nil {
			return Outage(err)
		}
		size, err := kept.Size(ctx)
		if err != nil {
			return err
		}
		if err := writePages(ctx, kept, file, size, p.Progress); err != nil {
			return err
		}
		return CheckCopy(ctx, file, size, func(from Queryer) error {
			copied, err := contents(from)
			if err == nil && copied != holds {
				err = fmt.Errorf("the copy contains %+v, the database %+v", copied, holds)
			}
			return err
		})
	})
}

func writePages(ctx context.Context, from *Snapshot, file *os.File, size int64, progress func(done, total int64)) error {
	out := bufio.NewWriterSize(file, 1<<20)
	written := int64(0)
	err := from.Pages(ctx, func(page []byte) error {
		n, err := out.Write(page)
		if written += int64(n); progress != nil {
			progress(written, size)
		}
		return err
	})
	if err == nil {
		err = out.Flush()
	}
	if err == nil && written != size {
		err = fmt.Errorf("read %d bytes of the database, want %d", written, size)
	}
	if err == nil {
		err = file.Sync()
	}
	return err
}

func syncFolder(dir string) error {
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
