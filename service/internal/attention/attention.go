// Package attention describes what waits for the people of an organisation:
// rejected and unanswered invoices, held payments, missing stamped copies, devices
// that stopped, answered drafts, undelivered e-mails, and the notices. It is computed from the current state, so
// that an entry ends together with its cause.
package attention

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/device"
	"khatm/service/internal/notice"
	"khatm/service/internal/onboard"
	"khatm/service/internal/submit"
)

// Kind is the kind of an entry. Notices keep their kind.
type Kind string

// The kinds besides those of notices.
const (
	Rejected   Kind = "rejected"   // an invoice that the authority rejected and no other replaces
	Unanswered Kind = "unanswered" // an invoice without an answer for hours
	Stopped    Kind = "device"     // a device that stopped, or whose onboarding failed
	Approved   Kind = "approved"   // an approved draft that is not issued
	Declined   Kind = "declined"   // a declined draft
	Letter     Kind = "letter"     // an e-mail that was not delivered
	Held       Kind = "held"       // a payment for a rejected invoice that was not moved to another one
	Unstamped  Kind = "unstamped"  // a cleared invoice whose stamped copy cannot be had any more
)

// Most is how many entries of a kind are listed at most.
const Most = 20

// How long a rejected invoice and an undelivered e-mail are listed.
const (
	RejectedFor = 90 * 24 * time.Hour
	LetterFor   = 7 * 24 * time.Hour
)

// Row is a record that waits for a person.
type Row struct {
	Kind  Kind
	ID    uuid.UUID
	Name  string    // number of the invoice, name of the device, address of the e-mail; empty for a draft
	Since time.Time // zero if unknown
	Draft uuid.UUID // the draft that corrects a rejected invoice; zero if none
	Type  int       // type code of an invoice
	Why   string    // why a device stopped: "parked" or its status
	About string    // purpose of an e-mail

	Trouble onboard.Trouble // of an onboarding that failed; zero if unknown
}

// State is what waits for the people of an organisation. Of a kind it has one row
// more than Most if there are more.
type State struct {
	Rows    []Row
	Notices notice.State
}

// Entry is something that waits for a person.
type Entry struct {
	Kind    Kind
	Level   notice.Level
	Type    string    // invoice, device, draft or letter; empty if the entry is about no record
	ID      uuid.UUID // of the record
	Name    string
	Since   time.Time       // zero if unknown
	Draft   uuid.UUID       // the draft that corrects a rejected invoice; zero if none
	Trouble onboard.Trouble // of an onboarding that failed; zero if unknown
	notice.Text
}

// Of returns the entries at a time, the most urgent first, and the kinds of which
// more than Most are waiting.
func Of(s State, now time.Time) (entries []Entry, more []Kind) {
	for _, n := range notice.Of(s.Notices, now) {
		if n.Kind != notice.Unreported { // these are listed one by one
			entries = append(entries, ofNotice(n))
		}
	}
	counts := map[Kind]int{}
	for _, r := range s.Rows {
		if counts[r.Kind]++; counts[r.Kind] <= Most {
			entries = append(entries, ofRow(r, now))
		} else if !slices.Contains(more, r.Kind) {
			more = append(more, r.Kind)
		}
	}
	urgency := []notice.Level{notice.Critical, notice.Warning, notice.Info}
	slices.SortStableFunc(entries, func(a, b Entry) int { return slices.Index(urgency, a.Level) - slices.Index(urgency, b.Level) })
	return entries, more
}

func ofNotice(n notice.Notice) Entry {
	e := Entry{Kind: Kind(n.Kind), Level: n.Level, Since: n.Since, Text: n.Text}
	switch {
	case n.Device != uuid.Nil:
		e.Type, e.ID = "device", n.Device
	case n.Invoice != uuid.Nil:
		e.Type, e.ID = "invoice", n.Invoice
	}
	return e
}

func ofRow(r Row, now time.Time) Entry {
	e := Entry{Kind: r.Kind, Level: notice.Warning, ID: r.ID, Name: r.Name, Since: r.Since, Draft: r.Draft, Trouble: r.Trouble}
	switch r.Kind {
	case Rejected:
		e.Type, e.Text = "invoice", rejectedText(r)
	case Unanswered:
		e.Type, e.Level, e.Text = "invoice", levelOf(now.Sub(r.Since)), unansweredText(r, now)
	case Stopped:
		e.Type, e.Level, e.Text = "device", notice.Critical, stoppedText(r)
	case Approved:
		e.Type, e.Level, e.Text = "draft", notice.Info, approvedText
	case Declined:
		e.Type, e.Text = "draft", declinedText
	case Letter:
		e.Type, e.Text = "letter", letterText(r)
	case Held:
		e.Type, e.Text = "invoice", heldText(r)
	case Unstamped:
		e.Type, e.Level, e.Text = "invoice", notice.Info, unstampedText(r)
	}
	return e
}

// levelOf returns the urgency of an invoice that has waited for an answer.
func levelOf(waited time.Duration) notice.Level {
	ages := submit.Ages()
	switch {
	case waited >= ages[2]:
		return notice.Critical
	case waited >= ages[1]:
		return notice.Warning
	}
	return notice.Info
}

// Parked is the reason of a device that the authority refuses.
const Parked = "parked"

// Failed returns the states of devices whose onboarding failed.
func Failed() []device.Status {
	return []device.Status{device.CCSIDFailed, device.SamplesFailed, device.SubmissionFailed, device.PCSIDFailed}
}
