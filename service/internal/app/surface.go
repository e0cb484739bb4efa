// Package app is the signed-in surface: what a person can do with a session,
// below /app. A key opens nothing here. It knows how things are read and
// answered, and leaves each deed to the room that does it.
package app

import "khatm/service/internal/wire"

// Config is what the surface is made of.
type Config struct {
	Accounts Accounts
	Secure   bool // the service is reached over TLS
}

// Surface is the signed-in surface.
type Surface struct{ Config }

// New makes the surface.
func New(c Config) *Surface { return &Surface{c} }

// Base is where the surface stands.
const Base = "/app"

// Rows is the route table: what the surface can do, and who may.
func (s *Surface) Rows() []wire.Route { return s.sessionRows() }

// Chapters of the document.
const (
	tagSession = "Session"
	tagDrafts  = "Drafts"
	tagLinks   = "Links"
	tagOutbox  = "Outbox"
)

type nothing struct{}

type done struct {
	Message string `json:"message" doc:"What happened, in words."`
}
