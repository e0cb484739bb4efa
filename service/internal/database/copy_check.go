package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"modernc.org/sqlite/vfs"
)

// Queryer reads a row. It is implemented by databases and transactions.
type Queryer interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// CheckCopy verifies the structure of a copied SQLite database of size bytes
// and calls read with it. The copy is opened read-only and may be a section of
// a larger file.
func CheckCopy(ctx context.Context, file io.ReaderAt, size int64, read func(Queryer) error) (err error) {
	name, files, err := vfs.New(copyFS{file, size})
	if err != nil {
		return fmt.Errorf("open the copy: %w", err)
	}
	defer func() { err = errors.Join(err, files.Close()) }()
	// Without immutable the driver would look for a write-ahead log beside the
	// file.
	db, err := sql.Open("sqlite", "file:"+File+"?vfs="+name+"&mode=ro&immutable=1&_pragma=cache_size(-16384)")
	if err != nil {
		return fmt.Errorf("open the copy: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	var found string
	if err := db.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&found); err != nil {
		return fmt.Errorf("check the copy: %w", err)
	}
	if found != "ok" {
		return fmt.Errorf("check the copy: database is damaged: %s", found)
	}
	return read(db)
}

// copyFS is a file system that contains only the database file.
type copyFS struct {
	file io.ReaderAt
	size int64
}

// Open implements [fs.FS].
func (c copyFS) Open(name string) (fs.File, error) {
	if name != File {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return copyFile{io.NewSectionReader(c.file, 0, c.size)}, nil
}

// copyFile is the open database file.
type copyFile struct{ *io.SectionReader }

// Close implements [fs.File].
func (copyFile) Close() error { return nil }

// Stat implements [fs.File].
func (f copyFile) Stat() (fs.FileInfo, error) { return copyInfo{f.Size()}, nil }

// copyInfo is the [fs.FileInfo] of the database file.
type copyInfo struct{ size int64 }

// Name returns the name of the database file.
func (copyInfo) Name() string { return File }

// Size returns the size of the database file.
func (i copyInfo) Size() int64 { return i.size }

// Mode returns the mode of a read-only file.
func (copyInfo) Mode() fs.FileMode { return 0o400 }

// ModTime returns the zero time.
func (copyInfo) ModTime() time.Time { return time.Time{} }

// IsDir returns false.
func (copyInfo) IsDir() bool { return false }

// Sys returns nil.
func (copyInfo) Sys() any { return nil }
