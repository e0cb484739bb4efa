package org

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
)

// The head of the audit trail is stored outside the database in this file,
// sealed by the vault for this purpose and owner.
const (
	TrailHeadFile    = "trail/head"
	TrailHeadPurpose = "trail-head"
	TrailHeadOwner   = "installation"
)

// ErrTrailBroken means that the trail does not match its stored head.
var ErrTrailBroken = errors.New("the audit trail does not match its head")

// Bytes returns the link in the form that is sealed.
func (l Link) Bytes() []byte {
	return append(binary.BigEndian.AppendUint64(nil, uint64(l.Number)), l.Hash[:]...)
}

// ParseLink decodes the result of Link.Bytes.
func ParseLink(data []byte) (Link, error) {
	if len(data) != 8+sha256.Size {
		return Link{}, fmt.Errorf("head of the audit trail has %d bytes, want %d", len(data), 8+sha256.Size)
	}
	l := Link{Number: int64(binary.BigEndian.Uint64(data))}
	copy(l.Hash[:], data[8:])
	return l, nil
}

// TrailHead is the end of the audit trail as stored outside the database.
type TrailHead struct {
	Link
	Generation int64 // of the database: see package continuity
}

// Bytes returns the head in the form that is sealed. Heads of the first
// generation have no generation field, as in releases before generations existed.
func (h TrailHead) Bytes() []byte {
	if h.Generation == 0 {
		return h.Link.Bytes()
	}
	return binary.BigEndian.AppendUint64(h.Link.Bytes(), uint64(h.Generation))
}

// ParseTrailHead decodes the result of TrailHead.Bytes.
func ParseTrailHead(data []byte) (TrailHead, error) {
	var h TrailHead
	const link = 8 + sha256.Size
	if len(data) == link+8 {
		h.Generation = int64(binary.BigEndian.Uint64(data[link:]))
		data = data[:link]
	}
	var err error
	h.Link, err = ParseLink(data)
	return h, err
}

// TrailCheck verifies an audit trail: every entry must link to the previous one,
// and the trail must reach the head stored outside the database.
type TrailCheck struct {
	Head Link // stored outside the database; zero if there is none
	last Link
	met  bool // an entry matched the head
}

// See checks the next entry. Entries must be passed in the order of their links.
func (c *TrailCheck) See(e Event, link Link) error {
	if link.Number != c.last.Number+1 {
		return fmt.Errorf("entry %d is missing: entry %d is followed by entry %d", c.last.Number+1, c.last.Number, link.Number)
	}
	if e.Link(c.last) != link {
		return fmt.Errorf("entry %d (%s, %s) was changed, moved or inserted", link.Number, e.Action, e.ID)
	}
	if link.Number == c.Head.Number {
		if link.Hash != c.Head.Hash {
			return fmt.Errorf("entry %d does not match the head stored outside the database: the trail was rewritten", link.Number)
		}
		c.met = true
	}
	c.last = link
	return nil
}

// End returns the number of entries, and an error if the trail ends before its
// head.
func (c *TrailCheck) End() (entries int64, err error) {
	if c.Head.Number > 0 && !c.met {
		return c.last.Number, fmt.Errorf("the trail ends at entry %d, but the head stored outside the database is entry %d: later entries were removed", c.last.Number, c.Head.Number)
	}
	return c.last.Number, nil
}
