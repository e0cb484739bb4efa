// Package journal records the requests to the simulator in an append-only file.
// It finds documents that were accepted within 24 hours, and audits each
// device's chain.
//
// The file has one JSON object per line. A record is written with a single
// write call before its request is answered, so it survives a crash of the
// process, and with [Config.Sync] a crash of the machine. A line that was being
// written during a crash has no line end, and its request was never answered;
// Open removes the line and reports its size. Saved answers, such as cleared
// documents, are in a second file with the suffix ".answers" and are written
// before the record that refers to them.
//
// The index in memory has one entry of fixed size for each document accepted
// within the last 24 to 48 hours. The package knows nothing about the protocol;
// the caller sets the outcome of a request. Only one process may have a journal
// open.
package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Config configures a Journal.
type Config struct {
	Path string           // path of the file; "" keeps everything in memory
	Sync bool             // sync each record to disk
	Now  func() time.Time // required
}

// Opened describes the contents of a journal when it was opened.
type Opened struct {
	Records int64 // complete records
	Torn    int64 // bytes of an incomplete line removed from the end
	Known   int   // documents accepted in the last 24 hours
	Lost    int   // how many of the known documents have no saved answer although they should
}

// Journal is an open journal. It is safe for concurrent use.
type Journal struct {
	Opened Opened

	now     func() time.Time
	lines   store
	answers store

	mu    sync.Mutex
	index *index
}

// Corrupt is the error for a line in the middle of the file that is not a
// record.
type Corrupt struct {
	Path string
	At   int64 // offset of the line
	Err  error
}

func (c *Corrupt) Error() string {
	return fmt.Sprintf("journal %s is damaged at byte %d: %v", c.Path, c.At, c.Err)
}

func (c *Corrupt) Unwrap() error { return c.Err }

// Open opens or creates the journal. New records are appended at its end.
func Open(cfg Config) (*Journal, error) {
	if cfg.Now == nil {
		return nil, errors.New("open journal: Config.Now is nil")
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

// syncFolder syncs the folder, so that the names of new files are durable too.
func syncFolder(path string) error {
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// Close closes the files. There is no buffered data to write.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return errors.Join(j.lines.close(), j.answers.close())
}
