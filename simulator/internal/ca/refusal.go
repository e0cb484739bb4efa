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

// Why returns the reason together with the underlying error.
func (r *Refusal) Why() string {
	if r.Err != nil {
		return fmt.Sprintf("%s: %v", r.Reason, r.Err)
	}
	return r.Reason
}

// Where returns the attribute concerned, or the part of the request.
func (r *Refusal) Where() string {
	if r.Field != "" {
		return r.Field
	}
	return advice[r.Cause].where
}

// Fix returns what to change in the request.
func (r *Refusal) Fix() string {
	if fix := fieldFixes[r.Field]; fix != "" && r.Cause == BadDevice {
		return fix
	}
	return advice[r.Cause].fix
}

// fieldFixes maps attributes of the device to what to write into them.
var fieldFixes = map[string]string{
	"SN":    "Write the serial of the device as 1-PROVIDER|2-MODEL|3-SERIAL.",
	"UID":   "Give the VAT number: 15 digits, of which the first and the last are 3.",
	"title": "Write the kinds of documents as 1000 (standard), 0100 (simplified) or 1100 (both).",
}

// advice maps each cause to the part of the request and to what to change.
var advice = map[Cause]struct{ where, fix string }{
	NoRequest:        {"csr", "Send the certificate request in the field csr."},
	BadStructure:     {"csr", "Send the base64, on one line, of the whole PEM text of a PKCS #10 request, with its BEGIN and END lines."},
	BadKey:           {"public key", "Create the key on the curve secp256k1 (1.3.132.0.10), with an uncompressed point."},
	BadSignature:     {"signature", "Sign the request with its own key, ecdsa-with-SHA256."},
	BadTemplate:      {"extension 1.3.6.1.4.1.311.20.2", "Write the template name as a UTF8String or PrintableString: TSTZATCA-Code-Signing on the developer portal, PREZATCA-Code-Signing in simulation, ZATCA-Code-Signing in production."},
	BadSubject:       {"subject", "Give C (SA), OU, O and CN exactly once in the subject, as UTF8String or PrintableString."},
	BadDevice:        {"subjectAltName", "Give SN, UID, title, registeredAddress and businessCategory in one directoryName of subjectAltName, and nothing else."},
	TooLong:          {"subject", "Shorten the field to at most 64 bytes in UTF-8."},
	BadGroup:         {"OU", "Give the 10-digit TIN of the member of the VAT group as OU."},
	BadIndustry:      {"businessCategory", "Write businessCategory with letters, digits and blanks only."},
	KeyReused:        {"public key", "Create a new key and a new certificate request for each onboarding."},
	OtherTaxpayer:    {"UID", "Renew with a request for the VAT number of the certificate."},
	UnknownRequestID: {"compliance_request_id", "Send the requestID of the answer in which this compliance certificate was issued."},
}

func refuse(cause Cause, field, format string, args ...any) *Refusal {
	return &Refusal{Cause: cause, Field: field, Reason: fmt.Sprintf(format, args...)}
}

func refuseFor(err error, cause Cause, reason string) *Refusal {
	return &Refusal{Cause: cause, Reason: reason, Err: err}
}
