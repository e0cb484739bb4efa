package server

import (
	"encoding/binary"
	"io"
	"sync"
	"time"

	"github.com/google/uuid"
)

// NewIDs makes ids that are ordered by time (UUID version 7): rows that come
// one after the other lie beside each other, and the newest have the greatest
// ids. Within this process they never go back, whatever the clock does.
func NewIDs(now func() time.Time, random io.Reader) func() uuid.UUID {
	var mu sync.Mutex
	var last uint64
	return func() uuid.UUID {
		var id uuid.UUID
		if _, err := io.ReadFull(random, id[8:]); err != nil {
			panic(err) // without randomness nothing can be made safely
		}
		mu.Lock()
		at := now()
		// 48 bits of milliseconds and 12 of the fraction of one.
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

// newRequestIDs makes ids that callers may quote: random, and short enough to
// be read out.
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
