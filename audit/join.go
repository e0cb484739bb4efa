package audit

import (
	"context"
	"fmt"

	"github.com/google/uuid"
)

// judgePlaces checks that the authority received one document for each counter
// of a device.
func (w *walk) judgePlaces(context.Context) error {
	var last position
	for record, err := range w.positions.sorted() {
		if err != nil {
			return err
		}
		s := positionOf(record)
		if s.device == last.device && s.counter == last.counter && s.id != last.id && last.id != uuid.Nil {
			u := w.devices[s.device]
			w.report.find(Fault{Invariant: OneVersionSeen, Organisation: u.Organisation, Device: u.ID, Document: s.id, Counter: int64(s.counter),
				Text: fmt.Sprintf("the authority received two documents of the device with this counter; the other is %s", last.id)})
		}
		last = s
	}
	return nil
}

// joined collects what all streams record about one document. It processes one
// fact at a time, so that its size does not depend on the number of facts.
type joined struct {
	id     uuid.UUID
	stored *fact
	twice  bool // two rows have the uuid

	created int64 // entries of the trail for its creation
	hash    *fact // the first of them
	finals  int64 // entries of the trail with a final status
	final   Status
	undone  Status // a status that is not final, after a final one

	seen     int64 // number of submissions that the authority received
	first    *fact // the first of them
	bodies   bool  // the authority received more than one version
	other    *fact // a submission that differs from the stored document
	news     int64
	verdict  byte // the first one
	cleared  bool // the authority accepted it at clearance
	reported bool // the authority accepted it at reporting

	acknowledged int64 // number of requests answered with 202
	request      *fact // the first of them
	shared       *fact // another request that was answered with this document
	misdirected  *fact // a request to another device that was answered with this document
}

// judgeFacts joins the facts of each document and checks them.
func (w *walk) judgeFacts(context.Context) error {
	j := &joined{}
	for record, err := range w.facts.sorted() {
		if err != nil {
			return err
		}
		f := factOf(record)
		if f.id != j.id {
			w.judge(j)
			j = &joined{id: f.id}
		}
		j.take(&f, w)
	}
	w.judge(j)
	w.judgeUnanswered()
	return nil
}

func (j *joined) take(f *fact, w *walk) {
	switch f.kind {
	case factStored:
		j.twice = j.stored != nil
		j.stored = f
	case factTrail:
		j.takeTrail(f)
	case factAuthority:
		j.takeAuthority(f, w)
	case factClient:
		j.takeClient(f)
	}
}

func (j *joined) takeTrail(f *fact) {
	if f.created {
		if j.created++; j.hash == nil {
			j.hash = f
		}
		return
	}
	s := statusAt(f.status)
	switch {
	case s.Final():
		j.finals++
		j.final = s
	case j.finals > 0:
		j.undone = s
	}
}

func (j *joined) takeAuthority(f *fact, w *walk) {
	j.seen++
	if j.first == nil {
		j.first = f
	}
	if f.hasBody && j.first.hasBody && f.body != j.first.body || f.hash != j.first.hash {
		j.bodies = true
	}
	if s := j.stored; s != nil && j.other == nil && (f.hash != s.hash || f.counter != s.counter || !w.goesBy(s.device, f.device)) {
		j.other = f
	}
	if j.verdict == saidNothing && !j.misrouted(f) {
		j.verdict = f.said
	}
	switch f.said {
	case saidNew:
		j.news++
		fallthrough
	case saidDuplicate:
		j.cleared = j.cleared || f.cleared
		j.reported = j.reported || !f.cleared
	}
}

// misrouted reports whether reporting refused a document that clearance has
// cleared: it was sent there while clearance was off, and refused only because
// of its kind.
func (j *joined) misrouted(f *fact) bool {
	return f.said == saidNo && !f.cleared && j.stored != nil && statusAt(j.stored.status) == Cleared
}

func (j *joined) takeClient(f *fact) {
	j.acknowledged++
	if j.request == nil {
		j.request = f
	}
	if f.hash != j.request.hash {
		j.shared = f
	}
	if j.stored != nil && f.device != j.stored.device {
		j.misdirected = f
	}
}

// goesBy reports whether the authority may know a device by the name of another.
func (w *walk) goesBy(device, name uint32) bool {
	for _, n := range w.devices[device].names {
		if n == name {
			return true
		}
	}
	return false
}
