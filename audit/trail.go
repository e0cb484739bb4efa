package audit

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Link is an entry's place in the audit trail and the hash that ties it to the
// one before. The first is number 1.
type Link struct {
	Number int64
	Hash   [32]byte
}

// Entry is an entry of the audit trail as kept. Its link is zero while it waits
// for one.
type Entry struct {
	Link         Link
	ID           uuid.UUID
	Organisation uuid.UUID // zero for deeds on the installation
	At           time.Time
	Kind         string
	Actor        string
	Address      string
	Request      string
	Action       string
	Subject      string
	Details      string // JSON object
}

// after is the link that the entry must have behind another. The hash covers
// every field, its number and the hash before.
func (e Entry) after(before Link) Link {
	next := Link{Number: before.Number + 1}
	text, err := json.Marshal([]any{
		next.Number, before.Hash[:], e.ID, e.Organisation, e.At.UnixMilli(), e.Kind, e.Actor, e.Address, e.Request, e.Action, e.Subject, e.Details,
	})
	if err != nil {
		panic(err) // texts and numbers always encode
	}
	next.Hash = sha256.Sum256(text)
	return next
}

// takeTrail proves the links of the trail and takes from it what it says of
// documents.
func (w *walk) takeTrail(ctx context.Context) error {
	var last Link
	broken, met, waiting := false, w.options.Head == Link{}, false
	order := uint64(0)
	wrong := func(format string, args ...any) {
		broken = true // whatever follows the first break is no news
		w.report.find(Fault{Invariant: TrailComplete, Text: fmt.Sprintf(format, args...)})
	}
	for e, err := range w.source.Trail(ctx) {
		if err != nil {
			return fmt.Errorf("read the audit trail: %w", err)
		}
		w.report.Entries++
		order++
		if err := w.takeEntry(order, e); err != nil {
			return err
		}
		switch {
		case broken:
		case e.Link == Link{}:
			waiting = true
		case waiting:
			wrong("entry %d of the audit trail stands behind one that has no link", e.Link.Number)
		case e.Link.Number != last.Number+1:
			wrong("entry %d of the audit trail is missing: after %d comes %d", last.Number+1, last.Number, e.Link.Number)
		case e.after(last) != e.Link:
			wrong("entry %d of the audit trail (%s, %s) was changed, moved or put in", e.Link.Number, clip(e.Action), e.ID)
		default:
			last = e.Link
		}
		if e.Link == w.options.Head {
			met = true
		}
	}
	if !met && !broken {
		wrong("the audit trail ends at entry %d and does not have the head that is kept outside the database, entry %d: it was cut off or written anew", last.Number, w.options.Head.Number)
	}
	return nil
}

// The actions that have a meaning here by their name; any other on a document
// has one if its details name a status.
const (
	issued  = "invoice.create"
	unheard = "invoice.no_response"
)

// takeEntry takes what an entry says of a document: that it was created, or
// that it got a status.
func (w *walk) takeEntry(order uint64, e Entry) error {
	if !strings.HasPrefix(e.Action, "invoice.") {
		return nil
	}
	id, err := uuid.Parse(e.Subject)
	if err != nil {
		return nil //nolint:nilerr // it speaks of something else
	}
	f := fact{id: id, kind: factTrail, order: order, created: e.Action == issued}
	var details struct {
		Status *Status `json:"status"`
		Hash   string  `json:"hash"`
	}
	if err := json.Unmarshal([]byte(e.Details), &details); err != nil {
		w.report.find(Fault{Invariant: TrailComplete, Organisation: e.Organisation, Document: id,
			Text: fmt.Sprintf("an entry of the audit trail (%s) has details that cannot be read", clip(e.Action))})
		return nil
	}
	if f.created {
		f.hash, f.hasBody = hashOf(details.Hash), details.Hash != ""
		return w.facts.put(f.bytes())
	}
	switch {
	case details.Status != nil:
		f.status = details.Status.place()
	case e.Action == unheard:
		f.status = NoResponse.place()
	default:
		return nil
	}
	return w.facts.put(f.bytes())
}
