package simulator

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"time"

	"khatm/simulator/internal/ca"
	"khatm/simulator/internal/journal"
)

// call is one request on its way through the simulator.
type call struct {
	began       time.Time // by the simulator's clock
	environment ca.Environment
	endpoint    string // path of the operation; "" when there is none
	route       route
	lost        *answer // that there is no such operation, or nil
	header      http.Header
	arrival     *timedBody
	ticket      ticket // for the memory of the body
	body        []byte
	credential  ca.Credential
	state       *state
	mood        string // the fault that is played, if any

	paper   paper // the document it brings
	outcome journal.Outcome
	codes   []string // of the messages it was refused or warned with
	written bool     // its record is in the journal
}

// paper is what a document says of itself, as far as it was read.
type paper struct {
	uuid, number, counter, previousHash, hash string
	typeCode                                  string // 388, 381, 383, 386
	standard                                  bool
}

type callKey struct{}

func withCall(r *http.Request, c *call) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), callKey{}, c))
}

func callOf(r *http.Request) *call {
	c, _ := r.Context().Value(callKey{}).(*call)
	return c
}

// device names whoever keeps one chain: a renewed certificate goes on with it.
func (c *call) device() string {
	if c.credential.Certificate == nil {
		return ""
	}
	return c.credential.Certificate.VATNumber + " " + c.credential.Certificate.DeviceSerial
}

// record is the call as the journal keeps it.
func (c *call) record(status int) journal.Record {
	r := journal.Record{
		Environment:  string(c.environment),
		Endpoint:     c.endpoint,
		Device:       c.device(),
		UUID:         c.paper.uuid,
		Counter:      c.paper.counter,
		PreviousHash: c.paper.previousHash,
		Hash:         c.paper.hash,
		Status:       status,
		Outcome:      c.outcome,
		Mood:         c.mood,
	}
	if c.route.method == http.MethodPatch {
		r.Endpoint = "PATCH " + r.Endpoint
	}
	if c.body != nil {
		sum := sha256.Sum256(c.body)
		r.Body = hex.EncodeToString(sum[:])
	}
	return r
}
