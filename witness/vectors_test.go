package witness

import (
	"encoding/base64"
	"strings"
	"testing"
)

// The test certificate that is part of the authority's software, and a QR code
// made with it.
const (
	vectorCertificate = "MIID6TCCA5CgAwIBAgITbwAAf8tem6jngr16DwABAAB/yzAKBggqhkjOPQQDAjBjMRUwEwYKCZImiZPyLGQBGRYFbG9jYWwxEzAR" +
		"BgoJkiaJk/IsZAEZFgNnb3YxFzAVBgoJkiaJk/IsZAEZFgdleHRnYXp0MRwwGgYDVQQDExNUU1pFSU5WT0lDRS1TdWJDQS0xMB4X" +
		"DTIyMDkxNDEzMjYwNFoXDTI0MDkxMzEzMjYwNFowTjELMAkGA1UEBhMCU0ExEzARBgNVBAoTCjMxMTExMTExMTExDDAKBgNVBAsT" +
		"A1RTVDEcMBoGA1UEAxMTVFNULTMxMTExMTExMTEwMTExMzBWMBAGByqGSM49AgEGBSuBBAAKA0IABGGDDKDmhWAITDv7LXqLX2cm" +
		"r6+qddUkpcLCvWs5rC2O29W/hS4ajAK4Qdnahym6MaijX75Cg3j4aao7ouYXJ9GjggI5MIICNTCBmgYDVR0RBIGSMIGPpIGMMIGJ" +
		"MTswOQYDVQQEDDIxLVRTVHwyLVRTVHwzLWE4NjZiMTQyLWFjOWMtNDI0MS1iZjhlLTdmNzg3YTI2MmNlMjEfMB0GCgmSJomT8ixk" +
		"AQEMDzMxMTExMTExMTEwMTExMzENMAsGA1UEDAwEMTEwMDEMMAoGA1UEGgwDVFNUMQwwCgYDVQQPDANUU1QwHQYDVR0OBBYEFDuW" +
		"YlOzWpFN3no1WtyNktQdrA8JMB8GA1UdIwQYMBaAFHZgjPsGoKxnVzWdz5qspyuZNbUvME4GA1UdHwRHMEUwQ6BBoD+GPWh0dHA6" +
		"Ly90c3RjcmwuemF0Y2EuZ292LnNhL0NlcnRFbnJvbGwvVFNaRUlOVk9JQ0UtU3ViQ0EtMS5jcmwwga0GCCsGAQUFBwEBBIGgMIGd" +
		"MG4GCCsGAQUFBzABhmJodHRwOi8vdHN0Y3JsLnphdGNhLmdvdi5zYS9DZXJ0RW5yb2xsL1RTWkVpbnZvaWNlU0NBMS5leHRnYXp0" +
		"Lmdvdi5sb2NhbF9UU1pFSU5WT0lDRS1TdWJDQS0xKDEpLmNydDArBggrBgEFBQcwAYYfaHR0cDovL3RzdGNybC56YXRjYS5nb3Yu" +
		"c2Evb2NzcDAOBgNVHQ8BAf8EBAMCB4AwHQYDVR0lBBYwFAYIKwYBBQUHAwIGCCsGAQUFBwMDMCcGCSsGAQQBgjcVCgQaMBgwCgYI" +
		"KwYBBQUHAwIwCgYIKwYBBQUHAwMwCgYIKoZIzj0EAwIDRwAwRAIgOgjNPJW017lsIijmVQVkP7GzFO2KQKd9GHaukLgIWFsCIFJF" +
		"9uwKhTMxDjWbN+1awsnFI7RLBRxA/6hZ+F1wtaqU"
	vectorQR = "ARNBY21lIFdpZGdldOKAmXMgTFREAg8zMTExMTExMTExMDExMTMDFDIwMjItMDgtMTdUMTc6NDE6MDhaBAYyMzEuMTUFBTMwLjE1" +
		"BixyLzJzaTYwQkVldzBOUUNITkhOZWpvd0xETGpWTlYvVlRUL1A4UVNMeE1rPQdgTUVVQ0lRQ29qbHZvQjZrRW94WkNzamYrRlhy" +
		"VG5lbXVKaTlwNkNFOTh4WGhHNWFtOUFJZ1N6WldYM2lSa05XNUdoNmNUQTdKdkEzSzlHWjZJcDFsdlEwSmVuM3IwOUU9CFgwVjAQ" +
		"BgcqhkjOPQIBBgUrgQQACgNCAARhgwyg5oVgCEw7+y16i19nJq+vqnXVJKXCwr1rOawtjtvVv4UuGowCuEHZ2ocpujGoo1++QoN4" +
		"+GmqO6LmFyfRCUYwRAIgOgjNPJW017lsIijmVQVkP7GzFO2KQKd9GHaukLgIWFsCIFJF9uwKhTMxDjWbN+1awsnFI7RLBRxA/6hZ" +
		"+F1wtaqU"
	vectorHash      = "r/2si60BEew0NQCHNHNejowLDLjVNV/VTT/P8QSLxMk="
	vectorSignature = "MEUCIQCojlvoB6kEoxZCsjf+FXrTnemuJi9p6CE98xXhG5am9AIgSzZWX3iRkNW5Gh6cTA7JvA3K9GZ6Ip1lvQ0Jen3r09E="
	vectorDigest    = "YTJkM2JhYTcwZTBhZTAxOGYwODMyNzY3NTdkZDM3YzhjY2IxOTIyZDZhM2RlZGJiMGY0NDUzZWJhYWI4MDhmYg=="
	vectorIssuer    = "CN=TSZEINVOICE-SubCA-1, DC=extgazt, DC=gov, DC=local"
	vectorSerial    = "2475382886904809774818644480820936050208702411"
)

