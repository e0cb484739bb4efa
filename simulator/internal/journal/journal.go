// Package journal is the memory of the simulator: an append-only file
// of every request it saw, the documents it accepted within 24 hours, and an
// audit of each device's chain over the whole.
//
// The file has one JSON object a line. A record is handed to the operating
// system, by one write, before its request is answered; so it survives the
// death of the process, by whatever signal, and with [Config.Sync] that of the
// machine. A line that was being written when the process died has no line end;
// its request was never answered, and opening the file cuts it off and says so.
// Kept answers, such as cleared documents, stand in a second file beside it,
// named as the first with ".answers" behind, and are written before the record
// that speaks of them.
//
// In memory there is one entry of fixed size for each document accepted within
// the last two windows of 24 hours. The package knows no protocol: who calls
// says what became of a request. Only one process may have a journal open.
package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Config says where a journal is and how it is kept.
type Config struct {
	Path string           // of the file; "" keeps everything in memory
	Sync bool             // wait for the disk at each record
	Now  func() time.Time // required
}

// Opened is what was found when the journal was opened.
type Opened struct {
	Records int64 // whole ones
	Torn    int64 // bytes at the end that were cut off
	Known   int   // documents accepted in the last 24 hours
	Lost    int   // of these, whose kept answers are missing
}

// Journal may be used by many goroutines.
type Journal struct {
	Opened Opened

	now     func() time.Time
	lines   store
	answers store

	mu    sync.Mutex
	index *index
}

// Corrupt says that a line in the middle of the file is not a record.
type Corrupt struct {
	Path string
	At   int64 // offset of the line
	Err  error
}

func (c *Corrupt) Error() string {
	return fmt.Sprintf("journal %s is damaged at byte %d: %v", c.Path, c.At, c.Err)
}

func (c *Corrupt) Unwrap() error { return c.Err }

// Open opens the journal, or makes it, and goes on at its end.
func Open(cfg Config) (*Journal, error) {
	if cfg.Now == nil {
		return nil, errors.New("open journal: there is no clock")
	}
	j := &Journal{now: cfg.Now, lines: &memory{}, answers: &memory{}, index: newIndex(cfg.Now())}
	if cfg.Path == "" {
		return j, nil
	}
	if err := j.open(cfg); err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	return j, nil
}

func (j *Journal) open(cfg Config) error {
	lines, err := openFile(cfg.Path, cfg.Sync)
	if err != nil {
		return err
	}
	answers, err := openFile(cfg.Path+".answers", cfg.Sync)
	if err != nil {
		return errors.Join(err, lines.close())
	}
	j.lines, j.answers = lines, answers
	err = j.recover(cfg.Path)
	if err == nil && cfg.Sync {
		err = syncFolder(cfg.Path)
	}
	if err != nil {
		return errors.Join(err, j.Close())
	}
	return nil
}

// syncFolder makes the names of new files as durable as their content.
func syncFolder(path string) error {
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// Close closes the files. Nothing waits to be written.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return errors.Join(j.lines.close(), j.answers.close())
}
