package api

import (
	"context"

	"khatm/service/internal/trade"
)

// TakeTurns occupies every turn to decode a picture until release is called.
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

// Clean waits for a turn and cleans a picture.
func (s *Surface) Clean(ctx context.Context, data []byte) (trade.Picture, error) {
	return s.clean(ctx, data)
}
