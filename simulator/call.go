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

// call is one request and its state while it is handled.
type call struct {
	began       time.Time // by the simulator's clock
	environment ca.Environment
	endpoint    string // path of the operation; "" if none matched
	route       route
	unrouted    *answer // answer if no operation matched, else nil
	header      http.Header
	arrival     *timedBody
	reservation reservation // memory reserved for the body
	body        []byte
	credential  ca.Credential
	state       *state
	mood        string // names of the faults applied, if any

	info    documentInfo // fields of the submitted document
	outcome journal.Outcome
	codes   []string // codes of the warnings and errors in the answer
	reasons []journal.Reason
	written bool // whether the journal has the record of the call
	decided int  // status of the answer before a fault changed it; 0 if the operation was not reached
}

// documentInfo holds the fields read from a document. Fields that could not be
// read are empty.
type documentInfo struct {
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

// device returns the VAT number and the serial of the device whose chain the
// call belongs to, or "" without a credential. A renewed certificate continues
// the chain of the device.
func (c *call) device() string {
	if c.credential.Certificate == nil {
		return ""
	}
	return c.credential.Certificate.VATNumber + " " + c.credential.Certificate.DeviceSerial
}

// operation returns the name of the operation in the journal. A renewal has the
// same path as another operation.
func (c *call) operation() string {
	if c.route.method == http.MethodPatch {
		return "PATCH " + c.endpoint
	}
	return c.endpoint
}

// record returns the journal record of the call.
func (c *call) record(status int) journal.Record {
	r := journal.Record{
		Environment:  string(c.environment),
		Endpoint:     c.operation(),
		Device:       c.device(),
		UUID:         c.info.uuid,
		Counter:      c.info.counter,
		PreviousHash: c.info.previousHash,
		Hash:         c.info.hash,
		Status:       status,
		Outcome:      c.outcome,
		Mood:         c.mood,
		Reasons:      c.allReasons(),
	}
	if c.body != nil {
		sum := sha256.Sum256(c.body)
		r.Body = hex.EncodeToString(sum[:])
	}
	return r
}
