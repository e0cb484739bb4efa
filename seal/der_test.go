package seal_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/asn1"
	"encoding/pem"
	"fmt"
	"strings"
	"testing"

	"khatm/seal"
)

func sha(message []byte) []byte {
	sum := sha256.Sum256(message)
	return sum[:]
}

// repack changes the DER in a PEM text.
func repack(t testing.TB, text, label string, change func([]byte) []byte) string {
	t.Helper()
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		t.Fatal("no PEM")
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: label, Bytes: change(block.Bytes)}))
}

// swap returns der with some bytes, given in hexadecimal, replaced by others of the
// same length. count selects the occurrence, starting at 1.
func swap(t testing.TB, der []byte, before, after string, count int) []byte {
	t.Helper()
	from, to := fromHex(t, before), fromHex(t, after)
	if len(from) != len(to) {
		t.Fatalf("%s and %s differ in length, want the same length", before, after)
	}
	at := 0
	for i := range count {
		next := bytes.Index(der[at:], from)
		if next < 0 {
			t.Fatalf("%s occurs %d times, want at least %d", before, i, count)
		}
		at += next + 1
	}
	out := bytes.Clone(der)
	copy(out[at-1:], to)
	return out
}

// resign changes the signed part of a request or certificate and signs it again.
func resign(t testing.TB, der []byte, key *seal.Key, change func([]byte) []byte) []byte {
	t.Helper()
	var signed struct{ Info, Algorithm, Signature asn1.RawValue }
	if _, err := asn1.Unmarshal(der, &signed); err != nil {
		t.Fatal(err)
	}
	info := change(bytes.Clone(signed.Info.FullBytes))
	signature, err := key.Sign(info)
	if err != nil {
		t.Fatal(err)
	}
	out, err := asn1.Marshal(struct {
		Info, Algorithm asn1.RawValue
		Signature       asn1.BitString
	}{asn1.RawValue{FullBytes: info}, signed.Algorithm, asn1.BitString{Bytes: signature, BitLength: 8 * len(signature)}})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// element returns a DER element with the tag and the parts as its content.
func element(tag byte, parts ...[]byte) []byte {
	content := bytes.Join(parts, nil)
	switch n := len(content); {
	case n < 1<<7:
		return append([]byte{tag, byte(n)}, content...)
	case n < 1<<8:
		return append([]byte{tag, 0x81, byte(n)}, content...)
	default:
		return append([]byte{tag, 0x82, byte(n >> 8), byte(n)}, content...)
	}
}

// contentOf returns the content of a constructed element.
func contentOf(t testing.TB, der []byte) []byte {
	t.Helper()
	var v asn1.RawValue
	if rest, err := asn1.Unmarshal(der, &v); err != nil || len(rest) > 0 {
		t.Fatalf("%d trailing bytes, %v", len(rest), err)
	}
	return v.Bytes
}

var tagNames = map[int]string{
	asn1.TagBoolean: "boolean", asn1.TagInteger: "integer", asn1.TagBitString: "bits", asn1.TagOctetString: "octets",
	asn1.TagOID: "oid", asn1.TagUTF8String: "utf8", asn1.TagPrintableString: "printable", asn1.TagIA5String: "ia5",
	asn1.TagUTCTime: "utctime", asn1.TagSequence: "sequence", asn1.TagSet: "set",
}

// outline formats DER as a tree, one element per line. It also expands octet strings
// that contain DER, such as extensions.
func outline(t testing.TB, der []byte) string {
	t.Helper()
	var out strings.Builder
	var walk func(der []byte, depth int)
	walk = func(der []byte, depth int) {
		for len(der) > 0 {
			var v asn1.RawValue
			rest, err := asn1.Unmarshal(der, &v)
			if err != nil {
				t.Fatal(err)
			}
			der = rest
			label := tagNames[v.Tag]
			if v.Class == asn1.ClassContextSpecific {
				label = fmt.Sprintf("[%d]", v.Tag)
			}
			inside := v.IsCompound || v.Tag == asn1.TagOctetString && isDER(v.Bytes)
			fmt.Fprintf(&out, "%s%s%s\n", strings.Repeat("  ", depth), label, leaf(v, inside))
			if inside {
				walk(v.Bytes, depth+1)
			}
		}
	}
	walk(der, 0)
	return out.String()
}

func isDER(b []byte) bool {
	var v asn1.RawValue
	rest, err := asn1.Unmarshal(b, &v)
	return err == nil && len(rest) == 0
}

func leaf(v asn1.RawValue, inside bool) string {
	switch {
	case inside:
		return ""
	case v.Class == asn1.ClassUniversal && v.Tag == asn1.TagOID:
		var oid asn1.ObjectIdentifier
		if _, err := asn1.Unmarshal(v.FullBytes, &oid); err != nil {
			return " " + err.Error()
		}
		return " " + oid.String()
	case v.Class != asn1.ClassUniversal || v.Tag == asn1.TagBitString || v.Tag == asn1.TagOctetString || len(v.Bytes) > 8 && v.Tag == asn1.TagInteger:
		return fmt.Sprintf(" of %d bytes", len(v.Bytes))
	case v.Tag == asn1.TagInteger || v.Tag == asn1.TagBoolean:
		return fmt.Sprintf(" %x", v.Bytes)
	}
	return " " + string(v.Bytes)
}
