package service

import (
	"context"
	"time"
)

// How often the authority is asked for the time, besides the responses that
// documents get: while the clock is wrong, until its time is known, and
// afterwards.
const (
	askWhileWrong = 5 * time.Second
	askUntilKnown = time.Minute
	askOtherwise  = 15 * time.Minute

	// firstTime is how long a server that starts waits for the authority's time.
	firstTime = time.Second
)

// askTime asks the authority for the time, if that is due: twice, because one
// response alone says nothing.
func (s *Service) askTime(ctx context.Context) error {
	w := s.watch
	now := w.boot()
	wrong := w.clock.Check() != nil
	due := time.Duration(w.askAt.Load())
	if now < due && !(wrong && due-now > askWhileWrong) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, askWhileWrong)
	defer cancel()
	for range 2 {
		if err := s.client.AskTime(ctx); err != nil {
			s.config.Log.Debug("the authority does not say what time it is", "cause", err.Error())
			break
		}
	}
	again := askOtherwise
	switch {
	case w.clock.Check() != nil:
		again = askWhileWrong
	case !w.clock.Known():
		again = askUntilKnown
	}
	w.askAt.Store(int64(w.boot() + again))
	s.checkClock()
	return nil
}

// askTimeFirst asks for the time before the first request is served: a clock
// that is wrong from the start is found out by nothing else.
func (s *Service) askTimeFirst(ctx context.Context) {
	if s.client == nil || s.watch.clock.Known() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, firstTime)
	defer cancel()
	for range 2 {
		if s.client.AskTime(ctx) != nil {
			return
		}
	}
	s.checkClock()
}
