package simulator

import (
	"fmt"
	"sync"
)

// choices are what the authority decides for everyone. Empty texts stand for
// the first value of each.
type choices struct {
	Clearance string `json:"clearance"` // on; off: 303 at clearance, and standard documents may be reported
	Renewal   string `json:"renewal"`   // direct: 200; checks: 428 and a second round of compliance checks
	Sandbox   string `json:"sandbox"`   // open: no gate and no duplicates on the developer portal; strict: both
}

type settings struct {
	mu  sync.Mutex
	set choices
}

func newSettings(kept choices) (*settings, error) {
	s := &settings{set: choices{Clearance: "on", Renewal: "direct", Sandbox: "open"}}
	return s, s.change(kept)
}

func (s *settings) choices() choices {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.set
}

// change takes over those that are given, or none if one is unknown.
func (s *settings) change(to choices) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := s.set
	for _, row := range []struct {
		name, given  string
		at           *string
		first, other string
	}{
		{"clearance", to.Clearance, &next.Clearance, "on", "off"},
		{"renewal", to.Renewal, &next.Renewal, "direct", "checks"},
		{"sandbox", to.Sandbox, &next.Sandbox, "open", "strict"},
	} {
		switch row.given {
		case "":
		case row.first, row.other:
			*row.at = row.given
		default:
			return fmt.Errorf("%s is %s or %s, not %q", row.name, row.first, row.other, row.given)
		}
	}
	s.set = next
	return nil
}
