package server

import (
	"encoding/binary"
	"io"
	"sync"
	"time"

	"github.com/google/uuid"
)

// NewIDs returns a generator of time-ordered UUIDs (version 7): consecutive rows
// are stored next to each other, and newer rows have greater ids. The ids of one
// generator always increase, even if the clock is set back.
func NewIDs(now func() time.Time, random io.Reader) func() uuid.UUID {
	var mu sync.Mutex
	var last uint64
	return func() uuid.UUID {
		var id uuid.UUID
		if _, err := io.ReadFull(random, id[8:]); err != nil {
			panic(err) // nothing is secure without randomness
		}
		mu.Lock()
		at := now()
		// 48 bits of milliseconds and 12 bits of fraction.
		tick := uint64(at.UnixMilli())<<12 | uint64(at.Nanosecond()%1e6)*4096/1e6
		last = max(tick, last+1)
		tick = last
		mu.Unlock()
		binary.BigEndian.PutUint64(id[:8], tick>>12<<16|tick&0xfff)
		id[6] = 0x70 | id[6]&0x0f
		id[8] = 0x80 | id[8]&0x3f
		return id
	}
}

// newRequestIDs returns a generator of random request ids that are short enough
// to be read out.
func newRequestIDs(random io.Reader) func() string {
	const letters = "0123456789abcdefghjkmnpqrstvwxyz"
	return func() string {
		var raw [16]byte
		if _, err := io.ReadFull(random, raw[:]); err != nil {
			panic(err)
		}
		for i := range raw {
			raw[i] = letters[raw[i]%32]
		}
		return string(raw[:])
	}
}
