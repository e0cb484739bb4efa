package tlscert

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"
)

// ACMEConfig configures NewACME.
type ACMEConfig struct {
	Host      string // DNS name of the server, in ASCII
	Folder    string // for the account and the certificates
	Directory string // URL of the certificate authority's directory; empty for Let's Encrypt
	Email     string // for messages of the certificate authority; may be empty
	Now       func() time.Time
	Log       *slog.Logger
}

// ACME is a certificate from a certificate authority that supports ACME. The
// authority connects to the host to check that the server controls it: to port 443
// with TLS (tls-alpn-01), or to port 80 if Challenges serves there (http-01).
type ACME struct {
	config  ACMEConfig
	manager *autocert.Manager
	current atomic.Pointer[tls.Certificate] // nil if there is none yet

	wait time.Duration // after the last failure
	next time.Time     // of the next attempt
}

// NewACME returns the certificate of a host. It uses the one in the folder, if there
// is one. Otherwise Refresh must be called when the server accepts connections.
func NewACME(c ACMEConfig) (*ACME, error) {
	if err := checkHost(c.Host); err != nil {
		return nil, err
	}
	c.Directory = cmp.Or(c.Directory, autocert.DefaultACMEDirectory)
	if at, err := url.Parse(c.Directory); err != nil || at.Scheme != "https" || at.Host == "" {
		return nil, fmt.Errorf("the ACME directory is %q; it must be the https URL of a directory, such as %s", c.Directory, autocert.DefaultACMEDirectory)
	}
	folder := filepath.Dir(CachedFile(c.Folder, c.Directory, c.Host))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("create the folder of certificates: %w", err)
	}
	a := &ACME{config: c, manager: &autocert.Manager{
		Prompt:     autocert.AcceptTOS,
		Cache:      autocert.DirCache(folder),
		HostPolicy: autocert.HostWhitelist(c.Host),
		Email:      c.Email,
		Client:     &acme.Client{DirectoryURL: c.Directory, UserAgent: "khatm"},
	}}
	kept, err := Read(CachedFile(c.Folder, c.Directory, c.Host), CachedFile(c.Folder, c.Directory, c.Host))
	if err == nil && c.Now().Before(kept.Leaf.NotAfter) {
		a.current.Store(kept)
	}
	return a, nil
}

// checkHost returns an error if no public certificate authority would issue a
// certificate for a host.
func checkHost(host string) error {
	_, err := url.Parse("https://" + host)
	switch {
	case err != nil || strings.ContainsAny(host, ":/@?#* ") || !strings.Contains(host, ".") || strings.Trim(host, ".") != host:
		return fmt.Errorf("%q is not a host name such as invoices.example.sa", host)
	case net.ParseIP(host) != nil:
		return fmt.Errorf("%s is an IP address; a host name such as invoices.example.sa is needed", host)
	case strings.ContainsFunc(host, func(r rune) bool { return r > 0x7f }):
		return fmt.Errorf("%s contains other characters than ASCII: give the form of the name that begins with xn--", host)
	case host != strings.ToLower(host):
		return fmt.Errorf("%s contains capital letters: write %s", host, strings.ToLower(host))
	}
	return nil
}

// CachedFile returns the file of the certificate of a host and its key. Each
// certificate authority has its own folder, because a certificate of a test
// environment is useless elsewhere.
func CachedFile(folder, directory, host string) string {
	name := "unknown"
	if at, err := url.Parse(cmp.Or(directory, autocert.DefaultACMEDirectory)); err == nil && at.Host != "" {
		name = strings.ReplaceAll(at.Host, ":", "-")
	}
	return filepath.Join(folder, name, host)
}

// Config returns the settings of a server with this certificate. Clients that
// connect before there is one get an error.
func (a *ACME) Config() *tls.Config {
	return serverConfig(func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
		if slices.Equal(hello.SupportedProtos, []string{acme.ALPNProto}) {
			return a.manager.GetCertificate(hello) // the authority checks the host
		}
		// autocert would request a certificate for every client that connects
		// while there is none, and the authority limits the number of attempts.
		if c := a.current.Load(); c != nil {
			return c, nil
		}
		return nil, errNone
	}, acme.ALPNProto)
}

// Challenges returns a handler for port 80 that answers the authority, and passes
// other requests to next.
func (a *ACME) Challenges(next http.Handler) http.Handler {
	h := a.manager.HTTPHandler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if host, _, err := net.SplitHostPort(r.Host); err == nil {
			r.Host = host
		}
		h.ServeHTTP(w, r)
	})
}

// Leaf returns the certificate that is used, or nil if there is none yet.
func (a *ACME) Leaf() *x509.Certificate {
	if c := a.current.Load(); c != nil {
		return c.Leaf
	}
	return nil
}

// Delays after failed attempts. Let's Encrypt allows five failures per hour.
const (
	firstWait = 2 * time.Minute
	mostWait  = time.Hour
)

// Refresh requests a certificate if there is none, or uses a renewed one. It must
// not be called concurrently. After a failure it does nothing until the next attempt
// is due.
func (a *ACME) Refresh(ctx context.Context) error {
	now := a.config.Now()
	if now.Before(a.next) {
		return nil
	}
	got, err := a.obtain(ctx)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		a.wait = min(max(2*a.wait, firstWait), mostWait)
		a.next = now.Add(a.wait)
		a.config.Log.Error("cannot get a TLS certificate", "host", a.config.Host, "directory", a.config.Directory, "cause", err.Error(), "retry", a.wait.String(),
			"fix", "the DNS records of the host must name this server, and port 443 of the host, or port 80 with --redirect-http, must reach it from the internet")
	default:
		a.wait, a.next = 0, time.Time{}
		if old := a.current.Swap(got); old == nil || !old.Leaf.Equal(got.Leaf) {
			a.config.Log.Info("using a TLS certificate", "host", a.config.Host, "issuer", got.Leaf.Issuer.String(), "until", got.Leaf.NotAfter)
		}
	}
	return nil
}

// obtain returns the certificate of autocert, which requests it if it has none, and
// renews it by itself.
func (a *ACME) obtain(ctx context.Context) (*tls.Certificate, error) {
	type result struct {
		certificate *tls.Certificate
		err         error
	}
	done := make(chan result, 1)
	go func() { // autocert has no context, and limits itself to five minutes
		c, err := a.manager.GetCertificate(&tls.ClientHelloInfo{
			ServerName:       a.config.Host,
			SignatureSchemes: []tls.SignatureScheme{tls.ECDSAWithP256AndSHA256},
			SupportedCurves:  []tls.CurveID{tls.CurveP256},
			CipherSuites:     []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256},
		})
		if err == nil && c.Leaf == nil {
			err = errors.New("the certificate could not be parsed")
		}
		done <- result{c, err}
	}()
	select {
	case r := <-done:
		return r.certificate, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
