package continuity

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/gofrs/flock"
	"github.com/google/uuid"
)

// Record is the contents of the marks.
type Record struct {
	Generation int64
	Identity   *Identity // of the database at the first mark of the generation
	Books      Books
}

// Marks records the documents issued by this server. The file is a log in which
// each line has a checksum; a torn or damaged line is ignored. It is not
// synced, because marks that lag behind the database are harmless.
type Marks struct {
	dir  string // folder of the installation
	name string // name of this server's file
	lock *flock.Flock

	mu      sync.Mutex
	file    *os.File
	size    int64
	compact int64 // size from which the log is compacted
	own     Record
}

// line is an entry of the log: the start of a generation, or the ends of an
// organisation's chains and number series.
type line struct {
	Generation   *int64    `json:"generation,omitempty"`
	Identity     *Identity `json:"identity,omitempty"`
	Organisation uuid.UUID `json:"organisation,omitzero"`
	Book         *Book     `json:"book,omitempty"`
}

// A log is compacted when it is logFactor times as large as its contents, but
// not below leastLog.
const (
	leastLog  = 1 << 20
	logFactor = 4
)

// mostServers limits the servers of one installation that keep marks in the
// same folder.
const mostServers = 64

// OpenMarks opens the marks of a server in dir. Servers of the same
// installation may share dir; each has its own file.
func OpenMarks(dir string, installation uuid.UUID) (*Marks, error) {
	m := &Marks{dir: filepath.Join(dir, installation.String())}
	if err := os.MkdirAll(m.dir, 0o700); err != nil {
		return nil, fmt.Errorf("create the folder of the marks: %w", err)
	}
	for n := 1; m.lock == nil; n++ {
		if n > mostServers {
			return nil, fmt.Errorf("%d servers already keep marks in %s, which is the maximum: use another folder", mostServers, m.dir)
		}
		name := fmt.Sprintf("server-%d", n)
		lock := flock.New(filepath.Join(m.dir, name+".lock"))
		ours, err := lock.TryLock()
		if err != nil {
			return nil, fmt.Errorf("lock the marks: %w", err)
		}
		if ours {
			m.lock, m.name = lock, name+marksEnding
		}
	}
	own, err := readMarks(filepath.Join(m.dir, m.name))
	if err == nil && own != nil {
		m.own = *own
		err = m.rewrite()
	}
	if err != nil {
		_ = m.lock.Unlock()
		return nil, err
	}
	return m, nil
}

const marksEnding = ".marks"

// Path returns the folder of the marks.
func (m *Marks) Path() string { return m.dir }

// Close closes the log and releases its lock.
func (m *Marks) Close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.file != nil {
		_ = m.file.Close()
		m.file = nil
	}
	_ = m.lock.Unlock()
}

// Known returns the merged record of all servers that keep marks in this
// folder, for the newest generation, or nil if there is none.
func (m *Marks) Known() (*Record, error) { return ReadMarks(m.dir) }

// Begin starts a generation and discards all records, unless the marks already
// are of this generation.
func (m *Marks) Begin(generation int64, of Identity) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.file != nil && m.own.Generation == generation {
		return nil
	}
	m.own = Record{Generation: generation, Identity: &of, Books: Books{}}
	return m.rewrite()
}

// Add records the ends of an organisation's chains and number series.
func (m *Marks) Add(organisation uuid.UUID, b Book) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.file == nil {
		return errors.New("the marks are not open")
	}
	m.own.Books[organisation] = m.own.Books[organisation].merge(b)
	text, err := encode(line{Organisation: organisation, Book: &b})
	if err != nil {
		return err
	}
	if m.size += int64(len(text)); m.size > m.compact {
		return m.rewrite()
	}
	if _, err := m.file.Write(text); err != nil {
		m.size = m.compact + 1 // the line may be torn, so the next call rewrites the log
		return fmt.Errorf("write the marks: %w", err)
	}
	return nil
}

