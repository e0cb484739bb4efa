package store

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// parts are the lines with the last states of rows, in a temporary file for each
// table, so that the archive need not be read for each of them.
type parts struct {
	dir   string
	files map[string]*part
}

type part struct {
	file *os.File
	to   *bufio.Writer
}

// split writes the lines of rows to the files of their tables.
func (r *reentry) split(read func(each func(line []byte) error) error) (*parts, error) {
	dir, err := os.MkdirTemp("", "khatm-recovery-") // only its owner can read it
	if err != nil {
		return nil, err
	}
	p := &parts{dir: dir, files: map[string]*part{}}
	err = read(func(line []byte) error {
		if !bytes.HasPrefix(line, []byte(`{"kind":"rows"`)) {
			return nil
		}
		l, err := parseLine(line)
		if err != nil {
			return err
		}
		written := map[string]bool{}
		for _, image := range r.imagesOf(l) {
			if written[image.table.name] || !r.isLast(image) {
				continue
			}
			written[image.table.name] = true
			if err := p.add(image.table.name, line); err != nil {
				return err
			}
		}
		return nil
	})
	for _, one := range p.files {
		err = errors.Join(err, one.to.Flush())
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("sort the rows of the archive by table: %w", err), p.remove())
	}
	return p, nil
}

func (p *parts) add(table string, line []byte) error {
	one := p.files[table]
	if one == nil {
		file, err := os.OpenFile(filepath.Join(p.dir, table), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
		if err != nil {
			return err
		}
		one = &part{file: file, to: bufio.NewWriterSize(file, 64<<10)}
		p.files[table] = one
	}
	if _, err := one.to.Write(line); err != nil {
		return err
	}
	return one.to.WriteByte('\n')
}

// read calls each for the lines of a table, in the order of the archive.
func (p *parts) read(table string, each func(line []byte) error) error {
	one := p.files[table]
	if one == nil {
		return nil
	}
	if _, err := one.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	from := bufio.NewReaderSize(one.file, 64<<10)
	for {
		line, err := from.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := each(line[:len(line)-1]); err != nil {
			return err
		}
	}
}

// remove removes the files.
func (p *parts) remove() (err error) {
	for _, one := range p.files {
		err = errors.Join(err, one.file.Close())
	}
	if removed := os.RemoveAll(p.dir); removed != nil && !errors.Is(removed, fs.ErrNotExist) {
		err = errors.Join(err, removed)
	}
	return err
}
