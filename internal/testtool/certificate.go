package testtool

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"testing"
	"time"
)

// CA is a certificate authority for TLS connections in tests.
type CA struct {
	tb          testing.TB
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	serial      int64
}

// NewCA returns a new certificate authority.
func NewCA(tb testing.TB) *CA {
	tb.Helper()
	ca := &CA{tb: tb, key: newKey(tb)}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Khatm test CA"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(10, 0, 0),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	ca.certificate = parse(tb, sign(tb, template, template, ca.key, ca.key))
	return ca
}

// Issue returns a new certificate, which is valid until a time for names and IP
// addresses, and its key, both in PEM.
func (ca *CA) Issue(until time.Time, hosts ...string) (certificate, key []byte) {
	ca.tb.Helper()
	ca.serial++
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1 + ca.serial), NotBefore: until.AddDate(-1, 0, 0), NotAfter: until,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	for _, host := range hosts {
		if ip := net.ParseIP(host); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, host)
		}
	}
	private := newKey(ca.tb)
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		ca.tb.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: sign(ca.tb, template, ca.certificate, private, ca.key)}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
}

// Server returns the settings of a server with a certificate for hosts.
func (ca *CA) Server(hosts ...string) *tls.Config {
	ca.tb.Helper()
	pair, err := tls.X509KeyPair(ca.Issue(time.Now().AddDate(0, 0, 90), hosts...))
	if err != nil {
		ca.tb.Fatal(err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
}

// Client returns the settings of a client that trusts the authority.
func (ca *CA) Client() *tls.Config {
	pool := x509.NewCertPool()
	pool.AddCert(ca.certificate)
	return &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
}

// PEM returns the certificate of the authority.
func (ca *CA) PEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: ca.certificate.Raw})
}

func newKey(tb testing.TB) *ecdsa.PrivateKey {
	tb.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		tb.Fatal(err)
	}
	return key
}

// sign returns the certificate of a key, signed with that of its issuer.
func sign(tb testing.TB, template, issuer *x509.Certificate, key, by *ecdsa.PrivateKey) []byte {
	tb.Helper()
	der, err := x509.CreateCertificate(rand.Reader, template, issuer, key.Public(), by)
	if err != nil {
		tb.Fatal(err)
	}
	return der
}

func parse(tb testing.TB, der []byte) *x509.Certificate {
	tb.Helper()
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		tb.Fatal(err)
	}
	return certificate
}
