// Package blob keeps files: logos, pictures of items, drawn invoices. A file is
// there whole or not at all, also after a power cut. What is in a file, who may
// read it and which files there are it does not know: its users keep the keys.
package blob

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sync/atomic"
	"syscall"

	"github.com/gofrs/flock"

	"khatm/service/internal/fault"
)

// Names of the store's own. No key begins with such a letter.
const (
	lockName = "~lock"     // held shared by every process that has the store open
	incoming = "~incoming" // files while they are written
)

// Info tells of a file what was seen while it was written.
type Info struct {
	Size   int64
	SHA256 [sha256.Size]byte
}

// Disk keeps files in a folder. It is safe for concurrent use, also by several
// processes. A key and a longer one that goes on from it with a slash cannot
// both be there.
type Disk struct {
	root *os.Root
	lock *flock.Flock
	last atomic.Uint64 // of the names under incoming
}

// OpenDisk opens the store in a folder, which is made if it is not there; the
// folder above must be. What killed processes left half-written is removed,
// unless another process has the store open and may be writing it.
func OpenDisk(dir string) (*Disk, error) {
	if err := makeFolder(dir); err != nil {
		return nil, fmt.Errorf("open files: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open files: %w", err)
	}
	d := &Disk{root: root, lock: flock.New(filepath.Join(dir, lockName))}
	if err := d.begin(); err != nil {
		return nil, fmt.Errorf("open files in %s: %w", dir, errors.Join(err, d.Close()))
	}
	return d, nil
}

func makeFolder(dir string) error {
	err := os.Mkdir(dir, 0o700)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	above, err := os.Open(filepath.Dir(dir))
	if err != nil {
		return err
	}
	return errors.Join(above.Sync(), above.Close())
}

func (d *Disk) begin() error {
	alone, err := d.lock.TryLock()
	if err != nil {
		return err
	}
	if alone {
		if err := d.root.RemoveAll(incoming); err != nil {
			return err
		}
		// From here on another may sweep: nothing is incoming yet.
		if err := d.lock.Unlock(); err != nil {
			return err
		}
	}
	if err := d.lock.RLock(); err != nil {
		return err
	}
	return d.root.MkdirAll(incoming, 0o700)
}

// Close ends the use of the store.
func (d *Disk) Close() error { return errors.Join(d.root.Close(), d.lock.Unlock()) }

// Put keeps a file of at most limit bytes under a key, in place of the one that
// was there. When it returns the file is durable. A larger file is refused, and
// whatever fails, the key has one whole file or none.
func (d *Disk) Put(ctx context.Context, key string, r io.Reader, limit int64) (Info, error) {
	if err := check(key); err != nil {
		return Info{}, err
	}
	f, written, err := d.create()
	if err != nil {
		return Info{}, fmt.Errorf("keep file %s: %w", key, err)
	}
	info, err := fill(ctx, f, r, limit)
	if err == nil {
		err = d.place(written, key)
	}
	if err == nil {
		return info, nil
	}
	err = fmt.Errorf("keep file %s: %w", key, err)
	if left := d.root.Remove(written); !isMissing(left) {
		err = errors.Join(err, left)
	}
	return Info{}, err
}

// Open gives a file and its size. Who opened it goes on reading the same file
// whatever is put or removed in the meantime.
func (d *Disk) Open(ctx context.Context, key string) (io.ReadCloser, int64, error) {
	if err := check(key); err != nil {
		return nil, 0, err
	}
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	f, err := d.root.Open(key)
	if isMissing(err) {
		return nil, 0, fault.Missing("File")
	}
	if err != nil {
		return nil, 0, fmt.Errorf("open file %s: %w", key, err)
	}
	stat, err := f.Stat()
	if err == nil && !stat.Mode().IsRegular() {
		err = fault.Missing("File")
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, stat.Size(), nil
}

// Remove takes a file away. One that is not there is no failure.
func (d *Disk) Remove(ctx context.Context, key string) error {
	if err := check(key); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	stat, err := d.root.Lstat(key)
	if isMissing(err) || err == nil && stat.IsDir() {
		return nil
	}
	if err == nil {
		err = d.root.Remove(key)
	}
	if err == nil {
		err = d.sync(path.Dir(key))
	}
	if err != nil && !isMissing(err) {
		return fmt.Errorf("remove file %s: %w", key, err)
	}
	return nil
}

// isMissing also says so of a key below one that is a file.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
