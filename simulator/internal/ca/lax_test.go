package ca_test

import (
	"encoding/asn1"
	"errors"
	"strings"
	"testing"

	"khatm/simulator/internal/ca"
)

// ReadLax tolerates what the real authority is reported to accept, and records
// it. Everything else is refused as by ReadRequest.
func TestReadLax(t *testing.T) {
	octets := func(name string) asn1.RawValue { return asn1.RawValue{Tag: asn1.TagOctetString, Bytes: []byte(name)} }
	for _, c := range []struct {
		name        string
		environment ca.Environment
		template    any
		tolerated   string // parts of the reasons; "" if the request is refused
	}{
		{"as documented", ca.Sandbox, utf8("TSTZATCA-Code-Signing"), "none"},
		{"OCTET STRING", ca.Sandbox, octets("TSTZATCA-Code-Signing"), "OCTET STRING"},
		{"template of production on the sandbox", ca.Sandbox, utf8("ZATCA-Code-Signing"), `"ZATCA-Code-Signing", want "TSTZATCA-Code-Signing"`},
		{"both", ca.Sandbox, octets("ZATCA-Code-Signing"), `OCTET STRING, "ZATCA-Code-Signing", want`},
		{"OCTET STRING in simulation", ca.Simulation, octets("PREZATCA-Code-Signing"), "OCTET STRING"},
		{"template of production in simulation", ca.Simulation, utf8("ZATCA-Code-Signing"), ""},
		{"template of simulation on the sandbox", ca.Sandbox, utf8("PREZATCA-Code-Signing"), ""},
		{"template of the sandbox in production", ca.Production, utf8("TSTZATCA-Code-Signing"), ""},
		{"another text as OCTET STRING", ca.Sandbox, octets("x"), ""},
		{"BMPString", ca.Sandbox, asn1.RawValue{Tag: asn1.TagBMPString, Bytes: []byte("\x00T")}, ""},
	} {
		f := good(1)
		f.template = c.template
		_, strict := ca.ReadRequest(c.environment, f.request())
		if (strict == nil) != (c.tolerated == "none") {
			t.Errorf("%s: strict mode returned %v", c.name, strict)
		}
		r, err := ca.ReadLax(c.environment, f.request())
		var refusal *ca.Refusal
		switch {
		case c.tolerated == "" && (!errors.As(err, &refusal) || refusal.Cause != ca.BadTemplate):
			t.Errorf("%s: got %v, want a refusal of the template", c.name, err)
		case c.tolerated == "":
		case err != nil:
			t.Errorf("%s: %v, want no error", c.name, err)
		case c.tolerated == "none":
			if len(r.Tolerated) > 0 {
				t.Errorf("%s: tolerated %v, want nothing", c.name, r.Tolerated)
			}
		default:
			for i, part := range strings.SplitN(c.tolerated, ", ", 2)[:len(r.Tolerated)] {
				if !strings.Contains(r.Tolerated[i].Reason, part) {
					t.Errorf("%s: tolerated %v, want %q", c.name, r.Tolerated[i], part)
				}
			}
			if len(r.Tolerated) == 0 {
				t.Errorf("%s: nothing was recorded, want %q", c.name, c.tolerated)
			}
		}
	}
}

// The same request can be sent twice in lax mode, and gets two certificates.
func TestLaxKeyTwice(t *testing.T) {
	a := newAuthority(t)
	onboard(t, a, 1, noon)
	again, err := ca.ReadLax(ca.Sandbox, good(1).request())
	if err != nil {
		t.Fatal(err)
	}
	issued, err := a.IssueCompliance(again, noon)
	if err != nil || len(again.Tolerated) != 1 || again.Tolerated[0].Cause != ca.KeyReused {
		t.Fatalf("second certificate: error %v, tolerated %v, want a certificate and the cause %s", err, again.Tolerated, ca.KeyReused)
	}
	if _, err := a.Authenticate(ca.Sandbox, issued.BinarySecurityToken, issued.Secret, noon); err != nil {
		t.Errorf("the second certificate cannot be used: %v", err)
	}
}
