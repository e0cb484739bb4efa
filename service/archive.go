package service

import (
	"khatm/service/internal/archive"
	"khatm/service/internal/device"
)

// archive gives invoices out as PDFs. Outside production every page says that it
// is no tax invoice.
func (s *Service) archive() *archive.Archive {
	return archive.New(archive.Config{
		Keeper: s.store, Files: files{s.files}, Test: s.config.Authority != string(device.Production), Log: s.config.Log,
	})
}
