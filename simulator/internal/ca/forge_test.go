package ca_test

import (
	"crypto/sha256"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"

	"khatm/simulator/internal/ca"
)

// noon is the time of most tests: not on a full second and not in UTC.
var noon = time.Date(2026, 8, 17, 1, 41, 8, 123_456_789, time.FixedZone("Riyadh", 3*60*60))

func newAuthority(t testing.TB) *ca.Authority {
	t.Helper()
	a, err := ca.New(ca.Config{Random: rand.NewChaCha8([32]byte{7}), Now: noon})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// attr is an attribute of a distinguished name.
type attr struct {
	oid  asn1.ObjectIdentifier
	tag  int
	text string
}

var (
	oidC  = asn1.ObjectIdentifier{2, 5, 4, 6}
	oidOU = asn1.ObjectIdentifier{2, 5, 4, 11}
	oidO  = asn1.ObjectIdentifier{2, 5, 4, 10}
	oidCN = asn1.ObjectIdentifier{2, 5, 4, 3}

	oidSerial   = asn1.ObjectIdentifier{2, 5, 4, 4}
	oidUID      = asn1.ObjectIdentifier{0, 9, 2342, 19200300, 100, 1, 1}
	oidTitle    = asn1.ObjectIdentifier{2, 5, 4, 12}
	oidAddress  = asn1.ObjectIdentifier{2, 5, 4, 26}
	oidIndustry = asn1.ObjectIdentifier{2, 5, 4, 15}

	oidTemplate  = asn1.ObjectIdentifier{1, 3, 6, 1, 4, 1, 311, 20, 2}
	oidSAN       = asn1.ObjectIdentifier{2, 5, 29, 17}
	oidRequested = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 14}
	oidSHA256    = asn1.ObjectIdentifier{1, 2, 840, 10045, 4, 3, 2}
	oidEC        = asn1.ObjectIdentifier{1, 2, 840, 10045, 2, 1}
	oidK1        = asn1.ObjectIdentifier{1, 3, 132, 0, 10}
	oidP256      = asn1.ObjectIdentifier{1, 2, 840, 10045, 3, 1, 7}
)

// forgery is a certificate request in parts, each of which a test can change.
type forgery struct {
	key       *secp256k1.PrivateKey
	version   int
	subject   []attr
	device    []attr
	template  any // content of the template extension
	spki      []byte
	algorithm any
	extend    func([]pkix.Extension) []pkix.Extension
	general   func(directory []byte) any        // builds the alternative name from the directory name
	requests  int                               // how often extensions are requested
	signature func(info []byte) []byte          // replaces the valid signature
	der       func([]byte) []byte               // changes the final DER
	armour    func(text []byte) []byte          // changes the final PEM text
	wrap      func(text []byte) string          // changes the text that is sent
	set       func(asn1.RawValue) asn1.RawValue // changes each relative distinguished name
}

func utf8(text string) asn1.RawValue {
	return asn1.RawValue{Tag: asn1.TagUTF8String, Bytes: []byte(text)}
}

// good returns a valid request for the sandbox; seed determines its key.
func good(seed byte) *forgery {
	sum := sha256.Sum256([]byte{seed})
	f := &forgery{
		key: secp256k1.PrivKeyFromBytes(sum[:]),
		subject: []attr{
			{oidC, asn1.TagPrintableString, "SA"},
			{oidOU, asn1.TagUTF8String, "Riyadh Branch"},
			{oidO, asn1.TagUTF8String, "Maximum Speed Tech Supply LTD"},
			{oidCN, asn1.TagUTF8String, "TST-886431145-399999999900003"},
		},
		device: []attr{
			{oidSerial, asn1.TagUTF8String, "1-TST|2-TST|3-ed22f1d8-e6a2-1118-9b58-d9a8f11e445f"},
			{oidUID, asn1.TagUTF8String, "399999999900003"},
			{oidTitle, asn1.TagUTF8String, "1100"},
			{oidAddress, asn1.TagUTF8String, "RRRD2929"},
			{oidIndustry, asn1.TagUTF8String, "Supply activities"},
		},
		template:  utf8("TSTZATCA-Code-Signing"),
		algorithm: []asn1.ObjectIdentifier{oidSHA256},
		requests:  1,
	}
	f.spki = spki([]asn1.ObjectIdentifier{oidEC, oidK1}, f.key.PubKey().SerializeUncompressed())
	return f
}

func marshal(v any) []byte {
	der, err := asn1.Marshal(v)
	if err != nil {
		panic(err)
	}
	return der
}

