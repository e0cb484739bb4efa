package seal_test

import (
	"bytes"
	"crypto"
	stdecdsa "crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"khatm/seal"
)

// sampleCertificate is from the authority's toolkit.
const sampleCertificate = "MIID6TCCA5CgAwIBAgITbwAAf8tem6jngr16DwABAAB/yzAKBggqhkjOPQQDAjBjMRUwEwYKCZImiZPyLGQBGRYFbG9jYWwxEzARBgoJkiaJk/IsZAEZFgNnb3YxFzAVBgoJkiaJk/IsZAEZFgdleHRnYXp0MRwwGgYDVQQDExNUU1pFSU5WT0lDRS1TdWJDQS0xMB4XDTIyMDkxNDEzMjYwNFoXDTI0MDkxMzEzMjYwNFowTjELMAkGA1UEBhMCU0ExEzARBgNVBAoTCjMxMTExMTExMTExDDAKBgNVBAsTA1RTVDEcMBoGA1UEAxMTVFNULTMxMTExMTExMTEwMTExMzBWMBAGByqGSM49AgEGBSuBBAAKA0IABGGDDKDmhWAITDv7LXqLX2cmr6+qddUkpcLCvWs5rC2O29W/hS4ajAK4Qdnahym6MaijX75Cg3j4aao7ouYXJ9GjggI5MIICNTCBmgYDVR0RBIGSMIGPpIGMMIGJMTswOQYDVQQEDDIxLVRTVHwyLVRTVHwzLWE4NjZiMTQyLWFjOWMtNDI0MS1iZjhlLTdmNzg3YTI2MmNlMjEfMB0GCgmSJomT8ixkAQEMDzMxMTExMTExMTEwMTExMzENMAsGA1UEDAwEMTEwMDEMMAoGA1UEGgwDVFNUMQwwCgYDVQQPDANUU1QwHQYDVR0OBBYEFDuWYlOzWpFN3no1WtyNktQdrA8JMB8GA1UdIwQYMBaAFHZgjPsGoKxnVzWdz5qspyuZNbUvME4GA1UdHwRHMEUwQ6BBoD+GPWh0dHA6Ly90c3RjcmwuemF0Y2EuZ292LnNhL0NlcnRFbnJvbGwvVFNaRUlOVk9JQ0UtU3ViQ0EtMS5jcmwwga0GCCsGAQUFBwEBBIGgMIGdMG4GCCsGAQUFBzABhmJodHRwOi8vdHN0Y3JsLnphdGNhLmdvdi5zYS9DZXJ0RW5yb2xsL1RTWkVpbnZvaWNlU0NBMS5leHRnYXp0Lmdvdi5sb2NhbF9UU1pFSU5WT0lDRS1TdWJDQS0xKDEpLmNydDArBggrBgEFBQcwAYYfaHR0cDovL3RzdGNybC56YXRjYS5nb3Yuc2Evb2NzcDAOBgNVHQ8BAf8EBAMCB4AwHQYDVR0lBBYwFAYIKwYBBQUHAwIGCCsGAQUFBwMDMCcGCSsGAQQBgjcVCgQaMBgwCgYIKwYBBQUHAwIwCgYIKwYBBQUHAwMwCgYIKoZIzj0EAwIDRwAwRAIgOgjNPJW017lsIijmVQVkP7GzFO2KQKd9GHaukLgIWFsCIFJF9uwKhTMxDjWbN+1awsnFI7RLBRxA/6hZ+F1wtaqU"

