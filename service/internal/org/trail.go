package org

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
)

// The head of the audit trail is kept outside the database, sealed by the
// vault for this purpose, in this file.
const (
	TrailHeadFile    = "trail/head"
	TrailHeadPurpose = "trail-head"
	TrailHeadOwner   = "installation"
)

// ErrTrailBroken says that a trail does not fit the head that was kept of it.
var ErrTrailBroken = errors.New("the audit trail does not fit its head")

// Bytes writes a link as it is sealed.
func (l Link) Bytes() []byte {
	return append(binary.BigEndian.AppendUint64(nil, uint64(l.Number)), l.Hash[:]...)
}

// ParseLink reads what Bytes wrote.
func ParseLink(data []byte) (Link, error) {
	if len(data) != 8+sha256.Size {
		return Link{}, errors.New("the head of the trail has not its length")
	}
	l := Link{Number: int64(binary.BigEndian.Uint64(data))}
	copy(l.Hash[:], data[8:])
	return l, nil
}

// TrailHead is the end of the audit trail as it is kept outside the database.
type TrailHead struct {
	Link
	Generation int64 // of the database: see package continuity
}

// Bytes writes a head as it is sealed. Heads of the first generation are written
// as before there were others.
func (h TrailHead) Bytes() []byte {
	if h.Generation == 0 {
		return h.Link.Bytes()
	}
	return binary.BigEndian.AppendUint64(h.Link.Bytes(), uint64(h.Generation))
}

// ParseTrailHead reads what Bytes wrote.
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

// TrailCheck proves an audit trail: that every entry links to the one before,
// and that the trail reaches as far as the head that was kept outside says.
type TrailCheck struct {
	Head Link // kept outside; zero if none is there
	last Link
	met  bool // the head was passed, and fits
}

// See takes the next entry, in the order of the links.
func (c *TrailCheck) See(e Event, link Link) error {
	if link.Number != c.last.Number+1 {
		return fmt.Errorf("entry %d is missing: after %d comes %d", c.last.Number+1, c.last.Number, link.Number)
	}
	if e.Link(c.last) != link {
		return fmt.Errorf("entry %d (%s, %s) was changed, moved or put in", link.Number, e.Action, e.ID)
	}
	if link.Number == c.Head.Number {
		if link.Hash != c.Head.Hash {
			return fmt.Errorf("entry %d does not fit the head kept outside the database: the trail was written anew", link.Number)
		}
		c.met = true
	}
	c.last = link
	return nil
}

// End says whether the trail was complete.
func (c *TrailCheck) End() (entries int64, err error) {
	if c.Head.Number > 0 && !c.met {
		return c.last.Number, fmt.Errorf("the trail ends at entry %d and the head kept outside the database is entry %d: the end was cut off", c.last.Number, c.Head.Number)
	}
	return c.last.Number, nil
}
