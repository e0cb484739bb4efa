package share

import (
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// From is where somebody comes from who acts by a link, and what they have seen.
type From struct {
	Address string // the IP address
	Request string // the id of the request
	Seen    int    // the version of the draft they looked at; 0: it is not said
}

// Changed is the code of the refusal to act on a draft that is another by now
// than the one that was looked at.
const Changed = "draft_changed"

// Unserved is the code of the refusal to act on a draft of an organisation that
// is not served at the moment.
const Unserved = "seller_unserved"

// holder is who acts by a link: nobody knows who it is before a code is right.
func (from From) holder(l Link) org.Actor {
	return org.Actor{Kind: org.SystemActor, Tenant: l.Of, Name: "shared link", Address: from.Address, Request: from.Request}
}

// sees refuses whoever looked at another version than the one that is shown.
func (from From) sees(d *Draft) error {
	if from.Seen == 0 || d.Shown != nil && d.Shown.Version == from.Seen {
		return nil
	}
	e := &fault.Error{Kind: fault.Invalid, Code: Changed}
	return e.With("detail", "The draft was changed. Look at it again before you approve it.")
}
