package submit

import (
	"encoding/binary"
	"io"
	"time"
)

// Backoff is an exponential backoff.
type Backoff struct {
	First time.Duration
	Most  time.Duration
}

// After returns the delay after a number of failures, at least one. It doubles
// each time up to Most.
func (b Backoff) After(failures int) time.Duration {
	wait := b.First
	for range min(failures, 40) - 1 {
		if wait *= 2; wait >= b.Most {
			return b.Most
		}
	}
	return min(wait, b.Most)
}

// jittered returns a random duration between wait/2 and wait, so that operations
// that failed together are not retried together.
func jittered(wait time.Duration, random io.Reader) time.Duration {
	var raw [2]byte
	if _, err := io.ReadFull(random, raw[:]); err != nil || wait <= 0 {
		return wait
	}
	half := wait / 2
	return half + time.Duration(int64(half)*int64(binary.BigEndian.Uint16(raw[:]))>>16)
}
