package submit

import (
	"testing"
	"time"
)

// If the authority's time becomes known while the clock, a day behind, is read,
// the time that was read does not count as compared.
func TestMomentWhileTheTimeBecomesKnown(t *testing.T) {
	t.Parallel()
	behind := time.Unix(1_000_000_000, 0)
	heard := false
	s := New(Config{
		Known:   func() bool { return heard },
		Trusted: func() bool { return heard },
		Now: func() time.Time {
			defer func() { heard = true }()
			if heard {
				return behind.Add(25 * time.Hour)
			}
			return behind
		},
	})
	first, second := s.moment(), s.moment()
	if sent := behind; !sent.Before(first.doubt()) {
		t.Error("a document in doubt is claimed with a time that was not compared")
	}
	if first.trusted {
		t.Error("documents are stopped with a time that was not compared")
	}
	if !second.known || !second.trusted || !second.doubt().Equal(behind.Add(25*time.Hour-DoubtTime)) {
		t.Errorf("moment after the answer = %+v, want the corrected time, known and trusted", second)
	}
}
