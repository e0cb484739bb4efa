package ca

import (
	"crypto/x509/pkix"
	"encoding/asn1"
	"fmt"
	"math/big"
	"time"

	"khatm/witness"
)

var (
	oidConstraints  = asn1.ObjectIdentifier{2, 5, 29, 19}
	oidKeyUsage     = asn1.ObjectIdentifier{2, 5, 29, 15}
	oidExtendedUse  = asn1.ObjectIdentifier{2, 5, 29, 37}
	oidSubjectKey   = asn1.ObjectIdentifier{2, 5, 29, 14}
	oidAuthorityKey = asn1.ObjectIdentifier{2, 5, 29, 35}
	oidAccess       = asn1.ObjectIdentifier{1, 3, 6, 1, 5, 5, 7, 1, 1}
	oidIssuers      = asn1.ObjectIdentifier{1, 3, 6, 1, 5, 5, 7, 48, 2}
	oidCodeSigning  = asn1.ObjectIdentifier{1, 3, 6, 1, 5, 5, 7, 3, 3}
	oidClientAuth   = asn1.ObjectIdentifier{1, 3, 6, 1, 5, 5, 7, 3, 2}

	// Microsoft's extensions: the certificate template, and the key usages
	// again.
	oidTemplateInfo = asn1.ObjectIdentifier{1, 3, 6, 1, 4, 1, 311, 21, 7}
	oidPolicies     = asn1.ObjectIdentifier{1, 3, 6, 1, 4, 1, 311, 21, 10}
	oidOurTemplate  = asn1.ObjectIdentifier{1, 3, 6, 1, 4, 1, 311, 21, 8, 0, 0, 0, 0, 0, 0, 1, 1}
)

// riyadh is a fixed zone: Saudi Arabia has no daylight saving time.
var riyadh = time.FixedZone("Riyadh", 3*60*60)

// registration holds the contents of a request that are copied into each
// certificate.
type registration struct {
	common, organization, unit string
	subject                    []byte // as requested, DER
	alternative                []byte // DER
	public                     []byte // SubjectPublicKeyInfo, DER
}

func (r *Request) registration() registration {
	return registration{r.CommonName, r.Organization, r.Unit, r.subject, r.alternative, r.PublicKey}
}

// registrationOf reads the registration from a certificate issued here.
func registrationOf(c *witness.Certificate) (registration, error) {
	r := registration{common: c.CommonName, organization: c.Organization, unit: c.Unit, public: c.PublicKey}
	info, err := value(c.TBS)
	if err != nil {
		return r, fmt.Errorf("read a certificate's names: %w", err)
	}
	parts, err := inside(info, asn1.TagSequence, 8)
	if err != nil {
		return r, fmt.Errorf("read a certificate's names: %w", err)
	}
	list, err := value(parts[7].Bytes)
	if err != nil {
		return r, fmt.Errorf("read a certificate's names: %w", err)
	}
	extensions, err := extensionsOf(list)
	if err != nil {
		return r, fmt.Errorf("read a certificate's names: %w", err)
	}
	r.subject, r.alternative = parts[5].FullBytes, extensions[oidAlternativeName.String()]
	return r, nil
}

// leeway is how long before its issue a certificate becomes valid. All
// published certificates become valid five seconds early.
const leeway = 5 * time.Second

// compliance issues a compliance certificate. It expires five years after the
// day of issue, at 00:00 in Riyadh.
func (i *issuer) compliance(r registration, serial int64, now time.Time) []byte {
	day := now.In(riyadh)
	return i.sign(body{
		serial:  big.NewInt(serial),
		from:    now.Add(-leeway),
		until:   time.Date(day.Year()+5, day.Month(), day.Day(), 0, 0, 0, 0, riyadh),
		subject: r.subject,
		public:  r.public,
		extensions: []pkix.Extension{
			{Id: oidConstraints, Critical: true, Value: must(struct{}{})}, // DER omits CA:FALSE, the default
			{Id: oidAlternativeName, Value: r.alternative},
		},
	})
}

// production issues a production certificate, in the form of the authority's
// Microsoft software. A registration without an alternative name is for the
// authority's own stamp.
func (i *issuer) production(r registration, serial *big.Int, now time.Time) []byte {
	var extensions []pkix.Extension
	if r.alternative != nil {
		extensions = append(extensions, pkix.Extension{Id: oidAlternativeName, Value: r.alternative})
	}
	return i.sign(body{
		serial: serial,
		from:   now.Add(-leeway),
		until:  now.AddDate(0, 0, 1825),
		// The authority does not keep the order of the request.
		subject: must([]asn1.RawValue{
			part(oidCountry, asn1.TagPrintableString, "SA"),
			part(oidOrganization, printable(r.organization), r.organization),
			part(oidUnit, printable(r.unit), r.unit),
			part(oidCommonName, printable(r.common), r.common),
		}),
		public:     r.public,
		extensions: append(extensions, i.productionExtensions(r.public)...),
	})
}

func (i *issuer) productionExtensions(public []byte) []pkix.Extension {
	type policy struct{ ID asn1.ObjectIdentifier }
	const uniformResource = 6 // tag of GeneralName
	address := "http://authority.khatm.invalid/CertEnroll/" + i.common + ".crt"
	return []pkix.Extension{
		{Id: oidSubjectKey, Value: must(fingerprint(public))},
		{Id: oidAuthorityKey, Value: must(struct {
			ID []byte `asn1:"tag:0"`
		}{fingerprint(i.key.public())})},
		{Id: oidAccess, Value: must([]struct {
			Method   asn1.ObjectIdentifier
			Location asn1.RawValue
		}{{oidIssuers, asn1.RawValue{Class: asn1.ClassContextSpecific, Tag: uniformResource, Bytes: []byte(address)}}})},
		{Id: oidKeyUsage, Critical: true, Value: must(asn1.BitString{Bytes: []byte{0x80}, BitLength: 1})}, // digitalSignature
		{Id: oidTemplateInfo, Value: must(struct {
			ID           asn1.ObjectIdentifier
			Major, Minor int
		}{oidOurTemplate, 100, 1})},
		{Id: oidExtendedUse, Value: must([]asn1.ObjectIdentifier{oidCodeSigning, oidClientAuth})},
		{Id: oidPolicies, Value: must([]policy{{oidCodeSigning}, {oidClientAuth}})},
	}
}
