package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
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
)

// GCPercent is the recommended GOGC of a server. Its live heap is so small that
// Go's default of 100 would collect constantly; 400 costs about 50 MiB.
const GCPercent = 400

// Run serves until ctx is done, then waits up to ten seconds for requests in
// progress. It calls ready with the address once it accepts connections.
func (s *Server) Run(ctx context.Context, ready func(address string)) error {
	s.awaitTime(ctx)
	surfaces, err := net.Listen("tcp", s.config.Address)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", s.config.Address, err)
	}
	failed := make(chan error, 2)
	main := s.server(s.Handler())
	servers := []*http.Server{main}
	if s.config.Operations != "" {
		operations, err := net.Listen("tcp", s.config.Operations)
		if err != nil {
			_ = surfaces.Close()
			return fmt.Errorf("listen on %s for operations: %w", s.config.Operations, err)
		}
		second := s.server(s.operations())
		servers = append(servers, second)
		go func() { failed <- second.Serve(operations) }()
	}
	go func() { failed <- main.Serve(surfaces) }()
	s.config.Log.Info("serving", "address", surfaces.Addr().String(), "url", s.url(), "authority", s.config.Authority)
	if ready != nil {
		ready(surfaces.Addr().String())
	}
	select {
	case err = <-failed:
	case err = <-s.watch.fatal:
	case <-ctx.Done():
	}
	return errors.Join(err, s.drain(servers))
}

func (s *Server) server(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           paced(pace{stillTime, readTime}, h),
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       readTime,
		WriteTimeout:      writeTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeader,
		// OPTIONS * is answered like any request, with an id.
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(s.config.Log.Handler(), slog.LevelDebug),
	}
}

// drain refuses new requests and waits for those in progress.
func (s *Server) drain(servers []*http.Server) error {
	s.draining.Store(true)
	s.config.Log.Info("stopping")
	ctx, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	var failed error
	for _, server := range servers {
		if err := server.Shutdown(ctx); err != nil {
			failed = errors.Join(failed, fmt.Errorf("aborted requests after %s: %w", drainTime, err), server.Close())
		}
	}
	return failed
}
