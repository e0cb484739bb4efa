package wire

import (
	"sync"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
)

// Uploads bounds the bytes of forms under way: each is held in memory whole,
// until its verb has returned.
type Uploads struct {
	All  int64 // of everybody together
	Each int64 // of one organisation
}

// usualUploads hold where a config names none.
var usualUploads = Uploads{All: 256 << 20, Each: 64 << 20}

// budget is what forms have taken of the bounds.
type budget struct {
	mu    sync.Mutex
	taken int64
	by    map[uuid.UUID]int64
}

// take takes room for a form of an organisation. What it returns gives the
// room back.
func (b *budget) take(bounds Uploads, of uuid.UUID, size int64) (release func(), err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	over := b.by[of]+size > bounds.Each
	switch {
	case b.taken+size > bounds.All, over && of == uuid.Nil: // strangers have no organisation
		return nil, fault.New(fault.Unavailable, "Too many files are being uploaded at this moment. Try again shortly.")
	case over:
		return nil, fault.New(fault.Unavailable, "Your organisation is uploading too many files at this moment. Try again shortly.")
	}
	b.add(of, size)
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.add(of, -size)
	}, nil
}

func (b *budget) add(of uuid.UUID, size int64) {
	b.taken += size
	b.by[of] += size
	if b.by[of] == 0 {
		delete(b.by, of)
	}
}
