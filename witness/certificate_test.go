package witness_test

import (
	"bytes"
	"testing"

	"khatm/witness"
)

func TestCertificate(t *testing.T) {
	c, err := witness.ReadCertificate(testCertificate(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []struct{ name, got, want string }{
		{"issuer", c.Issuer, "CN=TEST-CA, DC=gov, DC=local"},
		{"serial", c.Serial.String(), "1311768467463790320"},
		{"unit", c.Unit, "Riyadh"},
		{"device", c.DeviceSerial, "1-TST|2-TST|3-ed22f1d8"},
		{"VAT number", c.VATNumber, "399999999900003"},
		{"types", c.InvoiceTypes, "1100"},
		{"address", c.Address, "RRRD2929"},
		{"category", c.Category, "Supply"},
	} {
		if v.got != v.want {
			t.Errorf("%s: got %q, want %q", v.name, v.got, v.want)
		}
	}
	if !bytes.Equal(c.PublicKey, spki(deviceKey)) {
		t.Error("public key differs from that of the device")
	}
}

func TestCertificateSignedBy(t *testing.T) {
	der := testCertificate(t)
	changed := bytes.Replace(der, []byte("RRRD2929"), []byte("RRRD2928"), 1)
	cases := []struct {
		name   string
		der    []byte
		issuer []byte
		good   bool
	}{
		{"the issuer", der, spki(issuerKey), true},
		{"another key", der, spki(deviceKey), false},
		{"changed after signing", changed, spki(issuerKey), false},
		{"no key", der, nil, false},
		{"bytes after the key", der, append(spki(issuerKey), 0), false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			certificate, err := witness.ReadCertificate(c.der)
			if err != nil {
				t.Fatal(err)
			}
			if err := certificate.SignedBy(c.issuer); (err == nil) != c.good {
				t.Errorf("SignedBy = %v, want success %v", err, c.good)
			}
		})
	}
}

func TestCertificateRefused(t *testing.T) {
	der := testCertificate(t)
	for _, c := range []struct {
		name string
		der  []byte
	}{
		{"empty", nil},
		{"cut short", der[:len(der)-1]},
		{"trailing bytes", append(der[:len(der):len(der)], 0)},
		{"only the body", der[4:]},
		{"PEM", []byte("-----BEGIN CERTIFICATE-----")},
	} {
		if _, err := witness.ReadCertificate(c.der); err == nil {
			t.Errorf("%s: ReadCertificate succeeded, want an error", c.name)
		}
	}
}
