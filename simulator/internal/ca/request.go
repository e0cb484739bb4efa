package ca

import (
	"bytes"
	"encoding/asn1"
	"encoding/base64"
	"encoding/pem"
	"errors"
)

// maxRequest bounds the text of a request; a real one has about 1,200 bytes.
const maxRequest = 16 << 10

// Request is a certificate request that was read and found good.
type Request struct {
	Environment Environment
	Template    string

	CommonName   string
	Organization string
	Unit         string // OU: the branch, or the member's TIN in a VAT group

	DeviceSerial string // 1-…|2-…|3-…
	VATNumber    string
	InvoiceTypes string // the title: 1000, 0100 or 1100
	Address      string
	Category     string // businessCategory

	PublicKey []byte // SubjectPublicKeyInfo, DER

	subject     []byte // as it stands in the request, DER
	alternative []byte // content of the subjectAltName extension, DER
}

// ReadRequest reads what a client sends: base64 in one line of the whole PEM
// text. The error is a [*Refusal]. It is stricter than the authority wherever
// the authority's own limit is not certain, so that what passes here passes
// there.
func ReadRequest(e Environment, csr string) (*Request, error) {
	der, err := unwrap(csr)
	if err != nil {
		return nil, err
	}
	r := &Request{Environment: e}
	if err := r.read(der); err != nil {
		return nil, err
	}
	return r, nil
}

// unwrap takes base64 and PEM off. Bare DER in base64 is known to be refused.
func unwrap(csr string) ([]byte, error) {
	if csr == "" {
		return nil, refuse(NoRequest, "", "there is no request")
	}
	if len(csr) > maxRequest {
		return nil, refuse(BadStructure, "", "it has %d characters, more than %d", len(csr), maxRequest)
	}
	text, err := base64.StdEncoding.Strict().DecodeString(csr)
	if err == nil && len(csr) != base64.StdEncoding.EncodedLen(len(text)) {
		err = errors.New("the base64 has line ends") // the decoder skips them
	}
	if err != nil {
		return nil, refuseFor(err, BadStructure, "it is not base64 in one line")
	}
	const first = "-----BEGIN CERTIFICATE REQUEST-----"
	text = bytes.TrimSpace(text)
	block, rest := pem.Decode(text)
	if block == nil || !bytes.HasPrefix(text, []byte(first)) || len(rest) > 0 || len(block.Headers) > 0 {
		return nil, refuse(BadStructure, "", "it is not the PEM text of one certificate request")
	}
	return block.Bytes, nil
}

// read takes a PKCS #10 request (RFC 2986) apart.
func (r *Request) read(der []byte) error {
	outer, err := value(der)
	if err != nil {
		return refuseFor(err, BadStructure, "it is not DER")
	}
	signed, err := inside(outer, asn1.TagSequence, 3)
	if err != nil {
		return refuseFor(err, BadStructure, "it is not a signed request")
	}
	info, err := inside(signed[0], asn1.TagSequence, 4)
	if err != nil {
		return refuseFor(err, BadStructure, "its content is not that of a request")
	}
	if !bytes.Equal(info[0].FullBytes, []byte{asn1.TagInteger, 1, 0}) {
		return refuse(BadStructure, "", "its version is not 0")
	}
	if info[3].Class != asn1.ClassContextSpecific || info[3].Tag != 0 || !info[3].IsCompound {
		return refuse(BadStructure, "", "it has no attributes")
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

// readKey reads the key and checks that the request is signed by it.
func (r *Request) readKey(info asn1.RawValue, signed []asn1.RawValue) error {
	public, err := publicPoint(info)
	if err != nil {
		return refuseFor(err, BadKey, "its key is not one on secp256k1")
	}
	r.PublicKey = bytes.Clone(info.FullBytes)
	if !bytes.Equal(signed[1].FullBytes, must([]asn1.ObjectIdentifier{oidECDSAWithSHA256})) {
		return refuse(BadSignature, "", "its signature is not ecdsa-with-SHA256")
	}
	signature, err := bits(signed[2])
	if err != nil {
		return refuseFor(err, BadStructure, "its signature cannot be read")
	}
	if !verifies(public, signed[0].FullBytes, signature) {
		return refuse(BadSignature, "", "it is not signed by its own key")
	}
	return nil
}
