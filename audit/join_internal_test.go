package audit

import "testing"

// Reporting may have refused, because of its kind, a document that clearance
// then cleared: clearance was off for a moment. Any other first refusal counts.
func TestRefusalBecauseOfKindIsNotAVerdict(t *testing.T) {
	for _, c := range []struct {
		status  Status
		refused bool // at clearance
		want    byte
	}{{Cleared, false, saidNew}, {Cleared, true, saidNo}, {Reported, false, saidNo}, {NotCleared, false, saidNo}} {
		j := &joined{}
		stored := &fact{kind: factStored}
		for place := range byte(16) {
			if statusAt(place) == c.status {
				stored.status = place
				break
			}
		}
		w := &walk{devices: []*unit{{names: []uint32{0}}}}
		j.take(stored, w)
		j.take(&fact{kind: factAuthority, said: saidNo, cleared: c.refused}, w)
		j.take(&fact{kind: factAuthority, said: saidNew, cleared: true}, w)
		if j.verdict != c.want {
			t.Errorf("%s, refused at clearance %v: verdict %d, want %d", c.status, c.refused, j.verdict, c.want)
		}
	}
}
