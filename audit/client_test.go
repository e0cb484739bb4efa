package audit_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/audit"
)

func aRequest(n int) audit.Request {
	return audit.Request{
		ID: fmt.Sprint("r", n), Time: began, Organisation: idOf(0, 0, 0), Device: idOf(0, 1, 0),
		Body: strings.Repeat("0a", 32), Status: 202, Document: idOf(0, 1, n),
	}
}

func TestClientJournalRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "clients.jsonl")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	journal := audit.NewClientJournal(file)
	const clients, each = 8, 25
	var all sync.WaitGroup
	for c := range clients {
		all.Go(func() {
			for n := range each {
				if err := journal.Append(aRequest(c*each + n)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if err := errors.Join(journal.Sync(), file.Close()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := audit.Walk(context.Background(), &history{}, audit.Options{Clients: bytes.NewReader(text)})
	if err != nil {
		t.Fatal(err)
	}
	// The store is empty, so all documents are missing.
	if r.Clients.Records != clients*each || r.Clients.Bad != 0 || r.Broken[audit.NothingLost] != clients*each {
		t.Errorf("client journal %+v, faults %v, want %d records and %d faults of %s", r.Clients, r.Broken, clients*each, clients*each, audit.NothingLost)
	}
	if len(r.Faults) != 100 || r.Total() != clients*each {
		t.Errorf("report lists %d of %d faults, want 100 of 200", len(r.Faults), r.Total())
	}
}

func TestClientJournalRefusesInvalidRequests(t *testing.T) {
	cases := map[string]func(*audit.Request){
		"no id":                     func(r *audit.Request) { r.ID = "" },
		"no time":                   func(r *audit.Request) { r.Time = time.Time{} },
		"no organisation":           func(r *audit.Request) { r.Organisation = uuid.Nil },
		"no body":                   func(r *audit.Request) { r.Body = "" },
		"half a body":               func(r *audit.Request) { r.Body = r.Body[:32] },
		"status out of range":       func(r *audit.Request) { r.Status = 42 },
		"issued without a document": func(r *audit.Request) { r.Document = uuid.Nil },
		"issued without a device":   func(r *audit.Request) { r.Device = uuid.Nil },
		"line too long":             func(r *audit.Request) { r.Trouble = strings.Repeat("x", 64<<10) },
	}
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			file := &disk{}
			r := aRequest(1)
			change(&r)
			if err := audit.NewClientJournal(file).Append(r); err == nil || file.Len() > 0 {
				t.Errorf("Append returned %v and wrote %q, want an error and nothing written", err, file)
			}
		})
	}
}

// disk is a buffer whose Sync fails with failSync.
type disk struct {
	bytes.Buffer
	failSync error
}

func (d *disk) Sync() error { return d.failSync }

// half is a file that writes only half of the bytes and returns an error.
type half struct{ disk }

func (h *half) Write(p []byte) (int, error) {
	n, _ := h.Buffer.Write(p[:len(p)/2])
	return n, errDisk
}

func TestClientJournalReturnsDiskErrors(t *testing.T) {
	torn := &half{}
	journal := audit.NewClientJournal(torn)
	for range 2 { // the second request must not be appended to half a line
		if err := journal.Append(aRequest(1)); !errors.Is(err, errDisk) {
			t.Errorf("Append to a failing file = %v, want %v", err, errDisk)
		}
	}
	if n := torn.Len(); n == 0 || n > 200 {
		t.Errorf("file has %d bytes, want half a line of 1 to 200 bytes", n)
	}
	if err := audit.NewClientJournal(&disk{failSync: errDisk}).Append(aRequest(1)); !errors.Is(err, errDisk) {
		t.Errorf("Append with a failing sync = %v, want %v", err, errDisk)
	}
}

func TestTornLastLineIsARemark(t *testing.T) {
	for _, torn := range []string{`{"time":"2026-`, "{", `{"time":"2026-01-01T00:00:00Z","status":200}`, strings.Repeat("x", 200<<10)} {
		h := made(t, 2)
		h.torn, h.clientsTorn = torn, torn
		r := h.audited(t)
		if !r.Sound() || len(r.Remarks) < 2 || r.Authority.Torn != int64(len(torn)) || r.Clients.Torn != int64(len(torn)) {
			t.Errorf("torn line %.50q: remarks %v, faults %v; want two remarks and no fault", torn, r.Remarks, r.Faults)
		}
	}
}
