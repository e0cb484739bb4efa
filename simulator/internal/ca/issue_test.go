package ca_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/asn1"
	"encoding/base64"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"khatm/seal"
	"khatm/simulator/internal/ca"
	"khatm/witness"
)

// seeded returns a random source determined by word.
func seeded(word string) io.Reader { return rand.NewChaCha8(sha256.Sum256([]byte(word))) }

func wantCause(t testing.TB, err error, want ca.Cause) {
	t.Helper()
	var refusal *ca.Refusal
	if !errors.As(err, &refusal) || refusal.Cause != want {
		t.Errorf("got error %v, want a refusal with cause %s", err, want)
	}
}

func wantDenial(t testing.TB, err error, want ca.Denial) {
	t.Helper()
	var denied *ca.Denied
	if !errors.As(err, &denied) || denied.Denial != want {
		t.Errorf("got error %v, want denial %s", err, want)
	}
}

// rawParts returns the subject and the alternative name of a certificate as
// DER.
func rawParts(t testing.TB, der []byte) (subject, alternative []byte) {
	t.Helper()
	var c struct {
		Info struct {
			Version    int `asn1:"explicit,tag:0"`
			Serial     asn1.RawValue
			Algorithm  asn1.RawValue
			Issuer     asn1.RawValue
			Validity   asn1.RawValue
			Subject    asn1.RawValue
			Key        asn1.RawValue
			Extensions []struct {
				ID       asn1.ObjectIdentifier
				Critical bool `asn1:"optional"`
				Value    []byte
			} `asn1:"explicit,tag:3"`
		}
		Algorithm asn1.RawValue
		Signature asn1.BitString
	}
	if _, err := asn1.Unmarshal(der, &c); err != nil {
		t.Fatal(err)
	}
	for _, e := range c.Info.Extensions {
		if e.ID.Equal(oidSAN) {
			alternative = e.Value
		}
	}
	return c.Info.Subject.FullBytes, alternative
}

func TestComplianceCertificate(t *testing.T) {
	a := newAuthority(t)
	issued := onboard(t, a, 1, noon)
	c := issued.Certificate
	if want := noon.UnixMilli(); c.Serial.Int64() != want || len(c.Serial.Bytes()) != 6 {
		t.Errorf("serial %v, want %d in 6 bytes", c.Serial, want)
	}
	if c.Issuer != "CN=eInvoicing" {
		t.Errorf("issuer is %q, want CN=eInvoicing", c.Issuer)
	}
	// 01:41 on the 17th in Riyadh is still the 16th in UTC.
	if want := time.Date(2031, 8, 16, 21, 0, 0, 0, time.UTC); !c.NotAfter.Equal(want) {
		t.Errorf("valid until %v, want %v", c.NotAfter, want)
	}
	// All published certificates become valid five seconds before they are
	// issued.
	if want := noon.Truncate(time.Second).Add(-5 * time.Second); !c.NotBefore.Equal(want) {
		t.Errorf("valid from %v, want %v", c.NotBefore, want)
	}
	f := good(1)
	subject, alternative := rawParts(t, c.Raw)
	if !bytes.Equal(subject, f.name(f.subject)) || !bytes.Equal(alternative, f.alternative()) {
		t.Errorf("subject %x and alternative name %x, want those of the request", subject, alternative)
	}
	if !bytes.Equal(c.PublicKey, f.spki) {
		t.Errorf("public key = %x, want %x", c.PublicKey, f.spki)
	}
	if len(issued.RequestID) != 13 || strings.Trim(issued.RequestID, "0123456789") != "" {
		t.Errorf("request ID = %q, want 13 digits", issued.RequestID)
	}
	if raw, err := base64.StdEncoding.DecodeString(issued.Secret); err != nil || len(raw) != 32 {
		t.Errorf("secret = %q, want 32 bytes in base64", issued.Secret)
	}
	once, err := base64.StdEncoding.DecodeString(issued.BinarySecurityToken)
	if err != nil {
		t.Fatal(err)
	}
	twice, err := base64.StdEncoding.DecodeString(string(once))
	if err != nil || !bytes.Equal(twice, c.Raw) || !strings.HasPrefix(string(once), "MII") {
		t.Errorf("token = %q, want the certificate encoded twice in base64 (error: %v)", issued.BinarySecurityToken, err)
	}
	root, _ := a.Issuers(ca.Sandbox)
	wantSignedBy(t, c, root)
}

