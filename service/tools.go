package service

import (
	"khatm/service/internal/docs"
	"khatm/service/internal/tools"
	"khatm/service/internal/wire"
)

// buildTools puts the public surface into the frame.
func (s *Service) buildTools(page *docs.Page, lookups []wire.Route, shared tools.Shared) error {
	surface := tools.New(tools.Config{Now: s.config.Now, NewID: s.newID, Shared: shared})
	s.frame.Surface(tools.Base, surface.Rows())
	page.Open(s.frame.Open, tools.Base+"/api/public/docs")
	return surface.Publish(s.frame, lookups)
}
