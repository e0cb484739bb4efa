package blob

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"

	"khatm/service/internal/fault"
)

// Store stores files. Its methods have the contract of those of [Disk].
type Store interface {
	Put(ctx context.Context, key string, r io.Reader, limit int64) (Info, error)
	Open(ctx context.Context, key string) (io.ReadCloser, int64, error)
	Remove(ctx context.Context, key string) error
}

// uploads is the top folder of the files that people upload, such as pictures. Their
// keys continue with the id of the organisation.
const uploads = "org/"

// Files are the files of an installation: those that people upload, and others, such
// as rendered invoices, which are always in the data folder.
type Files struct {
	Disk    *Disk // in the data folder
	Uploads Store // uploaded files; nil if they are in the data folder as well
}

// elsewhere reports whether the file of a key is not in the data folder. It may still
// be there, if it was uploaded before the location was changed.
func (f *Files) elsewhere(key string) bool {
	return f.Uploads != nil && strings.HasPrefix(key, uploads)
}

// Put stores a file, as [Disk.Put] does. A failure of the store is an Unavailable
// fault.
func (f *Files) Put(ctx context.Context, key string, r io.Reader, limit int64) (Info, error) {
	at := Store(f.Disk)
	if f.elsewhere(key) {
		at = f.Uploads
	}
	info, err := at.Put(ctx, key, r, limit)
	return info, outage(ctx, err)
}

// Open opens a file, as [Disk.Open] does. A failure of the store is an Unavailable
// fault.
func (f *Files) Open(ctx context.Context, key string) (io.ReadCloser, int64, error) {
	// Move stores a file elsewhere before it removes it here, so one that is not here
	// any more is there.
	r, size, err := f.Disk.Open(ctx, key)
	if f.elsewhere(key) && fault.KindOf(err) == fault.NotFound {
		r, size, err = f.Uploads.Open(ctx, key)
	}
	return r, size, outage(ctx, err)
}

// Remove deletes a file, as [Disk.Remove] does. A failure of the store is an
// Unavailable fault.
func (f *Files) Remove(ctx context.Context, key string) error {
	err := f.Disk.Remove(ctx, key)
	if f.elsewhere(key) {
		err = errors.Join(err, f.Uploads.Remove(ctx, key))
	}
	return outage(ctx, err)
}

// Close closes the files in the data folder.
func (f *Files) Close() error { return f.Disk.Close() }

// File is a file that can be read at any place.
type File interface {
	io.ReaderAt
	io.Closer
}

// OpenAt opens a file that can be read at any place. One that is not in the data folder
// is copied to a temporary file in it.
func (f *Files) OpenAt(ctx context.Context, key string) (File, int64, error) {
	r, size, err := f.Open(ctx, key)
	if err != nil {
		return nil, 0, err
	}
	if file, is := r.(File); is {
		return file, size, nil
	}
	copied, err := f.Disk.copied(ctx, r)
	if err = errors.Join(err, r.Close()); err != nil {
		return nil, 0, outage(ctx, err)
	}
	return copied, size, nil
}

// Move moves the uploaded files in the data folder to their location, if that is
// elsewhere, and returns their number. A file is removed from the data folder after it
// was read back. Files that are left, for example because a backup is being made, are
// moved by the next call.
func (f *Files) Move(ctx context.Context) (moved int, err error) {
	if f.Uploads == nil {
		return 0, nil
	}
	keys, err := f.Disk.list(ctx, strings.TrimSuffix(uploads, "/"))
	if err != nil {
		return 0, err
	}
	for _, key := range keys {
		did, err := f.Disk.alone(func() error { return f.move(ctx, key) })
		if err != nil || !did {
			return moved, err
		}
		moved++
	}
	return moved, nil
}

func (f *Files) move(ctx context.Context, key string) error {
	from, size, err := f.Disk.Open(ctx, key)
	if fault.KindOf(err) == fault.NotFound {
		return nil // removed, or moved by another server, after it was listed
	}
	if err != nil {
		return err
	}
	info, err := f.Uploads.Put(ctx, key, from, size)
	if err = errors.Join(err, from.Close()); err != nil {
		return fmt.Errorf("move file %s: %w", key, err)
	}
	if err := readBack(ctx, f.Uploads, key, info); err != nil {
		return fmt.Errorf("move file %s: %w", key, err)
	}
	if _, err := f.Disk.root.Lstat(key); isMissing(err) {
		return f.Uploads.Remove(ctx, key) // removed by its user meanwhile
	}
	return f.Disk.Remove(ctx, key)
}

// readBack returns an error unless a store has a file as it was stored.
func readBack(ctx context.Context, at Store, key string, want Info) error {
	r, _, err := at.Open(ctx, key)
	if err != nil {
		return err
	}
	hash := sha256.New()
	size, err := io.Copy(hash, r)
	if err = errors.Join(err, r.Close()); err != nil {
		return err
	}
	if size != want.Size || [sha256.Size]byte(hash.Sum(nil)) != want.SHA256 {
		return errors.New("the stored file differs from what was written")
	}
	return nil
}

// Probe checks that a store can be written and read, with a file that it removes
// again. Its name is token.
func Probe(ctx context.Context, at Store, token string) error {
	key := "probe/" + token
	info, err := at.Put(ctx, key, strings.NewReader(token), int64(len(token)))
	if err != nil {
		return err
	}
	return errors.Join(readBack(ctx, at, key, info), at.Remove(ctx, key))
}

// outage turns the error of a store that does not work into an Unavailable fault. It
// returns faults, and errors after the end of ctx, unchanged.
func outage(ctx context.Context, err error) error {
	var known *fault.Error
	if err == nil || errors.As(err, &known) || ctx.Err() != nil {
		return err
	}
	e := fault.New(fault.FilesUnavailable, "The service cannot store or read files at the moment. Try again shortly.")
	e.Cause = err
	return e
}
