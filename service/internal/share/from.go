package share

import (
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// From describes a request of a person who uses a link, and which version they
// saw.
type From struct {
	Address string // IP address
	Request string // request ID
	Seen    int    // version of the draft they saw; 0 if not given
}

// holder returns the actor for the audit trail. Who holds the link is unknown
// until a code is verified.
func (from From) holder(l Link) org.Actor {
	return org.Actor{Kind: org.SystemActor, Tenant: l.Of, Name: "shared link", Address: from.Address, Request: from.Request}
}

// sees returns an error if the caller saw a different version than the one
// shown now.
func (from From) sees(d *Draft) error {
	if from.Seen == 0 || d.Shown != nil && d.Shown.Version == from.Seen {
		return nil
	}
	return fault.Detail(fault.DraftChanged, "The draft was changed. Reload it and check it before you approve it.")
}
