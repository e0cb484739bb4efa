package tools

import "context"

// largeBody is the size above which only one JSON body is processed at a time:
// three bytes can be a row of VAT, which becomes ten elements of the document.
const largeBody = 16 << 10

// turn waits for a slot among the files being parsed, so that the memory of all
// tools together is bounded. It waits at most maxWait.
func (s *Surface) turn(ctx context.Context, size int) (end func(), err error) {
	at, err := s.slots.acquire(ctx)
	if err != nil {
		return nil, err
	}
	if size > largeBody {
		if err := at.acquireLarge(ctx); err != nil {
			at.release()
			return nil, err
		}
	}
	return at.release, nil
}

// turnIfLarge is turn for a tool that needs much memory only for a large body.
func (s *Surface) turnIfLarge(ctx context.Context, size int) (end func(), err error) {
	if size <= largeBody {
		return func() {}, nil
	}
	return s.turn(ctx, size)
}
