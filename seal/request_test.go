package seal_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"khatm/seal"
)

func requestOf(t testing.TB, key *seal.Key, unit seal.Unit) *seal.Request {
	t.Helper()
	r, err := unit.Request(key, "sandbox")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// requestOutline is the structure of the requests of the authority's own tool.
const requestOutline = `sequence
  sequence
    integer 00
    sequence
      set
        sequence
          oid 2.5.4.6
          printable SA
      set
        sequence
          oid 2.5.4.11
          utf8 Riyadh Branch
      set
        sequence
          oid 2.5.4.10
          utf8 شركة ختم التجريبية
      set
        sequence
          oid 2.5.4.3
          utf8 TST-886431145-399999999900003
    sequence
      sequence
        oid 1.2.840.10045.2.1
        oid 1.3.132.0.10
      bits of 66 bytes
    [0]
      sequence
        oid 1.2.840.113549.1.9.14
        set
          sequence
            sequence
              oid 1.3.6.1.4.1.311.20.2
              octets
                utf8 TSTZATCA-Code-Signing
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
    oid 1.2.840.10045.4.3.2
  bits of 71 bytes
`

func TestRequestStructure(t *testing.T) {
	r := requestOf(t, keyFor(t, 1), testUnit())
	if diff := cmp.Diff(requestOutline, outline(t, r.DER)); diff != "" {
		t.Errorf("structure (-want +got):\n%s", diff)
	}
}

func TestRequestTemplates(t *testing.T) {
	for environment, want := range map[string]string{
		"sandbox":    "TSTZATCA-Code-Signing",
		"simulation": "PREZATCA-Code-Signing",
		"production": "ZATCA-Code-Signing",
	} {
		r, err := testUnit().Request(keyFor(t, 1), environment)
		if err != nil {
			t.Fatal(err)
		}
		if r.Template != want {
			t.Errorf("%s: template %s, want %s", environment, r.Template, want)
		}
	}
	for _, environment := range []string{"", "core", "Sandbox", "TSTZATCA-Code-Signing"} {
		if _, err := testUnit().Request(keyFor(t, 1), environment); err == nil {
			t.Errorf("environment %q: Request succeeded, want an error", environment)
		}
	}
}

func TestRequestRefusesBadUnit(t *testing.T) {
	u := testUnit()
	u.VATNumber = "1"
	_, err := u.Request(keyFor(t, 1), "sandbox")
	var problems seal.Problems
	if !errors.As(err, &problems) || problems[0].Field != "VATNumber" {
		t.Errorf("got %v, want a problem of VATNumber", err)
	}
}

// wrongKeySigner signs with a key that does not match its public key.
type wrongKeySigner struct{ shown, used *seal.Key }

func (l wrongKeySigner) PublicKey() []byte                   { return l.shown.PublicKey() }
func (l wrongKeySigner) Sign(message []byte) ([]byte, error) { return l.used.Sign(message) }
func (l wrongKeySigner) String() string                      { return "wrong key signer" }

// noPublicKeySigner has no public key.
type noPublicKeySigner struct{ *seal.Key }

func (noPublicKeySigner) PublicKey() []byte { return nil }

// failingSigner cannot sign.
type failingSigner struct{ *seal.Key }

var errFailingSigner = errors.New("no answer")

func (failingSigner) Sign([]byte) ([]byte, error) { return nil, errFailingSigner }

func TestRequestRefusesBadSigner(t *testing.T) {
	key := keyFor(t, 1)
	if _, err := testUnit().Request(wrongKeySigner{key, keyFor(t, 2)}, "sandbox"); err == nil {
		t.Error("signer with another key: Request succeeded, want an error")
	}
	if _, err := testUnit().Request(noPublicKeySigner{key}, "sandbox"); err == nil {
		t.Error("signer without a public key: Request succeeded, want an error")
	}
	if _, err := testUnit().Request(failingSigner{key}, "sandbox"); !errors.Is(err, errFailingSigner) {
		t.Errorf("a signer that fails: got %v, want %v", err, errFailingSigner)
	}
}

func TestParseRequestForms(t *testing.T) {
	want := requestOf(t, keyFor(t, 1), testUnit())
	body, err := base64.StdEncoding.DecodeString(want.Body())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(body, want.PEM()) || !bytes.HasPrefix(body, []byte("-----BEGIN CERTIFICATE REQUEST-----\n")) {
		t.Errorf("the decoded body is not the PEM text:\n%s", body)
	}
	for name, data := range map[string][]byte{
		"DER":           want.DER,
		"PEM":           want.PEM(),
		"body":          []byte(want.Body()),
		"body and line": []byte(want.Body() + "\n"),
		"PEM with CRLF": bytes.ReplaceAll(want.PEM(), []byte("\n"), []byte("\r\n")),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := seal.ParseRequest(data)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	if diff := cmp.Diff(testUnit(), want.Unit); diff != "" {
		t.Error(diff)
	}
}

func TestParseRequestRefuses(t *testing.T) {
	key := keyFor(t, 1)
	r := requestOf(t, key, testUnit())
	anew := func(before, after string, count int) []byte {
		return resign(t, r.DER, key, func(info []byte) []byte { return swap(t, info, before, after, count) })
	}
	shorter := bytes.Clone(r.DER)
	shorter[3]--
	for name, test := range map[string]struct {
		data []byte
		want string
	}{
		"nothing":                  {nil, "empty"},
		"white space":              {[]byte(" \n"), "empty"},
		"words":                    {[]byte("hello, authority"), "base64"},
		"truncated":                {r.DER[:len(r.DER)/2], "truncated"},
		"one byte less":            {r.DER[:len(r.DER)-1], "truncated"},
		"one byte more":            {append(bytes.Clone(r.DER), 0), "trailing"},
		"length too short":         {shorter, ""},
		"oversized":                {append(bytes.Clone(r.DER), make([]byte, 40<<10)...), "at most"},
		"PEM of another type":      {bytes.ReplaceAll(r.PEM(), []byte(" REQUEST"), nil), "CERTIFICATE"},
		"two in a PEM":             {append(r.PEM(), r.PEM()...), "after its block"},
		"PEM cut off":              {r.PEM()[:200], "damaged"},
		"base64 in lines":          {[]byte(r.Body()[:64] + "\n" + r.Body()[64:]), "line"},
		"base64 three times over":  {[]byte(again(again(again(r.Body())))), "neither"},
		"a changed name":           {swap(t, r.DER, hexOf("Riyadh"), hexOf("Jeddah"), 1), "signature is invalid"},
		"a changed VAT number":     {swap(t, r.DER, hexOf("399999999900003"), hexOf("311111111100003"), 2), "signature is invalid"},
		"signature by another key": {resign(t, r.DER, keyFor(t, 2), bytes.Clone), "signature is invalid"},
		"signature with SHA-384":   {swap(t, r.DER, "2a8648ce3d040302", "2a8648ce3d040303", 1), "algorithm"},
		"version 1":                {anew("020100", "020101", 1), "version"},
		"another curve":            {anew("2b8104000a", "2b81040022", 1), "1.3.132.0.34"},
		"another kind of key":      {anew("2a8648ce3d0201", "2a8648ce3d0202", 1), "elliptic"},
		"compressed point":         {anew("03420004", "03420002", 1), "uncompressed"},
		"hybrid point":             {anew("03420004", "03420006", 1), "uncompressed"},
		"point with spare bits":    {anew("03420004", "03420104", 1), ""},
		"no extensions":            {anew("2a864886f70d01090e", "2a864886f70d01090f", 1), "no template"},
		"no template":              {anew("2b060104018237140"+"2", "2b060104018237140"+"3", 1), "no template"},
		"no unit":                  {anew("551d11", "551d12", 1), "no unit"},
		"template is a number":     {anew("0c15545354", "0215545354", 1), "not a string"},
		"template not UTF-8":       {anew("0c15545354", "0c15ff5354", 1), "UTF-8"},
		"two VAT numbers":          {anew("060355040c", "0603550404", 1), "twice"},
		"half a two-byte letter":   {anew("0c0d526979", "1e0d526979", 1), "half"},
		"address in a context":     {anew("0c0852525244", "8c0852525244", 1), "not a string"},
		"signature not a sequence": {swap(t, r.DER, "0347003044", "0347003144", 1), "signature is invalid"},
		"element after the end":    {element(0x30, contentOf(t, r.DER), []byte{5, 0}), "strict"},
		"element after the key":    {withElementAfterKey(t, r.DER, key), "strict"},
		"name not UTF-8":           {anew("52697961", "52ff7961", 1), "UTF-8"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := seal.ParseRequest(test.data)
			wantRefused(t, got, err, test.want)
		})
	}
}

// withElementAfterKey adds an element to the SubjectPublicKeyInfo.
func withElementAfterKey(t testing.TB, der []byte, key *seal.Key) []byte {
	t.Helper()
	public := key.PublicKey()
	return resign(t, der, key, func(info []byte) []byte {
		content := contentOf(t, info)
		longer := element(0x30, public[2:], []byte{5, 0})
		return element(0x30, bytes.Replace(content, public, longer, 1))
	})
}

func TestParseRequestRefusesExtensions(t *testing.T) {
	key := keyFor(t, 1)
	r := requestOf(t, key, testUnit())
	oidRequest := fromHex(t, "06092a864886f70d01090e")
	oidTemplate, oidName := fromHex(t, "06092b0601040182371402"), fromHex(t, "0603551d11")
	extension := func(oid []byte, value ...[]byte) []byte { return element(0x30, oid, element(0x04, value...)) }
	attribute := func(values ...[]byte) []byte { return element(0x30, oidRequest, element(0x31, values...)) }
	template := extension(oidTemplate, element(0x0c, []byte("ZATCA-Code-Signing")))
	noName := element(0xa4, element(0x30))
	name := extension(oidName, element(0x30, noName))
	for what, test := range map[string]struct {
		attributes []byte
		want       string
	}{
		"proper":                    {attribute(element(0x30, template, name)), ""},
		"a name of a machine":       {attribute(element(0x30, template, extension(oidName, element(0x30, element(0x82, []byte("till.example")))))), ""},
		"two lists":                 {bytes.Repeat(attribute(element(0x30, template, name)), 2), "more than one"},
		"two values":                {attribute(element(0x30, name), element(0x30, template)), "more than one"},
		"no value":                  {attribute(), "more than one"},
		"a number for a list":       {attribute(element(0x02, []byte{1})), "extensions"},
		"two templates":             {attribute(element(0x30, template, template, name)), "twice"},
		"two names":                 {attribute(element(0x30, template, name, name)), "twice"},
		"a template of two parts":   {attribute(element(0x30, extension(oidTemplate, element(0x0c), element(0x0c)), name)), "template"},
		"a template of parts":       {attribute(element(0x30, extension(oidTemplate, element(0x30)), name)), "template"},
		"an empty template":         {attribute(element(0x30, extension(oidTemplate), name)), "template"},
		"an empty name":             {attribute(element(0x30, template, extension(oidName))), "alternative name"},
		"a name that is a text":     {attribute(element(0x30, template, extension(oidName, element(0x0c)))), "alternative name"},
		"two directories":           {attribute(element(0x30, template, extension(oidName, element(0x30, noName, noName)))), "two directory names"},
		"a directory of numbers":    {attribute(element(0x30, template, extension(oidName, element(0x30, element(0xa4, element(0x02, []byte{1})))))), "alternative name"},
		"attributes in wrong order": {append(element(0x30, fromHex(t, "06032a0304"), element(0x31)), element(0x30, fromHex(t, "06032a0303"), element(0x31))...), "strict"},
	} {
		t.Run(what, func(t *testing.T) {
			data := resign(t, r.DER, key, func(info []byte) []byte {
				content := contentOf(t, info)
				old := bytes.Index(content, oidRequest) - 3 - 3 // two headers of three bytes
				return element(0x30, content[:old], element(0xa0, test.attributes))
			})
			_, err := seal.ParseRequest(data)
			if test.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error that contains %q", err, test.want)
			}
		})
	}
}

