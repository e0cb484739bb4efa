package audit

import (
	"io"
	"time"

	"github.com/google/uuid"
)

// Options configures an audit and provides the journals to compare with the
// store. The zero value audits the store alone.
type Options struct {
	Workers  int                     // documents verified concurrently; 0 for one per core
	Progress func(done, total int64) // called during the audit; may be nil
	Scratch  func() (Scratch, error) // provides files to sort in; nil sorts in memory, 106 bytes per fact

	Now     time.Time     // the time of the audit, for Overdue
	Overdue time.Duration // how long a document may have no final verdict; 0 for no limit

	Head    Link     // of the trail, as stored outside the database; zero for none
	Issuers [][]byte // keys (SubjectPublicKeyInfo), one of which must have signed the certificate of the authority's stamp; nil trusts any

	// Authority is the journal of the simulator; nil for none. If Environment
	// is set, only submissions to that environment count.
	Authority   io.Reader
	Environment string
	// SubmissionBody, if not nil, returns the request body in which a document
	// is sent, so that the bytes the authority received can be compared with the
	// stored ones.
	SubmissionBody func(id uuid.UUID, hash string, xml []byte) []byte

	// Clients is the journal of load clients; nil for none. Sole means that
	// since its first line, no other client issued from the devices that it
	// names: then every document must belong to one of its requests.
	Clients io.Reader
	Sole    bool
}
