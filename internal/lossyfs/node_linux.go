package lossyfs

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// node is a file or a folder. Operations that change nothing are those of the
// embedded type.
type node struct {
	fs.LoopbackNode
	disk *Disk
}

// WrapChild implements [fs.NodeWrapChilder].
func (n *node) WrapChild(_ context.Context, child fs.InodeEmbedder) fs.InodeEmbedder {
	if _, ok := child.(*fs.LoopbackNode); ok {
		return &node{LoopbackNode: fs.LoopbackNode{RootData: n.RootData}, disk: n.disk}
	}
	return child
}

func (n *node) path() string { return filepath.Join(n.disk.back, n.Path(n.Root())) }

// inode returns the inode number of the folder, which a sync of it names.
func inode(path string) uint64 {
	var stat syscall.Stat_t
	if err := syscall.Lstat(path, &stat); err != nil {
		return 0
	}
	return stat.Ino
}

// entered records that a name was created in the folder.
func (n *node) entered(name string) {
	path := filepath.Join(n.path(), name)
	n.disk.changes = append(n.disk.changes, change{of: inode(n.path()), undo: func() error { return os.RemoveAll(path) }})
}

// Open implements [fs.NodeOpener].
func (n *node) Open(_ context.Context, flags uint32) (handle fs.FileHandle, _ uint32, no syscall.Errno) {
	no = n.disk.do(func() error {
		if flags&syscall.O_TRUNC != 0 {
			if err := n.disk.resize(n.path(), 0); err != nil {
				return err
			}
		}
		f, err := os.OpenFile(n.path(), os.O_RDWR, 0)
		handle = &file{disk: n.disk, f: f}
		return err
	})
	return handle, 0, no
}

// Create implements [fs.NodeCreater].
func (n *node) Create(ctx context.Context, name string, flags, mode uint32, out *fuse.EntryOut) (child *fs.Inode, handle fs.FileHandle, _ uint32, no syscall.Errno) {
	no = n.disk.do(func() error {
		made, opened, _, failed := n.LoopbackNode.Create(ctx, name, flags, mode, out)
		if failed != 0 {
			return failed
		}
		if r, ok := opened.(fs.FileReleaser); ok {
			_ = r.Release(ctx) // nothing was written to it
		}
		n.entered(name)
		f, err := os.OpenFile(filepath.Join(n.path(), name), os.O_RDWR, 0)
		child, handle = made, &file{disk: n.disk, f: f}
		return err
	})
	return child, handle, 0, no
}

// Mkdir implements [fs.NodeMkdirer].
func (n *node) Mkdir(ctx context.Context, name string, mode uint32, out *fuse.EntryOut) (child *fs.Inode, no syscall.Errno) {
	no = n.disk.do(func() error {
		var failed syscall.Errno
		if child, failed = n.LoopbackNode.Mkdir(ctx, name, mode, out); failed != 0 {
			return failed
		}
		n.entered(name)
		return nil
	})
	return child, no
}

// Link implements [fs.NodeLinker].
func (n *node) Link(ctx context.Context, target fs.InodeEmbedder, name string, out *fuse.EntryOut) (child *fs.Inode, no syscall.Errno) {
	no = n.disk.do(func() error {
		var failed syscall.Errno
		if child, failed = n.LoopbackNode.Link(ctx, target, name, out); failed != 0 {
			return failed
		}
		n.entered(name)
		return nil
	})
	return child, no
}

// Symlink implements [fs.NodeSymlinker]. Nothing here needs symbolic links.
func (n *node) Symlink(context.Context, string, string, *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	return nil, syscall.ENOTSUP
}

// Unlink implements [fs.NodeUnlinker].
func (n *node) Unlink(_ context.Context, name string) syscall.Errno {
	return n.disk.do(func() error {
		path := filepath.Join(n.path(), name)
		kept, err := n.disk.keep(path)
		if err != nil {
			return err
		}
		n.disk.changes = append(n.disk.changes, change{of: inode(n.path()), spare: kept, undo: func() error { return os.Rename(kept, path) }})
		return nil
	})
}

// Rmdir implements [fs.NodeRmdirer].
func (n *node) Rmdir(_ context.Context, name string) syscall.Errno {
	return n.disk.do(func() error {
		path := filepath.Join(n.path(), name)
		if err := syscall.Rmdir(path); err != nil {
			return err
		}
		n.disk.changes = append(n.disk.changes, change{of: inode(n.path()), undo: func() error { return os.Mkdir(path, 0o700) }})
		return nil
	})
}

