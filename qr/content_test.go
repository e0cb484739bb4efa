package qr_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"khatm/qr"
)

// published is the code of a sample invoice from the authority's toolkit.
const published = "ARNBY21lIFdpZGdldOKAmXMgTFREAg8zMTExMTExMTExMDExMTMDFDIwMjItMDgtMTdUMTc6NDE6MDhaBAYyMzEuMTUFBTMwLjE1BixyLzJzaTYwQkVldzBOUUNITkhOZWpvd0xETGpWTlYvVlRUL1A4UVNMeE1rPQdgTUVVQ0lRQ29qbHZvQjZrRW94WkNzamYrRlhyVG5lbXVKaTlwNkNFOTh4WGhHNWFtOUFJZ1N6WldYM2lSa05XNUdoNmNUQTdKdkEzSzlHWjZJcDFsdlEwSmVuM3IwOUU9CFgwVjAQBgcqhkjOPQIBBgUrgQQACgNCAARhgwyg5oVgCEw7+y16i19nJq+vqnXVJKXCwr1rOawtjtvVv4UuGowCuEHZ2ocpujGoo1++QoN4+GmqO6LmFyfRCUYwRAIgOgjNPJW017lsIijmVQVkP7GzFO2KQKd9GHaukLgIWFsCIFJF9uwKhTMxDjWbN+1awsnFI7RLBRxA/6hZ+F1wtaqU"

func publishedContent(t testing.TB) qr.Content {
	t.Helper()
	fromBase64 := func(s string) []byte {
		b, err := base64.StdEncoding.DecodeString(s)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	return qr.Content{
		SellerName:           "Acme Widget’s LTD",
		VATNumber:            "311111111101113",
		Timestamp:            "2022-08-17T17:41:08Z",
		Total:                "231.15",
		VATTotal:             "30.15",
		Hash:                 "r/2si60BEew0NQCHNHNejowLDLjVNV/VTT/P8QSLxMk=",
		Signature:            "MEUCIQCojlvoB6kEoxZCsjf+FXrTnemuJi9p6CE98xXhG5am9AIgSzZWX3iRkNW5Gh6cTA7JvA3K9GZ6Ip1lvQ0Jen3r09E=",
		PublicKey:            fromBase64("MFYwEAYHKoZIzj0CAQYFK4EEAAoDQgAEYYMMoOaFYAhMO/steotfZyavr6p11SSlwsK9azmsLY7b1b+FLhqMArhB2dqHKboxqKNfvkKDePhpqjui5hcn0Q=="),
		CertificateSignature: fromBase64("MEQCIDoIzTyVtNe5bCIo5lUFZD+xsxTtikCnfRh2rpC4CFhbAiBSRfbsCoUzMQ41mzftWsLJxSO0SwUcQP+oWfhdcLWqlA=="),
	}
}

func TestPublishedCode(t *testing.T) {
	want := publishedContent(t)
	text, err := want.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(published, text); diff != "" {
		t.Errorf("Encode (-want +got):\n%s", diff)
	}
	got, unknown, err := qr.Read(published)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" || len(unknown) != 0 {
		t.Errorf("Read: unknown %v, content (-want +got):\n%s", unknown, diff)
	}
}

