package ca_test

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"strings"
	"testing"

	"khatm/simulator/internal/ca"
)

// wrongRequests lists requests with a single error each.
var wrongRequests = []struct {
	name   string
	cause  ca.Cause
	field  string
	change func(*forgery)
}{
	{"empty request", ca.NoRequest, "", func(f *forgery) { f.wrap = func([]byte) string { return "" } }},
	{"not base64", ca.BadStructure, "", func(f *forgery) { f.wrap = func(p []byte) string { return string(p) } }},
	{"base64 with line ends", ca.BadStructure, "", func(f *forgery) {
		f.wrap = func(p []byte) string {
			text := base64.StdEncoding.EncodeToString(p)
			return text[:64] + "\n" + text[64:]
		}
	}},
	{"URL-safe base64", ca.BadStructure, "", func(f *forgery) {
		f.wrap = func(p []byte) string { return base64.RawURLEncoding.EncodeToString(append(p, "\xff\xff"...)) }
	}},
	{"bare DER", ca.BadStructure, "", func(f *forgery) {
		f.wrap = func(p []byte) string {
			block, _ := pem.Decode(p)
			return base64.StdEncoding.EncodeToString(block.Bytes)
		}
	}},
	{"PEM without its first line", ca.BadStructure, "", func(f *forgery) {
		f.armour = func(p []byte) []byte { return p[bytes.IndexByte(p, '\n')+1:] }
	}},
	{"PEM of a certificate", ca.BadStructure, "", func(f *forgery) {
		f.armour = func(p []byte) []byte {
			return bytes.ReplaceAll(p, []byte("CERTIFICATE REQUEST"), []byte("CERTIFICATE"))
		}
	}},
	{"two requests", ca.BadStructure, "", func(f *forgery) {
		f.armour = func(p []byte) []byte { return append(bytes.Clone(p), p...) }
	}},
	{"text before", ca.BadStructure, "", func(f *forgery) {
		f.armour = func(p []byte) []byte { return append([]byte("Certificate Request:\n"), p...) }
	}},
	{"too large", ca.BadStructure, "", func(f *forgery) {
		f.armour = func(p []byte) []byte { return append(p, bytes.Repeat([]byte("\n"), 20_000)...) }
	}},
	{"cut short", ca.BadStructure, "", func(f *forgery) { f.der = func(d []byte) []byte { return d[:len(d)-1] } }},
	{"trailing bytes", ca.BadStructure, "", func(f *forgery) { f.der = func(d []byte) []byte { return append(d, 0) } }},
	{"not DER", ca.BadStructure, "", func(f *forgery) { f.der = func([]byte) []byte { return []byte("not DER at all") } }},
	{"version 1", ca.BadStructure, "", func(f *forgery) { f.version = 1 }},
	{"extensions requested twice", ca.BadStructure, "", func(f *forgery) { f.requests = 2 }},
	{"template twice", ca.BadStructure, "", func(f *forgery) {
		f.extend = func(e []pkix.Extension) []pkix.Extension { return append(e, e[0]) }
	}},
	{"alternative name twice", ca.BadStructure, "", func(f *forgery) {
		f.extend = func(e []pkix.Extension) []pkix.Extension { return append(e, e[1]) }
	}},

	{"RSA key", ca.BadKey, "", func(f *forgery) { f.spki = rsaKey() }},
	{"P-256 key", ca.BadKey, "", func(f *forgery) {
		f.spki = spki([]asn1.ObjectIdentifier{oidEC, oidP256}, f.key.PubKey().SerializeUncompressed())
	}},
	{"compressed point", ca.BadKey, "", func(f *forgery) {
		f.spki = spki([]asn1.ObjectIdentifier{oidEC, oidK1}, f.key.PubKey().SerializeCompressed())
	}},
	{"point off the curve", ca.BadKey, "", func(f *forgery) {
		point := f.key.PubKey().SerializeUncompressed()
		point[64] ^= 1
		f.spki = spki([]asn1.ObjectIdentifier{oidEC, oidK1}, point)
	}},
	{"curve not named", ca.BadKey, "", func(f *forgery) {
		f.spki = spki([]asn1.ObjectIdentifier{oidEC}, f.key.PubKey().SerializeUncompressed())
	}},

	{"signature of another key", ca.BadSignature, "", func(f *forgery) { f.key = good(2).key }},
	{"signature of other content", ca.BadSignature, "", func(f *forgery) {
		f.der = func(d []byte) []byte { return bytes.Replace(d, []byte("Riyadh Branch"), []byte("Jeddah Branch"), 1) }
	}},
	{"signature not DER", ca.BadSignature, "", func(f *forgery) { f.signature = func([]byte) []byte { return make([]byte, 64) } }},
	{"signature with SHA-1", ca.BadSignature, "", func(f *forgery) {
		f.algorithm = []asn1.ObjectIdentifier{{1, 2, 840, 10045, 4, 1}}
	}},

	{"template of simulation", ca.BadTemplate, "", func(f *forgery) { f.template = utf8("PREZATCA-Code-Signing") }},
	{"template of production", ca.BadTemplate, "", func(f *forgery) { f.template = utf8("ZATCA-Code-Signing") }},
	{"template in lower case", ca.BadTemplate, "", func(f *forgery) { f.template = utf8("tstzatca-code-signing") }},
	{"template as BMPString", ca.BadTemplate, "", func(f *forgery) {
		f.template = asn1.RawValue{Tag: asn1.TagBMPString, Bytes: []byte("\x00T\x00S\x00T")}
	}},
	{"no template", ca.BadTemplate, "", func(f *forgery) {
		f.extend = func(e []pkix.Extension) []pkix.Extension { return e[1:] }
	}},
	{"no extensions", ca.BadTemplate, "", func(f *forgery) { f.requests = 0 }},

	{"no country", ca.BadSubject, "C", func(f *forgery) { f.subject = without(f.subject, oidC) }},
	{"another country", ca.BadSubject, "C", func(f *forgery) { at(f.subject, oidC, "AE") }},
	{"country in lower case", ca.BadSubject, "C", func(f *forgery) { at(f.subject, oidC, "sa") }},
	{"no OU", ca.BadSubject, "OU", func(f *forgery) { f.subject = without(f.subject, oidOU) }},
	{"no O", ca.BadSubject, "O", func(f *forgery) { f.subject = without(f.subject, oidO) }},
	{"no CN", ca.BadSubject, "CN", func(f *forgery) { f.subject = without(f.subject, oidCN) }},
	{"two CN", ca.BadSubject, "CN", func(f *forgery) { f.subject = append(f.subject, f.subject[3]) }},
	{"empty CN", ca.BadSubject, "CN", func(f *forgery) { at(f.subject, oidCN, "") }},
	{"blank O", ca.BadSubject, "O", func(f *forgery) { at(f.subject, oidO, "   ") }},
	{"line break in OU", ca.BadSubject, "OU", func(f *forgery) { at(f.subject, oidOU, "a\nb") }},
	{"not UTF-8", ca.BadSubject, "O", func(f *forgery) { at(f.subject, oidO, "\xff\xfe") }},
	{"O as T61String", ca.BadSubject, "O", func(f *forgery) { f.subject[2].tag = asn1.TagT61String }},
	{"two attributes in one set", ca.BadDevice, "", func(f *forgery) {
		f.set = func(v asn1.RawValue) asn1.RawValue {
			v.Bytes = append(v.Bytes, v.Bytes...)
			return v
		}
	}},

	{"no alternative name", ca.BadDevice, "", func(f *forgery) {
		f.extend = func(e []pkix.Extension) []pkix.Extension { return e[:1] }
	}},
	{"a DNS name instead", ca.BadDevice, "", func(f *forgery) {
		f.general = func([]byte) any {
			return []asn1.RawValue{{Class: asn1.ClassContextSpecific, Tag: 2, Bytes: []byte("till.example")}}
		}
	}},
	{"two directory names", ca.BadDevice, "", func(f *forgery) {
		f.general = func(d []byte) any {
			one := asn1.RawValue{Class: asn1.ClassContextSpecific, Tag: 4, IsCompound: true, Bytes: d}
			return []asn1.RawValue{one, one}
		}
	}},
	{"no serial", ca.BadDevice, "SN", func(f *forgery) { f.device = without(f.device, oidSerial) }},
	{"serial as 2.5.4.5", ca.BadDevice, "", func(f *forgery) { f.device[0].oid = asn1.ObjectIdentifier{2, 5, 4, 5} }},
	{"serial of two parts", ca.BadDevice, "SN", func(f *forgery) { at(f.device, oidSerial, "1-TST|2-TST") }},
	{"serial without numbers", ca.BadDevice, "SN", func(f *forgery) { at(f.device, oidSerial, "TST|TST|ed22") }},
	{"serial with an empty part", ca.BadDevice, "SN", func(f *forgery) { at(f.device, oidSerial, "1-TST|2-|3-ed22") }},
	{"serial with =", ca.BadDevice, "SN", func(f *forgery) { at(f.device, oidSerial, "1-TST|2-T=T|3-ed22") }},
	{"no VAT number", ca.BadDevice, "UID", func(f *forgery) { f.device = without(f.device, oidUID) }},
	{"VAT number of 14 digits", ca.BadDevice, "UID", func(f *forgery) { at(f.device, oidUID, "39999999990003") }},
	{"VAT number beginning with 1", ca.BadDevice, "UID", func(f *forgery) { at(f.device, oidUID, "199999999900003") }},
	{"VAT number ending with 4", ca.BadDevice, "UID", func(f *forgery) { at(f.device, oidUID, "399999999900004") }},
	{"VAT number in Arabic digits", ca.BadDevice, "UID", func(f *forgery) { at(f.device, oidUID, "3٩٩٩٩٩٩٩٩٩٠٠٠٠3") }},
	{"no title", ca.BadDevice, "title", func(f *forgery) { f.device = without(f.device, oidTitle) }},
	{"title 0000", ca.BadDevice, "title", func(f *forgery) { at(f.device, oidTitle, "0000") }},
	{"title 1111", ca.BadDevice, "title", func(f *forgery) { at(f.device, oidTitle, "1111") }},
	{"title 0010", ca.BadDevice, "title", func(f *forgery) { at(f.device, oidTitle, "0010") }},
	{"title 110", ca.BadDevice, "title", func(f *forgery) { at(f.device, oidTitle, "110") }},
	{"no address", ca.BadDevice, "registeredAddress", func(f *forgery) { f.device = without(f.device, oidAddress) }},
	{"no industry", ca.BadDevice, "businessCategory", func(f *forgery) { f.device = without(f.device, oidIndustry) }},
	{"two VAT numbers", ca.BadDevice, "UID", func(f *forgery) { f.device = append(f.device, f.device[1]) }},

	{"CN of 65 bytes", ca.TooLong, "CN", func(f *forgery) { at(f.subject, oidCN, strings.Repeat("x", 65)) }},
	{"Arabic O of 33 letters", ca.TooLong, "O", func(f *forgery) { at(f.subject, oidO, strings.Repeat("م", 33)) }},
	{"serial of 65 bytes", ca.TooLong, "SN", func(f *forgery) { at(f.device, oidSerial, "1-T|2-T|3-"+strings.Repeat("x", 55)) }},
	{"address of 65 bytes", ca.TooLong, "registeredAddress", func(f *forgery) { at(f.device, oidAddress, strings.Repeat("x", 65)) }},
	{"group without TIN", ca.BadGroup, "OU", func(f *forgery) { at(f.device, oidUID, "399999999910003") }},
	{"group with 9 digits", ca.BadGroup, "OU", func(f *forgery) {
		at(f.device, oidUID, "399999999910003")
		at(f.subject, oidOU, "399999999")
	}},
	{"industry with &", ca.BadIndustry, "businessCategory", func(f *forgery) { at(f.device, oidIndustry, "Food & drinks") }},
	{"industry with €", ca.BadIndustry, "businessCategory", func(f *forgery) { at(f.device, oidIndustry, "€ exchange") }},
}