// Rename implements [fs.NodeRenamer]. It is durable when the new folder is synced.
func (n *node) Rename(_ context.Context, name string, parent fs.InodeEmbedder, newName string, flags uint32) syscall.Errno {
	to, ok := parent.(*node)
	if !ok || flags != 0 {
		return syscall.ENOTSUP
	}
	return n.disk.do(func() error {
		from, path := filepath.Join(n.path(), name), filepath.Join(to.path(), newName)
		kept, err := n.disk.keep(path)
		if err != nil {
			return err
		}
		if err := os.Rename(from, path); err != nil {
			return err
		}
		n.disk.changes = append(n.disk.changes, change{of: inode(to.path()), spare: kept, undo: func() error {
			err := os.Rename(path, from)
			if kept != "" {
				err = errors.Join(err, os.Rename(kept, path))
			}
			return err
		}})
		return nil
	})
}

// Setattr implements [fs.NodeSetattrer].
func (n *node) Setattr(ctx context.Context, f fs.FileHandle, in *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	return n.disk.do(func() error {
		if size, ok := in.GetSize(); ok {
			if err := n.disk.resize(n.path(), int64(size)); err != nil {
				return err
			}
			in.Valid &^= fuse.FATTR_SIZE
		}
		if no := n.LoopbackNode.Setattr(ctx, nil, in, out); no != 0 {
			return no
		}
		return nil
	})
}

// OpendirHandle implements [fs.NodeOpendirHandler].
func (n *node) OpendirHandle(ctx context.Context, flags uint32) (fs.FileHandle, uint32, syscall.Errno) {
	opened, more, no := n.LoopbackNode.OpendirHandle(ctx, flags)
	l, ok := opened.(listing)
	if no != 0 || !ok {
		return nil, 0, no
	}
	return &folder{listing: l, n: n}, more, 0
}

// listing is what go-fuse needs to list an open folder.
type listing interface {
	fs.FileReaddirenter
	fs.FileSeekdirer
	fs.FileReleasedirer
}

// folder is an open folder.
type folder struct {
	listing
	n *node
}

// Fsyncdir implements [fs.FileFsyncdirer].
func (f *folder) Fsyncdir(context.Context, uint32) syscall.Errno {
	return f.n.disk.do(func() error {
		f.n.disk.sync(inode(f.n.path()))
		return nil
	})
}

// CopyFileRange implements [fs.NodeCopyFileRanger]. Callers copy with writes instead.
func (n *node) CopyFileRange(context.Context, fs.FileHandle, uint64, *fs.Inode, fs.FileHandle, uint64, uint64, uint64) (uint32, syscall.Errno) {
	return 0, syscall.ENOTSUP
}

// Tmpfile implements [fs.NodeTmpfiler]. Callers create a named file instead.
func (n *node) Tmpfile(context.Context, uint32, uint32, *fuse.EntryOut) (*fs.Inode, fs.FileHandle, uint32, syscall.Errno) {
	return nil, nil, 0, syscall.EOPNOTSUPP
}

// file is an open file.
type file struct {
	disk *Disk
	f    *os.File
}

// Read implements [fs.FileReader].
func (o *file) Read(_ context.Context, p []byte, offset int64) (fuse.ReadResult, syscall.Errno) {
	var n int
	no := o.disk.do(func() (err error) {
		n, err = o.f.ReadAt(p, offset)
		if errors.Is(err, io.EOF) {
			return nil
		}
		return err
	})
	return fuse.ReadResultData(p[:n]), no
}

// Write implements [fs.FileWriter].
func (o *file) Write(_ context.Context, p []byte, offset int64) (uint32, syscall.Errno) {
	var n int
	no := o.disk.do(func() (err error) {
		n, err = o.disk.write(o.f, p, offset)
		return err
	})
	return uint32(n), no
}

// Fsync implements [fs.FileFsyncer].
func (o *file) Fsync(context.Context, uint32) syscall.Errno {
	return o.disk.do(func() error {
		var stat syscall.Stat_t
		if err := syscall.Fstat(int(o.f.Fd()), &stat); err != nil {
			return err
		}
		o.disk.sync(stat.Ino)
		return nil
	})
}

// Flush implements [fs.FileFlusher]. Closing a file syncs nothing.
func (o *file) Flush(context.Context) syscall.Errno { return 0 }

// Release implements [fs.FileReleaser].
func (o *file) Release(context.Context) syscall.Errno { return fs.ToErrno(o.f.Close()) }

// Getattr implements [fs.FileGetattrer].
func (o *file) Getattr(_ context.Context, out *fuse.AttrOut) syscall.Errno {
	var stat syscall.Stat_t
	if err := syscall.Fstat(int(o.f.Fd()), &stat); err != nil {
		return fs.ToErrno(err)
	}
	out.FromStat(&stat)
	return 0
}
