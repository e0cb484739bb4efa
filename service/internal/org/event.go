package org

import (
	"crypto/sha256"
	"encoding/json"
	"time"

	"github.com/google/uuid"
)

// Event is one entry of the audit trail: who did what, to what, when and from
// where. It is written in the transaction of the deed and never changed.
type Event struct {
	ID      uuid.UUID
	Tenant  Tenant // zero for deeds on the installation
	At      time.Time
	Kind    ActorKind
	Actor   string
	Address string
	Request string
	Action  string // "client.create"
	Subject string // the id of what was done to
	Details string // JSON object; holds no secret
}

// Links are counted from 1; the first one links to nothing.
type (
	// Link is an event's place in the trail, and the hash that ties it to the
	// one before.
	Link struct {
		Number int64
		Hash   [sha256.Size]byte
	}
)

// Link gives the event its place after another. The hash covers every field,
// the place and the hash before, so that no entry can be changed, dropped,
// added between or moved without every later hash changing.
func (e Event) Link(before Link) Link {
	number := before.Number + 1
	text, err := json.Marshal([]any{
		number, before.Hash[:], e.ID, e.Tenant.ID(), e.At.UnixMilli(), e.Kind, e.Actor, e.Address, e.Request, e.Action, e.Subject, e.Details,
	})
	if err != nil {
		panic(err) // texts and numbers always encode
	}
	return Link{Number: number, Hash: sha256.Sum256(text)}
}
