package simulator

import (
	"fmt"
	"sync"
)

// choices are the settings of the simulated authority. An empty field means the
// first value listed.
type choices struct {
	Clearance string `json:"clearance"` // on; off: clearance returns 303, and reporting accepts standard documents
	Renewal   string `json:"renewal"`   // direct: 200; checks: 428, then the compliance checks again
	Sandbox   string `json:"sandbox"`   // open: the developer portal requires no compliance steps and detects no duplicates; strict: it does both

	// Certificates is own or any. With any, a document may be stamped with the
	// certificate of another authority, as in a recording that is replayed. The
	// setting does not survive a restart.
	Certificates string `json:"certificates"`
}

// The values of the setting certificates.
const (
	ownCertificates = "own"
	anyCertificate  = "any"
)

type settings struct {
	mu  sync.Mutex
	set choices
}

func newSettings(kept choices) (*settings, error) {
	s := &settings{set: choices{Clearance: "on", Renewal: "direct", Sandbox: "open", Certificates: ownCertificates}}
	kept.Certificates = ""
	return s, s.change(kept)
}

func (s *settings) choices() choices {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.set
}

// change sets the fields of to that are not empty. If a value is unknown, it
// changes nothing and returns an error.
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
		{"certificates", to.Certificates, &next.Certificates, ownCertificates, anyCertificate},
	} {
		switch row.given {
		case "":
		case row.first, row.other:
			*row.at = row.given
		default:
			return fmt.Errorf("%s must be %s or %s, not %q", row.name, row.first, row.other, row.given)
		}
	}
	s.set = next
	return nil
}
