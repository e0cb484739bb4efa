package qr_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"khatm/qr"
)

func TestDecode(t *testing.T) {
	long := strings.Repeat("x", 255)
	for name, test := range map[string]struct {
		tlv  string
		want []qr.Field
	}{
		"one":                 {"\x01\x02ab", []qr.Field{{1, []byte("ab")}}},
		"empty value":         {"\x01\x00", []qr.Field{{1, []byte{}}}},
		"same tag twice":      {"\x01\x01a\x01\x01b", []qr.Field{{1, []byte("a")}, {1, []byte("b")}}},
		"length 255":          {"\x07\xff" + long, []qr.Field{{7, []byte(long)}}},
		"0x81 is 129, no BER": {"\x01\x81" + long[:129], []qr.Field{{1, []byte(long[:129])}}},
		"tags 0 and 255":      {"\x00\x00\xff\x01a", []qr.Field{{0, []byte{}}, {255, []byte("a")}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := qr.Decode(base64.StdEncoding.EncodeToString([]byte(test.tlv)))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	tlv := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	for name, test := range map[string]struct{ text, want string }{
		"nothing":                   {"", "empty"},
		"a space":                   {" ", "white space at character 1"},
		"leading space":             {" " + published, "white space at character 1"},
		"trailing line break":       {published + "\n", "white space at character 509"},
		"line break inside":         {published[:76] + "\r\n" + published[76:], "white space at character 77"},
		"tab inside":                {"AQ\tE=", "white space"},
		"URL alphabet minus":        {"AQL-/w==", "URL form"},
		"URL alphabet underscore":   {"AQL__w==", "URL form"},
		"padding missing":           {strings.TrimRight(tlv("\x01\x02ab"), "="), "padding"},
		"padding short":             {"AQE", "padding"},
		"padding long":              {"AQFh====", "not base64"},
		"padding inside":            {"AQ==AQFh", "not base64"},
		"one character":             {"A", "not base64"},
		"spare bits set":            {"AQB=", "not base64"},
		"not base64 at all":         {"https://example.com/invoice?id=1", "not base64"},
		"Arabic":                    {"فاتورة", "not base64"},
		"NUL":                       {"AQ\x00A", "not base64"},
		"tag alone":                 {tlv("\x01"), "tag 1 at byte 0 has no length"},
		"second tag alone":          {tlv("\x01\x01a\x02"), "tag 2 at byte 3 has no length"},
		"value missing":             {tlv("\x01\x05"), "tag 1 at byte 0 is cut off: 0 of 5"},
		"value short":               {tlv("\x01\x05abcd"), "tag 1 at byte 0 is cut off: 4 of 5"},
		"second value short":        {tlv("\x01\x01a\x06\x2cr/2si"), "tag 6 at byte 3 is cut off: 5 of 44"},
		"length in characters":      {tlv("\x01\x04شركة\x02\x01a"), "cut off"},
		"BER long form of 5":        {tlv("\x01\x81\x05abcde"), "6 of 129"},
		"254 of 255 bytes":          {tlv("\x09\xff" + strings.Repeat("x", 254)), "254 of 255"},
		"published code, truncated": {published[:504], "tag 9"},
		"too large":                 {strings.Repeat("A", 64<<10+4), "at most 65536"},
	} {
		t.Run(name, func(t *testing.T) {
			fields, err := qr.Decode(test.text)
			if err == nil {
				t.Fatalf("Decode returned %v, want an error", fields)
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %q, want one that contains %q", err, test.want)
			}
		})
	}
}

func TestDecodeLargest(t *testing.T) {
	if _, err := qr.Decode(strings.Repeat("A", 64<<10)); err != nil {
		t.Error(err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(published)
	f.Add("")
	f.Add("AQ==")
	f.Add("AQFhAgFi")
	f.Add(base64.StdEncoding.EncodeToString([]byte("\x01\x81" + strings.Repeat("x", 129))))
	f.Fuzz(func(t *testing.T, text string) {
		fields, err := qr.Decode(text)
		if err != nil {
			return
		}
		var tlv bytes.Buffer
		for _, field := range fields {
			tlv.WriteByte(field.Tag)
			tlv.WriteByte(byte(len(field.Value)))
			tlv.Write(field.Value)
		}
		if again := base64.StdEncoding.EncodeToString(tlv.Bytes()); again != text {
			t.Fatalf("fields of %q are encoded as %q, want the same text", text, again)
		}
		content, unknown, err := qr.Read(text)
		if err != nil || len(unknown) > 0 {
			return
		}
		encoded, err := content.Encode()
		if err != nil {
			return
		}
		if back, _, err := qr.Read(encoded); err != nil || back.SellerName != content.SellerName {
			t.Fatalf("%+v is read back as %+v, %v, want the same", content, back, err)
		}
	})
}

func ExampleDecode() {
	fields, err := qr.Decode("AQRBY21lBAUxMS41MA==")
	for _, field := range fields {
		fmt.Printf("%d %s\n", field.Tag, field.Value)
	}
	fmt.Println(err)

	_, err = qr.Decode("AQRBY20=")
	fmt.Println(err)
	// Output:
	// 1 Acme
	// 4 11.50
	// <nil>
	// tag 1 at byte 0 is cut off: 3 of 4 bytes
}