func TestEncodeChoosesTags(t *testing.T) {
	standard := publishedContent(t)
	standard.CertificateSignature = nil
	first := qr.Content{SellerName: "شركة", VATNumber: "3", Timestamp: "t", Total: "1", VATTotal: "0"}
	longest := first
	longest.SellerName = strings.Repeat("م", 63) + "."
	for name, test := range map[string]struct {
		content qr.Content
		want    []byte
	}{
		"simplified":            {publishedContent(t), []byte{1, 2, 3, 4, 5, 6, 7, 8, 9}},
		"standard":              {standard, []byte{1, 2, 3, 4, 5, 6, 7, 8}},
		"first phase":           {first, []byte{1, 2, 3, 4, 5}},
		"name of all 127 bytes": {longest, []byte{1, 2, 3, 4, 5}},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := test.content.Encode()
			if err != nil {
				t.Fatal(err)
			}
			fields, err := qr.Decode(text)
			if err != nil {
				t.Fatal(err)
			}
			var got []byte
			for _, f := range fields {
				got = append(got, f.Tag)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEncodeRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(*qr.Content)
		want  []string
	}{
		"no seller name":           {func(c *qr.Content) { c.SellerName = "" }, []string{"seller name (tag 1) is empty"}},
		"no VAT number":            {func(c *qr.Content) { c.VATNumber = "" }, []string{"VAT number (tag 2)"}},
		"no time":                  {func(c *qr.Content) { c.Timestamp = "" }, []string{"timestamp (tag 3)"}},
		"no total":                 {func(c *qr.Content) { c.Total = "" }, []string{"total (tag 4)"}},
		"no VAT total":             {func(c *qr.Content) { c.VATTotal = "" }, []string{"VAT total (tag 5)"}},
		"no hash":                  {func(c *qr.Content) { c.Hash = "" }, []string{"hash (tag 6)"}},
		"no signature":             {func(c *qr.Content) { c.Signature = "" }, []string{"signature (tag 7)"}},
		"no public key":            {func(c *qr.Content) { c.PublicKey = nil }, []string{"public key (tag 8)"}},
		"only tag 9":               {func(c *qr.Content) { c.Hash, c.Signature, c.PublicKey = "", "", nil }, []string{"tag 6", "tag 7", "tag 8"}},
		"64 Arabic letters":        {func(c *qr.Content) { c.SellerName = strings.Repeat("م", 64) }, []string{"seller name (tag 1) has 128 bytes"}},
		"long certificate":         {func(c *qr.Content) { c.CertificateSignature = make([]byte, 256) }, []string{"tag 9", "256"}},
		"long public key":          {func(c *qr.Content) { c.PublicKey = make([]byte, 294) }, []string{"tag 8"}},
		"name in another encoding": {func(c *qr.Content) { c.SellerName = "\xd4\xd1\xdf\xc9" }, []string{"seller name", "UTF-8"}},
		"half a letter":            {func(c *qr.Content) { c.Total = "1\xd8" }, []string{"total", "UTF-8"}},
		"everything":               {func(c *qr.Content) { *c = qr.Content{} }, []string{"tag 1", "tag 2", "tag 3", "tag 4", "tag 5"}},
	} {
		t.Run(name, func(t *testing.T) {
			c := publishedContent(t)
			test.spoil(&c)
			text, err := c.Encode()
			if err == nil {
				t.Fatalf("Encode returned %s, want an error", text)
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q, want one that contains %q", err, want)
				}
			}
		})
	}
}

// TestEncodeTotalLength checks the limit of BR-CL-KSA-14: 750 bytes are 1,000
// characters.
func TestEncodeTotalLength(t *testing.T) {
	for _, test := range []struct {
		name  string
		bytes int
		want  string // part of the error; empty for none
	}{
		{"all 1,000 characters", 750, ""},
		{"one byte more", 751, "1004 characters, and at most 1000"},
		{"every value at its longest", 9 * 129, "1548 characters, and at most 1000"},
	} {
		t.Run(test.name, func(t *testing.T) {
			text, err := contentOf(test.bytes).Encode()
			switch {
			case test.want == "" && (err != nil || len(text) != 1000):
				t.Errorf("got %d characters, %v, want 1000", len(text), err)
			case test.want != "" && (err == nil || text != "" || !strings.Contains(err.Error(), test.want)):
				t.Errorf("got %v, want an error that contains %q", err, test.want)
			}
		})
	}
}

// contentOf returns a Content with nine tags and the given total number of bytes.
func contentOf(bytes int) qr.Content {
	const each = 2 // tag and length
	values := make([]string, 9)
	for i := range values {
		later := len(values) - 1 - i
		length := min(127, bytes-each-later*(each+1))
		values[i] = strings.Repeat("x", length)
		bytes -= each + length
	}
	return qr.Content{
		SellerName: values[0], VATNumber: values[1], Timestamp: values[2], Total: values[3], VATTotal: values[4],
		Hash: values[5], Signature: values[6], PublicKey: []byte(values[7]), CertificateSignature: []byte(values[8]),
	}
}

