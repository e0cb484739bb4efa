package submit

import (
	"encoding/binary"
	"io"
	"time"
)

// Backoff is how long is waited before something is tried again.
type Backoff struct {
	First time.Duration
	Most  time.Duration
}

// After is the time after so many failures, at least one: doubled each time.
func (b Backoff) After(failures int) time.Duration {
	wait := b.First
	for range min(failures, 40) - 1 {
		if wait *= 2; wait >= b.Most {
			return b.Most
		}
	}
	return min(wait, b.Most)
}

// jittered is a time between half of wait and all of it, so that what failed
// together does not come back together.
func jittered(wait time.Duration, random io.Reader) time.Duration {
	var raw [2]byte
	if _, err := io.ReadFull(random, raw[:]); err != nil || wait <= 0 {
		return wait
	}
	half := wait / 2
	return half + time.Duration(int64(half)*int64(binary.BigEndian.Uint16(raw[:]))>>16)
}
