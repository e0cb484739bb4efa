package ca

import "fmt"

// Cause is the reason for refusing a certificate request.
type Cause string

// The causes. The authority answers Invalid-Industry to BadIndustry. The codes
// for NoRequest and UnknownRequestID are the simulator's, because the
// authority's are not known. The authority answers Invalid-CSR to all others.
const (
	NoRequest        Cause = "no-request"         // the field is empty
	BadStructure     Cause = "structure"          // not the base64 of the PEM text of a PKCS #10 request
	BadKey           Cause = "key"                // RSA, another curve, or not a point on the curve
	BadSignature     Cause = "signature"          // not signed by its own key with SHA-256
	BadTemplate      Cause = "template"           // not the template of the environment
	BadSubject       Cause = "subject"            // C, OU, O or CN is missing, repeated or invalid
	BadDevice        Cause = "device"             // the alternative name is missing, repeated or invalid
	TooLong          Cause = "too-long"           // a field has more than 64 bytes
	BadGroup         Cause = "vat-group"          // OU is not a TIN although the VAT number is of a VAT group
	BadIndustry      Cause = "industry"           // symbols in businessCategory
	KeyReused        Cause = "key-reused"         // the key already has a certificate
	OtherTaxpayer    Cause = "other-taxpayer"     // renewal for another VAT number
	UnknownRequestID Cause = "unknown-request-id" // not the request ID of this compliance certificate
)

// Refusal is the error for a certificate request that is refused.
type Refusal struct {
	Cause  Cause
	Field  string // the attribute concerned, such as OU or businessCategory; "" if none
	Reason string
	Err    error // underlying error, or nil
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
