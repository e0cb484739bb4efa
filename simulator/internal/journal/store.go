package journal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// store is an append-only sequence of bytes: a file, or memory.
type store interface {
	io.ReaderAt
	append(p []byte) (at int64, err error) // appends all of p or nothing
	end() int64
	cut(size int64) error
	close() error
}

// file is a store on disk. Each append is one write; the remains of a failed
// write are truncated.
type file struct {
	handle *os.File
	size   int64
	sync   bool
	broken error // set if truncating failed, so the end of the file is unknown
}

func openFile(path string, sync bool) (*file, error) {
	handle, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := handle.Stat()
	if err != nil {
		return nil, errors.Join(err, handle.Close())
	}
	return &file{handle: handle, size: info.Size(), sync: sync}, nil
}

func (f *file) append(p []byte) (int64, error) {
	if f.broken != nil {
		return 0, f.broken
	}
	_, err := f.handle.WriteAt(p, f.size)
	if err == nil && f.sync {
		err = f.handle.Sync()
	}
	if err != nil {
		if worse := f.handle.Truncate(f.size); worse != nil {
			f.broken = fmt.Errorf("remove an incomplete write: %w", errors.Join(err, worse))
		}
		return 0, err
	}
	at := f.size
	f.size += int64(len(p))
	return at, nil
}

func (f *file) cut(size int64) error {
	if err := f.handle.Truncate(size); err != nil {
		return err
	}
	f.size = size
	return nil
}

// ReadAt implements [io.ReaderAt].
func (f *file) ReadAt(p []byte, at int64) (int, error) { return f.handle.ReadAt(p, at) }

func (f *file) end() int64   { return f.size }
func (f *file) close() error { return f.handle.Close() }

// memory is a store that is not kept after the process ends.
type memory struct {
	mu    sync.RWMutex // readers do not hold the journal's lock
	bytes []byte
}

func (m *memory) append(p []byte) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	at := int64(len(m.bytes))
	m.bytes = append(m.bytes, p...)
	return at, nil
}

// ReadAt implements [io.ReaderAt].
func (m *memory) ReadAt(p []byte, at int64) (int, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if at >= int64(len(m.bytes)) {
		return 0, io.EOF
	}
	n := copy(p, m.bytes[at:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (m *memory) end() int64 {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return int64(len(m.bytes))
}

func (m *memory) cut(size int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.bytes = m.bytes[:size]
	return nil
}

func (m *memory) close() error { return nil }
