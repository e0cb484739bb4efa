package server

import (
	"cmp"
	"context"
	"errors"

	"khatm/service/internal/authority"
	"khatm/service/internal/device"
	"khatm/service/internal/org"
)

// environment is the environment of the authority that the database belongs to.
type environment struct {
	name   device.Environment
	client *authority.Client // nil without a URL of the authority
}

// Environment returns the environment of the authority that the database belongs
// to, or "" if it is not chosen yet.
func (s *Server) Environment() device.Environment {
	if e := s.current.Load(); e != nil {
		return e.name
	}
	return ""
}

// client returns the client of the authority, or nil if the environment is not
// chosen or has no URL.
func (s *Server) client() *authority.Client {
	if e := s.current.Load(); e != nil {
		return e.client
	}
	return nil
}

// isTest reports whether documents issued here are not tax invoices.
func (s *Server) isTest() bool { return s.Environment() != device.Production }

// bind assigns the database to the configured environment, if one is configured,
// and reads to which one it belongs.
func (s *Server) bind(ctx context.Context) error {
	c := s.config
	if c.Authority != "" {
		if err := s.store.Stamp(ctx, device.Environment(c.Authority)); err != nil {
			return err
		}
	}
	kept, err := s.store.Environment(ctx)
	if err != nil {
		return err
	}
	if c.Authority == "" && c.AuthorityURL != "" && kept != device.Simulator {
		// The URL may be meant for another environment than the stored one.
		return errors.New("--authority-url is given without --authority: say to which environment the URL belongs")
	}
	if kept != "" {
		s.current.Store(&environment{name: kept})
	}
	return nil
}

// connect creates the client of the environment that the database belongs to. It
// does nothing if that is not chosen yet.
func (s *Server) connect(ctx context.Context) (err error) {
	c, e := s.config, s.Environment()
	if e == "" {
		return nil
	}
	at := c.AuthorityURL
	if at == "" && e == device.Simulator && c.Simulator != nil {
		if at, err = c.Simulator(ctx); err != nil {
			return err
		}
	}
	if at = cmp.Or(at, authority.Base(e)); at == "" {
		return nil
	}
	client, err := authority.New(authority.Config{URL: at, Timeout: c.Sending.Timeout, Now: c.Now, Boot: c.Boot, Dated: s.watch.clock.Heard})
	if err != nil {
		return err
	}
	s.current.Store(&environment{name: e, client: client})
	return nil
}

// awaitEnvironment starts sending once the environment is chosen, by this server
// or by another process on the same database.
func (s *Server) awaitEnvironment() {
	s.config.Log.Info("no environment of the authority is chosen yet")
	followed := false
	s.follow = s.loops.Start("look for the environment of the authority", watchEvery, func(ctx context.Context) error {
		if followed {
			return nil
		}
		kept, err := s.store.Environment(ctx)
		if err != nil || kept == "" {
			return err
		}
		s.current.Store(&environment{name: kept})
		if err := s.connect(ctx); err != nil {
			return err
		}
		followed = true
		s.config.Log.Info("the environment of the authority is chosen", "authority", string(kept))
		s.startSender()
		return nil
	})
}

// Choose assigns the database to an environment for ever, on behalf of by, and
// starts sending to it. It returns EnvironmentFixed if the database belongs to
// another one.
func (s *Server) Choose(ctx context.Context, by org.Actor, e device.Environment) error {
	if err := s.store.ChooseEnvironment(ctx, by, e); err != nil {
		return err
	}
	s.chosen(e)
	return nil
}

// chosen starts sending to an environment that was stored as the database's.
func (s *Server) chosen(e device.Environment) {
	s.current.CompareAndSwap(nil, &environment{name: e})
	if s.follow != nil {
		s.follow()
	}
}