func wantSignedBy(t testing.TB, c *witness.Certificate, issuer []byte) {
	t.Helper()
	read, err := witness.ReadCertificate(issuer)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.SignedBy(read.PublicKey); err != nil {
		t.Error(err)
	}
}

func TestProductionCertificate(t *testing.T) {
	a := newAuthority(t)
	c := produce(t, a, 1, noon).Certificate
	if want := "CN=KHATM-DOUBLE-TSZEINVOICESCA1-CA, DC=extgazt, DC=gov, DC=local"; c.Issuer != want {
		t.Errorf("issuer %q, want %q", c.Issuer, want)
	}
	if len(c.Serial.Bytes()) != 19 {
		t.Errorf("serial has %d bytes, want 19", len(c.Serial.Bytes()))
	}
	if got := c.NotAfter.Sub(c.NotBefore); got != 1825*24*time.Hour+5*time.Second {
		t.Errorf("valid for %v, want 1825 days and 5 seconds", got)
	}
	f := good(1)
	subject, alternative := rawParts(t, c.Raw)
	turned := []attr{f.subject[0], f.subject[2], f.subject[1], f.subject[3]}
	for i := range turned {
		turned[i].tag = asn1.TagPrintableString
	}
	if !bytes.Equal(subject, f.name(turned)) || !bytes.Equal(alternative, f.alternative()) {
		t.Errorf("subject %x and alternative name %x, want those of the request in the authority's order", subject, alternative)
	}
	_, root := a.Issuers(ca.Sandbox)
	wantSignedBy(t, c, root)
}

func TestSealReadsIssuedCertificates(t *testing.T) {
	a := newAuthority(t)
	for _, issued := range []*ca.Issued{onboard(t, a, 1, noon), produce(t, a, 2, noon)} {
		c, err := seal.ParseCertificate([]byte(issued.BinarySecurityToken))
		if err != nil {
			t.Fatal(err)
		}
		if c.IssuerName != issued.Certificate.Issuer || c.SerialNumber != issued.Certificate.Serial.String() {
			t.Errorf("package seal read serial %s and issuer %s, want %s and %s", c.SerialNumber, c.IssuerName, issued.Certificate.Serial, issued.Certificate.Issuer)
		}
		if c.Unit.VATNumber != "399999999900003" || c.Unit.InvoiceType != "1100" || c.Unit.Serial != "ed22f1d8-e6a2-1118-9b58-d9a8f11e445f" {
			t.Errorf("package seal read unit %+v, want VAT number 399999999900003, type 1100, serial ed22f1d8-e6a2-1118-9b58-d9a8f11e445f", c.Unit)
		}
	}
}

func TestSerialsAreUnique(t *testing.T) {
	a := newAuthority(t)
	seen := map[string]bool{}
	// Within one millisecond, and after the clock was set back by an hour.
	for i, now := range []time.Time{noon, noon, noon, noon.Add(-time.Hour), noon.Add(time.Hour), noon} {
		issued := onboard(t, a, byte(i), now)
		for _, id := range []string{issued.RequestID, "serial " + issued.Certificate.Serial.String()} {
			if seen[id] {
				t.Errorf("%s was issued twice, want unique values", id)
			}
			seen[id] = true
		}
	}
	r, err := ca.ReadRequest(ca.Sandbox, good(99).request())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := newAuthority(t).IssueCompliance(r, time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC)); err == nil {
		t.Error("issuing in 1999 succeeded, want an error because of the serial")
	}
}
