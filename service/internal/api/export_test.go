package api

import (
	"context"

	"khatm/service/internal/trade"
)

// TakeTurns takes every turn to read a picture, until what it returns is called.
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

// Clean reads a picture when it is its turn.
func (s *Surface) Clean(ctx context.Context, data []byte) (trade.Picture, error) {
	return s.clean(ctx, data)
}
