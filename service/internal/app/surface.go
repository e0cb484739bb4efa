// Package app is the signed-in surface: what a person can do with a session,
// below /app. A key opens nothing here. It knows how things are read and
// answered, and leaves each deed to the room that does it.
package app

import (
	"slices"
	"time"

	"khatm/service/internal/api"
	"khatm/service/internal/ledger"
	"khatm/service/internal/wire"
)

// Config is what the surface is made of.
type Config struct {
	Accounts  Accounts
	Drafts    Drafts
	Links     Links
	Outbox    Outbox
	Trail     Trail
	Previewed func(ledger.Invoice) *api.InvoicePreviewed // how an invoice is shown that is not issued
	Secure    bool                                       // the service is reached over TLS
}

// Surface is the signed-in surface.
type Surface struct{ Config }

// New makes the surface.
func New(c Config) *Surface { return &Surface{c} }

// Base is where the surface stands.
const Base = "/app"

// Rows is the route table: what the surface can do, and who may.
func (s *Surface) Rows() []wire.Route {
	return slices.Concat(s.sessionRows(), s.draftRows(), s.draftShareRows(), s.linkRows(), s.outboxRows())
}

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

type shared struct {
	Link    string    `json:"share_link" example:"https://invoices.example.sa/s/q3Zb…" doc:"Where it can be seen without signing in. Whoever has the link can see it."`
	Expires time.Time `json:"expires_at" doc:"Until when."`
}
