package api

import (
	"context"

	"khatm/service/internal/trade"
)

// TakeTurns takes every turn to decode a picture; the returned function releases
// them.
func (s *Surface) TakeTurns() (release func()) {
	for range maxTurns {
		s.turns <- struct{}{}
	}
	return func() {
		for range maxTurns {
			<-s.turns
		}
	}
}

// Clean decodes a picture when it is its turn.
func (s *Surface) Clean(ctx context.Context, data []byte) (trade.Picture, error) {
	return s.clean(ctx, data)
}
