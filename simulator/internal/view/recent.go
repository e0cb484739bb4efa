package view

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"time"

	"khatm/simulator/internal/journal"
)

// Limits of the requests that are kept for the page.
const (
	maxRequests = 200
	maxUnknown  = 20        // requests to unknown addresses
	maxBody     = 512 << 10 // bytes of one body
	maxBodies   = 16 << 20  // bytes of all bodies together
	maxField    = 200       // characters of a field of the document
)

// Request is a request to the simulator and its verdict, without secrets.
type Request struct {
	ID          int64 // set by Recent
	Began       time.Time
	Environment string
	Operation   string // as in the journal; "" if the path is unknown
	Method      string
	Path        string
	Header      []Field
	Body        []byte // nil if it is not kept
	Size        int    // bytes of the body that were received

	Device       string // VAT number and serial
	Number       string
	UUID         string
	TypeCode     string // 388, 381, 383, 386
	Standard     bool
	Counter      string
	PreviousHash string
	Hash         string

	Decided int // status that the simulator decided; 0 if a fault kept the request from it
	Sent    int // status that the client received; 0 if none was sent
	Outcome journal.Outcome
	Faults  string // names of the applied faults, separated by commas
	Reasons []journal.Reason
}

// Recent keeps the last maxRequests requests. It is safe for concurrent use.
type Recent struct {
	mu     sync.Mutex
	last   int64
	all    []Request // oldest first
	bodies int       // bytes of their bodies
}

// Add adds a request. Long texts are shortened, a large body is not kept, and the
// bodies of old requests are dropped if all bodies together are too large.
func (t *Recent) Add(r Request) {
	for _, text := range []*string{&r.Device, &r.Number, &r.UUID, &r.TypeCode, &r.Counter, &r.PreviousHash, &r.Hash} {
		*text = strings.Clone(clip(*text, maxField)) // it may be a part of the document
	}
	if len(r.Body) > maxBody {
		r.Body = nil
	}
	r.Body = bytes.Clone(r.Body) // the buffer that was read into is larger
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last++
	r.ID = t.last
	if at := t.leaving(r); at >= 0 {
		t.bodies -= len(t.all[at].Body)
		t.all = slices.Delete(t.all, at, at+1)
	}
	t.all = append(t.all, r)
	t.bodies += len(r.Body)
	for i := 0; t.bodies > maxBodies; i++ {
		t.bodies -= len(t.all[i].Body)
		t.all[i].Body = nil
	}
}

// leaving returns the index of the request that makes room for r, or -1. A
// client that often requests an unknown address, to read the time for example,
// does not displace the documents.
func (t *Recent) leaving(r Request) int {
	if r.Operation == "" {
		first, count := -1, 0
		for i := range t.all {
			if t.all[i].Operation != "" {
				continue
			}
			if count++; first < 0 {
				first = i
			}
		}
		if count >= maxUnknown {
			return first
		}
	}
	if len(t.all) == maxRequests {
		return 0
	}
	return -1
}

// List returns the requests, newest first.
func (t *Recent) List() []Request {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := slices.Clone(t.all)
	slices.Reverse(list)
	return list
}

// Find returns the request with the given ID.
func (t *Recent) Find(id int64) (Request, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, r := range t.all {
		if r.ID == id {
			return r, true
		}
	}
	return Request{}, false
}

// Clear removes all requests. Their IDs are not used again.
func (t *Recent) Clear() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all, t.bodies = nil, 0
}