func spki(algorithm any, point []byte) []byte {
	return marshal(struct {
		Algorithm asn1.RawValue
		Point     asn1.BitString
	}{asn1.RawValue{FullBytes: marshal(algorithm)}, asn1.BitString{Bytes: point, BitLength: 8 * len(point)}})
}

func (f *forgery) name(attrs []attr) []byte {
	var sets []asn1.RawValue
	for _, a := range attrs {
		pair := append(marshal(a.oid), marshal(asn1.RawValue{Tag: a.tag, Bytes: []byte(a.text)})...)
		set := asn1.RawValue{Tag: asn1.TagSet, IsCompound: true,
			Bytes: marshal(asn1.RawValue{Tag: asn1.TagSequence, IsCompound: true, Bytes: pair})}
		if f.set != nil {
			set = f.set(set)
		}
		sets = append(sets, set)
	}
	return marshal(sets)
}

// alternative returns the content of the subjectAltName extension.
func (f *forgery) alternative() []byte {
	directory := f.name(f.device)
	if f.general != nil {
		return marshal(f.general(directory))
	}
	return marshal([]asn1.RawValue{{Class: asn1.ClassContextSpecific, Tag: 4, IsCompound: true, Bytes: directory}})
}

func (f *forgery) attributes() []byte {
	extensions := []pkix.Extension{{Id: oidTemplate, Value: marshal(f.template)}, {Id: oidSAN, Value: f.alternative()}}
	if f.extend != nil {
		extensions = f.extend(extensions)
	}
	type attribute struct {
		Type   asn1.ObjectIdentifier
		Values []asn1.RawValue `asn1:"set"`
	}
	one := marshal(attribute{oidRequested, []asn1.RawValue{{FullBytes: marshal(extensions)}}})
	var all []byte
	for range f.requests {
		all = append(all, one...)
	}
	return all
}

func (f *forgery) info() []byte {
	return marshal(struct {
		Version    int
		Subject    asn1.RawValue
		Key        asn1.RawValue
		Attributes asn1.RawValue
	}{
		f.version,
		asn1.RawValue{FullBytes: f.name(f.subject)},
		asn1.RawValue{FullBytes: f.spki},
		asn1.RawValue{Class: asn1.ClassContextSpecific, Tag: 0, IsCompound: true, Bytes: f.attributes()},
	})
}

// request returns the request as a client sends it.
func (f *forgery) request() string {
	info := f.info()
	sum := sha256.Sum256(info)
	signature := ecdsa.Sign(f.key, sum[:]).Serialize()
	if f.signature != nil {
		signature = f.signature(info)
	}
	der := marshal(struct {
		Info      asn1.RawValue
		Algorithm asn1.RawValue
		Signature asn1.BitString
	}{
		asn1.RawValue{FullBytes: info},
		asn1.RawValue{FullBytes: marshal(f.algorithm)},
		asn1.BitString{Bytes: signature, BitLength: 8 * len(signature)},
	})
	if f.der != nil {
		der = f.der(der)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE REQUEST", Bytes: der})
	if f.armour != nil {
		text = f.armour(text)
	}
	if f.wrap != nil {
		return f.wrap(text)
	}
	return base64.StdEncoding.EncodeToString(text)
}

// at replaces the text of an attribute.
func at(attrs []attr, oid asn1.ObjectIdentifier, text string) {
	for i := range attrs {
		if attrs[i].oid.Equal(oid) {
			attrs[i].text = text
			return
		}
	}
	panic(fmt.Sprintf("no attribute %v", oid))
}

func without(attrs []attr, oid asn1.ObjectIdentifier) []attr {
	var kept []attr
	for _, a := range attrs {
		if !a.oid.Equal(oid) {
			kept = append(kept, a)
		}
	}
	return kept
}

// onboard reads a valid request and issues its compliance certificate.
func onboard(t testing.TB, a *ca.Authority, seed byte, now time.Time) *ca.Issued {
	t.Helper()
	r, err := ca.ReadRequest(ca.Sandbox, good(seed).request())
	if err != nil {
		t.Fatal(err)
	}
	issued, err := a.IssueCompliance(r, now)
	if err != nil {
		t.Fatal(err)
	}
	return issued
}

// produce issues a compliance and a production certificate.
func produce(t testing.TB, a *ca.Authority, seed byte, now time.Time) *ca.Issued {
	t.Helper()
	compliance := onboard(t, a, seed, now)
	issued, err := a.IssueProduction(compliance.Credential, compliance.RequestID, now)
	if err != nil {
		t.Fatal(err)
	}
	return issued
}
