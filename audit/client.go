package audit

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/google/uuid"
)

// Request is one request of a load client to create a document, and what it was
// answered: one line of the client journal, written when the request is over.
type Request struct {
	ID           string    `json:"request"` // of the client's own making, different for each try
	Time         time.Time `json:"time"`    // when it was sent
	Organisation uuid.UUID `json:"organisation"`
	Device       uuid.UUID `json:"device"`
	Key          string    `json:"key,omitempty"`    // Idempotency-Key
	Body         string    `json:"body"`             // SHA-256 of what was sent, hexadecimal
	Status       int       `json:"status,omitempty"` // of the answer; 0 when none came
	Document     uuid.UUID `json:"uuid,omitzero"`    // of a 202
	Trouble      string    `json:"trouble,omitempty"`
}

// check refuses what no client wrote.
func (r Request) check() error {
	digest, err := hex.DecodeString(r.Body)
	switch {
	case r.ID == "":
		return errors.New("it has no request id")
	case r.Time.IsZero():
		return errors.New("it has no time")
	case r.Organisation == uuid.Nil:
		return errors.New("it names no organisation")
	case err != nil || len(digest) != 32:
		return errors.New("its body is no SHA-256")
	case r.Status != 0 && (r.Status < 100 || r.Status > 599):
		return fmt.Errorf("its status is %d", r.Status)
	case r.answered() && r.Document == uuid.Nil:
		return errors.New("it was answered 202 and names no document")
	case r.answered() && r.Device == uuid.Nil:
		return errors.New("it was answered 202 and names no device")
	}
	return nil
}

// answered says whether the client was told that its document exists.
func (r Request) answered() bool { return r.Status == 202 }

// refused says whether the client was told that nothing was issued.
func (r Request) refused() bool { return r.Status >= 400 && r.Status < 500 }

func readRequest(line []byte) (Request, error) {
	var r Request
	if err := json.Unmarshal(line, &r); err != nil {
		return Request{}, err
	}
	return r, r.check()
}

// SyncWriter is a file that can be told to reach the disk.
type SyncWriter interface {
	io.Writer
	Sync() error
}

// ClientJournal is the journal of load clients, one JSON object a line. It may
// be used by many goroutines.
type ClientJournal struct {
	file SyncWriter

	mu      sync.Mutex // of writing
	written int64      // lines
	broken  error      // the file's end is not known any more

	disk   sync.Mutex // of syncing
	synced int64      // lines that are on the disk
}

// NewClientJournal goes on at the end of a file.
func NewClientJournal(file SyncWriter) *ClientJournal { return &ClientJournal{file: file} }

// Append writes a request and waits until it is on the disk; those who wait at
// the same time wait for one sync.
func (j *ClientJournal) Append(r Request) error {
	if err := r.check(); err != nil {
		return fmt.Errorf("append request %s: %w", r.ID, err)
	}
	line, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("append request %s: %w", r.ID, err)
	}
	if len(line) >= maxLine {
		return fmt.Errorf("append request %s: its line would have %d bytes", r.ID, len(line))
	}
	mine, err := j.write(append(line, '\n'))
	if err != nil {
		return fmt.Errorf("append request %s: %w", r.ID, err)
	}
	return j.reach(mine)
}

// Sync waits until everything that was appended is on the disk.
func (j *ClientJournal) Sync() error {
	j.mu.Lock()
	last := j.written
	j.mu.Unlock()
	return j.reach(last)
}

func (j *ClientJournal) write(line []byte) (number int64, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.broken != nil {
		return 0, j.broken
	}
	if _, err := j.file.Write(line); err != nil {
		j.broken = err // half a line may stand there: what followed would be read as part of it
		return 0, err
	}
	j.written++
	return j.written, nil
}

func (j *ClientJournal) reach(line int64) error {
	j.disk.Lock()
	defer j.disk.Unlock()
	if j.synced >= line {
		return nil
	}
	j.mu.Lock()
	last := j.written
	j.mu.Unlock()
	if err := j.file.Sync(); err != nil {
		return fmt.Errorf("sync the client journal: %w", err)
	}
	j.synced = last
	return nil
}
