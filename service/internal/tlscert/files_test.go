package tlscert_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/service/internal/tlscert"
)

// site is a folder with the files of a certificate, and a server that uses them.
type site struct {
	t       *testing.T
	ca      *testtool.CA
	dir     string
	files   *tlscert.Files
	log     testtool.Buffer
	address string
}

const (
	certFile = "fullchain.pem"
	keyFile  = "privkey.pem"
)

func (s *site) path(name string) string { return filepath.Join(s.dir, name) }

func (s *site) write(name string, data []byte) {
	s.t.Helper()
	if err := os.WriteFile(s.path(name), data, 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// open opens the files and accepts TLS connections with them.
func (s *site) open() {
	s.t.Helper()
	var err error
	s.files, err = tlscert.Open(s.path(certFile), s.path(keyFile), slog.New(slog.NewJSONHandler(&s.log, nil)))
	if err != nil {
		s.t.Fatal(err)
	}
	l, err := tls.Listen("tcp", "127.0.0.1:0", s.files.Config())
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = l.Close() })
	s.address = l.Addr().String()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				if over, is := conn.(*tls.Conn); is {
					_ = over.HandshakeContext(s.t.Context())
				}
				_ = conn.Close()
			}()
		}
	}()
}

// shown returns the certificate that a client gets.
func (s *site) shown() *x509.Certificate {
	s.t.Helper()
	trust := s.ca.Client()
	trust.ServerName = "invoices.example.sa"
	conn, err := tls.DialWithDialer(&net.Dialer{Timeout: time.Minute}, "tcp", s.address, trust)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	return conn.ConnectionState().PeerCertificates[0]
}

// refresh looks for new files twice.
func (s *site) refresh() {
	s.t.Helper()
	for range 2 {
		if err := s.files.Refresh(context.Background()); err != nil {
			s.t.Fatal(err)
		}
	}
}

// today is the start of the tests, as certificates show it.
var today = time.Now().Truncate(time.Second)

func until(days int) time.Time { return today.AddDate(0, 0, days) }

const host = "invoices.example.sa"

// The ways in which tools replace the files of a certificate.
func TestNewFilesAreUsed(t *testing.T) {
	t.Parallel()
	for name, put := range map[string]struct {
		first, next func(s *site, cert, key []byte)
	}{
		"written": {
			func(s *site, cert, key []byte) { s.write(certFile, cert); s.write(keyFile, key) },
			func(s *site, cert, key []byte) { s.write(certFile, cert); s.write(keyFile, key) },
		},
		"renamed": {
			func(s *site, cert, key []byte) { s.write(certFile, cert); s.write(keyFile, key) },
			func(s *site, cert, key []byte) {
				for name, data := range map[string][]byte{certFile: cert, keyFile: key} {
					s.write(name+".new", data)
					if err := os.Rename(s.path(name+".new"), s.path(name)); err != nil {
						s.t.Fatal(err)
					}
				}
			},
		},
		"a symbolic link to each file, as certbot has": {
			func(s *site, cert, key []byte) {
				s.write("fullchain1.pem", cert)
				s.write("privkey1.pem", key)
				s.link("fullchain1.pem", certFile)
				s.link("privkey1.pem", keyFile)
			},
			func(s *site, cert, key []byte) {
				s.write("fullchain2.pem", cert)
				s.write("privkey2.pem", key)
				s.link("fullchain2.pem", certFile)
				s.link("privkey2.pem", keyFile)
			},
		},
		"a symbolic link to the folder, as Kubernetes has": {
			func(s *site, cert, key []byte) {
				s.folder("..1", cert, key)
				s.link("..data/"+certFile, certFile)
				s.link("..data/"+keyFile, keyFile)
			},
			func(s *site, cert, key []byte) { s.folder("..2", cert, key) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &site{t: t, ca: testtool.NewCA(t), dir: t.TempDir()}
			cert, key := s.ca.Issue(until(30), host)
			put.first(s, cert, key)
			s.open()
			if got := s.shown(); !got.NotAfter.Equal(until(30)) {
				t.Fatalf("the first certificate is valid until %s", got.NotAfter)
			}
			cert, key = s.ca.Issue(until(90), host)
			put.next(s, cert, key)
			s.refresh()
			if got := s.shown(); !got.NotAfter.Equal(until(90)) || !s.files.Leaf().Equal(got) {
				t.Errorf("the certificate is valid until %s, want the new one", got.NotAfter)
			}
			if log := s.log.String(); strings.Count(log, "using the new TLS certificate") != 1 || strings.Contains(log, "ERROR") {
				t.Errorf("log %s, want one line about the new certificate", log)
			}
		})
	}
}

// link replaces a symbolic link in one step.
func (s *site) link(to, name string) {
	s.t.Helper()
	if err := os.Symlink(to, s.path(name+".new")); err != nil {
		s.t.Fatal(err)
	}
	if err := os.Rename(s.path(name+".new"), s.path(name)); err != nil {
		s.t.Fatal(err)
	}
}

