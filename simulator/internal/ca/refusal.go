package ca

import "fmt"

// Cause is why a request was refused.
type Cause string

// The causes. The authority answers Invalid-Industry to BadIndustry; NoRequest
// and UnknownRequestID have codes of the simulator's own, since none is known of
// the authority's; all others are Invalid-CSR.
const (
	NoRequest        Cause = "no-request"         // the field is empty
	BadStructure     Cause = "structure"          // not base64 of PEM of a PKCS #10 request
	BadKey           Cause = "key"                // RSA, another curve, no point of the curve
	BadSignature     Cause = "signature"          // not signed by its own key with SHA-256
	BadTemplate      Cause = "template"           // not the template of the environment
	BadSubject       Cause = "subject"            // C, OU, O, CN: missing, repeated, wrong
	BadDevice        Cause = "device"             // the alternative name: missing, repeated, wrong
	TooLong          Cause = "too-long"           // a field has more than 64 bytes
	BadGroup         Cause = "vat-group"          // OU is no TIN although the VAT number is a group's
	BadIndustry      Cause = "industry"           // symbols in businessCategory
	KeyReused        Cause = "key-reused"         // the key has a certificate already
	OtherTaxpayer    Cause = "other-taxpayer"     // renewal for another VAT number
	UnknownRequestID Cause = "unknown-request-id" // not the number of this compliance certificate
)

// Refusal says why a request gets no certificate.
type Refusal struct {
	Cause  Cause
	Field  string // the attribute concerned, as OU or businessCategory; "" when none
	Reason string
	Err    error // what was met while reading, or nil
}

func (r *Refusal) Error() string {
	text := "certificate request refused: "
	if r.Field != "" {
		text += r.Field + ": "
	}
	if r.Err != nil {
		return fmt.Sprintf("%s%s: %v", text, r.Reason, r.Err)
	}
	return text + r.Reason
}

func (r *Refusal) Unwrap() error { return r.Err }

func refuse(cause Cause, field, format string, args ...any) *Refusal {
	return &Refusal{Cause: cause, Field: field, Reason: fmt.Sprintf(format, args...)}
}

func refuseFor(err error, cause Cause, reason string) *Refusal {
	return &Refusal{Cause: cause, Reason: reason, Err: err}
}
