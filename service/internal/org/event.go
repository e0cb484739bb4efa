package org

import (
	"crypto/sha256"
	"encoding/json"
	"time"

	"github.com/google/uuid"
)

// Event is one entry of the audit trail: who did what, to what, when and from
// where. It is written in the same transaction as the action and never changed.
type Event struct {
	ID      uuid.UUID
	Tenant  Tenant // zero for actions on the installation
	At      time.Time
	Kind    ActorKind
	Actor   string
	Address string
	Request string
	Action  string // such as "client.create"
	Subject string // id of the record that was acted on
	Details string // JSON object without secrets
}

type (
	// Link is the position of an event in the trail, from 1, and the hash that
	// connects it to the previous event.
	Link struct {
		Number int64
		Hash   [sha256.Size]byte
	}
)

// Link returns the link of the event that follows before. The hash covers every
// field, the position and the previous hash, so that an event cannot be changed,
// removed, inserted or moved without changing every later hash.
func (e Event) Link(before Link) Link {
	number := before.Number + 1
	text, err := json.Marshal([]any{
		number, before.Hash[:], e.ID, e.Tenant.ID(), e.At.UnixMilli(), e.Kind, e.Actor, e.Address, e.Request, e.Action, e.Subject, e.Details,
	})
	if err != nil {
		panic(err) // strings and numbers can always be encoded
	}
	return Link{Number: number, Hash: sha256.Sum256(text)}
}
