package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const defaultFileSize = 64 << 20

// folder is an archive in a folder of a local disk.
type folder struct {
	dir      string
	fileSize int64
	sync     func(*os.File) error
}

func openFolder(dir string, fileSize int64) (*folder, error) {
	if dir == "" {
		return nil, fmt.Errorf("%w: the location is empty", ErrInvalid)
	}
	if fileSize == 0 {
		fileSize = defaultFileSize
	}
	f := &folder{dir: dir, fileSize: fileSize, sync: (*os.File).Sync}
	err := os.Mkdir(dir, 0o700)
	switch {
	case err == nil:
		err = f.syncFolder("..")
	case errors.Is(err, fs.ErrExist):
		_, err = os.ReadDir(dir) // it may be a file, or not readable
	}
	if err != nil {
		return nil, fmt.Errorf("open the archive: %w", err)
	}
	return f, nil
}

func (f *folder) path(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

func (f *folder) atomic() bool { return false }

// mkdir creates a folder of the archive and its parents, durably. The entries of
// folders that exist are synced too, because the server that created them may have
// died before it synced them.
func (f *folder) mkdir(name string) error {
	if name == "." {
		return nil
	}
	if err := f.mkdir(path.Dir(name)); err != nil {
		return err
	}
	if err := os.Mkdir(f.path(name), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return f.syncFolder(path.Dir(name))
}

// syncFolder makes the entries of a folder durable.
func (f *folder) syncFolder(name string) error {
	d, err := os.Open(f.path(name))
	if err != nil {
		return err
	}
	return errors.Join(f.sync(d), d.Close())
}

// create writes the file under a temporary name first: a link to it is complete at
// once, and fails if the name exists.
func (f *folder) create(_ context.Context, name string, text []byte) error {
	if err := f.mkdir(path.Dir(name)); err != nil {
		return err
	}
	temporary, err := f.writeTemporary(text)
	if err != nil {
		return err
	}
	err = os.Link(temporary, f.path(name))
	if err = errors.Join(err, os.Remove(temporary)); err != nil {
		return err
	}
	return f.syncFolder(path.Dir(name))
}

func (f *folder) replace(_ context.Context, name string, text []byte) error {
	if err := f.mkdir(path.Dir(name)); err != nil {
		return err
	}
	temporary, err := f.writeTemporary(text)
	if err != nil {
		return err
	}
	return os.Rename(temporary, f.path(name))
}

// writeTemporary writes and syncs a file next to the folders of the archive, where
// files can be removed even if those are append-only.
func (f *folder) writeTemporary(text []byte) (string, error) {
	if err := f.mkdir("incoming"); err != nil {
		return "", err
	}
	t, err := os.CreateTemp(f.path("incoming"), "*")
	if err != nil {
		return "", err
	}
	_, err = io.Copy(t, bytes.NewReader(text))
	if err == nil {
		err = f.sync(t)
	}
	if err = errors.Join(err, t.Close()); err != nil {
		return "", errors.Join(err, os.Remove(t.Name()))
	}
	return t.Name(), nil
}

func (f *folder) read(_ context.Context, name string) ([]byte, error) {
	return os.ReadFile(f.path(name))
}

func (f *folder) exists(_ context.Context, name string) (bool, error) {
	_, err := os.Lstat(f.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

func (f *folder) modified(ctx context.Context, name string) (map[string]time.Time, time.Time, error) {
	if err := f.replace(ctx, clockName, []byte("\n")); err != nil {
		return nil, time.Time{}, err
	}
	now, err := os.Stat(f.path(clockName))
	if err != nil {
		return nil, time.Time{}, err
	}
	names, err := f.list(ctx, name)
	all := map[string]time.Time{}
	for _, file := range names {
		info, err := os.Stat(f.path(path.Join(name, file)))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, time.Time{}, err
		}
		all[file] = info.ModTime()
	}
	return all, now.ModTime(), err
}

func (f *folder) list(_ context.Context, name string) ([]string, error) {
	entries, err := os.ReadDir(f.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, err
}

func (f *folder) files(ctx context.Context, name string, each func(string) error) error {
	names, err := f.fileNames(ctx, name)
	if err != nil {
		return err
	}
	for _, file := range names {
		if err := each(path.Join(name, file)); err != nil {
			return err
		}
	}
	return nil
}

// fileNames returns the names of the files of a journal, in order.
func (f *folder) fileNames(ctx context.Context, name string) ([]string, error) {
	names, err := f.list(ctx, name)
	return slices.DeleteFunc(names, func(file string) bool { return !strings.HasSuffix(file, extension) }), err
}

func (f *folder) last(ctx context.Context, name string, most int) ([]string, error) {
	names, err := f.fileNames(ctx, name)
	names = names[max(0, len(names)-most):]
	for i := range names {
		names[i] = path.Join(name, names[i])
	}
	return names, err
}

func (f *folder) open(_ context.Context, name string) (io.ReadCloser, error) {
	return os.Open(f.path(name))
}

// settle syncs files that a server may have written and not synced before it ended.
func (f *folder) settle(ctx context.Context, name string) error {
	names, err := f.fileNames(ctx, name)
	if err != nil {
		return err
	}
	for _, file := range names {
		open, err := os.Open(f.path(path.Join(name, file)))
		if err != nil {
			return err
		}
		if err := errors.Join(f.sync(open), open.Close()); err != nil {
			return err
		}
	}
	return errors.Join(f.syncFolder(name), f.mkdir(name))
}

func (f *folder) compact(context.Context, string, string, string) (int, error) { return 0, nil }
