package server

import (
	"context"

	"github.com/google/uuid"
)

// Empty says whether there is no organisation yet: then nobody can call.
func (s *Server) Empty(ctx context.Context) (bool, error) {
	first, err := s.store.Organisations(ctx, uuid.Nil, 1)
	return len(first) == 0, err
}
