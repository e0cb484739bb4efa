package server

import (
	"khatm/service/internal/device"
	"khatm/service/internal/render"
)

// renderer gives invoices out as PDFs. Outside production every page says that it
// is no tax invoice.
func (s *Server) renderer() *render.Renderer {
	return render.New(render.Config{
		Keeper: s.store, Files: files{s.files}, Test: s.config.Authority != string(device.Production), Log: s.config.Log,
	})
}
