package server

import (
	"khatm/service/internal/guest"
	"khatm/service/internal/render"
	"khatm/service/internal/wire"
)

// linkAllowance returns the rate limit of a shared link, which its endpoints and
// its page share.
func (s *Server) linkAllowance() wire.Allowance {
	return wire.Hourly("link", s.config.Rates.SharedHourly)
}

// guestConfig returns the configuration of the pages and endpoints of shared
// links.
func (s *Server) guestConfig(drawn *render.Renderer) guest.Config {
	return guest.Config{
		Links: s.sharer, Renderer: drawn, Frame: s.frame, URL: s.url(), Link: s.linkAllowance(),
		Capacity: s.limits, Mail: !s.config.SMTP.IsZero(), Test: s.isTest,
	}
}

// buildGuest registers the pages of shared links.
func (s *Server) buildGuest(c guest.Config) error {
	pages, err := guest.New(c)
	if err != nil {
		return err
	}
	pages.Mount()
	return nil
}