func TestParseRequestStringTypes(t *testing.T) {
	key := keyFor(t, 1)
	r := requestOf(t, key, testUnit())
	address := hexOf("RRRD2929")
	for name, test := range map[string]struct {
		before, after string
		want          func(*seal.Unit)
	}{
		"two-byte letters":  {"0c08" + address, "1e08" + "0641063106390031", func(u *seal.Unit) { u.Location = "فرع1" }},
		"printable":         {"0c08" + address, "1308" + address, func(*seal.Unit) {}},
		"old telex":         {"0c08" + address, "1408" + address, func(*seal.Unit) {}},
		"serial begins 9-":  {hexOf("1-Khatm|"), hexOf("9-Khatm|"), func(u *seal.Unit) { *u = wholeSerial(*u, "9-Khatm|2-1.0|3-") }},
		"serial of 2 parts": {hexOf("1-Khatm|"), hexOf("1-Khatm-"), func(u *seal.Unit) { *u = wholeSerial(*u, "1-Khatm-2-1.0|3-") }},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := seal.ParseRequest(resign(t, r.DER, key, func(info []byte) []byte {
				return swap(t, info, test.before, test.after, 1)
			}))
			if err != nil {
				t.Fatal(err)
			}
			want := testUnit()
			test.want(&want)
			if diff := cmp.Diff(want, got.Unit); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// wholeSerial returns the unit with a serial number that is not split into its parts.
func wholeSerial(u seal.Unit, front string) seal.Unit {
	u.Provider, u.Model, u.Serial = "", "", front+u.Serial
	return u
}

func again(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

func hexOf(text string) string { return hex.EncodeToString([]byte(text)) }

func TestOpensslReadsRequest(t *testing.T) {
	r := requestOf(t, keyFor(t, 1), testUnit())
	got := openssl(t, r.PEM(), "req", "-verify", "-noout", "-text", "-nameopt", "utf8,sep_comma_plus")
	for _, want := range []string{
		"Certificate request self-signature verify OK",
		"Subject: C=SA,OU=Riyadh Branch,O=شركة ختم التجريبية,CN=TST-886431145-399999999900003",
		"ASN1 OID: secp256k1",
		"..TSTZATCA-Code-Signing",
		"1-Khatm|2-1.0|3-ed22f1d8-e6a2-1118-9b58-d9a8f11e445f",
		"RRRD2929",
		"Supply activities",
		"Signature Algorithm: ecdsa-with-SHA256",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// opensslConfig is the configuration of a request that openssl creates.
const opensslConfig = `[req]
prompt = no
utf8 = yes
string_mask = utf8only
distinguished_name = name
req_extensions = extensions
[name]
C = SA
ST = Riyadh
OU = Riyadh Branch
O = شركة ختم التجريبية
CN = TST-886431145-399999999900003
[extensions]
1.3.6.1.4.1.311.20.2 = ASN1:PRINTABLESTRING:PREZATCA-Code-Signing
subjectAltName = dirName:unit
[unit]
SN = 1-Khatm|2-1.0|3-ed22f1d8-e6a2-1118-9b58-d9a8f11e445f
UID = 399999999900003
title = 1100
registeredAddress = RRRD2929
businessCategory = Supply activities
`

func TestParseRequestOfOpenssl(t *testing.T) {
	folder := t.TempDir()
	config, keyFile := filepath.Join(folder, "request.cnf"), filepath.Join(folder, "key.pem")
	key := keyFor(t, 1)
	if err := errors.Join(os.WriteFile(config, []byte(opensslConfig), 0o600), os.WriteFile(keyFile, key.PEM(), 0o600)); err != nil {
		t.Fatal(err)
	}
	got, err := seal.ParseRequest([]byte(openssl(t, nil, "req", "-new", "-sha256", "-key", keyFile, "-config", config)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(testUnit(), got.Unit); diff != "" {
		t.Error(diff)
	}
	if got.Template != "PREZATCA-Code-Signing" || !bytes.Equal(got.PublicKey, key.PublicKey()) {
		t.Errorf("template %s, public key %x, want PREZATCA-Code-Signing and %x", got.Template, got.PublicKey, key.PublicKey())
	}
}

func FuzzParseRequest(f *testing.F) {
	r := requestOf(f, keyFor(f, 1), testUnit())
	f.Add(r.DER)
	f.Add(r.PEM())
	f.Add([]byte(r.Body()))
	f.Add([]byte{0x30, 0x00})
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := seal.ParseRequest(data)
		if err != nil {
			return
		}
		back, err := seal.ParseRequest(got.PEM())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(got, back); diff != "" {
			t.Fatal(diff)
		}
	})
}

func ExampleUnit_Request() {
	key, err := seal.NewKey(seededRandom(1)) // use crypto/rand.Reader for a real device
	if err != nil {
		fmt.Println(err)
		return
	}
	request, err := testUnit().Request(key, "simulation")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(request.Template)
	fmt.Println(request.Body()[:36])
	// Output:
	// PREZATCA-Code-Signing
	// LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFV
}
