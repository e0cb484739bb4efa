package wire

import (
	"sync"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
)

// Uploads limits the size of the forms being processed. Each form is kept in
// memory until its handler has returned.
type Uploads struct {
	All  int64 // in total
	Each int64 // per organisation
}

// usualUploads is the default of Config.Uploads.
var usualUploads = Uploads{All: 256 << 20, Each: 64 << 20}

// budget tracks the memory used by forms.
type budget struct {
	mu    sync.Mutex
	taken int64
	by    map[uuid.UUID]int64
}

// take reserves memory for a form of an organisation until release is called.
func (b *budget) take(bounds Uploads, of uuid.UUID, size int64) (release func(), err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	over := b.by[of]+size > bounds.Each
	switch {
	case b.taken+size > bounds.All, over && of == uuid.Nil: // anonymous callers have no organisation
		return nil, fault.New(fault.UploadsBusy, "Too many files are being uploaded at the moment. Try again shortly.")
	case over:
		return nil, fault.New(fault.UploadsBusy, "Your organisation is uploading too many files at the moment. Try again shortly.")
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
