package service

import (
	"khatm/service/internal/archive"
	"khatm/service/internal/device"
	"khatm/service/internal/guest"
	"khatm/service/internal/tools"
	"khatm/service/internal/wire"
)

// linkAllowance is what may be had of one shared link, over its endpoints and
// its page together.
func (s *Service) linkAllowance() wire.Allowance {
	return wire.Hourly("link", s.config.Rates.SharedHourly)
}

// sharedTools is what the public endpoints of links stand on.
func (s *Service) sharedTools(drawn *archive.Archive) tools.Shared {
	return tools.Shared{Links: s.sharer, Archive: drawn, URL: s.url(), Link: s.linkAllowance(), Mail: !s.config.SMTP.IsZero()}
}

// buildGuest puts the pages of links into the frame.
func (s *Service) buildGuest(drawn *archive.Archive) error {
	pages, err := guest.New(guest.Config{
		Links: s.sharer, Archive: drawn, Frame: s.frame, Link: s.linkAllowance(),
		Mail: !s.config.SMTP.IsZero(), Test: s.config.Authority != string(device.Production),
	})
	if err != nil {
		return err
	}
	pages.Mount()
	return nil
}
