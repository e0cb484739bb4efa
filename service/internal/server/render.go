package server

import (
	"khatm/service/internal/render"
)

// renderer returns the renderer of PDFs. Outside production every page says that
// it is not a tax invoice.
func (s *Server) renderer() *render.Renderer {
	return render.New(render.Config{
		Keeper: s.store, Files: files{s.files}, Test: s.isTest, Log: s.config.Log, Capacity: s.limits,
	})
}
