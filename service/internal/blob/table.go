package blob

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"

	"khatm/service/internal/fault"
)

// Rows are the rows of a database in which files are stored.
type Rows interface {
	// PutFile replaces a file in one transaction. part returns a part, and an empty
	// one after the last. It may be called again from the first part on.
	PutFile(ctx context.Context, key string, info Info, part func(n int64) ([]byte, error)) error
	// FileInfo describes a file. It reports false if the file does not exist.
	FileInfo(ctx context.Context, key string) (Info, bool, error)
	// FilePart returns a part of the file that info describes, and nil if it does not
	// exist any more.
	FilePart(ctx context.Context, key string, info Info, n int64) ([]byte, error)
	RemoveFile(ctx context.Context, key string) error
}

// partSize is the size of the parts into which a table divides files, so that no file
// needs much memory.
const partSize = 256 << 10

// table is a [Store] in a database. Reading a file that is replaced by another or removed
// meanwhile fails.
type table struct{ rows Rows }

// Put implements [Store].
func (t table) Put(ctx context.Context, key string, r io.Reader, limit int64) (Info, error) {
	if err := check(key); err != nil {
		return Info{}, err
	}
	from, info, err := measure(ctx, r, limit)
	if err != nil {
		return Info{}, fmt.Errorf("store file %s: %w", key, err)
	}
	start, err := from.Seek(0, io.SeekCurrent)
	if err != nil {
		return Info{}, fmt.Errorf("store file %s: %w", key, err)
	}
	part := func(n int64) ([]byte, error) {
		buffer := make([]byte, max(0, min(partSize, info.Size-n*partSize)))
		if _, err := from.Seek(start+n*partSize, io.SeekStart); err != nil {
			return nil, err
		}
		_, err := io.ReadFull(from, buffer)
		return buffer, err
	}
	if err := t.rows.PutFile(ctx, key, info, part); err != nil {
		return Info{}, fmt.Errorf("store file %s: %w", key, err)
	}
	return info, nil
}

// Open implements [Store].
func (t table) Open(ctx context.Context, key string) (io.ReadCloser, int64, error) {
	if err := check(key); err != nil {
		return nil, 0, err
	}
	info, found, err := t.rows.FileInfo(ctx, key)
	if err != nil {
		return nil, 0, fmt.Errorf("open file %s: %w", key, err)
	}
	if !found {
		return nil, 0, fault.Missing("File")
	}
	return &tableReader{ctx: ctx, rows: t.rows, key: key, info: info, hash: sha256.New()}, info.Size, nil
}

// Remove implements [Store].
func (t table) Remove(ctx context.Context, key string) error {
	if err := check(key); err != nil {
		return err
	}
	if err := t.rows.RemoveFile(ctx, key); err != nil {
		return fmt.Errorf("remove file %s: %w", key, err)
	}
	return nil
}

// tableReader reads a file in parts. Its last read fails if the file is damaged.
type tableReader struct {
	ctx  context.Context
	rows Rows
	key  string
	info Info
	next int64 // number of the next part
	read int64 // bytes of the parts so far
	rest []byte
	hash hash.Hash
}

// Read implements [io.Reader].
func (r *tableReader) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		if err := r.fill(); err != nil {
			if !errors.Is(err, io.EOF) {
				err = outage(r.ctx, fmt.Errorf("read file %s: %w", r.key, err))
			}
			return 0, err
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// fill reads the next part. It returns io.EOF after the last one.
func (r *tableReader) fill() (err error) {
	if r.read == r.info.Size {
		if [sha256.Size]byte(r.hash.Sum(nil)) != r.info.SHA256 {
			return errors.New("the file does not match its digest")
		}
		return io.EOF
	}
	if err := r.ctx.Err(); err != nil {
		return err
	}
	if r.rest, err = r.rows.FilePart(r.ctx, r.key, r.info, r.next); err != nil {
		return err
	}
	if len(r.rest) == 0 {
		return errors.New("the file was replaced or removed meanwhile, or is damaged")
	}
	r.next++
	r.read += int64(len(r.rest))
	r.hash.Write(r.rest)
	return nil
}

// Close implements [io.Closer].
func (r *tableReader) Close() error { return nil }
