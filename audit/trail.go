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

// Link is the position of an entry in the audit trail and the hash that links it
// to the previous entry. The first number is 1.
type Link struct {
	Number int64
	Hash   [32]byte
}

// Entry is a stored entry of the audit trail. Its link is zero until it is
// linked.
type Entry struct {
	Link         Link
	ID           uuid.UUID
	Organisation uuid.UUID // zero for actions on the installation
	At           time.Time
	Kind         string
	Actor        string
	Address      string
	Request      string
	Action       string
	Subject      string
	Details      string // JSON object
}

// after returns the link that the entry must have after another one. The hash
// covers every field, the number and the previous hash.
func (e Entry) after(before Link) Link {
	next := Link{Number: before.Number + 1}
	text, err := json.Marshal([]any{
		next.Number, before.Hash[:], e.ID, e.Organisation, e.At.UnixMilli(), e.Kind, e.Actor, e.Address, e.Request, e.Action, e.Subject, e.Details,
	})
	if err != nil {
		panic(err) // strings and numbers always encode
	}
	next.Hash = sha256.Sum256(text)
	return next
}

// takeTrail checks the links of the trail and collects its entries on documents.
func (w *walk) takeTrail(ctx context.Context) error {
	var last Link
	broken, met, waiting := false, w.options.Head == Link{}, false
	order := uint64(0)
	wrong := func(format string, args ...any) {
		broken = true // report the first break only
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
			wrong("entry %d of the audit trail follows one that has no link", e.Link.Number)
		case e.Link.Number != last.Number+1:
			wrong("entry %d of the audit trail is missing: after %d comes %d", last.Number+1, last.Number, e.Link.Number)
		case e.after(last) != e.Link:
			wrong("entry %d of the audit trail (%s, %s) was changed, moved or inserted", e.Link.Number, clip(e.Action), e.ID)
		default:
			last = e.Link
		}
		if e.Link == w.options.Head {
			met = true
		}
	}
	if !met && !broken {
		wrong("the audit trail ends at entry %d and does not contain the head stored outside the database, entry %d: it was truncated or rewritten", last.Number, w.options.Head.Number)
	}
	return nil
}

// The actions that takeEntry recognises by name. Any other action on a document
// counts if its details contain a status.
const (
	issued   = "invoice.create"
	noAnswer = "invoice.no_response"
)

// takeEntry records that a document was created or that its status changed.
func (w *walk) takeEntry(order uint64, e Entry) error {
	if !strings.HasPrefix(e.Action, "invoice.") {
		return nil
	}
	id, err := uuid.Parse(e.Subject)
	if err != nil {
		return nil //nolint:nilerr // the subject is not a document
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
	case e.Action == noAnswer:
		f.status = NoResponse.place()
	default:
		return nil
	}
	return w.facts.put(f.bytes())
}
