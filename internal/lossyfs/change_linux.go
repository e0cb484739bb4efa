package lossyfs

import (
	"math/rand/v2"
	"os"
	"slices"
	"syscall"
)

// change is an operation that is not durable yet: a change of content if file is set,
// otherwise a change of a folder.
type change struct {
	of uint64 // inode whose sync makes it durable

	// A write has both contents; a change of the size has the end that was cut off.
	file     *os.File
	offset   int64
	old, new []byte
	oldSize  int64
	newSize  int64

	undo  func() error
	spare string // removed file that nobody needs once the change is durable
}

// sync makes the changes of an inode durable.
func (d *Disk) sync(inode uint64) {
	d.syncs++
	d.changes = slices.DeleteFunc(d.changes, func(c change) bool {
		if c.of != inode {
			return false
		}
		c.forget()
		return true
	})
}

// forget releases what an undo would need.
func (c change) forget() {
	if c.file != nil {
		c.file.Close()
	}
	if c.spare != "" {
		_ = os.Remove(c.spare)
	}
}

// write writes to a file and remembers what was there.
func (d *Disk) write(f *os.File, p []byte, offset int64) (int, error) {
	c, err := contentOf(f)
	if err != nil {
		return 0, err
	}
	d.writes++
	c.offset, c.new, c.newSize = offset, slices.Clone(p), max(c.oldSize, offset+int64(len(p)))
	if c.old, err = contentAt(f, offset, min(int64(len(p)), c.oldSize-offset)); err != nil {
		return 0, err
	}
	d.changes = append(d.changes, c)
	return f.WriteAt(p, offset)
}

// resize changes the size of a file and remembers the end that is cut off.
func (d *Disk) resize(path string, size int64) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	c, err := contentOf(f)
	if err != nil {
		return err
	}
	c.offset, c.newSize = size, size
	if c.old, err = contentAt(f, size, c.oldSize-size); err != nil {
		return err
	}
	d.changes = append(d.changes, c)
	return f.Truncate(size)
}

// contentOf returns a change of the content of a file, which keeps the file open.
func contentOf(f *os.File) (change, error) {
	var stat syscall.Stat_t
	if err := syscall.Fstat(int(f.Fd()), &stat); err != nil {
		return change{}, err
	}
	fd, err := syscall.Dup(int(f.Fd()))
	if err != nil {
		return change{}, err
	}
	return change{of: stat.Ino, file: os.NewFile(uintptr(fd), f.Name()), oldSize: stat.Size}, nil
}

func contentAt(f *os.File, offset, size int64) ([]byte, error) {
	if size <= 0 {
		return nil, nil
	}
	b := make([]byte, size)
	_, err := f.ReadAt(b, offset)
	return b, err
}

// lose undoes changes, newest first. With a random source, it does some of them again:
// folders keep the first changes, because file systems write those in order; of the
// writes, each may be lost, kept, or kept in part.
func lose(changes []change, r *rand.Rand) (lost int, err error) {
	entries := 0 // number of changes of folders that are kept
	if r != nil {
		for _, c := range changes {
			if c.file == nil && r.IntN(2) == 0 {
				entries++
			}
		}
	}
	seen := 0
	undone := slices.Clone(changes)
	undone = slices.DeleteFunc(undone, func(c change) bool {
		if c.file != nil {
			return false
		}
		seen++
		return seen <= entries
	})
	for _, c := range slices.Backward(undone) {
		if err := c.revert(); err != nil {
			return 0, err
		}
	}
	lost = len(undone)
	for _, c := range undone {
		if r != nil && c.file != nil {
			lost--
			if err := c.repeat(r); err != nil {
				return 0, err
			}
		}
	}
	for _, c := range changes {
		if c.file != nil {
			c.file.Close()
		}
	}
	return lost, nil
}

func (c change) revert() error {
	if c.file == nil {
		return c.undo()
	}
	if len(c.old) > 0 {
		if _, err := c.file.WriteAt(c.old, c.offset); err != nil {
			return err
		}
	}
	return c.file.Truncate(c.oldSize)
}

// repeat does a change of content again, or not, or a part of it. Disks write sectors
// of 512 bytes.
func (c change) repeat(r *rand.Rand) error {
	switch {
	case r.IntN(3) == 0:
		return nil
	case c.new == nil:
		return c.file.Truncate(c.newSize)
	case r.IntN(2) == 0:
		c.new = c.new[:min(len(c.new), 512*r.IntN(len(c.new)/512+1))]
	}
	_, err := c.file.WriteAt(c.new, c.offset)
	return err
}
