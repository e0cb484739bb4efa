// Package recording records calls between a client and the tax authority, without
// the secrets in them: a proxy forwards each call unchanged and appends it to a
// file. docs/recording.md describes the file.
//
// The package knows which parts of a call are secret, and nothing else about the
// authority. Package replay sends the recorded requests to the simulator.
package recording

import (
	"encoding/base64"
	"net/http"
	"time"
	"unicode/utf8"
)

// Version is the version of the file format.
const Version = 1

// Removed replaces a secret.
const Removed = "[removed]"

// Exchange is a request and its response: one line of a recording.
type Exchange struct {
	Version int       `json:"version"`
	Session string    `json:"session"` // random ID of one run of the recorder
	Number  int       `json:"number"`  // position in the session, from 1
	Time    time.Time `json:"time"`    // when the request arrived
	Took    int64     `json:"took_ms"`

	Environment string `json:"environment"` // sandbox, simulation or production
	Method      string `json:"method"`
	Path        string `json:"path"` // below the base URL, without a query

	// Credential identifies the token and secret of the request within the
	// session: issued-N for those that an earlier response contained, other-N for
	// others; "" if the request has none.
	Credential  string       `json:"credential,omitempty"`
	Certificate *Certificate `json:"certificate,omitempty"` // of the token; nil if it cannot be read
	Issued      string       `json:"issued,omitempty"`      // the credential in the response, if it contains one

	Request  Message  `json:"request"`
	Response *Message `json:"response"`        // null if the authority did not answer
	Error    string   `json:"error,omitempty"` // why it did not, or why its answer is incomplete
}

// Certificate contains what a replay must know about the certificate of a
// credential.
type Certificate struct {
	VATNumber    string `json:"vat_number"`
	InvoiceTypes string `json:"invoice_types"` // such as 1100
}

// Message is a request or a response without secrets.
type Message struct {
	Status int         `json:"status,omitempty"` // of a response
	Header http.Header `json:"header"`           // only those that matter to the authority or its clients
	Text   string      `json:"body,omitempty"`
	Base64 string      `json:"body_base64,omitempty"` // instead of Text, if it is not UTF-8
	Bytes  int64       `json:"bytes"`                 // length of the body as it was sent
	Cut    string      `json:"cut,omitempty"`         // why the stored body is not complete
}

// Body returns the stored body.
func (m *Message) Body() ([]byte, error) {
	if m.Base64 != "" {
		return base64.StdEncoding.DecodeString(m.Base64)
	}
	return []byte(m.Text), nil
}

func (m *Message) setBody(body []byte) {
	if utf8.Valid(body) {
		m.Text = string(body)
	} else {
		m.Base64 = base64.StdEncoding.EncodeToString(body)
	}
}
