package server

import (
	"slices"

	"khatm/service/internal/docs"
	"khatm/service/internal/tools"
	"khatm/service/internal/wire"
)

// buildTools registers the public tools and the endpoints of shared links. Their
// documentation also lists the lookups.
func (s *Server) buildTools(page *docs.Page, shared, lookups []wire.Route) {
	surface := tools.New(tools.Config{Now: s.config.Now, NewID: s.newID, Capacity: s.limits})
	s.frame.Surface(tools.Base, slices.Concat(surface.Rows(), shared))
	page.Open(s.frame.Open, tools.Base+"/api/public/docs")
	surface.Publish(s.frame, slices.Concat(shared, lookups))
}
