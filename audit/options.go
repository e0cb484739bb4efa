package audit

import (
	"io"
	"time"

	"github.com/google/uuid"
)

// Options say how an audit is made, and what else is held against the store.
// The zero value audits the store alone.
type Options struct {
	Workers  int                     // documents that are verified at a time; 0 for one a core
	Progress func(done, total int64) // told now and then; may be nil
	Scratch  func() (Scratch, error) // lends files to sort in; nil sorts in memory, 106 bytes a fact

	Now     time.Time     // the moment of the audit, for Overdue
	Overdue time.Duration // how long a document may be without a final verdict; 0 for ever

	Head    Link     // of the trail, as kept outside the database; zero for none
	Issuers [][]byte // keys (SubjectPublicKeyInfo) by one of which the certificate of the authority's stamp must be signed; nil trusts any

	// Authority is the journal of the simulator; nil for none. With
	// Environment only what that environment saw counts.
	Authority   io.Reader
	Environment string
	// SubmissionBody, if not nil, is the body in which a document is sent, so that
	// the bytes the authority saw are held against those that are stored.
	SubmissionBody func(id uuid.UUID, hash string, xml []byte) []byte

	// Clients is the journal of load clients; nil for none. Sole says that
	// nobody else issued from the devices it names, from its first line on:
	// then every document has to be explained by one of its requests.
	Clients io.Reader
	Sole    bool
}