// Check writes the log again if its file was removed.
func (m *Marks) Check() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.file == nil {
		return nil
	}
	if _, err := os.Stat(filepath.Join(m.dir, m.name)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(m.dir, 0o700); err != nil {
		return fmt.Errorf("create the folder of the marks: %w", err)
	}
	return m.rewrite()
}

// rewrite compacts the log to one line for each organisation.
func (m *Marks) rewrite() error {
	var all bytes.Buffer
	first := line{Generation: &m.own.Generation, Identity: m.own.Identity}
	lines := []line{first}
	for id, b := range m.own.Books {
		lines = append(lines, line{Organisation: id, Book: &b})
	}
	for _, l := range lines {
		text, err := encode(l)
		if err != nil {
			return err
		}
		all.Write(text)
	}
	path := filepath.Join(m.dir, m.name)
	if err := os.WriteFile(path+".new", all.Bytes(), 0o600); err != nil {
		return fmt.Errorf("write the marks: %w", err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		return fmt.Errorf("write the marks: %w", err)
	}
	if m.file != nil {
		_ = m.file.Close()
	}
	var err error
	if m.file, err = os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o600); err != nil {
		return fmt.Errorf("open the marks: %w", err)
	}
	m.size = int64(all.Len())
	m.compact = max(leastLog, logFactor*m.size)
	return nil
}

func encode(l line) ([]byte, error) {
	text, err := json.Marshal(l)
	if err != nil {
		return nil, fmt.Errorf("encode a mark: %w", err)
	}
	return fmt.Appendf(nil, "%08x %s\n", crc32.ChecksumIEEE(text), text), nil
}

// ReadMarks reads the marks of all servers in the given folders of an
// installation, for the newest generation. It returns nil if there are none.
func ReadMarks(dirs ...string) (*Record, error) {
	var known *Record
	for _, dir := range dirs {
		found, err := readFolder(dir)
		if err != nil {
			return nil, err
		}
		known = newer(known, found)
	}
	return known, nil
}

func readFolder(dir string) (*Record, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // no marks is a normal state
	}
	if err != nil {
		return nil, fmt.Errorf("read the marks: %w", err)
	}
	var known *Record
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), marksEnding) {
			continue
		}
		one, err := readMarks(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		known = newer(known, one)
	}
	return known, nil
}

// newer merges two records of the same generation, or returns the one with the
// newer generation.
func newer(a, b *Record) *Record {
	switch {
	case a == nil || b != nil && b.Generation > a.Generation:
		return b
	case b == nil || b.Generation < a.Generation:
		return a
	}
	for id, book := range b.Books {
		a.Books[id] = a.Books[id].merge(book)
	}
	return a
}

// readMarks reads one log. It returns nil if the log is missing or empty.
func readMarks(path string) (*Record, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // no marks is a normal state
	}
	if err != nil {
		return nil, fmt.Errorf("read the marks: %w", err)
	}
	defer file.Close()
	found, err := parseMarks(file)
	if err != nil {
		return nil, fmt.Errorf("read the marks: %w", err)
	}
	return found, nil
}

// parseMarks reads a log to its end and ignores a torn last line. On a read
// error it returns no record: an incomplete one would hide documents.
func parseMarks(from io.Reader) (found *Record, err error) {
	lines := bufio.NewReader(from)
	for {
		text, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return found, nil
		}
		if err != nil {
			return nil, err
		}
		if l, ok := decode(text); ok {
			found = l.onto(found)
		}
	}
}

func decode(text []byte) (l line, ok bool) {
	sum, body, _ := bytes.Cut(bytes.TrimSuffix(text, []byte("\n")), []byte(" "))
	if string(sum) != fmt.Sprintf("%08x", crc32.ChecksumIEEE(body)) {
		return l, false
	}
	return l, json.Unmarshal(body, &l) == nil
}

// onto returns r with the line added, or a new record if the line starts a
// generation.
func (l line) onto(r *Record) *Record {
	switch {
	case l.Generation != nil:
		return &Record{Generation: *l.Generation, Identity: l.Identity, Books: Books{}}
	case l.Book != nil && r != nil:
		r.Books[l.Organisation] = r.Books[l.Organisation].merge(*l.Book)
	}
	return r
}
