package blob

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// moving is locked exclusively while a file is moved elsewhere, and shared while none
// may be moved.
const moving = "~moving"

// Hold prevents files from being moved elsewhere until release is called, also by other
// processes, so that a backup has each of them in the folder or where it was moved to.
func (d *Disk) Hold(ctx context.Context) (release func(), err error) {
	d.held.RLock()
	lock := d.movingLock()
	if _, err := lock.TryRLockContext(ctx, 20*time.Millisecond); err != nil {
		d.held.RUnlock()
		return nil, err
	}
	return func() {
		_ = lock.Close() // closes the file, which unlocks it
		d.held.RUnlock()
	}, nil
}

// alone calls do unless files are held. It reports whether it called it.
func (d *Disk) alone(do func() error) (did bool, err error) {
	if !d.held.TryLock() {
		return false, nil
	}
	defer d.held.Unlock()
	lock := d.movingLock()
	if did, err = lock.TryLock(); err != nil || !did {
		return false, err
	}
	defer lock.Close() //nolint:errcheck // closes the file, which unlocks it
	return true, do()
}

func (d *Disk) movingLock() *flock.Flock { return flock.New(filepath.Join(d.Folder(), moving)) }

// copied copies r to a temporary file, which is removed when it is closed.
func (d *Disk) copied(ctx context.Context, r io.Reader) (File, error) {
	f, name, err := d.create()
	if err != nil {
		return nil, err
	}
	kept := temporary{f, d, name}
	if _, err := io.Copy(f, &contextReader{ctx, r}); err != nil {
		_ = kept.Close()
		return nil, err
	}
	return kept, nil
}

// temporary is a file that is removed when it is closed.
type temporary struct {
	*os.File
	in   *Disk
	name string
}

// Close implements [io.Closer].
func (t temporary) Close() error {
	err := t.File.Close()
	if left := t.in.root.Remove(t.name); err == nil {
		err = left
	}
	return err
}