const vectorDocument = `<?xml version="1.0" encoding="UTF-8"?>
<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2" xmlns:ext="urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2"><ext:UBLExtensions><ext:UBLExtension/></ext:UBLExtensions>
  <cbc:ID>A&amp;B "q" &gt; 1</cbc:ID>
  <cbc:Note languageID='ar'>شركة &lt;تجربة&gt;</cbc:Note>
  <cac:AdditionalDocumentReference><cbc:ID>ICV</cbc:ID><cbc:UUID>1</cbc:UUID></cac:AdditionalDocumentReference>
  <cac:AdditionalDocumentReference><cbc:ID>QR</cbc:ID></cac:AdditionalDocumentReference><cac:Signature><cbc:ID>s</cbc:ID></cac:Signature>
  <cac:Delivery/>
</Invoice>
`

func TestVectorHash(t *testing.T) {
	root, _, err := read([]byte(vectorDocument))
	if err != nil {
		t.Fatal(err)
	}
	canonical, err := canonicalWithout(root, unhashed(root))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(canonical), 586; got != want {
		t.Errorf("canonical form: got %d bytes, want %d", got, want)
	}
	end := "</cac:AdditionalDocumentReference>\n  \n  <cac:Delivery></cac:Delivery>\n</Invoice>"
	if !strings.HasSuffix(string(canonical), end) {
		t.Errorf("canonical form = %q, want it to end with %q", canonical, end)
	}
	got, err := Hash([]byte(vectorDocument))
	if err != nil {
		t.Fatal(err)
	}
	if want := "gT6PPZh/aWmUhCvjHRIt+2fSSzEcYhw0PQ+GqeN/n7o="; got != want {
		t.Errorf("hash: got %s, want %s", got, want)
	}
}

func TestVectorCertificate(t *testing.T) {
	c := readVectorCertificate(t)
	for _, v := range []struct{ name, got, want string }{
		{"digest", hexDigest(vectorCertificate), vectorDigest},
		{"issuer", c.Issuer, vectorIssuer},
		{"serial", c.Serial.String(), vectorSerial},
		{"country", c.Country, "SA"},
		{"organization", c.Organization, "3111111111"},
		{"unit", c.Unit, "TST"},
		{"common name", c.CommonName, "TST-311111111101113"},
		{"device serial", c.DeviceSerial, "1-TST|2-TST|3-a866b142-ac9c-4241-bf8e-7f787a262ce2"},
		{"VAT number", c.VATNumber, "311111111101113"},
		{"invoice types", c.InvoiceTypes, "1100"},
		{"address", c.Address, "TST"},
		{"category", c.Category, "TST"},
		{"not before", c.NotBefore.UTC().String(), "2022-09-14 13:26:04 +0000 UTC"},
		{"not after", c.NotAfter.UTC().String(), "2024-09-13 13:26:04 +0000 UTC"},
	} {
		if v.got != v.want {
			t.Errorf("%s: got %q, want %q", v.name, v.got, v.want)
		}
	}
	if got := len(c.PublicKey); got != 88 {
		t.Errorf("public key: got %d bytes, want 88", got)
	}
	if got := len(c.Signature); got != 70 {
		t.Errorf("signature: got %d bytes, want 70", got)
	}
}

func TestVectorSignature(t *testing.T) {
	c := readVectorCertificate(t)
	hash, signature := decode(t, vectorHash), decode(t, vectorSignature)
	if err := verify(c.PublicKey, hash, signature); err != nil {
		t.Error(err)
	}
	for _, bad := range []struct {
		name      string
		message   []byte
		signature []byte
	}{
		{"over the hash as text", []byte(vectorHash), signature},
		{"one bit of the hash flipped", append([]byte{hash[0] ^ 1}, hash[1:]...), signature},
		{"bytes after the signature", hash, append(signature[:len(signature):len(signature)], 0)},
		{"cut short", hash, signature[:len(signature)-1]},
		{"empty", hash, nil},
	} {
		if verify(c.PublicKey, bad.message, bad.signature) == nil {
			t.Errorf("%s: the signature verified, want an error", bad.name)
		}
	}
}

