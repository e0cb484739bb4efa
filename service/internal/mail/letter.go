// Package mail sends letters: short texts in one language to one person, over
// SMTP, out of a queue that the store keeps. It knows neither what a letter is
// about nor how the queue is kept. Without a server to hand them to, letters
// stay in the queue, where the operator can read them.
package mail

import (
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/org"
)

// Purpose is what the texts of letters are sealed for; the owner is the
// letter's id. A letter may hold a code that opens something.
const Purpose = "letter"

// Letter is a letter as kept: its subject and text are sealed.
type Letter struct {
	ID        uuid.UUID
	Of        org.Tenant
	To        string // the address
	Language  string // ar or en
	About     string // what it is about, for whoever looks at the queue: "draft approval code"
	Sealed    []byte // a Text, sealed by the vault
	CreatedAt time.Time
	Expires   time.Time // from when on it is of no use

	State    State
	Attempts int
	NextAt   time.Time // when it may be tried
	SentAt   *time.Time
	Problem  string // why the last attempt came to nothing; safe to show
}

// Text is what a letter says.
type Text struct {
	Subject string `json:"subject"`
	Body    string `json:"body"`
}

// State is where a letter stands.
type State string

// The states of a letter.
const (
	Queued  State = "queued"  // waits for its turn, or for a server to hand it to
	Sent    State = "sent"    // handed over
	Refused State = "refused" // the server will not have it
	Expired State = "expired" // was of no use any more before it could be sent
)

// States are all there are.
func States() []State { return []State{Queued, Sent, Refused, Expired} }
