package tools

import (
	"context"
	"math"
	"runtime"

	"khatm/service/internal/capacity"
)

// Memory that the tools claim, in bytes.
const (
	smallMemory = 8 << 20       // to process a small file or body
	largeMemory = math.MaxInt64 // all that one caller can have, so that only one large file or body is processed at a time
)

// largeBody is the size above which a JSON body can need much memory: three bytes
// can be a row of VAT, which becomes ten elements of the document.
const largeBody = 16 << 10

// memory returns how much memory a JSON body of a tool can need.
func memory(size int) int64 {
	if size > largeBody {
		return largeMemory
	}
	return smallMemory
}

// memoryIfLarge is memory for a tool that needs little for a small body.
func memoryIfLarge(size int) int64 {
	if size > largeBody {
		return largeMemory
	}
	return 0
}

// slot is used by one file while it is parsed.
type slot struct {
	job     *capacity.Job
	isLarge bool
	garbage bool // parsing a file that is not large leaves much garbage
}

// briefFile is the size in bytes of a file that is parsed in about ten milliseconds.
const briefFile = 64 << 10

// acquire waits until a file of the given size may be parsed.
func (s *Surface) acquire(ctx context.Context, size int) (*slot, error) {
	begin := s.Capacity.Process
	if size <= briefFile {
		begin = s.Capacity.ProcessBriefly
	}
	job, err := begin(ctx, smallMemory)
	if err != nil {
		return nil, err
	}
	return &slot{job: job}, nil
}

// acquireLarge waits until no other large file is being parsed.
func (s *slot) acquireLarge(ctx context.Context) error {
	if s.isLarge {
		return nil
	}
	if err := s.job.Enlarge(ctx, largeMemory); err != nil {
		return err
	}
	s.isLarge = true
	return nil
}

// release ends the use of the slot. After a file that leaves much garbage it
// collects it, as the end of a large job does.
func (s *slot) release() {
	if s.garbage && !s.isLarge {
		runtime.GC()
	}
	s.job.End()
}
