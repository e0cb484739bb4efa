package server

import "khatm/service/internal/share"

// buildSharer creates the sharer of links and drafts.
func (s *Server) buildSharer() {
	c := s.config
	s.sharer = share.New(share.Config{
		Keeper: s.store, Issuer: s.issuer, Vault: s.vault, URL: s.url(), Now: c.Now, NewID: s.newID, Random: c.Random,
	})
}
