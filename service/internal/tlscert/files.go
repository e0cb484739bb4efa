package tlscert

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"log/slog"
	"sync"
	"sync/atomic"
)

// Files is a certificate in two files.
type Files struct {
	certificate, key string
	log              *slog.Logger
	current          atomic.Pointer[tls.Certificate]

	mu     sync.Mutex
	used   digest // content of the files whose certificate is used
	doubt  digest // content that could not be used when it was last seen
	logged digest // content that was logged because it could not be used
}

// Open reads the files.
func Open(certificate, key string, log *slog.Logger) (*Files, error) {
	f := &Files{certificate: certificate, key: key, log: log}
	pair, seen, err := read(f.certificate, f.key)
	if err != nil {
		return nil, err
	}
	f.used = seen
	f.current.Store(pair)
	return f, nil
}

// Config returns the settings of a server with this certificate.
func (f *Files) Config() *tls.Config {
	return serverConfig(func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return f.current.Load(), nil })
}

// Leaf returns the certificate that is used.
func (f *Files) Leaf() *x509.Certificate { return f.current.Load().Leaf }

// Refresh reads the files again and uses their certificate from the next connection
// on, if they have changed. While they cannot be used, the previous certificate
// stays in use. That is logged once, and only if the files are the same at two
// calls, because one of them may just be being replaced.
func (f *Files) Refresh(context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	pair, seen, err := read(f.certificate, f.key)
	switch {
	case seen == f.used:
		f.doubt, f.logged = digest{}, digest{}
	case err == nil:
		f.used, f.doubt, f.logged = seen, digest{}, digest{}
		f.current.Store(pair)
		f.log.Info("using the new TLS certificate", "file", f.certificate, "names", Names(pair.Leaf), "until", pair.Leaf.NotAfter)
	case seen != f.doubt:
		f.doubt = seen
	case seen != f.logged:
		f.logged = seen
		f.log.Error("cannot use the new TLS certificate; the previous one stays in use", "cause", err.Error(), "until", f.Leaf().NotAfter)
	}
	return nil
}
