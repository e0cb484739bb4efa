package ca_test

import (
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/simulator/internal/ca"
)

// openssl runs openssl in a folder and returns its output.
func openssl(t testing.TB, dir string, args ...string) string {
	t.Helper()
	path := testtool.Path(t, "openssl")
	command := exec.Command(path, args...)
	command.Dir = dir
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("openssl %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func writePEM(t testing.TB, path string, der []byte) {
	t.Helper()
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestOpenSSLReadsCertificates(t *testing.T) {
	a := newAuthority(t)
	compliance, production := a.Issuers(ca.Sandbox)
	_, last := a.Issuers(ca.Production)
	for _, c := range []struct {
		name        string
		issuer      []byte
		certificate []byte
		want        []string
	}{
		{"compliance", compliance, onboard(t, a, 1, noon).Certificate.Raw, []string{
			"Issuer: CN = eInvoicing", "X509v3 Basic Constraints: critical", "CA:FALSE", "Not After : Aug 16 21:00:00 2031 GMT",
			"DirName:/SN=1-TST|2-TST|3-ed22f1d8-e6a2-1118-9b58-d9a8f11e445f/UID=399999999900003/title=1100/registeredAddress=RRRD2929/businessCategory=Supply activities",
		}},
		{"production", production, produce(t, a, 2, noon).Certificate.Raw, []string{
			"Issuer: DC = local, DC = gov, DC = extgazt, CN = KHATM-DOUBLE-TSZEINVOICESCA1-CA",
			"Subject: C = SA, O = Maximum Speed Tech Supply LTD, OU = Riyadh Branch, CN = TST-886431145-399999999900003",
			"X509v3 Subject Key Identifier", "X509v3 Authority Key Identifier", "CA Issuers - URI:http://authority.khatm.invalid/",
			"X509v3 Key Usage: critical", "Digital Signature", "Code Signing, TLS Web Client Authentication",
			"1.3.6.1.4.1.311.21.7", "1.3.6.1.4.1.311.21.10", "ASN1 OID: secp256k1", "Signature Algorithm: ecdsa-with-SHA256",
		}},
		{"stamp", last, a.StampCertificate(), []string{"CN = KHATM-DOUBLE-CLEARANCE-STAMP"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			writePEM(t, filepath.Join(dir, "issuer.pem"), c.issuer)
			writePEM(t, filepath.Join(dir, "it.pem"), c.certificate)
			printed := openssl(t, dir, "x509", "-in", "it.pem", "-noout", "-text")
			// Newer releases print names without spaces around =.
			plain := strings.NewReplacer(" = ", "=", " / ", "/").Replace(printed)
			for _, want := range c.want {
				if !strings.Contains(plain, strings.ReplaceAll(want, " = ", "=")) {
					t.Errorf("openssl does not print %q:\n%s", want, printed)
				}
			}
			out := openssl(t, dir, "verify", "-attime", fmt.Sprint(noon.Unix()+60), "-CAfile", "issuer.pem", "it.pem")
			if !strings.Contains(out, "it.pem: OK") {
				t.Errorf("openssl verify printed %q, want it.pem: OK", out)
			}
		})
	}
}

const opensslConfig = `[req]
prompt = no
utf8 = yes
distinguished_name = subject
req_extensions = extensions
[subject]
C = SA
OU = فرع الرياض
O = شركة المثال
CN = TST-1
[extensions]
1.3.6.1.4.1.311.20.2 = ASN1:PRINTABLESTRING:PREZATCA-Code-Signing
subjectAltName = dirName:device
[device]
SN = 1-TST|2-TST|3-ed22f1d8
UID = 310122393500003
title = 1100
registeredAddress = RRRD2929
businessCategory = Trade
`

func TestRequestOfOpenSSL(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "req.cnf"), []byte(opensslConfig), 0o600); err != nil {
		t.Fatal(err)
	}
	openssl(t, dir, "ecparam", "-name", "secp256k1", "-genkey", "-noout", "-out", "key.pem")
	openssl(t, dir, "req", "-new", "-sha256", "-key", "key.pem", "-config", "req.cnf", "-out", "req.pem")
	text, err := os.ReadFile(filepath.Join(dir, "req.pem"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := ca.ReadRequest(ca.Simulation, base64.StdEncoding.EncodeToString(text))
	if err != nil {
		t.Fatal(err)
	}
	if r.Organization != "شركة المثال" || r.VATNumber != "310122393500003" {
		t.Errorf("ReadRequest returned %+v, want organization شركة المثال and VAT number 310122393500003", r)
	}
	if _, err := newAuthority(t).IssueCompliance(r, noon); err != nil {
		t.Error(err)
	}
}
