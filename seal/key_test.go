package seal_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"

	"khatm/internal/testtool"
	"khatm/seal"
)

// order is the order of the curve, the smallest number that is not a valid key.
const order = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"

// seededRandom returns a deterministic random source.
func seededRandom(seed byte) io.Reader { return rand.NewChaCha8([32]byte{seed}) }

func keyFor(t testing.TB, seed byte) *seal.Key {
	t.Helper()
	key, err := seal.NewKey(seededRandom(seed))
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func fromHex(t testing.TB, digits string) []byte {
	t.Helper()
	b, err := hex.DecodeString(digits)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// openssl runs openssl with the input and returns its output.
func openssl(t testing.TB, input []byte, args ...string) string {
	t.Helper()
	path := testtool.Path(t, "openssl")
	command := exec.Command(path, args...)
	command.Stdin = bytes.NewReader(input)
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("openssl %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func TestNewKeySkipsInvalidNumbers(t *testing.T) {
	zero, tooLarge := make([]byte, 32), fromHex(t, order)
	good := bytes.Repeat([]byte{7}, 32)
	for name, draws := range map[string][][]byte{
		"at once":          {good},
		"after zero":       {zero, good},
		"after the order":  {tooLarge, good},
		"after all of 1s":  {bytes.Repeat([]byte{0xff}, 32), good},
		"after seven of 0": {zero, zero, zero, zero, zero, zero, zero, good},
	} {
		t.Run(name, func(t *testing.T) {
			key, err := seal.NewKey(iotest.OneByteReader(bytes.NewReader(bytes.Join(draws, nil))))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(key.Bytes(), good) {
				t.Errorf("key is %x, want %x", key.Bytes(), good)
			}
		})
	}
}

func TestNewKeyRefusesBadSource(t *testing.T) {
	broken := errors.New("broken")
	if _, err := seal.NewKey(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("broken source: got %v, want %v", err, broken)
	}
	if _, err := seal.NewKey(bytes.NewReader(make([]byte, 31))); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("short source: got %v, want %v", err, io.ErrUnexpectedEOF)
	}
	if _, err := seal.NewKey(bytes.NewReader(make([]byte, 1<<20))); err == nil {
		t.Error("source of zeros: NewKey succeeded, want an error")
	}
}

func TestParseKey(t *testing.T) {
	one := append(make([]byte, 31), 1)
	last := fromHex(t, order)
	last[31]--
	for name, raw := range map[string][]byte{"one": one, "order less one": last} {
		key, err := seal.ParseKey(raw)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if !bytes.Equal(key.Bytes(), raw) {
			t.Errorf("%s: got %x, want %x", name, key.Bytes(), raw)
		}
	}
}

func TestParseKeyRefuses(t *testing.T) {
	text := string(keyFor(t, 1).PEM())
	other := string(keyFor(t, 2).PEM())
	above := fromHex(t, order)
	above[31]++
	for name, raw := range map[string]string{
		"nothing":             "",
		"31 bytes":            strings.Repeat("\x01", 31),
		"33 bytes":            strings.Repeat("\x01", 33),
		"hexadecimal":         strings.Repeat("01", 32),
		"zero":                strings.Repeat("\x00", 32),
		"the order":           string(fromHex(t, order)),
		"above the order":     string(above),
		"all of 1s":           strings.Repeat("\xff", 32),
		"PEM, another type":   strings.ReplaceAll(text, "EC PRIVATE KEY", "PRIVATE KEY"),
		"PEM, two keys":       text + other,
		"PEM, text before it": "my key:\n" + text,
		"PEM, cut off":        text[:len(text)/2],
		"PEM, headers":        strings.Replace(text, "\n", "\nProc-Type: 4,ENCRYPTED\n\n", 1),
		"PEM, curve P-256":    sec1(t, text, func(der []byte) []byte { return bytes.Replace(der, secp256k1OID, p256LikeOID, 1) }),
		"PEM, version 2":      sec1(t, text, func(der []byte) []byte { der[4] = 2; return der }),
		"PEM, trailing bytes": sec1(t, text, func(der []byte) []byte { return append(der, 0) }),
		"PEM, another point":  sec1(t, text, func(der []byte) []byte { der[len(der)-1] ^= 1; return der }),
		"PEM, key zero":       sec1(t, text, func(der []byte) []byte { clear(der[7:39]); return der }),
		"PEM, too large":      text + strings.Repeat("\n", 40<<10),
	} {
		t.Run(name, func(t *testing.T) {
			if key, err := seal.ParseKey([]byte(raw)); err == nil {
				t.Errorf("ParseKey returned %v, want an error", key)
			}
		})
	}
}

var (
	secp256k1OID = []byte{0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x0a}
	p256LikeOID  = []byte{0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x22} // secp384r1, of the same length
)

// sec1 changes the DER inside the PEM text of a key.
func sec1(t *testing.T, text string, change func([]byte) []byte) string {
	t.Helper()
	return repack(t, text, "EC PRIVATE KEY", change)
}

func TestKeyPublicKey(t *testing.T) {
	// The public key of 1 is the generator of the curve.
	key, err := seal.ParseKey(append(make([]byte, 31), 1))
	if err != nil {
		t.Fatal(err)
	}
	want := "3056301006072a8648ce3d020106052b8104000a034200" +
		"0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798" +
		"483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8"
	if got := hex.EncodeToString(key.PublicKey()); got != want {
		t.Errorf("PublicKey\ngot  %s\nwant %s", got, want)
	}
	key.PublicKey()[0] = 0
	if key.PublicKey()[0] != 0x30 {
		t.Error("a caller can change the public key")
	}
}

func TestKeySign(t *testing.T) {
	// A published vector of RFC 6979 on secp256k1: key 1, "Satoshi Nakamoto".
	key, err := seal.ParseKey(append(make([]byte, 31), 1))
	if err != nil {
		t.Fatal(err)
	}
	got, err := key.Sign([]byte("Satoshi Nakamoto"))
	if err != nil {
		t.Fatal(err)
	}
	want := "3045022100934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8" +
		"02202442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5"
	if hex.EncodeToString(got) != want {
		t.Errorf("Sign\ngot  %x\nwant %s", got, want)
	}
}

func TestEmptyKey(t *testing.T) {
	var key seal.Key
	for name, got := range map[string][]byte{"bytes": key.Bytes(), "PEM": key.PEM(), "public key": key.PublicKey()} {
		if len(got) > 0 {
			t.Errorf("%s of an empty key: got %q, want nil", name, got)
		}
	}
	if _, err := key.Sign(nil); err == nil {
		t.Error("Sign with an empty key succeeded, want an error")
	}
	if _, err := testUnit().Request(&key, "sandbox"); err == nil {
		t.Error("Request with an empty key succeeded, want an error")
	}
	if sampled := certificateOf(t, sampleDER(t)); sampled.Belongs(&key) {
		t.Error("Belongs with an empty key = true, want false")
	}
}

func TestKeySignVerifies(t *testing.T) {
	key := keyFor(t, 1)
	message := []byte("فاتورة")
	signature, err := key.Sign(message)
	if err != nil {
		t.Fatal(err)
	}
	if !verifies(t, key.PublicKey(), message, signature) {
		t.Error("the signature does not verify")
	}
	if verifies(t, keyFor(t, 2).PublicKey(), message, signature) {
		t.Error("the signature verified with another key")
	}
}

// verifies verifies a signature directly with the library.
func verifies(t testing.TB, publicKey, message, signature []byte) bool {
	t.Helper()
	public, err := secp256k1.ParsePubKey(publicKey[23:])
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := ecdsa.ParseDERSignature(signature)
	if err != nil {
		t.Fatal(err)
	}
	return parsed.Verify(sha(message), public)
}

func TestKeyKeepsItsSecret(t *testing.T) {
	key := keyFor(t, 1)
	secret := key.Bytes()
	held := struct {
		Key     *seal.Key
		Value   seal.Key
		pointer *seal.Key
		value   seal.Key
	}{key, *key, key, *key}
	// The unexported fields are read by fmt only.
	_, _ = held.pointer, held.value
	shown := map[string]string{"String": key.String(), "error": fmt.Errorf("sign: %v", key).Error()}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t"} {
		shown[verb] = fmt.Sprintf(verb, key)
		shown[verb+" of the value"] = fmt.Sprintf(verb, *key)
		shown[verb+" inside"] = fmt.Sprintf(verb, held)
		shown[verb+" in a list"] = fmt.Sprintf(verb, []*seal.Key{key})
	}
	asJSON, _ := json.Marshal(held)
	shown["JSON"] = string(asJSON)
	asXML, _ := xml.Marshal(key)
	shown["XML"] = string(asXML)
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("log", "key", key, "value", *key)
	slog.New(slog.NewTextHandler(&log, nil)).Info("log", "key", key, "value", *key, "held", held)
	shown["slog"] = log.String()

	for how, text := range shown {
		for form, leak := range secretForms(secret) {
			if strings.Contains(strings.ToLower(text), leak) {
				t.Errorf("%s shows the secret as %s: %s", how, form, text)
			}
		}
	}
	if want := key.String(); shown["%+v"] != want || !strings.Contains(shown["JSON"], want) {
		t.Errorf("%%+v %s, JSON %s, want %s", shown["%+v"], shown["JSON"], want)
	}
}

// secretForms returns prefixes of the forms in which the secret could be printed: as
// text, as bytes, and as the words of the library's representation.
func secretForms(secret []byte) map[string]string {
	word := uint32(secret[28])<<24 | uint32(secret[29])<<16 | uint32(secret[30])<<8 | uint32(secret[31])
	return map[string]string{
		"hexadecimal":      hex.EncodeToString(secret[:6]),
		"base64":           strings.ToLower(base64.StdEncoding.EncodeToString(secret)[:10]),
		"decimal bytes":    fmt.Sprintf("%d %d %d", secret[0], secret[1], secret[2]),
		"Go bytes":         fmt.Sprintf("0x%x, 0x%x, 0x%x", secret[0], secret[1], secret[2]),
		"decimal word":     fmt.Sprint(word),
		"hexadecimal word": fmt.Sprintf("%x", word),
	}
}

func TestOpensslReadsKey(t *testing.T) {
	key := keyFor(t, 1)
	got := openssl(t, key.PEM(), "ec", "-noout", "-text", "-check")
	for _, want := range []string{"ASN1 OID: secp256k1", "EC Key valid"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if hexOnly := strings.NewReplacer(":", "", "\n", "", " ", "").Replace(got); !strings.Contains(hexOnly, hex.EncodeToString(key.Bytes())) {
		t.Errorf("openssl does not show the private key in\n%s", got)
	}
}

func TestParseKeyOfOpenssl(t *testing.T) {
	text := openssl(t, nil, "ecparam", "-name", "secp256k1", "-genkey", "-noout")
	key, err := seal.ParseKey([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(key.PEM()); got != text {
		t.Errorf("PEM after parsing:\n%s\nwant:\n%s", got, text)
	}
}

func ExampleKey() {
	key, err := seal.ParseKey(append(make([]byte, 31), 1))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%+v\n", key)
	fmt.Println(len(key.PublicKey()), "bytes of public key")
	// Output:
	// key 989d77baf2075b24
	// 88 bytes of public key
}

func BenchmarkSign(b *testing.B) {
	key := keyFor(b, 1)
	message := make([]byte, 32)
	for b.Loop() {
		if _, err := key.Sign(message); err != nil {
			b.Fatal(err)
		}
	}
}
