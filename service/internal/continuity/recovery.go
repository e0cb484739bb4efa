package continuity

import (
	"time"

	"github.com/google/uuid"
)

// Recovery is what lets issuing go on.
type Recovery struct {
	Generation int64
	Identity   Identity
	TrailHead  []byte // sealed
	Gaps       []Gap
	Numbers    []NumberMove
	Retired    []DeviceID
}

// Gap is a run of documents of a device that were issued and that the database
// lacks.
type Gap struct {
	Organisation uuid.UUID
	Device       uuid.UUID
	First, Last  int64 // counters
	Hash         string
	IssuedAt     time.Time
}

// NumberMove moves the last number of a series. First is the first number that
// is skipped; 0 if none is, as with a new prefix.
type NumberMove struct {
	Organisation uuid.UUID
	Kind         string
	First        int64
	From, To     Number
}

// DeviceID names a device and its organisation.
type DeviceID struct{ Organisation, Device uuid.UUID }

// Details is the recovery as the audit trail shows it.
func (r Recovery) Details() map[string]any {
	gaps := []map[string]any{}
	for _, g := range r.Gaps {
		gaps = append(gaps, map[string]any{"organisation": g.Organisation, "device": g.Device, "first": g.First, "last": g.Last, "hash": g.Hash})
	}
	numbers := []map[string]any{}
	for _, n := range r.Numbers {
		numbers = append(numbers, map[string]any{"organisation": n.Organisation, "kind": n.Kind, "first": n.First, "last": n.To.String()})
	}
	retired := []uuid.UUID{}
	for _, d := range r.Retired {
		retired = append(retired, d.Device)
	}
	return map[string]any{"generation": r.Generation, "gaps": gaps, "numbers": numbers, "retired": retired}
}
