// Package mailtest provides an SMTP server for tests. It listens on this
// machine, stores the messages it receives, and can be configured to refuse
// messages.
package mailtest

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// Config configures a server. The zero value offers STARTTLS and accepts mail
// without authentication.
type Config struct {
	Implicit bool     // TLS from the first byte
	Bare     bool     // no TLS at all
	Ways     []string // authentication methods, such as PLAIN; empty for no authentication
	User     string
	Password string
	UTF8     bool                         // offers SMTPUTF8
	TLS      func(*tls.Config)            // changes the TLS configuration
	Judge    func(step, arg string) error // decides on the steps "from", "to" and "message" before they are accepted; nil accepts all
}

// Refuse returns an SMTP error for Judge to return.
func Refuse(code int, words string) error {
	return &smtp.SMTPError{Code: code, EnhancedCode: smtp.EnhancedCode{code / 100, 1, 1}, Message: words}
}

// Server is a running SMTP server.
type Server struct {
	config Config
	port   string
	roots  *x509.CertPool

	mu    sync.Mutex
	taken []Received
}

// Open starts a server that is closed at the end of the test.
func Open(t testing.TB, c Config) *Server {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return OpenAt(t, c, listener)
}

// OpenAt starts a server on an existing listener, for example on the address of
// an earlier server.
func OpenAt(t testing.TB, c Config, listener net.Listener) *Server {
	t.Helper()
	o := &Server{config: c}
	_, o.port, _ = net.SplitHostPort(listener.Addr().String())
	server := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return o.session(), nil }))
	server.Domain, server.EnableSMTPUTF8 = "office.example", c.UTF8
	server.ErrorLog = log.New(io.Discard, "", 0)
	if !c.Bare {
		server.TLSConfig, o.roots = certificate(t)
		if c.TLS != nil {
			c.TLS(server.TLSConfig)
		}
	}
	if c.Implicit {
		listener = tls.NewListener(listener, server.TLSConfig)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	t.Cleanup(func() {
		_ = server.Close()
		_ = listener.Close() // a server that has not started to serve does not close it
		if err := <-ended; err != nil && !errors.Is(err, net.ErrClosed) && !errors.Is(err, smtp.ErrServerClosed) {
			t.Error(err)
		}
	})
	return o
}

// Address returns host and port.
func (o *Server) Address() string { return "127.0.0.1:" + o.port }

// URL returns the URL of the server for mail.ParseServer, with user and password.
func (o *Server) URL() string {
	at := url.URL{Scheme: "smtp", Host: o.Address()}
	if o.config.Implicit {
		at.Scheme = "smtps"
	}
	if o.config.Bare {
		at.RawQuery = "starttls=never"
	}
	if o.config.User != "" {
		at.User = url.UserPassword(o.config.User, o.config.Password)
	}
	return at.String()
}

// Roots returns the authority that issued the server's certificate.
func (o *Server) Roots() *x509.CertPool { return o.roots }

// Taken returns the messages received so far.
func (o *Server) Taken() []Received {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.taken)
}

func (o *Server) judge(step, arg string) error {
	if o.config.Judge == nil {
		return nil
	}
	return o.config.Judge(step, arg)
}

func (o *Server) session() smtp.Session {
	s := &session{server: o}
	if len(o.config.Ways) == 0 {
		return s
	}
	return guarded{s}
}

// session is an SMTP session.
type session struct {
	server   *Server
	signedIn bool
	now      Received
}

// Reset implements [smtp.Session].
func (s *session) Reset() { s.now = Received{} }

// Logout implements [smtp.Session].
func (s *session) Logout() error { return nil }

// Mail implements [smtp.Session].
func (s *session) Mail(from string, options *smtp.MailOptions) error {
	if len(s.server.config.Ways) > 0 && !s.signedIn {
		return Refuse(530, "sign in first")
	}
	s.now = Received{From: from, UTF8: options.UTF8, Body: string(options.Body), SignedIn: s.signedIn}
	return s.server.judge("from", from)
}

// Rcpt implements [smtp.Session].
func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.now.To = to
	return s.server.judge("to", to)
}

// Data implements [smtp.Session].
func (s *session) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	s.now.Raw = raw
	if err := s.server.judge("message", s.now.To); err != nil {
		return err
	}
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	s.server.taken = append(s.server.taken, s.now)
	return nil
}

// guarded is a session that requires authentication.
type guarded struct{ *session }

// AuthMechanisms implements [smtp.AuthSession].
func (g guarded) AuthMechanisms() []string { return g.server.config.Ways }

// Auth implements [smtp.AuthSession].
func (g guarded) Auth(way string) (sasl.Server, error) {
	check := func(user, password string) error {
		if user != g.server.config.User || password != g.server.config.Password {
			// The worst case: the server's reply quotes the password.
			return &smtp.SMTPError{Code: 535, EnhancedCode: smtp.EnhancedCode{5, 7, 8}, Message: "not " + user + " " + password}
		}
		g.signedIn = true
		return nil
	}
	if strings.EqualFold(way, "LOGIN") {
		return &login{check: check}, nil
	}
	return sasl.NewPlainServer(func(_, user, password string) error { return check(user, password) }), nil
}

// login implements the LOGIN method, which asks for user and password one by
// one.
type login struct {
	said  []string
	check func(user, password string) error
}

// Next implements [sasl.Server].
func (l *login) Next(response []byte) (challenge []byte, done bool, err error) {
	if response != nil {
		l.said = append(l.said, string(response))
	}
	switch len(l.said) {
	case 0:
		return []byte("Username:"), false, nil
	case 1:
		return []byte("Password:"), false, nil
	}
	return nil, true, l.check(l.said[0], l.said[1])
}
