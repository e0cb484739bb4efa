package ca_test

import (
	"bytes"
	"crypto/x509/pkix"
	"encoding/asn1"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"khatm/seal"
	"khatm/simulator/internal/ca"
)

func TestReadRequest(t *testing.T) {
	f := good(1)
	got, err := ca.ReadRequest(ca.Sandbox, f.request())
	if err != nil {
		t.Fatal(err)
	}
	want := &ca.Request{
		Environment:  ca.Sandbox,
		Template:     "TSTZATCA-Code-Signing",
		CommonName:   "TST-886431145-399999999900003",
		Organization: "Maximum Speed Tech Supply LTD",
		Unit:         "Riyadh Branch",
		DeviceSerial: "1-TST|2-TST|3-ed22f1d8-e6a2-1118-9b58-d9a8f11e445f",
		VATNumber:    "399999999900003",
		InvoiceTypes: "1100",
		Address:      "RRRD2929",
		Category:     "Supply activities",
		PublicKey:    f.spki,
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(ca.Request{})); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
	if len(got.PublicKey) != 88 {
		t.Errorf("public key has %d bytes, want 88", len(got.PublicKey))
	}
}

func TestReadRequestAccepts(t *testing.T) {
	for name, change := range map[string]func(*forgery){
		"template as PrintableString": func(f *forgery) {
			f.template = asn1.RawValue{Tag: asn1.TagPrintableString, Bytes: []byte("TSTZATCA-Code-Signing")}
		},
		"subject with further attributes": func(f *forgery) {
			f.subject = append(f.subject, attr{asn1.ObjectIdentifier{2, 5, 4, 97}, asn1.TagUTF8String, "399999999900003"},
				attr{asn1.ObjectIdentifier{2, 5, 4, 8}, asn1.TagUTF8String, "Riyadh"})
		},
		"subject in another order": func(f *forgery) { f.subject[0], f.subject[3] = f.subject[3], f.subject[0] },
		"subject printable": func(f *forgery) {
			for i := range f.subject {
				f.subject[i].tag = asn1.TagPrintableString
			}
		},
		"requested key usage": func(f *forgery) {
			f.extend = func(e []pkix.Extension) []pkix.Extension {
				return append(e, pkix.Extension{Id: asn1.ObjectIdentifier{2, 5, 29, 15}, Critical: true, Value: []byte{3, 2, 6, 0xC0}})
			}
		},
		"PEM with CRLF": func(f *forgery) {
			f.armour = func(p []byte) []byte { return bytes.ReplaceAll(p, []byte("\n"), []byte("\r\n")) }
		},
		"no line break at the end": func(f *forgery) { f.armour = bytes.TrimSpace },
		"Arabic, 64 bytes":         func(f *forgery) { at(f.subject, oidO, strings.Repeat("م", 32)) },
		"group with TIN": func(f *forgery) {
			at(f.device, oidUID, "399999999910003")
			at(f.subject, oidOU, "3999999999")
		},
		"only standard":                    func(f *forgery) { at(f.device, oidTitle, "1000") },
		"only simplified":                  func(f *forgery) { at(f.device, oidTitle, "0100") },
		"industry with a comma and hyphen": func(f *forgery) { at(f.device, oidIndustry, "Food, drinks - retail") },
		"ampersand in the name":            func(f *forgery) { at(f.subject, oidO, "Salem & Sons") },
	} {
		t.Run(name, func(t *testing.T) {
			f := good(1)
			change(f)
			if _, err := ca.ReadRequest(ca.Sandbox, f.request()); err != nil {
				t.Errorf("ReadRequest of a valid request returned %v, want no error", err)
			}
		})
	}
}

// TestSealRequests checks that the requests of package seal are accepted in
// their own environment and refused in the others.
func TestSealRequests(t *testing.T) {
	unit := seal.Unit{
		CommonName: "till-1", Provider: "Khatm", Model: "1.0", Serial: "ed22f1d8", VATNumber: "310122393500003",
		UnitName: "فرع الرياض", Organisation: "شركة المثال", InvoiceType: "1100", Location: "RRRD2929", Industry: "تجارة",
	}
	for _, e := range []ca.Environment{ca.Sandbox, ca.Simulation, ca.Production} {
		key, err := seal.NewKey(seeded(string(e)))
		if err != nil {
			t.Fatal(err)
		}
		request, err := unit.Request(key, string(e))
		if err != nil {
			t.Fatal(err)
		}
		for _, there := range []ca.Environment{ca.Sandbox, ca.Simulation, ca.Production} {
			_, err := ca.ReadRequest(there, request.Body())
			if (err == nil) != (e == there) {
				t.Errorf("request for %s read in %s: got error %v, want an error: %t", e, there, err, e != there)
			}
		}
	}
}
