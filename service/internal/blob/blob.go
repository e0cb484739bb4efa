// Package blob stores files under keys: logos, pictures of items, rendered
// invoices. They are in a folder; those that people upload can also be in PostgreSQL
// or in S3. A file is stored completely or not at all, even after a power cut.
// The package does not know what a file contains, who may read it or which
// files are in use; its callers store the keys.
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
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/gofrs/flock"

	"khatm/service/internal/fault"
)

// Names of the store's own files. No key begins with a tilde.
const (
	lockName = "~lock"     // locked shared by every process that has the store open
	incoming = "~incoming" // folder of files that are being written
)

// Info describes a stored file.
type Info struct {
	Size   int64
	SHA256 [sha256.Size]byte
}

// Disk stores files in a folder. It is safe for concurrent use, also by several
// processes. A key cannot be stored together with a key that extends it with a
// slash, because one would be a file and the other a folder.
type Disk struct {
	root *os.Root
	lock *flock.Flock
	last atomic.Uint64 // last number used in a name under incoming
	held sync.RWMutex  // as the lock moving, for this process
}

// OpenDisk opens the store in dir. It creates dir if necessary, but not its
// parent. It removes files that killed processes left half-written, unless
// another process has the store open and may be writing them.
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
		// Now another process may remove incoming too, which is harmless:
		// nothing has been written yet.
		if err := d.lock.Unlock(); err != nil {
			return err
		}
	}
	if err := d.lock.RLock(); err != nil {
		return err
	}
	return d.root.MkdirAll(incoming, 0o700)
}

// Folder returns the folder of the store.
func (d *Disk) Folder() string { return d.root.Name() }

// Close closes the store.
func (d *Disk) Close() error { return errors.Join(d.root.Close(), d.lock.Unlock()) }

// Put stores a file of at most limit bytes under key and replaces an existing
// one. The file is durable when Put returns. A larger file is an error. After
// any failure the key has its previous file or the new one, never a partial
// file.
func (d *Disk) Put(ctx context.Context, key string, r io.Reader, limit int64) (Info, error) {
	if err := check(key); err != nil {
		return Info{}, err
	}
	f, written, err := d.create()
	if err != nil {
		return Info{}, fmt.Errorf("store file %s: %w", key, err)
	}
	info, err := fill(ctx, f, r, limit)
	if err == nil {
		err = d.place(written, key)
	}
	if err == nil {
		return info, nil
	}
	err = fmt.Errorf("store file %s: %w", key, err)
	if left := d.root.Remove(written); !isMissing(left) {
		err = errors.Join(err, left)
	}
	return Info{}, err
}

// Open returns a reader of the file and its size, or a NotFound fault. The
// reader is not affected by later calls of Put and Remove.
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

// Remove deletes a file. It is not an error if the file does not exist.
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

// isMissing reports whether err means that a file does not exist. This includes
// a key that extends the key of a file with a slash.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
