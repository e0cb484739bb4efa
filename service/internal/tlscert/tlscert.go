// Package tlscert provides the certificate of an HTTPS server: from two files, which
// are read again when they change, or from a certificate authority that supports
// ACME, such as Let's Encrypt.
package tlscert

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"time"
)

// Read reads a certificate with its chain and its private key from two files in PEM,
// which may be the same.
func Read(certificate, key string) (*tls.Certificate, error) {
	pair, _, err := read(certificate, key)
	return pair, err
}

// digest identifies the content of two files.
type digest [2][sha256.Size]byte

// read is Read, and returns the digest of the files, also of those that cannot be
// used. If a file cannot be read, its digest is that of the error.
func read(certificate, key string) (*tls.Certificate, digest, error) {
	chain, chainErr := os.ReadFile(certificate)
	private, privateErr := os.ReadFile(key)
	seen := digest{sum(chain, chainErr), sum(private, privateErr)}
	if err := errors.Join(chainErr, privateErr); err != nil {
		return nil, seen, err
	}
	pair, err := tls.X509KeyPair(chain, private)
	if err != nil {
		return nil, seen, fmt.Errorf("certificate %s with the key %s: %w", certificate, key, err)
	}
	return &pair, seen, nil
}

func sum(data []byte, err error) [sha256.Size]byte {
	if err != nil {
		data = []byte(err.Error())
	}
	return sha256.Sum256(data)
}

// Expiring reports whether a certificate should have been renewed by now: it expires
// within 14 days, or within a fifth of its lifetime if that is shorter.
func Expiring(c *x509.Certificate, now time.Time) bool {
	const early = 14 * 24 * time.Hour
	return c.NotAfter.Sub(now) < min(early, c.NotAfter.Sub(c.NotBefore)/5)
}

// Names returns the host names and IP addresses of a certificate.
func Names(c *x509.Certificate) []string {
	names := append([]string(nil), c.DNSNames...)
	for _, ip := range c.IPAddresses {
		names = append(names, ip.String())
	}
	return names
}

// errNone is returned to clients that connect before there is a certificate.
var errNone = errors.New("there is no certificate yet")

// serverConfig returns the settings of a server with the given certificate.
func serverConfig(get func(*tls.ClientHelloInfo) (*tls.Certificate, error), more ...string) *tls.Config {
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		NextProtos:     append([]string{"h2", "http/1.1"}, more...),
		GetCertificate: get,
	}
}
