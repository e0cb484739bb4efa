package server

import (
	"khatm/service/internal/device"
	"khatm/service/internal/guest"
	"khatm/service/internal/render"
	"khatm/service/internal/wire"
)

// linkAllowance is what may be had of one shared link, over its endpoints and
// its page together.
func (s *Server) linkAllowance() wire.Allowance {
	return wire.Hourly("link", s.config.Rates.SharedHourly)
}

// guestConfig is what the pages and the endpoints of links stand on.
func (s *Server) guestConfig(drawn *render.Renderer) guest.Config {
	return guest.Config{
		Links: s.sharer, Renderer: drawn, Frame: s.frame, URL: s.url(), Link: s.linkAllowance(),
		Mail: !s.config.SMTP.IsZero(), Test: s.config.Authority != string(device.Production),
	}
}

// buildGuest puts the pages of links into the frame.
func (s *Server) buildGuest(c guest.Config) error {
	pages, err := guest.New(c)
	if err != nil {
		return err
	}
	pages.Mount()
	return nil
}
