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

func TestClientJournalIsReadAsItWasWritten(t *testing.T) {
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
	// Nothing is in the store, so every one of them is missing there.
	if r.Clients.Records != clients*each || r.Clients.Bad != 0 || r.Broken[audit.NothingLost] != clients*each {
		t.Errorf("%+v, %v", r.Clients, r.Broken)
	}
	if len(r.Faults) != 100 || r.Total() != clients*each {
		t.Errorf("%d faults are told of %d", len(r.Faults), r.Total())
	}
}

func TestClientJournalRefusesWhatItCouldNotReadAgain(t *testing.T) {
	cases := map[string]func(*audit.Request){
		"no id":                      func(r *audit.Request) { r.ID = "" },
		"no time":                    func(r *audit.Request) { r.Time = time.Time{} },
		"no organisation":            func(r *audit.Request) { r.Organisation = uuid.Nil },
		"no body":                    func(r *audit.Request) { r.Body = "" },
		"half a body":                func(r *audit.Request) { r.Body = r.Body[:32] },
		"a status that is none":      func(r *audit.Request) { r.Status = 42 },
		"issued without a document":  func(r *audit.Request) { r.Document = uuid.Nil },
		"issued without a device":    func(r *audit.Request) { r.Device = uuid.Nil },
		"more trouble than fits one": func(r *audit.Request) { r.Trouble = strings.Repeat("x", 64<<10) },
	}
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			file := &disk{}
			r := aRequest(1)
			change(&r)
			if err := audit.NewClientJournal(file).Append(r); err == nil || file.Len() > 0 {
				t.Errorf("got %v and %q", err, file)
			}
		})
	}
}

// disk is a file that fails when it is told to.
type disk struct {
	bytes.Buffer
	failSync error
}

func (d *disk) Sync() error { return d.failSync }

// half writes half and says so.
type half struct{ disk }

func (h *half) Write(p []byte) (int, error) {
	n, _ := h.Buffer.Write(p[:len(p)/2])
	return n, errDisk
}

func TestClientJournalTellsOfADiskThatFails(t *testing.T) {
	torn := &half{}
	journal := audit.NewClientJournal(torn)
	for range 2 { // the second must not be written behind half a line
		if err := journal.Append(aRequest(1)); !errors.Is(err, errDisk) {
			t.Errorf("got %v", err)
		}
	}
	if n := torn.Len(); n == 0 || n > 200 {
		t.Errorf("%d bytes", n)
	}
	if err := audit.NewClientJournal(&disk{failSync: errDisk}).Append(aRequest(1)); !errors.Is(err, errDisk) {
		t.Errorf("got %v", err)
	}
}

func TestTornLastLineIsARemark(t *testing.T) {
	for _, torn := range []string{`{"time":"2026-`, "{", `{"time":"2026-01-01T00:00:00Z","status":200}`, strings.Repeat("x", 200<<10)} {
		h := made(t, 2)
		h.torn, h.clientsTorn = torn, torn
		r := h.audited(t)
		if !r.Sound() || len(r.Remarks) < 2 || r.Authority.Torn != int64(len(torn)) || r.Clients.Torn != int64(len(torn)) {
			t.Errorf("%.50q: %v %v", torn, r.Remarks, r.Faults)
		}
	}
}
