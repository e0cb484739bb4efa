package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"crypto/sha256"
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

// entry is a file of an archive.
type entry struct {
	name string // in the archive
	path string // of the file
	mode fs.FileMode
}

// archive writes the archive for a target.
func (r *release) archive(target string) error {
	top := r.file("-" + strings.ReplaceAll(target, "/", "-"))
	program := r.program(target)
	entries := []entry{{path.Join(top, filepath.Base(program)), program, 0o755}}
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md", "SECURITY.md"} {
		entries = append(entries, entry{path.Join(top, name), name, 0o644})
	}
	for name, dir := range map[string]string{"man": filepath.Join(r.work, "man"), "completion": filepath.Join(r.work, "completion"), "deploy": "deploy", "docs": "docs"} {
		more, err := entriesOf(dir, path.Join(top, name))
		if err != nil {
			return err
		}
		entries = append(entries, more...)
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	write, suffix := writeTar, ".tar.gz"
	if strings.HasPrefix(target, "windows/") {
		write, suffix = writeZip, ".zip"
	}
	return writeFile(filepath.Join(r.dir, top+suffix), func(to io.Writer) error { return write(to, entries, r.time) })
}

// entriesOf returns the files below a folder, as entries below top. Tests are left
// out.
func entriesOf(dir, top string) ([]entry, error) {
	var all []entry
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || strings.HasSuffix(p, ".go") {
			return err
		}
		below, err := filepath.Rel(dir, p)
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if strings.HasSuffix(p, ".sh") {
			mode = 0o755
		}
		all = append(all, entry{path.Join(top, filepath.ToSlash(below)), p, mode})
		return nil
	})
	return all, err
}

// writeTar writes a compressed tar archive that depends only on the names, modes and
// contents of the files and on the time.
func writeTar(to io.Writer, entries []entry, at time.Time) error {
	compressed, err := gzip.NewWriterLevel(to, gzip.BestCompression)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(compressed)
	for _, e := range entries {
		content, err := os.ReadFile(e.path)
		if err != nil {
			return err
		}
		header := &tar.Header{Typeflag: tar.TypeReg, Name: e.name, Mode: int64(e.mode), Size: int64(len(content)), ModTime: at, Format: tar.FormatPAX}
		if err := archive.WriteHeader(header); err != nil {
			return err
		}
		if _, err := archive.Write(content); err != nil {
			return err
		}
	}
	return errors.Join(archive.Close(), compressed.Close())
}

// writeZip is like writeTar for a zip archive.
func writeZip(to io.Writer, entries []entry, at time.Time) error {
	archive := zip.NewWriter(to)
	for _, e := range entries {
		content, err := os.ReadFile(e.path)
		if err != nil {
			return err
		}
		header := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: at}
		header.SetMode(e.mode)
		file, err := archive.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := file.Write(content); err != nil {
			return err
		}
	}
	return archive.Close()
}

// writeFile creates a file with what write writes.
func writeFile(name string, write func(io.Writer) error) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}

// checksums is the name of the file with the checksums of the others, in the format of
// sha256sum.
const checksums = "SHA256SUMS"

func writeChecksums(dir string, log io.Writer) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	text := ""
	for _, file := range files {
		content, err := os.ReadFile(filepath.Join(dir, file.Name()))
		if err != nil {
			return err
		}
		text += fmt.Sprintf("%x  %s\n", sha256.Sum256(content), file.Name())
	}
	fmt.Fprint(log, text)
	return os.WriteFile(filepath.Join(dir, checksums), []byte(text), 0o644)
}
