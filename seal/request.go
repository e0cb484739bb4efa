package seal

import (
	"bytes"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
)

// Request is a certificate signing request to the authority (PKCS #10).
type Request struct {
	DER       []byte
	Unit      Unit
	Template  string // certificate template, such as ZATCA-Code-Signing; depends on the environment
	PublicKey []byte // SubjectPublicKeyInfo
}

// templates are the certificate templates by environment. The authority rejects a
// request with the template of another environment as invalid without saying why.
var templates = map[string]string{
	"sandbox":    "TSTZATCA-Code-Signing",
	"simulation": "PREZATCA-Code-Signing",
	"production": "ZATCA-Code-Signing",
}

// Request returns a certificate request for the unit, signed with its key. The
// environment must be sandbox, simulation or production.
func (u Unit) Request(key Signer, environment string) (*Request, error) {
	r, err := u.request(key, environment)
	if err != nil {
		return nil, fmt.Errorf("request a certificate: %w", err)
	}
	return r, nil
}

func (u Unit) request(key Signer, environment string) (*Request, error) {
	template, known := templates[environment]
	if !known {
		return nil, fmt.Errorf("environment is %q, must be sandbox, simulation or production", environment)
	}
	if err := u.Check(); err != nil {
		return nil, err
	}
	public, err := publicKeyOf(key)
	if err != nil {
		return nil, err
	}
	info := marshal(requestInfo{
		Subject: nameOf(
			text(oidCountry, asn1.TagPrintableString, "SA"),
			text(oidUnitName, asn1.TagUTF8String, u.UnitName),
			text(oidOrganisation, asn1.TagUTF8String, u.Organisation),
			text(oidCommonName, asn1.TagUTF8String, u.CommonName),
		),
		PublicKey:  public,
		Attributes: []requestAttribute{{oidExtensionRequest, []asn1.RawValue{{FullBytes: u.requestExtensions(template)}}}},
	})
	signature, err := key.Sign(info)
	if err != nil {
		return nil, err
	}
	// Parsing it verifies that the signature matches the public key of the signer.
	return parseRequest(marshal(signedRequest{asn1.RawValue{FullBytes: info}, algorithm{OID: oidSHA256}, bitString(signature)}))
}

func (u Unit) requestExtensions(template string) []byte {
	return marshal([]pkix.Extension{
		{Id: oidTemplate, Value: marshal(asn1.RawValue{Tag: asn1.TagUTF8String, Bytes: []byte(template)})},
		{Id: oidAlternativeName, Value: u.alternativeName()},
	})
}

// PEM returns the request in PEM, as openssl reads it.
func (r *Request) PEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: pemRequest, Bytes: r.DER})
}

// Body returns the request in the form that the authority's API requires: the
// PEM text, including its first and last line, as one line of base64. The API
// rejects base64 of DER.
func (r *Request) Body() string { return base64.StdEncoding.EncodeToString(r.PEM()) }

type signedRequest struct {
	Info      asn1.RawValue
	Algorithm algorithm
	Signature asn1.BitString
}

type requestInfo struct {
	Version    int
	Subject    name
	PublicKey  publicKey
	Attributes []requestAttribute `asn1:"tag:0,set"`
}

type requestAttribute struct {
	Type   asn1.ObjectIdentifier
	Values []asn1.RawValue `asn1:"set"`
}

// ParseRequest parses a request in DER, in PEM, or in the base64 form of
// [Request.Body]. The key must be on secp256k1, the signature must be valid, and
// the request must contain a template and a unit. ParseRequest does not check
// the unit; see [Unit.Check].
func ParseRequest(data []byte) (*Request, error) {
	r, err := parseRequest(data)
	if err != nil {
		return nil, fmt.Errorf("read a certificate request: %w", err)
	}
	return r, nil
}

func parseRequest(data []byte) (*Request, error) {
	der, err := unwrap(data, pemRequest)
	if err != nil {
		return nil, err
	}
	var signed signedRequest
	if err := unmarshal(der, &signed); err != nil {
		return nil, err
	}
	var info requestInfo
	if err := unmarshal(signed.Info.FullBytes, &info); err != nil {
		return nil, err
	}
	if !bytes.Equal(der, marshal(signed)) || !bytes.Equal(signed.Info.FullBytes, marshal(info)) {
		return nil, errNotStrictDER
	}
	if info.Version != 0 {
		return nil, fmt.Errorf("its version is %d, not 0", info.Version)
	}
	if err := signed.verify(info); err != nil {
		return nil, err
	}
	r := &Request{DER: append([]byte(nil), der...), PublicKey: append([]byte(nil), info.PublicKey.Raw...)}
	return r, r.readExtensions(info)
}

func (s signedRequest) verify(info requestInfo) error {
	public, err := info.PublicKey.parse()
	if err != nil {
		return err
	}
	if !s.Algorithm.OID.Equal(oidSHA256) {
		return fmt.Errorf("its signature algorithm is %s, not ecdsa-with-SHA256", s.Algorithm.OID)
	}
	if !verify(public, s.Info.FullBytes, s.Signature.Bytes) {
		return errors.New("its signature is invalid")
	}
	return nil
}

func (r *Request) readExtensions(info requestInfo) error {
	var extensions []pkix.Extension
	for _, a := range info.Attributes {
		if !a.Type.Equal(oidExtensionRequest) {
			continue
		}
		if extensions != nil || len(a.Values) != 1 {
			return errors.New("it has more than one extension request")
		}
		if err := unmarshal(a.Values[0].FullBytes, &extensions); err != nil {
			return fmt.Errorf("extensions: %w", err)
		}
	}
	template, err := extension(extensions, oidTemplate)
	if err != nil {
		return err
	}
	alternative, err := extension(extensions, oidAlternativeName)
	if err != nil {
		return err
	}
	if template == nil || alternative == nil {
		return errors.New("it has no template or no unit, so it is not the request of a device")
	}
	value := attribute{Type: oidTemplate}
	if err := unmarshal(template, &value.Value); err != nil {
		return fmt.Errorf("template: %w", err)
	}
	if r.Template, err = value.text(); err != nil {
		return fmt.Errorf("template: %w", err)
	}
	return r.Unit.read(info.Subject, alternative)
}
