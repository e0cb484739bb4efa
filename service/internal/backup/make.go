package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"khatm/service/internal/blob"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
)

// Config configures a backup.
type Config struct {
	Store     *store.Store
	Files     *blob.Disk // nil if the installation has no files
	Database  string     // address of PostgreSQL; empty means SQLite
	Data      string     // folder of the SQLite database; its disk must not fill up while the write-ahead log grows
	Program   string     // version of this program
	Scheduled bool       // made by the server, not by an operator
	Pace      Pace
	Now       func() time.Time
	Progress  Progress // may be nil
}

// Progress is called while a backup is made or restored, with numbers of bytes.
// A total of 0 means that the total is not known.
type Progress func(step string, done, total int64)

// The steps passed to Progress.
const (
	Copying   = "copying"
	Verifying = "verifying"
	Restoring = "restoring"
)

// counter returns a function that adds n bytes to the progress of a step.
func (p Progress) counter(step string, total int64) func(n int) {
	done := int64(0)
	return func(n int) {
		if done += int64(n); p != nil {
			p(step, done, total)
		}
	}
}

// Make writes a backup to path, which must not exist, verifies it and returns
// its manifest. If it fails, it leaves nothing at path.
func Make(ctx context.Context, c Config, path string) (m Manifest, err error) {
	if err := free(path); err != nil {
		return m, err
	}
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+partial) // mode 0600
	if err != nil {
		return m, fmt.Errorf("write a backup: %w", err)
	}
	defer func() {
		if left := os.Remove(file.Name()); err != nil && !errors.Is(left, fs.ErrNotExist) {
			err = errors.Join(err, left)
		}
	}()
	m, err = c.write(ctx, file)
	if err == nil {
		err = c.verify(ctx, file, m)
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return m, err
	}
	return m, place(file.Name(), path)
}

// free returns an error if path exists or cannot be checked.
func free(path string) error {
	switch _, err := os.Lstat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("write a backup: %w", err)
	}
	return taken(path)
}

func taken(path string) error {
	return fmt.Errorf("%s already exists: use another file name, or move the file away", path)
}

// partial is appended to the name of an unfinished backup.
const partial = ".partial-*"

// write writes the backup into file and syncs it.
func (c Config) write(ctx context.Context, file *os.File) (m Manifest, err error) {
	m = Manifest{Format: format, Program: c.Program, CreatedAt: c.Now().UTC(), Scheduled: c.Scheduled, Engine: SQLite}
	if c.Database != "" {
		m.Engine = PostgreSQL
	}
	if c.Files != nil {
		release, err := c.Files.Hold(ctx)
		if err != nil {
			return m, err
		}
		defer release()
	}
	// The head of the audit trail is read before the database, whose trail must
	// not be shorter. All other files are read after the snapshot of the
	// database was taken, because a file exists before a row refers to it.
	head, err := c.trailHead(ctx)
	if err != nil {
		return m, err
	}
	err = c.Store.Snapshot(ctx, func(kept *store.Snapshot) error {
		holds, err := kept.Contents(ctx)
		if err != nil {
			return err
		}
		m.describe(holds)
		size := int64(0)
		if m.Engine == SQLite {
			if size, err = kept.Size(ctx); err != nil {
				return err
			}
		}
		if err := checkSpace(filepath.Dir(file.Name()), size); err != nil {
			return err
		}
		w := newWriter(ctx, file, c.Pace, m.CreatedAt, c.Progress.counter(Copying, size))
		if m.Engine == SQLite && c.Data != "" {
			w.out.disks = append(w.out.disks, c.Data)
		}
		if err := c.addFiles(ctx, w, head); err != nil {
			return err
		}
		m.Counts.Files = len(w.entries)
		if err := w.add(m.database(), c.database(ctx, kept)); err != nil {
			return err
		}
		return w.finish(&m)
	})
	return m, err
}

// database returns a function that writes the database as of the snapshot.
func (c Config) database(ctx context.Context, kept *store.Snapshot) func(io.Writer) error {
	if c.Database != "" {
		return func(out io.Writer) error { return dump(ctx, c.Store, kept, c.Database, out) }
	}
	return func(out io.Writer) error {
		return kept.Pages(ctx, func(page []byte) error {
			_, err := out.Write(page)
			return err
		})
	}
}

// drawn is the folder of files that are generated again when they are missing.
const drawn = "pdf"

// trailFolder is the folder that contains the head of the audit trail.
var trailFolder = filepath.Dir(org.TrailHeadFile)

// addFiles writes the files of the installation.
func (c Config) addFiles(ctx context.Context, w *writer, head []byte) error {
	if c.Files == nil {
		return nil
	}
	if head != nil {
		err := w.add(filesPrefix+org.TrailHeadFile, func(out io.Writer) error {
			_, err := out.Write(head)
			return err
		})
		if err != nil {
			return err
		}
	}
	keys, err := c.Files.List(ctx, drawn, trailFolder)
	if err != nil {
		return err
	}
	for _, key := range keys {
		file, _, err := c.Files.Open(ctx, key)
		if fault.KindOf(err) == fault.NotFound {
			continue // removed after it was listed
		}
		if err != nil {
			return err
		}
		err = w.add(filesPrefix+key, func(out io.Writer) error {
			_, err := io.Copy(out, file)
			return err
		})
		if err = errors.Join(err, file.Close()); err != nil {
			return err
		}
	}
	return nil
}

// maxHead is an upper limit for the size of the audit trail's head.
const maxHead = 4 << 10

// trailHead returns the head of the audit trail, or nil if there is none.
func (c Config) trailHead(ctx context.Context) ([]byte, error) {
	if c.Files == nil {
		return nil, nil
	}
	file, _, err := c.Files.Open(ctx, org.TrailHeadFile)
	if fault.KindOf(err) == fault.NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var head bytes.Buffer
	_, err = io.Copy(&head, io.LimitReader(file, maxHead))
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, fmt.Errorf("read the head of the audit trail: %w", err)
	}
	return head.Bytes(), nil
}

// place moves a finished file to path, or returns an error if path exists. If
// the folder cannot be synced, it removes path again.
func place(from, path string) error {
	err := os.Link(from, path)
	if errors.Is(err, fs.ErrExist) {
		return taken(path)
	}
	if err != nil { // the file system has no hard links
		if err := free(path); err != nil {
			return err
		}
		if err := os.Rename(from, path); err != nil {
			return fmt.Errorf("write a backup: %w", err)
		}
	}
	if err := syncFolder(filepath.Dir(path)); err != nil {
		return errors.Join(fmt.Errorf("write a backup: %w", err), os.Remove(path))
	}
	return nil
}

func syncFolder(dir string) error {
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
