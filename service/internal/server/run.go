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

// Times of the listeners. A caller who sends its header or its body slower
// than this is cut off.
const (
	headerTime = 5 * time.Second
	stillTime  = 10 * time.Second // of a body, without a byte
	readTime   = 60 * time.Second
	writeTime  = 90 * time.Second
	idleTime   = 2 * time.Minute
	maxHeader  = 16 << 10
	drainTime  = 10 * time.Second
)

// GCPercent is how much a server's heap should grow before garbage is collected.
// What it keeps is small, so that Go's own 100 would collect all the time: it
// is cheaper to spend some 50 MiB.
const GCPercent = 400

// MemoryLimit is from where on garbage is collected whatever GCPercent says.
const MemoryLimit = 1 << 30

// Run serves until the context ends, then lets requests under way finish, for
// ten seconds at most. Ready is called with the address once it is served.
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

// drain refuses what is new and waits for what is under way.
func (s *Server) drain(servers []*http.Server) error {
	s.draining.Store(true)
	s.config.Log.Info("stopping")
	ctx, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	var failed error
	for _, server := range servers {
		if err := server.Shutdown(ctx); err != nil {
			failed = errors.Join(failed, fmt.Errorf("requests were cut off after %s: %w", drainTime, err), server.Close())
		}
	}
	return failed
}
