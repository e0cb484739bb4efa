// Package mail sends e-mails over SMTP from a queue in the database. An e-mail, a
// [Letter] in the code, is a short plain text in one language to one recipient.
// The package does not know what an e-mail is about or how the queue is stored. If
// no mail server is configured, e-mails stay in the queue, where the operator can
// read them.
package mail

import (
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/org"
)

// Purpose is the purpose for which the texts of e-mails are encrypted; the
// owner is the e-mail's ID. Texts are encrypted because they may contain codes.
const Purpose = "letter"

// Letter is a stored e-mail. Its subject and text are encrypted.
type Letter struct {
	ID        uuid.UUID
	Of        org.Tenant
	To        string // e-mail address
	Language  string // ar or en
	About     string // topic shown in the list of e-mails, such as "draft approval code"
	Sealed    []byte // a Text, encrypted by the vault
	CreatedAt time.Time
	Expires   time.Time // not sent after this time

	State    State
	Attempts int
	NextAt   time.Time // time of the next attempt
	SentAt   *time.Time
	Problem  string // why the last attempt failed; contains no secrets
}

// Text is the subject and the body of an e-mail.
type Text struct {
	Subject string `json:"subject"`
	Body    string `json:"body"`
}

// State is the state of an e-mail.
type State string

// The states of an e-mail.
const (
	Queued  State = "queued"  // waiting to be sent
	Sent    State = "sent"    // accepted by the mail server
	Refused State = "refused" // refused by the mail server for good
	Expired State = "expired" // not sent in time to be useful
)

// States returns all states.
func States() []State { return []State{Queued, Sent, Refused, Expired} }
