package server

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"khatm/service/internal/listen"
)

// Limits of the listeners. Callers that send a header or body more slowly are
// disconnected.
const (
	headerTime = 5 * time.Second
	stillTime  = 10 * time.Second // without a byte of the body
	readTime   = 60 * time.Second
	writeTime  = 90 * time.Second
	idleTime   = 2 * time.Minute
	maxHeader  = 16 << 10
	drainTime  = 10 * time.Second
	graceTime  = 500 * time.Millisecond // see listen.Config
)

// GCPercent is the recommended GOGC of a server. Its live heap is so small that
// Go's default of 100 would collect constantly; 400 costs about 50 MiB.
const GCPercent = 400

// Run serves until ctx is done. It then reports that it is not ready and serves on
// for the configured drain period, stops accepting connections, and waits up to
// ten seconds for requests in progress. It calls ready with the address once it
// accepts connections.
func (s *Server) Run(ctx context.Context, ready func(address string)) error {
	s.awaitTime(ctx)
	servers, err := s.listen(ctx)
	if err != nil {
		return err
	}
	main := servers[0]
	if s.config.serves() {
		s.warnOfAddress(main.Addr())
	}
	failed := make(chan error, len(servers))
	for _, one := range servers {
		go func() { failed <- one.Serve() }()
	}
	s.startTLS()
	s.config.Log.Info("serving", "address", main.Addr().String(), "url", s.url(), "authority", cmp.Or(string(s.Environment()), "unset"), "role", s.config.Role)
	if ready != nil {
		ready(main.Addr().String())
	}
	select {
	case err = <-failed:
	case err = <-s.watch.fatal:
	case <-ctx.Done():
	}
	return errors.Join(err, s.stop(servers, err == nil))
}

// port is something that the server listens for.
type port struct {
	name, address string
	handler       http.Handler
	grace         time.Duration
	encryption    *tls.Config // nil for plain HTTP
}

// ports returns the ports of the server, first that of the API. A worker has only the
// one of metrics and health checks.
func (s *Server) ports() []port {
	operations := port{"metrics and health checks", s.config.Operations, s.operations(), 0, nil}
	if !s.config.serves() {
		return []port{operations}
	}
	all := []port{{"API", s.config.Address, s.Handler(), graceTime, nil}}
	if s.certificates != nil {
		all[0].handler, all[0].encryption = encrypted(s.Handler()), s.certificates.Config()
	}
	if at := s.config.TLS.Redirect; at != "" {
		all = append(all, port{"redirects to HTTPS", at, s.redirect(), 0, nil})
	}
	if operations.address != "" {
		all = append(all, operations)
	}
	return all
}

// listen opens all ports.
func (s *Server) listen(ctx context.Context) ([]*listen.Server, error) {
	var servers []*listen.Server
	for _, p := range s.ports() {
		one, err := s.listenOn(ctx, p)
		if err != nil {
			err = fmt.Errorf("%s: %w", p.name, err)
			for _, other := range servers {
				err = errors.Join(err, other.Close())
			}
			return nil, err
		}
		servers = append(servers, one)
	}
	return servers, nil
}

func (s *Server) listenOn(ctx context.Context, p port) (*listen.Server, error) {
	return listen.New(ctx, listen.Config{
		Address: p.address,
		Grace:   p.grace,
		Log:     s.config.Log,
		HTTP: &http.Server{
			Handler:           paced(pace{stillTime, readTime}, p.handler),
			ReadHeaderTimeout: headerTime, // of the TLS handshake, too
			ReadTimeout:       readTime,
			WriteTimeout:      writeTime,
			IdleTimeout:       idleTime,
			MaxHeaderBytes:    maxHeader,
			TLSConfig:         p.encryption,
			HTTP2:             multiplexing(),
			// OPTIONS * is answered like any request, with an id.
			DisableGeneralOptionsHandler: true,
			ErrorLog:                     slog.NewLogLogger(s.config.Log.Handler(), slog.LevelDebug),
		},
	})
}

// stop ends the servers, after the drain period if drains is set. The first one is
// stopped first, so that health checks are answered to the end.
func (s *Server) stop(servers []*listen.Server, drains bool) error {
	s.draining.Store(true)
	s.endStreams()
	for _, one := range servers {
		one.Announce()
	}
	s.config.Log.Info("stopping", "drain", s.config.Drain.String())
	if drains {
		s.drain()
	}
	var failed error
	for _, one := range servers {
		failed = errors.Join(failed, one.Stop(drainTime))
	}
	return failed
}

// endStreams ends the streams of events, which would otherwise delay the stop. Their
// clients open them again, on another server if there is one.
func (s *Server) endStreams() { s.stopOnce.Do(func() { close(s.stopping) }) }

// drain waits for the drain period, or until the operator ends it.
func (s *Server) drain() {
	period := time.NewTimer(s.config.Drain)
	defer period.Stop()
	select {
	case <-period.C:
	case <-s.config.EndDrain:
	}
}
