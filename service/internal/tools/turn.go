package tools

import "context"

// largeBody is from where on a JSON body is worked on alone: three bytes of it
// can be a row of VAT, which is ten elements of a document.
const largeBody = 16 << 10

// turn waits for a place in the room where files are parsed, so that what all
// tools take of memory is bounded together. Nobody waits for ever.
func (s *Surface) turn(ctx context.Context, size int) (end func(), err error) {
	at, err := s.room.enter(ctx)
	if err != nil {
		return nil, err
	}
	if size > largeBody {
		if err := at.grow(ctx); err != nil {
			at.leave()
			return nil, err
		}
	}
	return at.leave, nil
}

// turnIfLarge is turn for a tool whose work is little, but for reading a large
// body.
func (s *Surface) turnIfLarge(ctx context.Context, size int) (end func(), err error) {
	if size <= largeBody {
		return func() {}, nil
	}
	return s.turn(ctx, size)
}
