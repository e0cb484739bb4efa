package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gofrs/flock"
)

// folderJournal writes a journal into the files of a folder. It never continues a
// file of an earlier process, whose end may be torn.
//
// After a write or a sync has failed, the state of the file on the disk is unknown,
// and a later sync may succeed although data is missing. So the file is never written
// again: the same batch is written to a new file, once. If that fails too, write
// returns the error, and the next write begins with a new file.
type folderJournal struct {
	in     *folder
	folder string
	lock   *flock.Flock
	seq    uint64 // of the last durable batch
	number int    // of the last file
	file   *os.File
	size   int64
}

func (f *folder) journal(ctx context.Context, name string) (journal, error) {
	if err := f.mkdir(name); err != nil {
		return nil, err
	}
	lock := flock.New(f.path(path.Join(name, "lock")), flock.SetPermissions(0o600))
	free, err := lock.TryLock()
	if err != nil {
		return nil, err
	}
	if !free {
		return nil, fmt.Errorf("%w: another process has it open; each server needs its own name", ErrInvalid)
	}
	j := &folderJournal{in: f, folder: name, lock: lock}
	if err := j.resume(ctx); err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	return j, nil
}

// resume finds the last batch and the last file of earlier processes. A batch that
// was written and not synced may be read from memory and be lost in a power failure,
// so the file is synced first.
func (j *folderJournal) resume(ctx context.Context) error {
	names, err := j.in.fileNames(ctx, j.folder)
	if err != nil {
		return err
	}
	for _, name := range slices.Backward(names) {
		number, err := strconv.Atoi(strings.TrimSuffix(name, extension))
		if err != nil || fileName(number) != name {
			return fmt.Errorf("%w: %s is not a file of a journal", ErrDamaged, path.Join(j.folder, name))
		}
		j.number = max(j.number, number)
		if j.seq, err = j.in.lastBatch(path.Join(j.folder, name)); err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		if j.seq > 0 {
			return nil
		}
	}
	return nil
}

// fileName returns the name of a file of a journal, which sorts by number.
func fileName(number int) string { return fmt.Sprintf("%08d%s", number, extension) }

// lastBatch syncs a file and returns the number of its last valid batch, or 0.
func (f *folder) lastBatch(name string) (uint64, error) {
	file, err := os.Open(f.path(name))
	if err != nil {
		return 0, err
	}
	defer file.Close()
	if err := f.sync(file); err != nil {
		return 0, err
	}
	last, s := uint64(0), scanner{from: file}
	for {
		found, err := s.next()
		switch {
		case errors.Is(err, io.EOF):
			return last, nil
		case err != nil:
			return 0, err
		case found.batch != nil:
			last = found.head.seq
		}
	}
}

func (j *folderJournal) write(_ context.Context, p packed) (int, error) {
	b := p.batch(j.seq + 1)
	if err := j.store(b); err != nil {
		if again := j.store(b); again != nil {
			return 0, errors.Join(err, again)
		}
	}
	j.seq++
	return len(b), nil
}

// store writes a batch to the current file or a new one and syncs it. If that fails,
// the file is not used again, unless nothing was written to it.
func (j *folderJournal) store(b []byte) error {
	if j.file != nil && j.size >= j.in.fileSize {
		j.end()
	}
	if j.file == nil {
		if err := j.begin(); err != nil {
			return err
		}
	}
	n, err := j.file.Write(b)
	if err == nil {
		err = j.in.sync(j.file)
	}
	if err == nil {
		j.size += int64(n)
		return nil
	}
	if n > 0 || j.size > 0 {
		j.end()
	}
	return err
}

// begin creates the next file.
func (j *folderJournal) begin() error {
	for {
		name := j.in.path(path.Join(j.folder, fileName(j.number+1)))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			j.number++
			continue
		}
		if err != nil {
			return err
		}
		j.number++
		if err := j.in.syncFolder(j.folder); err != nil {
			f.Close()
			return err
		}
		j.file, j.size = f, 0
		return nil
	}
}

// end closes the current file. Its content is durable, or it is abandoned.
func (j *folderJournal) end() {
	j.file.Close()
	j.file, j.size = nil, 0
}

func (j *folderJournal) position() journalPosition { return journalPosition{j.folder, j.seq} }

func (j *folderJournal) close() error {
	if j.file != nil {
		j.end()
	}
	return j.lock.Unlock()
}
