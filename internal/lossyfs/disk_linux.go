package lossyfs

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// Disk is a mounted file system.
type Disk struct {
	Dir string // where it is mounted

	tb     testing.TB
	back   string // folder with the files
	spare  string // folder with removed files, for the case that they come back
	server *fuse.Server

	mu      sync.Mutex
	off     bool
	left    int      // operations until the power fails, if positive
	changes []change // not durable, oldest first
	removed int      // number of files that were moved to spare
	writes  int
	syncs   int
}

// Mount mounts an empty disk until the end of the test. It skips the test if this
// machine or user cannot mount FUSE file systems.
func Mount(tb testing.TB) *Disk {
	tb.Helper()
	d := &Disk{Dir: tb.TempDir(), tb: tb, back: tb.TempDir(), spare: tb.TempDir()}
	if err := d.mount(); err != nil {
		tb.Skip("cannot mount a FUSE file system on this machine:", err)
	}
	tb.Cleanup(d.unmount)
	return d
}

func (d *Disk) mount() error {
	root := &fs.LoopbackRoot{Path: d.back}
	node := &node{LoopbackNode: fs.LoopbackNode{RootData: root}, disk: d}
	root.RootNode = node
	var never time.Duration // nothing is cached
	server, err := fs.Mount(d.Dir, node, &fs.Options{
		AttrTimeout: &never, EntryTimeout: &never,
		MountOptions: fuse.MountOptions{FsName: "lossyfs", Name: "lossyfs", DirectMount: true},
	})
	d.server = server
	return err
}

// unmount waits until the last file is closed, which killed processes and other
// goroutines do late.
func (d *Disk) unmount() {
	var err error
	for range 500 {
		if err = d.server.Unmount(); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	d.tb.Error("unmount, with files still open:", err)
	if err := syscall.Unmount(d.Dir, syscall.MNT_DETACH); err != nil {
		d.tb.Error(err)
	}
}

// Cut turns the power off: every operation fails from now on.
func (d *Disk) Cut() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.off = true
}

// CutAfter turns the power off in the n-th operation from now: it takes effect, and is
// not synced unless it is a sync, but the caller gets an error.
func (d *Disk) CutAfter(n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.left = n
}

// Restore turns the power on after all files were closed, and returns the number of
// lost changes. If r is nil, all changes that were not synced are lost; otherwise some
// at random, and writes may be lost in part.
func (d *Disk) Restore(r *rand.Rand) (lost int) {
	d.tb.Helper()
	d.unmount()
	d.mu.Lock()
	defer d.mu.Unlock()
	lost, err := lose(d.changes, r)
	if err != nil {
		d.tb.Fatal("lose changes:", err)
	}
	d.changes, d.off, d.left = nil, false, 0
	if err := d.mount(); err != nil {
		d.tb.Fatal(err)
	}
	return lost
}

// Counts returns the number of writes and syncs so far.
func (d *Disk) Counts() (writes, syncs int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.writes, d.syncs
}

// do performs an operation that changes the disk, one at a time. Without power it
// fails.
func (d *Disk) do(operation func() error) syscall.Errno {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.off {
		return syscall.EIO
	}
	no := fs.ToErrno(operation())
	if d.left > 0 {
		if d.left--; d.left == 0 {
			d.off, no = true, syscall.EIO
		}
	}
	return no
}

// keep moves a file that is removed or replaced to spare. It returns its new path, or
// "" if the file does not exist.
func (d *Disk) keep(path string) (string, error) {
	d.removed++
	to := filepath.Join(d.spare, time.Duration(d.removed).String())
	err := os.Rename(path, to)
	if os.IsNotExist(err) {
		return "", nil
	}
	return to, err
}
