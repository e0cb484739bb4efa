package recording

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"sync"
)

// File is a recording that is open for appending. It is safe for concurrent use.
type File struct {
	mu     sync.Mutex
	handle *os.File
}

// Open opens a recording for appending, or creates it. Only this user can read
// the file. If the last line is incomplete because an earlier recorder was
// killed, Open ends it, so that only that line is lost.
func Open(path string) (*File, error) {
	handle, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	if err := prepare(handle); err != nil {
		return nil, errors.Join(fmt.Errorf("open recording %s: %w", path, err), handle.Close())
	}
	return &File{handle: handle}, nil
}

// prepare makes an existing file ready for appending. It refuses a file that is
// not a recording.
func prepare(handle *os.File) error {
	if err := handle.Chmod(0o600); err != nil {
		return err
	}
	info, err := handle.Stat()
	if err != nil || info.Size() == 0 {
		return err
	}
	for _, err := range Read(io.NewSectionReader(handle, 0, info.Size())) {
		var damaged *Damaged
		if err != nil && (!errors.As(err, &damaged) || !damaged.Torn) {
			return fmt.Errorf("the file exists and is not a recording; choose another one: %w", err)
		}
		break
	}
	var last [1]byte
	if _, err := handle.ReadAt(last[:], info.Size()-1); err != nil || last[0] == '\n' {
		return err
	}
	_, err = handle.Write([]byte("\n"))
	return err
}

// Append writes an exchange to disk.
func (f *File) Append(e Exchange) error {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(e); err != nil {
		return fmt.Errorf("encode exchange %d: %w", e.Number, err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	_, err := f.handle.Write(line.Bytes()) // one write, so that lines of two recorders do not mix
	if err == nil {
		err = f.handle.Sync()
	}
	if err != nil {
		return fmt.Errorf("write exchange %d: %w", e.Number, err)
	}
	return nil
}

// Close closes the file.
func (f *File) Close() error { return f.handle.Close() }

// maxLine is the maximum length of a line: two bodies of maxBody bytes, encoded.
const maxLine = 16 * maxBody

// Damaged is the error for a line that is not an exchange. The lines after it can
// be read.
type Damaged struct {
	Line int
	Torn bool // whether the line starts like an exchange, as after a crash
	Err  error
}

func (d *Damaged) Error() string { return fmt.Sprintf("line %d cannot be read: %v", d.Line, d.Err) }
func (d *Damaged) Unwrap() error { return d.Err }

// Read returns the exchanges of a recording in their order. After a [*Damaged]
// error it continues with the next line; it stops after any other error.
func Read(from io.Reader) iter.Seq2[Exchange, error] {
	return func(yield func(Exchange, error) bool) {
		lines := bufio.NewScanner(from)
		lines.Buffer(nil, maxLine)
		number := 0
		for lines.Scan() {
			number++
			if len(bytes.TrimSpace(lines.Bytes())) == 0 {
				continue
			}
			e, err := readLine(lines.Bytes(), number)
			var damaged *Damaged
			if !yield(e, err) || err != nil && !errors.As(err, &damaged) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(Exchange{}, fmt.Errorf("read line %d: %w", number+1, err))
		}
	}
}

// beginning is how each line begins.
const beginning = `{"version":`

func readLine(line []byte, number int) (Exchange, error) {
	var e Exchange
	if err := json.Unmarshal(line, &e); err != nil {
		var syntax *json.SyntaxError
		short := min(len(line), len(beginning))
		return e, &Damaged{number, errors.As(err, &syntax) && string(line[:short]) == beginning[:short], err}
	}
	switch {
	case e.Version != Version:
		return e, fmt.Errorf("line %d has the version %d of the format; this program reads version %d", number, e.Version, Version)
	case e.Method == "" || e.Path == "":
		return e, &Damaged{Line: number, Err: errors.New("method and path are missing")}
	}
	return e, nil
}