func rsaKey() []byte {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	der, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		panic(err)
	}
	return der
}

func TestReadRequestRefuses(t *testing.T) {
	if _, err := ca.ReadRequest(ca.Sandbox, good(1).request()); err != nil {
		t.Fatalf("ReadRequest of a valid request returned %v, want no error", err)
	}
	for _, c := range wrongRequests {
		t.Run(c.name, func(t *testing.T) {
			f := good(1)
			c.change(f)
			_, err := ca.ReadRequest(ca.Sandbox, f.request())
			var refusal *ca.Refusal
			if !errors.As(err, &refusal) {
				t.Fatalf("got %v, want a refusal", err)
			}
			if refusal.Cause != c.cause || refusal.Field != c.field {
				t.Errorf("cause %q, field %q; want cause %q, field %q (error: %v)", refusal.Cause, refusal.Field, c.cause, c.field, err)
			}
			if refusal.Why() == "" || refusal.Where() == "" || refusal.Fix() == "" {
				t.Errorf("reason %q, place %q, fix %q, want all of them", refusal.Why(), refusal.Where(), refusal.Fix())
			}
		})
	}
	t.Logf("%d invalid requests", len(wrongRequests))
}

func FuzzReadRequest(f *testing.F) {
	f.Add(good(1).request())
	for _, c := range wrongRequests {
		wrong := good(1)
		c.change(wrong)
		f.Add(wrong.request())
	}
	key := sha256.Sum256([]byte("x"))
	f.Add(base64.StdEncoding.EncodeToString(key[:]))
	f.Fuzz(func(t *testing.T, text string) {
		// Most changes make the base64 invalid, so also try the text as DER.
		for _, csr := range []string{text, armoured(text)} {
			r, err := ca.ReadRequest(ca.Sandbox, csr)
			var refusal *ca.Refusal
			if err != nil {
				if !errors.As(err, &refusal) || refusal.Error() == "" {
					t.Fatalf("ReadRequest returned %v, want a Refusal", err)
				}
				continue
			}
			if len(r.VATNumber) != 15 || len(r.PublicKey) != 88 || r.CommonName == "" {
				t.Fatalf("accepted request = %+v, want a VAT number of 15 digits, a key of 88 bytes and a common name", r)
			}
		}
	})
}

func armoured(der string) string {
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE REQUEST", Bytes: []byte(der)})
	return base64.StdEncoding.EncodeToString(text)
}
