package export

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path"
	"path/filepath"
)

// Modes of the exported files and folders, which contain personal data.
const (
	fileMode   = 0o600
	folderMode = 0o700
)

// folder is the folder of an export that is being written. It lists each file
// with its SHA-256 in a manifest, which gets its name when everything is written.
type folder struct {
	dir      string
	made     map[string]bool // folders in it that exist
	manifest *file
	path     string // of the unfinished manifest
}

// createFolder creates a folder, or uses an empty one.
func createFolder(dir string) (*folder, error) {
	if err := os.MkdirAll(dir, folderMode); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	if len(entries) > 0 {
		return nil, fmt.Errorf("%s is not empty: choose a new folder", dir)
	}
	f := &folder{dir: dir, made: map[string]bool{".": true}}
	f.path = filepath.Join(dir, manifestFile+".partial")
	f.manifest, err = createFile(f.path)
	return f, err
}

// open creates a file. Its path has slashes and is relative to the folder.
func (f *folder) open(name string) (*file, error) {
	within := path.Dir(name)
	if !f.made[within] {
		if err := os.MkdirAll(filepath.Join(f.dir, filepath.FromSlash(within)), folderMode); err != nil {
			return nil, err
		}
		f.made[within] = true
	}
	return createFile(filepath.Join(f.dir, filepath.FromSlash(name)))
}

// finished closes a file, adds it to the manifest and returns its SHA-256.
func (f *folder) finished(name string, w *file) (sum string, err error) {
	if sum, err = w.close(); err != nil {
		return "", err
	}
	_, err = fmt.Fprintf(f.manifest, "%s  %s\n", sum, name)
	return sum, err
}

// write writes a file and returns its SHA-256.
func (f *folder) write(name string, data []byte) (sum string, err error) {
	w, err := f.open(name)
	if err != nil {
		return "", err
	}
	if _, err := w.Write(data); err != nil {
		return "", errors.Join(err, w.abort())
	}
	return f.finished(name, w)
}

// finish completes the export and returns the SHA-256 of the manifest.
func (f *folder) finish() (digest string, err error) {
	manifest := f.manifest
	f.manifest = nil
	if err := manifest.sync(); err != nil {
		return "", errors.Join(err, manifest.abort())
	}
	if digest, err = manifest.close(); err != nil {
		return "", err
	}
	return digest, os.Rename(f.path, filepath.Join(f.dir, manifestFile))
}

// close closes the manifest of an export that was not finished.
func (f *folder) close() error {
	if f.manifest == nil {
		return nil
	}
	return f.manifest.abort()
}

// file is a file that is being written, with its digest.
type file struct {
	file *os.File
	out  *bufio.Writer
	sum  hash.Hash
}

func createFile(path string) (*file, error) {
	opened, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return nil, err
	}
	w := &file{file: opened, sum: sha256.New()}
	w.out = bufio.NewWriter(io.MultiWriter(opened, w.sum))
	return w, nil
}

// Write implements [io.Writer].
func (w *file) Write(p []byte) (int, error) { return w.out.Write(p) }

func (w *file) sync() error { return errors.Join(w.out.Flush(), w.file.Sync()) }

// close closes the file and returns its SHA-256.
func (w *file) close() (string, error) {
	err := errors.Join(w.out.Flush(), w.file.Close())
	return hex.EncodeToString(w.sum.Sum(nil)), err
}

// abort closes an incomplete file.
func (w *file) abort() error { return w.file.Close() }
