package device

import (
	"fmt"
	"time"
)

// Credentials are what a device signs in to the authority with.
type Credentials struct {
	Token  string // the certificate, exactly as the authority gave it
	Secret Secret
}

// CSID is a certificate as the authority hands it out, with the secret that
// goes with it.
type CSID struct {
	RequestID string
	Credentials
	// Checks says that a renewal was answered by a compliance certificate: the
	// samples must be shown again before there is a production certificate.
	Checks bool
}

// Refusal is the authority's no to a device: asking again unchanged is no use.
type Refusal struct {
	Status  int    // of HTTP
	Code    string // the authority's, such as Invalid-OTP, or one of ours below
	Message string // the authority's own words
}

// What the authority refuses without a code of its own.
const (
	NotCompliant  = "NOT_COMPLIANT"     // it says so where a certificate should be
	NoCertificate = "No-Certificate"    // an answer in order, and no certificate in it
	NotAuthorised = "Not-Authorised"    // it does not take the credentials
	OtherDevice   = "Other-Certificate" // a certificate that is not this device's
)

func (r *Refusal) Error() string {
	return fmt.Sprintf("the authority refused (%d %s): %s", r.Status, r.Code, r.Message)
}

// Silence is that the authority gave no answer that means anything. What was
// asked may have been done all the same.
type Silence struct {
	Status int           // of HTTP; 0 if nothing came
	Reason string        // in words
	Wait   time.Duration // how long it wants to be left alone; 0 if it does not say
	Cause  error
}

func (s *Silence) Error() string { return "the authority gave no answer: " + s.Reason }

// Unwrap gives the cause.
func (s *Silence) Unwrap() error { return s.Cause }
