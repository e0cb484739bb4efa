package server

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"khatm/service/internal/tlscert"
)

// TLS configures HTTPS. The zero value is plain HTTP.
type TLS struct {
	Cert, Key string // files in PEM; they are read again when they change

	ACME          string // host whose certificate is requested from a certificate authority, instead of Cert and Key
	ACMEDirectory string // URL of the directory of that authority; empty for Let's Encrypt
	ACMEEmail     string // for messages of that authority; may be empty

	// Redirect is the address of another listener, which redirects plain HTTP to
	// the public URL and answers the authority of ACME; empty for none.
	Redirect string
}

// On reports whether the server serves HTTPS.
func (t TLS) On() bool { return t.Cert != "" || t.Key != "" || t.ACME != "" }

// acmeFolder returns the folder for certificates from an ACME authority.
func acmeFolder(data string) string { return filepath.Join(data, "acme") }

// ACMEFile returns the file in the data folder with the certificate and the key
// that were obtained from the ACME authority.
func (t TLS) ACMEFile(data string) string {
	return tlscert.CachedFile(acmeFolder(data), t.ACMEDirectory, t.ACME)
}

// checkTLS returns an error for settings that cannot work together.
func (c *Config) checkTLS() error {
	t := c.TLS
	switch {
	case t.ACME != "" && (t.Cert != "" || t.Key != ""):
		return errors.New("--acme is given with --tls-cert or --tls-key: use one or the other")
	case (t.Cert == "") != (t.Key == ""):
		return errors.New("--tls-cert and --tls-key are needed together")
	case t.ACME == "" && (t.ACMEDirectory != "" || t.ACMEEmail != ""):
		return errors.New("--acme-directory and --acme-email need --acme HOST")
	case t.Redirect != "" && !t.On():
		return errors.New("--redirect-http needs --tls-cert and --tls-key, or --acme")
	case t.On() && strings.HasPrefix(c.URL, "http://"):
		return fmt.Errorf("--url is %s, but the server serves HTTPS: it must begin with https://", c.URL)
	}
	return nil
}

// certificates provides the TLS certificate of the server.
type certificates interface {
	Config() *tls.Config
	Leaf() *x509.Certificate           // nil if there is none yet
	Refresh(ctx context.Context) error // looks for a new one
}

// openTLS opens the configured certificate, except for a worker, which has no HTTPS
// port.
func (s *Server) openTLS() error {
	t := s.config.TLS
	switch {
	case !s.config.serves():
		return nil
	case t.ACME != "":
		a, err := tlscert.NewACME(tlscert.ACMEConfig{
			Host: t.ACME, Folder: acmeFolder(s.config.Data), Directory: t.ACMEDirectory, Email: t.ACMEEmail,
			Now: s.config.Now, Log: s.config.Log,
		})
		if err != nil {
			return fmt.Errorf("--acme: %w", err)
		}
		s.certificates = a
	case t.Cert != "":
		f, err := tlscert.Open(t.Cert, t.Key, s.config.Log)
		if err != nil {
			return fmt.Errorf("--tls-cert: %w", err)
		}
		s.certificates = f
	default:
		return nil
	}
	s.metrics.watchCertificate(s.certificates)
	return nil
}

// Intervals of the loops on the certificate.
const (
	filesEvery  = 5 * time.Second
	acmeEvery   = time.Minute
	expiryEvery = 24 * time.Hour
)

// startTLS starts the loops on the certificate. The server must accept connections,
// because the ACME authority connects to it.
func (s *Server) startTLS() {
	if s.certificates == nil {
		return
	}
	every := filesEvery
	if s.config.TLS.ACME != "" {
		every = acmeEvery
	}
	s.loops.Start("look for a new TLS certificate", every, s.certificates.Refresh)
	s.loops.Start("check the TLS certificate", expiryEvery, s.checkCertificate)
}

// checkCertificate logs a certificate that expires soon, or that is not valid for
// the host of the links.
func (s *Server) checkCertificate(context.Context) error {
	leaf := s.certificates.Leaf()
	if leaf == nil {
		return nil
	}
	if now := s.config.Now(); tlscert.Expiring(leaf, now) {
		s.config.Log.Warn("the TLS certificate expires soon or has expired", "until", leaf.NotAfter, "names", tlscert.Names(leaf), "fix", "renew it; khatm doctor shows its state")
	}
	if at, err := url.Parse(s.url()); err == nil && leaf.VerifyHostname(at.Hostname()) != nil {
		s.config.Log.Warn("the TLS certificate is not valid for the host of the links", "url", s.url(), "names", tlscert.Names(leaf), "fix", "set --url to an address with one of these names, or use a certificate for that host")
	}
	return nil
}

// strictTransport is the header that makes browsers use HTTPS for the next year.
const strictTransport = "max-age=31536000"

// encrypted returns the handler of the HTTPS listener.
func encrypted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Strict-Transport-Security", strictTransport)
		next.ServeHTTP(w, r)
	})
}

// redirect returns the handler of the listener for plain HTTP. Only requests that a
// person makes by entering an address are redirected: a program that sends an API
// key without encryption should fail.
func (s *Server) redirect() http.Handler {
	var h http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if (r.Method != http.MethodGet && r.Method != http.MethodHead) || r.Header.Get("Authorization") != "" {
			say(w, http.StatusBadRequest, "Use HTTPS: "+s.url())
			return
		}
		http.Redirect(w, r, s.url()+r.URL.RequestURI(), http.StatusMovedPermanently)
	})
	if a, is := s.certificates.(*tlscert.ACME); is {
		h = a.Challenges(h)
	}
	return h
}

// multiplexing returns the limits of HTTP/2 connections. What a client has sent and
// the server has not read yet is outside the limits of memory, so that buffers are
// small.
func multiplexing() *http.HTTP2Config {
	return &http.HTTP2Config{
		MaxConcurrentStreams:          100,
		MaxReadFrameSize:              16 << 10,
		MaxReceiveBufferPerStream:     64 << 10,
		MaxReceiveBufferPerConnection: 256 << 10,
		SendPingTimeout:               30 * time.Second,
		PingTimeout:                   15 * time.Second,
		WriteByteTimeout:              30 * time.Second,
	}
}
