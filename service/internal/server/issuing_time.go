package server

import (
	"context"
	"net/http/httptrace"
	"time"
)

// How often the authority is asked for the time, besides the responses that
// documents get: while the clock is wrong, until its time is known, and
// afterwards.
const (
	askWhileWrong = 5 * time.Second
	askUntilKnown = 10 * time.Second
	askOtherwise  = 15 * time.Minute

	// connectTime is how long a connection may take, and answerTime both answers.
	connectTime = time.Second
	answerTime  = 5 * time.Second

	// unknownTime is how long after the start a clock is not trusted that the
	// authority has not confirmed.
	unknownTime = 6 * time.Hour
)

// askTime asks the authority for the time, if that is due.
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
	case !w.clock.Known() && w.boot()-w.started < unknownTime:
		again = askUntilKnown
	}
	w.askAt.Store(int64(w.boot() + again))
	s.checkClock()
	w.begin()
	return nil
}

// hurry reports whether the next answer is needed soon: the clock is wrong, or
// the authority's last answer contradicts those before.
func (s *Server) hurry() bool { return s.watch.clock.Check() != nil || s.watch.clock.Contradicted() }

// askTwice asks for the time twice, because one response alone says nothing. An
// authority that cannot be connected to is not waited for as long as one that
// is slow.
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
	for range 2 {
		if err := s.client.AskTime(ctx); err != nil {
			s.config.Log.Debug("the authority does not say what time it is", "cause", err.Error())
			return
		}
	}
}

// begin lets sending begin: the authority was asked for the time.
func (w *watch) begin() { w.beginning.Do(func() { close(w.begun) }) }

// hasBegun reports whether the authority was asked for the time, or there is
// none to ask.
func (s *Server) hasBegun() bool {
	select {
	case <-s.watch.begun:
		return true
	default:
		return s.client == nil
	}
}

// trusted reports whether the clock is right as far as is known. Until the
// authority's time is known that is not so, for some hours at most.
func (s *Server) trusted() bool { return s.watch.clock.Check() == nil && s.timeKnown() }

// timeKnown reports whether the authority has said what time it is, or is not
// expected to any more.
func (s *Server) timeKnown() bool {
	w := s.watch
	return s.client == nil || w.clock.Known() || w.boot()-w.started >= unknownTime
}

// awaitTime waits until the authority was asked for the time: a clock that is
// wrong from the start is found out by nothing else.
func (s *Server) awaitTime(ctx context.Context) {
	if s.client == nil {
		return
	}
	select {
	case <-s.watch.begun:
	case <-ctx.Done():
	}
}
