package server

import (
	"context"

	"github.com/google/uuid"
)

// Empty reports whether the database contains no organisation yet.
func (s *Server) Empty(ctx context.Context) (bool, error) {
	first, err := s.store.Organisations(ctx, uuid.Nil, 1)
	return len(first) == 0, err
}
