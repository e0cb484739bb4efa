package seal_test

import (
	"bytes"
	"encoding/asn1"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"khatm/seal"
)

// validFrom is the beginning of the validity of test certificates, in Riyadh time. It
// has a fraction of a second, which certificates must not contain.
var validFrom = time.Date(2026, 8, 17, 1, 41, 8, 5e8, time.FixedZone("Riyadh", 3*60*60))

func testCertificateFor(t testing.TB, key *seal.Key, unit seal.Unit) *seal.Certificate {
	t.Helper()
	c, err := seal.TestCertificate(key, unit, validFrom, seededRandom(2))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestTestCertificate(t *testing.T) {
	key := keyFor(t, 1)
	c := testCertificateFor(t, key, testUnit())
	if diff := cmp.Diff(testUnit(), c.Unit); diff != "" {
		t.Errorf("unit (-want +got):\n%s", diff)
	}
	if want := "CN=KHATM-REHEARSAL-CA, DC=extgazt, DC=gov, DC=local"; c.IssuerName != want {
		t.Errorf("issuer %s, want %s", c.IssuerName, want)
	}
	if want := time.Date(2026, 8, 16, 22, 41, 8, 0, time.UTC); !c.NotBefore.Equal(want) || c.NotAfter.Sub(want) != 1825*24*time.Hour {
		t.Errorf("valid from %s to %s, want 1825 days from %s", c.NotBefore, c.NotAfter, want)
	}
	if len(c.Signature) < 68 || len(c.Signature) > 72 {
		t.Errorf("signature has %d bytes, want 68 to 72", len(c.Signature))
	}
	// The key of the issuer is the first one generated from the random source.
	var signed struct {
		Info                 asn1.RawValue
		Algorithm, Signature asn1.RawValue
	}
	if _, err := asn1.Unmarshal(c.DER, &signed); err != nil {
		t.Fatal(err)
	}
	if !verifies(t, keyFor(t, 2).PublicKey(), signed.Info.FullBytes, c.Signature) {
		t.Error("the issuer's signature does not verify")
	}
}

const testCertificateOutline = `sequence
  sequence
    [0]
      integer 02
    integer of 19 bytes
    sequence
      oid 1.2.840.10045.4.3.2
    sequence
      set
        sequence
          oid 0.9.2342.19200300.100.1.25
          ia5 local
      set
        sequence
          oid 0.9.2342.19200300.100.1.25
          ia5 gov
      set
        sequence
          oid 0.9.2342.19200300.100.1.25
          ia5 extgazt
      set
        sequence
          oid 2.5.4.3
          printable KHATM-REHEARSAL-CA
    sequence
      utctime 260816224108Z
      utctime 310815224108Z
    sequence
      set
        sequence
          oid 2.5.4.6
          printable SA
      set
        sequence
          oid 2.5.4.10
          utf8 شركة ختم التجريبية
      set
        sequence
          oid 2.5.4.11
          printable Riyadh Branch
      set
        sequence
          oid 2.5.4.3
          printable TST-886431145-399999999900003
    sequence
      sequence
        oid 1.2.840.10045.2.1
        oid 1.3.132.0.10
      bits of 66 bytes
    [3]
      sequence
        sequence
          oid 2.5.29.17
          octets
            sequence
              [4]
                sequence
                  set
                    sequence
                      oid 2.5.4.4
                      utf8 1-Khatm|2-1.0|3-ed22f1d8-e6a2-1118-9b58-d9a8f11e445f
                  set
                    sequence
                      oid 0.9.2342.19200300.100.1.1
                      utf8 399999999900003
                  set
                    sequence
                      oid 2.5.4.12
                      utf8 1100
                  set
                    sequence
                      oid 2.5.4.26
                      utf8 RRRD2929
                  set
                    sequence
                      oid 2.5.4.15
                      utf8 Supply activities
        sequence
          oid 2.5.29.14
          octets
            octets of 20 bytes
        sequence
          oid 2.5.29.35
          octets
            sequence
              [0] of 20 bytes
        sequence
          oid 2.5.29.15
          boolean ff
          octets
            bits of 2 bytes
        sequence
          oid 2.5.29.37
          octets
            sequence
              oid 1.3.6.1.5.5.7.3.2
              oid 1.3.6.1.5.5.7.3.3
  sequence
    oid 1.2.840.10045.4.3.2
  bits of 72 bytes
`

func TestTestCertificateStructure(t *testing.T) {
	c := testCertificateFor(t, keyFor(t, 1), testUnit())
	if diff := cmp.Diff(testCertificateOutline, outline(t, c.DER)); diff != "" {
		t.Errorf("structure (-want +got):\n%s", diff)
	}
}

func TestTestCertificateIsDeterministic(t *testing.T) {
	key := keyFor(t, 1)
	first, second := testCertificateFor(t, key, testUnit()), testCertificateFor(t, key, testUnit())
	if first.Text != second.Text {
		t.Error("the same random source: two different certificates, want the same")
	}
	other, err := seal.TestCertificate(key, testUnit(), validFrom, seededRandom(3))
	if err != nil {
		t.Fatal(err)
	}
	if other.SerialNumber == first.SerialNumber || bytes.Equal(other.Signature, first.Signature) {
		t.Error("another random source: the same certificate, want another")
	}
}

func TestTestCertificateSerialHas19Bytes(t *testing.T) {
	key := keyFor(t, 1)
	for _, first := range []byte{0x00, 0x3f, 0x40, 0x7f, 0x80, 0xff} {
		random := append(bytes.Repeat([]byte{7}, 32), bytes.Repeat([]byte{first}, 19)...)
		c, err := seal.TestCertificate(key, testUnit(), validFrom, bytes.NewReader(random))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(outline(t, c.DER), "integer of 19 bytes") {
			t.Errorf("first byte %x: serial %s, want 19 bytes", first, c.SerialNumber)
		}
	}
}

func TestTestCertificateErrors(t *testing.T) {
	key := keyFor(t, 1)
	bad := testUnit()
	bad.Industry = ""
	for name, test := range map[string]struct {
		key    seal.Signer
		unit   seal.Unit
		begin  time.Time
		random io.Reader
	}{
		"a bad unit":             {key, bad, validFrom, seededRandom(2)},
		"a bad key":              {noPublicKeySigner{key}, testUnit(), validFrom, seededRandom(2)},
		"an empty key":           {new(seal.Key), testUnit(), validFrom, seededRandom(2)},
		"the year 1":             {key, testUnit(), time.Time{}, seededRandom(2)},
		"the year 9999":          {key, testUnit(), time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), seededRandom(2)},
		"no randomness":          {key, testUnit(), validFrom, strings.NewReader("")},
		"randomness for one key": {key, testUnit(), validFrom, bytes.NewReader(bytes.Repeat([]byte{7}, 32))},
		"only zeros":             {key, testUnit(), validFrom, bytes.NewReader(make([]byte, 4096))},
	} {
		t.Run(name, func(t *testing.T) {
			if c, err := seal.TestCertificate(test.key, test.unit, test.begin, test.random); err == nil || c != nil {
				t.Errorf("got %v, %v, want an error", c, err)
			}
		})
	}
	_, err := seal.TestCertificate(key, bad, validFrom, seededRandom(2))
	var problems seal.Problems
	if !errors.As(err, &problems) {
		t.Errorf("got %v, want an error that wraps seal.Problems", err)
	}
}

