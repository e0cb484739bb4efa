package server

import (
	"context"
	"net/http/httptrace"
	"time"
)

// Intervals at which the authority is asked for the time, in addition to
// reading it from answers to documents: while the clock is wrong, until the
// time is known, and afterwards.
const (
	askWhileWrong = 5 * time.Second
	askUntilKnown = 10 * time.Second
	askOtherwise  = 15 * time.Minute

	// connectTime limits the connection, answerTime the whole request.
	connectTime = time.Second
	answerTime  = 5 * time.Second

	// unknownTime is how long after the start the clock is not trusted if the
	// authority has not confirmed it.
	unknownTime = 6 * time.Hour
)

// askTime asks the authority for the time if that is due.
func (s *Server) askTime(ctx context.Context) error {
	w := s.watch
	now := w.boot()
	due := time.Duration(w.askAt.Load())
	if s.hasBegun() && now < due && !(s.hurry() && due-now > askWhileWrong) {
		return nil
	}
	s.askTwice(ctx)
	again := askOtherwise
	switch {
	case s.hurry():
		again = askWhileWrong
	case !w.clock.Known() && w.boot()-time.Duration(w.started.Load()) < unknownTime:
		again = askUntilKnown
	}
	w.askAt.Store(int64(w.boot() + again))
	s.checkClock()
	w.begin()
	return nil
}

// hurry reports whether the next answer is needed soon: the clock is wrong, or
// the last answer contradicts the previous ones.
func (s *Server) hurry() bool { return s.watch.clock.Check() != nil || s.watch.clock.Contradicted() }

// askTwice asks for the time twice, because a single answer is not trusted. It
// waits less for a connection than for a slow answer.
func (s *Server) askTwice(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	unconnected := time.AfterFunc(connectTime, cancel)
	defer unconnected.Stop()
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		ConnectDone: func(_, _ string, err error) {
			if err == nil {
				unconnected.Stop()
			}
		},
		GotConn: func(httptrace.GotConnInfo) { unconnected.Stop() },
	})
	client := s.client()
	for range 2 {
		if err := client.AskTime(ctx); err != nil {
			s.config.Log.Debug("cannot get the time from the authority", "cause", err.Error())
			return
		}
	}
}

// begin allows sending to begin, after the authority was asked for the time.
func (w *watch) begin() { w.beginning.Do(func() { close(w.begun) }) }

// hasBegun reports whether the authority was asked for the time, or none is
// configured.
func (s *Server) hasBegun() bool {
	select {
	case <-s.watch.begun:
		return true
	default:
		return s.client() == nil
	}
}

// trusted reports whether the clock is right as far as is known. For the first
// hours, that requires the authority's time.
func (s *Server) trusted() bool { return s.watch.clock.Check() == nil && s.timeKnown() }

// timeKnown reports whether the authority's time is known, or no longer
// expected.
func (s *Server) timeKnown() bool {
	w := s.watch
	return s.client() == nil || w.clock.Known() || w.boot()-time.Duration(w.started.Load()) >= unknownTime
}

// awaitTime waits until the authority was asked for the time: nothing else can
// detect a clock that is wrong from the start.
func (s *Server) awaitTime(ctx context.Context) {
	if s.client() == nil {
		return
	}
	select {
	case <-s.watch.begun:
	case <-ctx.Done():
	}
}