func sampleDER(t testing.TB) []byte {
	t.Helper()
	der, err := base64.StdEncoding.DecodeString(sampleCertificate)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

func certificateOf(t testing.TB, data []byte) *seal.Certificate {
	t.Helper()
	c, err := seal.ParseCertificate(data)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestParseCertificateOfToolkit(t *testing.T) {
	der := sampleDER(t)
	got := certificateOf(t, der)
	want := &seal.Certificate{
		Text:         sampleCertificate,
		DER:          der,
		PublicKey:    got.PublicKey, // checked by TestCertificateKeyVerifies
		Signature:    got.Signature, // checked below
		IssuerName:   "CN=TSZEINVOICE-SubCA-1, DC=extgazt, DC=gov, DC=local",
		SerialNumber: "2475382886904809774818644480820936050208702411",
		NotBefore:    time.Date(2022, 9, 14, 13, 26, 4, 0, time.UTC),
		NotAfter:     time.Date(2024, 9, 13, 13, 26, 4, 0, time.UTC),
		Unit: seal.Unit{
			CommonName:   "TST-311111111101113",
			Provider:     "TST",
			Model:        "TST",
			Serial:       "a866b142-ac9c-4241-bf8e-7f787a262ce2",
			VATNumber:    "311111111101113",
			UnitName:     "TST",
			Organisation: "3111111111",
			InvoiceType:  "1100",
			Location:     "TST",
			Industry:     "TST",
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("certificate (-want +got):\n%s", diff)
	}
	if want := "YTJkM2JhYTcwZTBhZTAxOGYwODMyNzY3NTdkZDM3YzhjY2IxOTIyZDZhM2RlZGJiMGY0NDUzZWJhYWI4MDhmYg=="; got.Digest() != want {
		t.Errorf("digest %s, want %s", got.Digest(), want)
	}
	if !bytes.HasSuffix(der, got.Signature) || len(got.Signature) != 70 || got.Signature[0] != 0x30 {
		t.Errorf("signature = %x, want the last 70 bytes of the certificate", got.Signature)
	}
	if len(got.PublicKey) != 88 {
		t.Errorf("public key has %d bytes, want 88", len(got.PublicKey))
	}
}

// TestCertificateKeyVerifies verifies the stamp of a sample invoice, whose message
// is the raw hash of the document, with the public key of the certificate.
func TestCertificateKeyVerifies(t *testing.T) {
	hash, err1 := base64.StdEncoding.DecodeString("r/2si60BEew0NQCHNHNejowLDLjVNV/VTT/P8QSLxMk=")
	signature, err2 := base64.StdEncoding.DecodeString("MEUCIQCojlvoB6kEoxZCsjf+FXrTnemuJi9p6CE98xXhG5am9AIgSzZWX3iRkNW5Gh6cTA7JvA3K9GZ6Ip1lvQ0Jen3r09E=")
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	public := certificateOf(t, sampleDER(t)).PublicKey
	if !verifies(t, public, hash, signature) {
		t.Error("the signature of the sample invoice does not verify")
	}
	hash[0] ^= 1
	if verifies(t, public, hash, signature) {
		t.Error("the signature verified for another hash")
	}
}

func TestParseCertificateForms(t *testing.T) {
	der := sampleDER(t)
	want := certificateOf(t, der)
	for name, data := range map[string][]byte{
		"text":                []byte(sampleCertificate),
		"text and line break": []byte(sampleCertificate + "\n"),
		"token":               []byte(again(sampleCertificate)),
		"PEM":                 pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		"base64 of PEM":       []byte(again(string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))),
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(want, certificateOf(t, data)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseCertificateCopiesItsInput(t *testing.T) {
	der := sampleDER(t)
	c := certificateOf(t, der)
	clear(der)
	if again := certificateOf(t, c.DER); again.Text != sampleCertificate {
		t.Error("the certificate changed with the caller's bytes")
	}
}

func TestParseCertificateRefuses(t *testing.T) {
	der := sampleDER(t)
	change := func(before, after string, count int) []byte { return swap(t, der, before, after, count) }
	for name, test := range map[string]struct {
		data []byte
		want string
	}{
		"nothing":                   {nil, "empty"},
		"a word":                    {[]byte("certificate"), "base64"},
		"one byte":                  {[]byte{0x30}, "truncated"},
		"empty sequence":            {[]byte{0x30, 0x00}, ""},
		"half":                      {der[:len(der)/2], "truncated"},
		"one byte less":             {der[:len(der)-1], "truncated"},
		"one byte more":             {append(bytes.Clone(der), 0), "trailing"},
		"element after the end":     {element(0x30, contentOf(t, der), []byte{5, 0}), "strict"},
		"element after the key":     {withElementAfterSampleKey(t, der), "strict"},
		"twice":                     {append(bytes.Clone(der), der...), "trailing"},
		"oversized":                 {append(bytes.Clone(der), make([]byte, 40<<10)...), "at most"},
		"oversized text":            {[]byte(strings.Repeat("A", 40<<10)), "at most"},
		"length of BER":             {append([]byte{0x30, 0x83, 0x00}, der[2:]...), ""},
		"indefinite length":         {append([]byte{0x30, 0x80}, append(bytes.Clone(der[4:]), 0, 0)...), ""},
		"P-256":                     {foreign(t, "P-256"), "1.2.840.10045.3.1.7"},
		"RSA":                       {foreign(t, "RSA"), "not ECDSA"},
		"Ed25519":                   {foreign(t, "Ed25519"), "not ECDSA"},
		"curve secp384r1":           {change("2b8104000a", "2b81040022", 1), "1.3.132.0.34"},
		"compressed point":          {change("03420004", "03420003", 1), "uncompressed"},
		"point off the curve":       {change("61830ca0", "61830ca1", 1), "public key"},
		"version 1":                 {change("a003020102", "a003020100", 1), "version"},
		"version 2":                 {change("a003020102", "a003020101", 1), "version"},
		"negative serial":           {change("02136f", "0213ef", 1), "serial"},
		"serial in too many bytes":  {change("02136f0000", "0213000000", 1), ""},
		"serial of 30 bytes":        {withSerial(t, der, append([]byte{0x02, 30}, bytes.Repeat([]byte{1}, 30)...)), "serial"},
		"serial zero":               {withSerial(t, der, []byte{0x02, 0x01, 0x00}), "serial"},
		"two algorithms":            {change("2a8648ce3d040302", "2a8648ce3d040303", 2), "two different"},
		"signature with spare bits": {change("0347003044", "0347013044", 1), ""},
		"month 13":                  {change(hexOf("220914132604Z"), hexOf("221314132604Z"), 1), ""},
		"day that does not exist":   {change(hexOf("220914132604Z"), hexOf("220230132604Z"), 1), ""},
		"ends before it begins":     {change(hexOf("240913132604Z"), hexOf("200913132604Z"), 1), "before it begins"},
		"two alternative names":     {change("0603551d0e", "0603551d11", 1), "twice"},
		"two addresses":             {change("060355040f", "060355041a", 1), "twice"},
		"name not UTF-8":            {change(hexOf("TST-311"), "ff53542d333131", 1), "UTF-8"},
		"issuer not UTF-8":          {change(hexOf("TSZEINV"), "ff535a45494e56", 1), "issuer"},
		"name is a number":          {change("0603550403131354", "0603550403021354", 2), "not a string"},
		"text with a line end":      {[]byte(sampleCertificate[:64] + "\n" + sampleCertificate[64:]), "line"},
		"text without its end":      {[]byte(sampleCertificate[:1338]), "base64"},
		"token of a token":          {[]byte(again(again(again(sampleCertificate)))), "neither"},
		"PEM of a request":          {requestOf(t, keyFor(t, 1), testUnit()).PEM(), "CERTIFICATE REQUEST"},
		"DER of a request":          {requestOf(t, keyFor(t, 1), testUnit()).DER, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := seal.ParseCertificate(test.data)
			wantRefused(t, got, err, test.want)
		})
	}
}

// foreign returns a certificate of a type that the authority does not issue.
func foreign(t testing.TB, kind string) []byte {
	t.Helper()
	random := seededRandom(9)
	var private crypto.Signer
	var err error
	switch kind {
	case "P-256":
		private, err = stdecdsa.GenerateKey(elliptic.P256(), random)
	case "RSA":
		private, err = rsa.GenerateKey(random, 2048)
	default:
		_, private, err = ed25519.GenerateKey(random)
	}
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)}
	der, err := x509.CreateCertificate(random, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

// withSerial replaces the serial number by another one, given as DER.
func withSerial(t testing.TB, der, serial []byte) []byte {
	t.Helper()
	return resign(t, der, keyFor(t, 1), func(info []byte) []byte {
		const start, end = 5, 5 + 21 // after the version
		content := contentOf(t, info)
		return element(0x30, content[:start], serial, content[end:])
	})
}

// withElementAfterSampleKey adds an element to the SubjectPublicKeyInfo.
func withElementAfterSampleKey(t testing.TB, der []byte) []byte {
	t.Helper()
	public := certificateOf(t, der).PublicKey
	return resign(t, der, keyFor(t, 1), func(info []byte) []byte {
		longer := element(0x30, public[2:], []byte{5, 0})
		return element(0x30, bytes.Replace(contentOf(t, info), public, longer, 1))
	})
}

func TestCertificateBelongs(t *testing.T) {
	key := keyFor(t, 1)
	c := testCertificateFor(t, key, testUnit())
	if !c.Belongs(key) || c.Belongs(keyFor(t, 2)) {
		t.Errorf("Belongs with its own key and another key = %t, %t, want true, false", c.Belongs(key), c.Belongs(keyFor(t, 2)))
	}
}

func TestParseCertificateOfOpenssl(t *testing.T) {
	keyFile := filepath.Join(t.TempDir(), "key.pem")
	key := keyFor(t, 1)
	if err := os.WriteFile(keyFile, key.PEM(), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ subject, issuer string }{
		"as in the test environment": {"/DC=local/DC=gov/DC=extgazt/CN=TSZEINVOICE-SubCA-1", "CN=TSZEINVOICE-SubCA-1, DC=extgazt, DC=gov, DC=local"},
		"as for compliance":          {"/CN=eInvoicing", "CN=eInvoicing"},
		"Arabic":                     {"/C=SA/O=شركة/CN=ختم", "CN=ختم, O=شركة, C=SA"},
		"to be quoted":               {`/O=Salem, Sons \+ Co"<>;/CN=#1 `, `CN="#1 ", O="Salem, Sons + Co\"<>;"`},
		"two in a set":               {"/C=SA/OU=a+UID=b/CN=c", "CN=c, OU=a + UID=b, C=SA"},
		"all short names":            {"/C=SA/ST=a/L=b/street=c/O=d/OU=e/title=1100/CN=f", "CN=f, T=1100, OU=e, O=d, STREET=c, L=b, ST=a, C=SA"},
		"without a short name":       {"/businessCategory=a/CN=f", "CN=f, OID.2.5.4.15=a"},
	} {
		t.Run(name, func(t *testing.T) {
			text := openssl(t, nil, "req", "-new", "-x509", "-utf8", "-multivalue-rdn", "-key", keyFile, "-subj", test.subject,
				"-days", "30", "-set_serial", "1234567890123456789012345678901234567890")
			c := certificateOf(t, []byte(text))
			if c.IssuerName != test.issuer {
				t.Errorf("issuer %s, want %s", c.IssuerName, test.issuer)
			}
			if c.SerialNumber != "1234567890123456789012345678901234567890" || !c.Belongs(key) || c.NotAfter.Sub(c.NotBefore) != 30*24*time.Hour {
				t.Errorf("%+v", c)
			}
		})
	}
}

func FuzzParseCertificate(f *testing.F) {
	der := sampleDER(f)
	f.Add(der)
	f.Add([]byte(sampleCertificate))
	f.Add([]byte(again(sampleCertificate)))
	f.Add(testCertificateFor(f, keyFor(f, 1), testUnit()).DER)
	f.Add(foreign(f, "P-256"))
	f.Add([]byte{0x30, 0x00})
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := seal.ParseCertificate(data)
		if err != nil {
			return
		}
		if len(c.PublicKey) != 88 || c.Digest() == "" {
			t.Fatalf("public key has %d bytes, want 88", len(c.PublicKey))
		}
		back, err := seal.ParseCertificate([]byte(c.Text))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c, back); diff != "" {
			t.Fatal(diff)
		}
	})
}

func ExampleParseCertificate() {
	certificate, err := seal.ParseCertificate([]byte(sampleCertificate))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(certificate.IssuerName)
	fmt.Println(certificate.SerialNumber)
	fmt.Println(certificate.Unit.VATNumber, certificate.Unit.InvoiceType)
	// Output:
	// CN=TSZEINVOICE-SubCA-1, DC=extgazt, DC=gov, DC=local
	// 2475382886904809774818644480820936050208702411
	// 311111111101113 1100
}

// wantRefused checks that parsing returned nothing but an error that contains want.
func wantRefused[T any](t *testing.T, got *T, err error, want string) {
	t.Helper()
	if err == nil {
		t.Fatalf("accepted: %+v", got)
	}
	if got != nil {
		t.Errorf("got both an error and %+v", got)
	}
	if !strings.Contains(err.Error(), want) {
		t.Errorf("error %q, want one that contains %q", err, want)
	}
}