func TestVectorSignedProperties(t *testing.T) {
	for _, v := range []struct {
		name   string
		indent bool
		want   string
	}{
		{"official indentation", true, "N2MxMGJkZWM4MDdlYWY0ODY1ZDk0YTk3NGZhYmE4NjI5ZDM2ODYxMjg3ZDAwZDQzMmRjOTNjZTkxYjU0OWJmNw=="},
		{"no white space", false, "NzJhZmRmZWI3MzEyNmM1NWQ3YTA2YzhlNzUwYjAwZTdmZTBjMWE4ZWM2MjA1ZmYxN2NlODUyNjkyNzMyZGFjZQ=="},
	} {
		t.Run(v.name, func(t *testing.T) {
			root, _, err := read([]byte(`<Invoice xmlns="` + nsInvoice + `" xmlns:ds="` + nsDS + `" xmlns:xades="` + nsXADES + `">` + vectorProperties(v.indent) + `</Invoice>`))
			if err != nil {
				t.Fatal(err)
			}
			if got := hexDigest(fragment(root.ChildElements()[0])); got != v.want {
				t.Errorf("digest: got %s, want %s", got, v.want)
			}
		})
	}
}

// vectorProperties returns the signed properties, either indented by 32 blanks
// plus 4 for each level, or without any white space.
func vectorProperties(indent bool) string {
	lines := []struct {
		level int
		text  string
	}{
		{0, `<xades:SignedProperties Id="xadesSignedProperties">`},
		{1, `<xades:SignedSignatureProperties>`},
		{2, `<xades:SigningTime>2023-01-24T11:16:44Z</xades:SigningTime>`},
		{2, `<xades:SigningCertificate>`},
		{3, `<xades:Cert>`},
		{4, `<xades:CertDigest>`},
		{5, `<ds:DigestMethod Algorithm="` + algSHA256 + `"></ds:DigestMethod>`},
		{5, `<ds:DigestValue>` + vectorDigest + `</ds:DigestValue>`},
		{4, `</xades:CertDigest>`},
		{4, `<xades:IssuerSerial>`},
		{5, `<ds:X509IssuerName>` + vectorIssuer + `</ds:X509IssuerName>`},
		{5, `<ds:X509SerialNumber>` + vectorSerial + `</ds:X509SerialNumber>`},
		{4, `</xades:IssuerSerial>`},
		{3, `</xades:Cert>`},
		{2, `</xades:SigningCertificate>`},
		{1, `</xades:SignedSignatureProperties>`},
		{0, `</xades:SignedProperties>`},
	}
	var b strings.Builder
	for i, line := range lines {
		if indent && i > 0 {
			b.WriteString("\n" + strings.Repeat(" ", 32+4*line.level))
		}
		b.WriteString(line.text)
	}
	return b.String()
}

func TestVectorQR(t *testing.T) {
	fields, err := readFields(decode(t, vectorQR))
	if err != nil {
		t.Fatal(err)
	}
	c := readVectorCertificate(t)
	want := []string{
		"Acme Widget’s LTD", "311111111101113", "2022-08-17T17:41:08Z", "231.15", "30.15",
		vectorHash, vectorSignature, string(c.PublicKey), string(c.Signature),
	}
	if len(fields) != len(want) {
		t.Fatalf("got %d tags, want %d", len(fields), len(want))
	}
	for i, f := range fields {
		if f.Tag != i+1 || string(f.Value) != want[i] {
			t.Errorf("tag %d: got %q, want %q", f.Tag, f.Value, want[i])
		}
	}
}

func TestVectorFirstPreviousHash(t *testing.T) {
	if !isPreviousHash("NWZlY2ViNjZmZmM4NmYzOGQ5NTI3ODZjNmQ2OTZjNzljMmRiYzIzOWRkNGU5MWI0NjcyOWQ3M2EyN2ZiNTdlOQ==") {
		t.Error("the previous hash of a first document was refused")
	}
}

func readVectorCertificate(t *testing.T) *Certificate {
	t.Helper()
	c, err := ReadCertificate(decode(t, vectorCertificate))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func decode(t *testing.T, text string) []byte {
	t.Helper()
	raw, err := strictBase64(text)
	if err != nil {
		t.Fatal(err)
	}
	if base64.StdEncoding.EncodeToString(raw) != text {
		t.Fatal("base64 changes when it is decoded and encoded again")
	}
	return raw
}
