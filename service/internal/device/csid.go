package device

import (
	"fmt"
	"time"
)

// Credentials are the credentials of a device for the authority.
type Credentials struct {
	Token  string // the certificate, exactly as issued by the authority
	Secret Secret
}

// CSID is a certificate issued by the authority, with its secret.
type CSID struct {
	RequestID string
	Credentials
	// Checks means that a renewal returned a compliance certificate: the samples
	// must be checked again before a production certificate is issued.
	Checks bool
}

// Refusal is the error for a request that the authority refused. Repeating the
// request unchanged is useless.
type Refusal struct {
	Status  int    // HTTP status
	Code    string // of the authority, such as Invalid-OTP, or one of the constants below
	Message string // text of the authority
}

// Codes of refusals for which the authority has no code.
const (
	NotCompliant  = "NOT_COMPLIANT"     // the authority says so instead of returning a certificate
	NoCertificate = "No-Certificate"    // a valid answer without a certificate
	NotAuthorised = "Not-Authorised"    // the credentials are not accepted
	OtherDevice   = "Other-Certificate" // the certificate belongs to another device
)

func (r *Refusal) Error() string {
	return fmt.Sprintf("the authority refused (%d %s): %s", r.Status, r.Code, r.Message)
}

// Silence is the error for a request without a usable answer. The authority may
// have carried out the request all the same.
type Silence struct {
	Status int           // HTTP status; 0 if there was no response
	Reason string        // description of the problem
	Wait   time.Duration // Retry-After of the response; 0 if not given
	Cause  error
}

func (s *Silence) Error() string { return "the authority gave no answer: " + s.Reason }

// Unwrap returns the cause.
func (s *Silence) Unwrap() error { return s.Cause }