func TestOpensslReadsTestCertificate(t *testing.T) {
	c := testCertificateFor(t, keyFor(t, 1), testUnit())
	got := openssl(t, c.DER, "x509", "-inform", "DER", "-noout", "-text", "-nameopt", "utf8,sep_comma_plus")
	for _, want := range []string{
		"Version: 3",
		"Issuer: DC=local,DC=gov,DC=extgazt,CN=KHATM-REHEARSAL-CA",
		"Not Before: Aug 16 22:41:08 2026 GMT",
		"Not After : Aug 15 22:41:08 2031 GMT",
		"Subject: C=SA,O=شركة ختم التجريبية,OU=Riyadh Branch,CN=TST-886431145-399999999900003",
		"ASN1 OID: secp256k1",
		"1-Khatm|2-1.0|3-ed22f1d8-e6a2-1118-9b58-d9a8f11e445f",
		"X509v3 Subject Key Identifier:",
		"X509v3 Authority Key Identifier:",
		"X509v3 Key Usage: critical\n                Digital Signature\n",
		"TLS Web Client Authentication, Code Signing",
		"Signature Algorithm: ecdsa-with-SHA256",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func ExampleTestCertificate() {
	key, err := seal.NewKey(seededRandom(1))
	if err != nil {
		fmt.Println(err)
		return
	}
	validFrom := time.Date(2026, 8, 17, 0, 0, 0, 0, time.UTC)
	certificate, err := seal.TestCertificate(key, testUnit(), validFrom, seededRandom(2))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(certificate.IssuerName)
	fmt.Println(certificate.NotAfter.Format(time.DateOnly), certificate.Belongs(key))
	// Output:
	// CN=KHATM-REHEARSAL-CA, DC=extgazt, DC=gov, DC=local
	// 2031-08-16 true
}