func TestReadUnusualContent(t *testing.T) {
	for name, test := range map[string]struct {
		tlv     string
		want    qr.Content
		unknown []qr.Field
	}{
		"tags in any order": {"\x05\x010\x01\x01a", qr.Content{SellerName: "a", VATTotal: "0"}, nil},
		"unknown tags":      {"\x01\x01a\x2a\x02\x00\xff\x00\x00", qr.Content{SellerName: "a"}, []qr.Field{{42, []byte{0, 0xff}}, {0, []byte{}}}},
		"200 bytes":         {"\x01\xc8" + strings.Repeat("a", 200), qr.Content{SellerName: strings.Repeat("a", 200)}, nil},
		"bytes, not text":   {"\x09\x01\xff", qr.Content{CertificateSignature: []byte{0xff}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, unknown, err := qr.Read(base64.StdEncoding.EncodeToString([]byte(test.tlv)))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(test.unknown, unknown); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadRefuses(t *testing.T) {
	for name, test := range map[string]struct{ tlv, want string }{
		"two names":         {"\x01\x01a\x01\x01b", "tag 1 occurs twice"},
		"two equal names":   {"\x01\x01a\x01\x01a", "tag 1 occurs twice"},
		"two empty names":   {"\x01\x00\x01\x00", "tag 1 occurs twice"},
		"two unknown":       {"\x63\x00\x01\x01a\x63\x00", "tag 99 occurs twice"},
		"name not in UTF-8": {"\x01\x02\xd4\xd1", "seller name (tag 1)"},
		"hash as raw bytes": {"\x06\x02\xff\xfe", "hash (tag 6)"},
		"cut off":           {"\x01\x05ab", "tag 1"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := qr.Read(base64.StdEncoding.EncodeToString([]byte(test.tlv)))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error that contains %q", err, test.want)
			}
		})
	}
}

func TestReadEncodeRoundTrip(t *testing.T) {
	// Nine values of up to 80 bytes stay within 1,000 characters.
	word := rapid.StringN(1, -1, 80).Filter(func(s string) bool { return s != "" })
	raw := rapid.SliceOfN(rapid.Byte(), 1, 80)
	rapid.Check(t, func(t *rapid.T) {
		want := qr.Content{
			SellerName: word.Draw(t, "seller"),
			VATNumber:  word.Draw(t, "vat"),
			Timestamp:  word.Draw(t, "time"),
			Total:      word.Draw(t, "total"),
			VATTotal:   word.Draw(t, "tax"),
		}
		if rapid.Bool().Draw(t, "stamped") {
			want.Hash, want.Signature, want.PublicKey = word.Draw(t, "hash"), word.Draw(t, "signature"), raw.Draw(t, "key")
			if rapid.Bool().Draw(t, "simplified") {
				want.CertificateSignature = raw.Draw(t, "certificate")
			}
		}
		text, err := want.Encode()
		if err != nil {
			t.Fatal(err)
		}
		got, unknown, err := qr.Read(text)
		if err != nil || len(unknown) > 0 {
			t.Fatalf("Read(%s): unknown %v, error %v, want neither", text, unknown, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

func ExampleContent_Encode() {
	text, err := qr.Content{
		SellerName: "شركة ختم",
		VATNumber:  "399999999900003",
		Timestamp:  "2026-08-17T17:41:08",
		Total:      "115.00",
		VATTotal:   "15.00",
	}.Encode()
	fmt.Println(text, err)
	// Output: AQ/YtNix2YPYqSDYrtiq2YUCDzM5OTk5OTk5OTkwMDAwMwMTMjAyNi0wOC0xN1QxNzo0MTowOAQGMTE1LjAwBQUxNS4wMA== <nil>
}

func ExampleRead() {
	content, unknown, err := qr.Read("AQ/YtNix2YPYqSDYrtiq2YUEBjExNS4wMPoBIQ==")
	fmt.Println(content.SellerName, content.Total, err)
	fmt.Printf("tag %d: %s\n", unknown[0].Tag, unknown[0].Value)
	// Output:
	// شركة ختم 115.00 <nil>
	// tag 250: !
}