// folder writes both files to a new folder, to which ..data points.
func (s *site) folder(name string, cert, key []byte) {
	s.t.Helper()
	if err := os.Mkdir(s.path(name), 0o700); err != nil {
		s.t.Fatal(err)
	}
	s.write(filepath.Join(name, certFile), cert)
	s.write(filepath.Join(name, keyFile), key)
	s.link(name, "..data")
}

// While the files cannot be used, the old certificate is, and one line is logged.
func TestBrokenFilesAreNotUsed(t *testing.T) {
	t.Parallel()
	s := &site{t: t, ca: testtool.NewCA(t), dir: t.TempDir()}
	cert, key := s.ca.Issue(until(30), host)
	s.write(certFile, cert)
	s.write(keyFile, key)
	s.open()
	newCert, newKey := s.ca.Issue(until(90), host)
	for _, c := range []struct {
		name  string
		spoil func()
	}{
		{"a certificate of another key", func() { s.write(certFile, newCert) }},
		{"half a certificate", func() { s.write(certFile, cert[:len(cert)/2]) }},
		{"an empty file", func() { s.write(certFile, nil) }},
		{"no key", func() {
			if err := os.Remove(s.path(keyFile)); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		before := strings.Count(s.log.String(), "ERROR")
		c.spoil()
		s.refresh()
		s.refresh()
		if got := s.shown(); !got.NotAfter.Equal(until(30)) {
			t.Errorf("%s: the certificate is valid until %s, want the old one", c.name, got.NotAfter)
		}
		if logged := strings.Count(s.log.String(), "ERROR") - before; logged != 1 {
			t.Errorf("%s: %d errors are logged, want 1: %s", c.name, logged, s.log.String())
		}
		s.write(certFile, cert)
		s.write(keyFile, key)
		s.refresh()
	}
	s.write(certFile, newCert)
	if err := s.files.Refresh(t.Context()); err != nil { // between the two files
		t.Fatal(err)
	}
	before := strings.Count(s.log.String(), "ERROR")
	s.write(keyFile, newKey)
	s.refresh()
	if got := s.shown(); !got.NotAfter.Equal(until(90)) {
		t.Errorf("the certificate is valid until %s, want the new one", got.NotAfter)
	}
	if logged := strings.Count(s.log.String(), "ERROR") - before; logged != 0 {
		t.Errorf("%d errors are logged while the files were being replaced, want none: %s", logged, s.log.String())
	}
}

func TestOpenRefusesBrokenFiles(t *testing.T) {
	t.Parallel()
	s := &site{t: t, ca: testtool.NewCA(t), dir: t.TempDir()}
	cert, _ := s.ca.Issue(until(30), host)
	_, key := s.ca.Issue(until(30), host)
	s.write(certFile, cert)
	s.write(keyFile, key)
	for _, files := range [][2]string{{certFile, keyFile}, {certFile, "missing.pem"}, {"missing.pem", keyFile}, {keyFile, certFile}} {
		if _, err := tlscert.Open(s.path(files[0]), s.path(files[1]), slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), ".pem") {
			t.Errorf("Open(%s) returned %v, want an error that names a file", files, err)
		}
	}
}

// Clients get TLS 1.2 or newer, and HTTP/2 if they want it.
func TestConfig(t *testing.T) {
	t.Parallel()
	s := &site{t: t, ca: testtool.NewCA(t), dir: t.TempDir()}
	cert, key := s.ca.Issue(until(30), host, "127.0.0.1")
	s.write(certFile, cert)
	s.write(keyFile, key)
	s.open()
	for _, c := range []struct {
		most uint16
		want uint16 // 0 for a refusal
	}{{tls.VersionTLS11, 0}, {tls.VersionTLS12, tls.VersionTLS12}, {tls.VersionTLS13, tls.VersionTLS13}} {
		trust := s.ca.Client()
		trust.MinVersion, trust.MaxVersion, trust.NextProtos = tls.VersionTLS10, c.most, []string{"h2", "http/1.1"}
		conn, err := tls.Dial("tcp", s.address, trust)
		if c.want == 0 {
			if err == nil {
				t.Errorf("a client with TLS 1.1 is connected with version %x", conn.ConnectionState().Version)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if state := conn.ConnectionState(); state.Version != c.want || state.NegotiatedProtocol != "h2" {
			t.Errorf("connected with version %x and %q, want %x and h2", state.Version, state.NegotiatedProtocol, c.want)
		}
		_ = conn.Close()
	}
	if got := tlscert.Names(s.files.Leaf()); !slices.Equal(got, []string{host, "127.0.0.1"}) {
		t.Errorf("Names returned %v", got)
	}
}

func TestExpiring(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	day := 24 * time.Hour
	for _, c := range []struct {
		life, left time.Duration
		want       bool
	}{
		{90 * day, 15 * day, false},
		{90 * day, 13 * day, true},
		{90 * day, -day, true},
		{6 * day, 2 * day, false},
		{6 * day, day, true},
	} {
		end := now.Add(c.left)
		got := tlscert.Expiring(&x509.Certificate{NotBefore: end.Add(-c.life), NotAfter: end}, now)
		if got != c.want {
			t.Errorf("a certificate for %s with %s left is expiring: %t, want %t", c.life, c.left, got, c.want)
		}
	}
}
