package server

import (
	"context"
	"net/http"
	"strings"
	"time"
)

// operations returns the handler of metrics and health checks. It has its own
// listener, which need not be reachable from outside.
func (s *Server) operations() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", s.metrics)
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { say(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET /readyz", s.ready)
	mux.HandleFunc("GET /readyz/issuing", s.readyToIssue)
	if !s.config.serves() {
		mux.Handle("/", s.Handler()) // 404, as a program that calls the API expects it
	}
	return mux
}

// ready responds with 503 only for problems of this process: it is stopping, or
// it cannot reach the database. Other problems affect all servers, so that a
// load balancer could not avoid them.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	switch err := s.store.Ping(ctx); {
	case s.draining.Load():
		say(w, http.StatusServiceUnavailable, "stopping")
	case err != nil:
		s.config.Log.Error("not ready", "cause", err.Error())
		say(w, http.StatusServiceUnavailable, "the database does not answer")
	default:
		say(w, http.StatusOK, "ok")
	}
}

// readyToIssue responds with 503 and all reasons while invoices cannot be
// created.
func (s *Server) readyToIssue(w http.ResponseWriter, _ *http.Request) {
	err := s.canIssue()
	var lines []string
	for _, p := range s.issuing.Problems() {
		lines = append(lines, p.String())
	}
	switch {
	case len(lines) == 0 && err == nil:
		say(w, http.StatusOK, "ok")
		return
	case len(lines) == 0: // the cause ended just now, or is not listed
		lines = append(lines, err.Error())
	}
	say(w, http.StatusServiceUnavailable, strings.Join(lines, "\n"))
}

func say(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n"))
}
