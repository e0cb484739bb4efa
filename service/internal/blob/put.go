package blob

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"strconv"
)

// create creates an empty file with a unique name under incoming.
func (d *Disk) create() (f *os.File, name string, err error) {
	for {
		name = path.Join(incoming, strconv.Itoa(os.Getpid())+"-"+strconv.FormatUint(d.last.Add(1), 10))
		f, err = d.root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if !errors.Is(err, fs.ErrExist) {
			return f, name, err
		}
	}
}

// fill writes, syncs and closes the file.
func fill(ctx context.Context, f *os.File, r io.Reader, limit int64) (Info, error) {
	hash := sha256.New()
	size, err := io.Copy(io.MultiWriter(f, hash), io.LimitReader(&contextReader{ctx, r}, more(limit)))
	if err == nil && size > limit {
		err = errTooLarge(limit)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return Info{}, err
	}
	info := Info{Size: size}
	hash.Sum(info.SHA256[:0])
	return info, nil
}

// more returns limit plus one, so that a file above the limit is detected.
func more(limit int64) int64 { return min(limit, math.MaxInt64-1) + 1 }

// place moves a written file to its key. It syncs all parent folders, because
// each may have been created by this call or by another one that has not synced
// it yet.
func (d *Disk) place(written, key string) error {
	dirs := folders(key)
	if err := d.root.MkdirAll(dirs[0], 0o700); err != nil {
		return err
	}
	if err := d.root.Rename(written, key); err != nil {
		return err
	}
	for _, dir := range dirs {
		if err := d.sync(dir); err != nil {
			return err
		}
	}
	return nil
}

func (d *Disk) sync(dir string) error {
	f, err := d.root.Open(dir)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("sync folder %s: %w", dir, err)
	}
	return nil
}

// contextReader is a reader that fails when its context is cancelled.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

// Read implements [io.Reader].
func (a *contextReader) Read(p []byte) (int, error) {
	if err := a.ctx.Err(); err != nil {
		return 0, err
	}
	return a.r.Read(p)
}
