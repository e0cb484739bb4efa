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

// Request is one request of a load client to create a document, with its answer:
// one line of the client journal, written when the request has ended.
type Request struct {
	ID           string    `json:"request"` // chosen by the client, unique for each try
	Time         time.Time `json:"time"`    // when it was sent
	Organisation uuid.UUID `json:"organisation"`
	Device       uuid.UUID `json:"device"`
	Key          string    `json:"key,omitempty"`    // Idempotency-Key
	Body         string    `json:"body"`             // SHA-256 of the body, hexadecimal
	Status       int       `json:"status,omitempty"` // of the answer; 0 if there was none
	Document     uuid.UUID `json:"uuid,omitzero"`    // from a 202
	Trouble      string    `json:"trouble,omitempty"`
}

// check returns an error if the request is not a valid record.
func (r Request) check() error {
	digest, err := hex.DecodeString(r.Body)
	switch {
	case r.ID == "":
		return errors.New("request id is missing")
	case r.Time.IsZero():
		return errors.New("time is missing")
	case r.Organisation == uuid.Nil:
		return errors.New("organisation is missing")
	case err != nil || len(digest) != 32:
		return errors.New("body is not a hexadecimal SHA-256")
	case r.Status != 0 && (r.Status < 100 || r.Status > 599):
		return fmt.Errorf("status is %d, want 100 to 599", r.Status)
	case r.answered() && r.Document == uuid.Nil:
		return errors.New("status is 202, but the uuid is missing")
	case r.answered() && r.Device == uuid.Nil:
		return errors.New("status is 202, but the device is missing")
	}
	return nil
}

// answered reports whether the answer says that the document was issued.
func (r Request) answered() bool { return r.Status == 202 }

// refused reports whether the answer says that nothing was issued.
func (r Request) refused() bool { return r.Status >= 400 && r.Status < 500 }

func readRequest(line []byte) (Request, error) {
	var r Request
	if err := json.Unmarshal(line, &r); err != nil {
		return Request{}, err
	}
	return r, r.check()
}

// SyncWriter is a writer that can be flushed to the disk, such as a file.
type SyncWriter interface {
	io.Writer
	Sync() error
}

// ClientJournal is the journal of load clients, with one JSON object per line.
// It is safe for concurrent use.
type ClientJournal struct {
	file SyncWriter

	mu      sync.Mutex // guards writing
	written int64      // lines
	broken  error      // set when the end of the file is unknown

	disk   sync.Mutex // guards syncing
	synced int64      // lines on the disk
}

// NewClientJournal returns a journal that appends to a file.
func NewClientJournal(file SyncWriter) *ClientJournal { return &ClientJournal{file: file} }

// Append writes a request and waits until it is on the disk. Concurrent calls
// share one sync.
func (j *ClientJournal) Append(r Request) error {
	if err := r.check(); err != nil {
		return fmt.Errorf("append request %s: %w", r.ID, err)
	}
	line, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("append request %s: %w", r.ID, err)
	}
	if len(line) >= maxLine {
		return fmt.Errorf("append request %s: line has %d bytes, more than %d", r.ID, len(line), maxLine)
	}
	mine, err := j.write(append(line, '\n'))
	if err != nil {
		return fmt.Errorf("append request %s: %w", r.ID, err)
	}
	return j.reach(mine)
}

// Sync waits until all appended requests are on the disk.
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
		j.broken = err // half a line may have been written, and the next line would be read as part of it
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
