package witness_test

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"khatm/witness"
)

// FuzzVerify checks that no input panics, that every error is an *Unreadable,
// and that a changed document that still verifies has the stamped values.
func FuzzVerify(f *testing.F) {
	for _, l := range []layout{{}, {standard: true}, {indented: true}, {expanded: true}} {
		f.Add([]byte(stamped(f, l)))
	}
	f.Add([]byte(unstamped(layout{standard: true})))
	f.Add([]byte(head + "<a/><!-- x --><![CDATA[y]]>&#13;" + tail))
	want, err := witness.Verify([]byte(stamped(f, layout{})), witness.Expect{})
	if err != nil {
		f.Fatal(err)
	}
	values := []string{want.Number, want.UUID, want.Counter, want.SellerVAT, want.SellerName, want.Payable, want.VATTotal}
	f.Fuzz(func(t *testing.T, document []byte) {
		report, err := witness.Verify(document, witness.Expect{RequireStamp: true})
		if err != nil {
			var unreadable *witness.Unreadable
			if !errors.As(err, &unreadable) {
				t.Fatalf("error is %T, want *Unreadable: %v", err, err)
			}
			return
		}
		hash, err := witness.Hash(document)
		if err != nil || hash != report.Hash {
			t.Fatalf("hash: got %s and %v, want %s", hash, err, report.Hash)
		}
		if len(report.Findings) > 0 {
			return
		}
		got := []string{report.Number, report.UUID, report.Counter, report.SellerVAT, report.SellerName, report.Payable, report.VATTotal}
		if strings.Join(got, "|") != strings.Join(values, "|") {
			t.Fatalf("a document with the values %q verified, want the stamped values %q", got, values)
		}
	})
}

// FuzzReadCertificate checks that no input panics, and that SignedBy can be
// called on any certificate that was read.
func FuzzReadCertificate(f *testing.F) {
	der := testCertificate(f)
	f.Add(der)
	f.Add(der[:len(der)-1])
	f.Add([]byte{0x30, 0x80})
	short, err := base64.StdEncoding.DecodeString("MAMCAQA=")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(short)
	f.Fuzz(func(t *testing.T, der []byte) {
		c, err := witness.ReadCertificate(der)
		if err != nil {
			return
		}
		if c.Serial == nil || len(c.TBS) == 0 || string(c.Raw) != string(der) {
			t.Fatalf("ReadCertificate = %+v, want a complete certificate", c)
		}
		_ = c.SignedBy(c.PublicKey)
	})
}
