package ca

import (
	"bytes"
	"encoding/asn1"
	"encoding/base64"
	"encoding/pem"
	"errors"
)

// maxRequest is the maximum length of a request. A real one has about 1,200
// bytes.
const maxRequest = 16 << 10

// Request is a valid certificate request.
type Request struct {
	Environment Environment
	Template    string

	CommonName   string
	Organization string
	Unit         string // OU: the branch, or the TIN of the member of a VAT group

	DeviceSerial string // 1-…|2-…|3-…
	VATNumber    string
	InvoiceTypes string // title: 1000, 0100 or 1100
	Address      string
	Category     string // businessCategory

	PublicKey []byte // SubjectPublicKeyInfo, DER

	// Tolerated lists what [ReadLax] or a later step accepted, although the
	// documentation of the authority forbids it.
	Tolerated []*Refusal

	lax         bool
	subject     []byte // as in the request, DER
	alternative []byte // content of the subjectAltName extension, DER
}

// ReadRequest reads a request as clients send it: the whole PEM text encoded in
// base64 on one line. The error is a [*Refusal]. ReadRequest is stricter than
// the authority where the authority's limits are not certain, so that a request
// accepted here is accepted there.
func ReadRequest(e Environment, csr string) (*Request, error) {
	return read(csr, &Request{Environment: e})
}

// ReadLax is like ReadRequest, but tolerates what the real authority is reported
// to accept: a template name as an OCTET STRING, the template of production on
// the developer portal, and later a key that already has a certificate.
func ReadLax(e Environment, csr string) (*Request, error) {
	return read(csr, &Request{Environment: e, lax: true})
}

func read(csr string, into *Request) (*Request, error) {
	der, err := unwrap(csr)
	if err != nil {
		return nil, err
	}
	if err := into.read(der); err != nil {
		return nil, err
	}
	return into, nil
}

// tolerate returns the refusal in strict mode; in lax mode it records it and
// returns nil.
func (r *Request) tolerate(refusal *Refusal) error {
	if !r.lax {
		return refusal
	}
	r.Tolerated = append(r.Tolerated, refusal)
	return nil
}

// unwrap decodes base64 and PEM. The authority refuses DER in base64 without
// PEM.
func unwrap(csr string) ([]byte, error) {
	if csr == "" {
		return nil, refuse(NoRequest, "", "the certificate request is missing")
	}
	if len(csr) > maxRequest {
		return nil, refuse(BadStructure, "", "has %d characters, more than %d", len(csr), maxRequest)
	}
	text, err := base64.StdEncoding.Strict().DecodeString(csr)
	if err == nil && len(csr) != base64.StdEncoding.EncodedLen(len(text)) {
		err = errors.New("line breaks in the base64") // the decoder ignores them
	}
	if err != nil {
		return nil, refuseFor(err, BadStructure, "not base64 on one line")
	}
	const first = "-----BEGIN CERTIFICATE REQUEST-----"
	text = bytes.TrimSpace(text)
	block, rest := pem.Decode(text)
	if block == nil || !bytes.HasPrefix(text, []byte(first)) || len(rest) > 0 || len(block.Headers) > 0 {
		return nil, refuse(BadStructure, "", "not the PEM text of one certificate request")
	}
	return block.Bytes, nil
}

// read parses and checks a PKCS #10 request (RFC 2986).
func (r *Request) read(der []byte) error {
	outer, err := value(der)
	if err != nil {
		return refuseFor(err, BadStructure, "not DER")
	}
	signed, err := inside(outer, asn1.TagSequence, 3)
	if err != nil {
		return refuseFor(err, BadStructure, "not a signed request")
	}
	info, err := inside(signed[0], asn1.TagSequence, 4)
	if err != nil {
		return refuseFor(err, BadStructure, "not the content of a request")
	}
	if !bytes.Equal(info[0].FullBytes, []byte{asn1.TagInteger, 1, 0}) {
		return refuse(BadStructure, "", "the version is not 0")
	}
	if info[3].Class != asn1.ClassContextSpecific || info[3].Tag != 0 || !info[3].IsCompound {
		return refuse(BadStructure, "", "no attributes")
	}
	if err := r.readKey(info[2], signed); err != nil {
		return err
	}
	if err := r.readExtensions(info[3].Bytes); err != nil {
		return err
	}
	if err := r.readSubject(info[1]); err != nil {
		return err
	}
	return r.check()
}

// readKey reads the public key and checks that it signed the request.
func (r *Request) readKey(info asn1.RawValue, signed []asn1.RawValue) error {
	public, err := publicPoint(info)
	if err != nil {
		return refuseFor(err, BadKey, "not a key on secp256k1")
	}
	r.PublicKey = bytes.Clone(info.FullBytes)
	if !bytes.Equal(signed[1].FullBytes, must([]asn1.ObjectIdentifier{oidECDSAWithSHA256})) {
		return refuse(BadSignature, "", "the signature is not ecdsa-with-SHA256")
	}
	signature, err := bits(signed[2])
	if err != nil {
		return refuseFor(err, BadStructure, "the signature cannot be read")
	}
	if !verifies(public, signed[0].FullBytes, signature) {
		return refuse(BadSignature, "", "not signed by its own key")
	}
	return nil
}
