package audit_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"io"
	"iter"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/audit"
)

// history is the content of a store and of two journals, in memory.
type history struct {
	devices   []*testDevice
	usage     []audit.Usage
	trail     []audit.Entry
	authority []seen
	clients   []audit.Request
	gaps      []audit.NumberGap

	torn         string // after the last line of the authority's journal
	keepHead     bool   // relink does not update the head
	head         audit.Link
	now          time.Time
	overdue      time.Duration
	noAuthority  bool
	noClients    bool
	clientsTorn  string
	authorityBad map[int]string // lines by index, in place of the record
}

// testDevice is a device with its documents.
type testDevice struct {
	audit.Device
	maker     *maker
	documents []audit.Document
}

// seen is a record of the authority's journal, as the simulator writes it.
type seen struct {
	Time         time.Time `json:"time"`
	Environment  string    `json:"environment"`
	Endpoint     string    `json:"endpoint"`
	Device       string    `json:"device,omitempty"`
	UUID         string    `json:"uuid,omitempty"`
	Counter      string    `json:"counter,omitempty"`
	PreviousHash string    `json:"previousHash,omitempty"`
	Hash         string    `json:"hash,omitempty"`
	Body         string    `json:"body,omitempty"`
	Status       int       `json:"status"`
	Outcome      string    `json:"outcome,omitempty"`
	Mood         string    `json:"mood,omitempty"`
}

// clone returns a copy that mutants can change.
func (h *history) clone() *history {
	c := *h
	c.devices = nil
	for _, t := range h.devices {
		u := *t
		u.documents = slices.Clone(t.documents)
		for i := range u.documents {
			d := &u.documents[i]
			d.XML, d.Cleared = bytes.Clone(d.XML), bytes.Clone(d.Cleared)
			d.Attempts, d.Verdicts = slices.Clone(d.Attempts), slices.Clone(d.Verdicts)
		}
		u.Certificates = slices.Clone(t.Certificates)
		c.devices = append(c.devices, &u)
	}
	c.usage, c.trail = slices.Clone(h.usage), slices.Clone(h.trail)
	c.authority, c.clients = slices.Clone(h.authority), slices.Clone(h.clients)
	c.authorityBad = map[int]string{}
	return &c
}

// Devices implements [audit.Source], as do the following methods.
func (h *history) Devices(context.Context) iter.Seq2[audit.Device, error] {
	return func(yield func(audit.Device, error) bool) {
		for _, t := range h.devices {
			if !yield(t.Device, nil) {
				return
			}
		}
	}
}

func (h *history) Documents(_ context.Context, of audit.Device) iter.Seq2[audit.Document, error] {
	return func(yield func(audit.Document, error) bool) {
		for _, t := range h.devices {
			if t.ID != of.ID {
				continue
			}
			for _, d := range t.documents {
				if !yield(d, nil) {
					return
				}
			}
		}
	}
}

func (h *history) NumberGaps(context.Context) iter.Seq2[audit.NumberGap, error] {
	return sequence(h.gaps)
}

func (h *history) Usage(context.Context) iter.Seq2[audit.Usage, error] { return sequence(h.usage) }
func (h *history) Trail(context.Context) iter.Seq2[audit.Entry, error] { return sequence(h.trail) }

func sequence[T any](all []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, one := range all {
			if !yield(one, nil) {
				return
			}
		}
	}
}

// relink recomputes the links of the trail.
func (h *history) relink() {
	var last audit.Link
	for i := range h.trail {
		e := &h.trail[i]
		e.Link = linkAfter(last, *e)
		last = e.Link
	}
	if !h.keepHead {
		h.head = last
	}
}

// linkAfter returns the link of an entry that follows another.
func linkAfter(last audit.Link, e audit.Entry) audit.Link {
	next := audit.Link{Number: last.Number + 1}
	text, err := json.Marshal([]any{
		next.Number, last.Hash[:], e.ID, e.Organisation, e.At.UnixMilli(), e.Kind, e.Actor, e.Address, e.Request, e.Action, e.Subject, e.Details,
	})
	if err != nil {
		panic(err)
	}
	next.Hash = sha256.Sum256(text)
	return next
}

func lines[T any](all []T, instead map[int]string, torn string) io.Reader {
	var b bytes.Buffer
	for i, one := range all {
		if text, bad := instead[i]; bad {
			b.WriteString(text + "\n")
			continue
		}
		line, err := json.Marshal(one)
		if err != nil {
			panic(err)
		}
		b.Write(append(line, '\n'))
	}
	b.WriteString(torn)
	return &b
}

// audited runs the audit with both journals.
func (h *history) audited(t testing.TB, change ...func(*audit.Options)) *audit.Report {
	t.Helper()
	o := audit.Options{
		Head: h.head, Now: h.now, Overdue: h.overdue, Sole: true, Environment: "simulation", SubmissionBody: submissionBody, Scratch: scratch(t),
	}
	if !h.noAuthority {
		o.Authority = lines(h.authority, h.authorityBad, h.torn)
	}
	if !h.noClients {
		o.Clients = lines(h.clients, nil, h.clientsTorn)
	}
	for _, c := range change {
		c(&o)
	}
	report, err := audit.Walk(context.Background(), h, o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func submissionBody(id uuid.UUID, hash string, xml []byte) []byte {
	return slices.Concat([]byte(id.String()+" "+hash+" "), xml)
}

// scratch returns a function that creates temporary files. They are removed
// after the test.
func scratch(t testing.TB) func() (audit.Scratch, error) {
	return func() (audit.Scratch, error) { return os.CreateTemp(t.TempDir(), "sort") }
}

// all yields every document with its device.
func (h *history) all() iter.Seq2[*testDevice, *audit.Document] {
	return func(yield func(*testDevice, *audit.Document) bool) {
		for _, t := range h.devices {
			for i := range t.documents {
				if !yield(t, &t.documents[i]) {
					return
				}
			}
		}
	}
}
