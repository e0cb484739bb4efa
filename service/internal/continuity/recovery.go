package continuity

import (
	"time"

	"github.com/google/uuid"
)

// Recovery is the set of changes after which issuing can continue.
type Recovery struct {
	Generation int64
	Identity   Identity
	TrailHead  []byte // sealed
	Gaps       []Gap
	Numbers    []NumberMove
	Retired    []DeviceID
}

// Gap is a run of documents that a device issued and the database lacks.
type Gap struct {
	Organisation uuid.UUID
	Device       uuid.UUID
	First, Last  int64 // first and last counter
	Hash         string
	IssuedAt     time.Time
}

// NumberMove moves the last number of a series. First is the first skipped
// number, or 0 if none is skipped, as with a new prefix.
type NumberMove struct {
	Organisation uuid.UUID
	Kind         string
	First        int64
	From, To     Number
}

// DeviceID identifies a device and its organisation.
type DeviceID struct{ Organisation, Device uuid.UUID }

// Details returns the recovery in the form used in the audit trail.
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
