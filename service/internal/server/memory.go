package server

import (
	"fmt"
	"runtime"

	"khatm/service/internal/capacity"
	"khatm/service/internal/database"
)

// Bounds of the memory of a server, in bytes.
const (
	leastMemory   = 256 << 20
	mostByDefault = 2 << 30
)

// Memory that a server needs outside the Go heap, in bytes.
const (
	programMemory = 40 << 20 // the program itself
	sqliteMemory  = 16 << 20 // of SQLite, beside its page caches
)

// unknownMemory is assumed if the memory of the machine cannot be determined.
const unknownMemory int64 = 4 << 30

// memory returns the memory of the server in bytes: Config.Memory, or a quarter of
// the machine's memory.
func (c Config) memory() int64 {
	if c.Memory != 0 {
		return c.Memory
	}
	return max(leastMemory, min(machineMemory()/4, mostByDefault))
}

func (c Config) checkMemory() error {
	if c.Memory != 0 && c.Memory < leastMemory {
		return fmt.Errorf("--memory is %d MiB; it must be at least %d MiB", c.Memory>>20, leastMemory>>20)
	}
	return nil
}

// pageCache returns the size of SQLite's page cache for each connection.
func (c Config) pageCache() int64 { return min(database.DefaultCache, c.memory()/64) }

// Heap returns the part of the server's memory that is for the Go heap: the
// recommended GOMEMLIMIT. The SQLite driver allocates its memory outside the heap.
func (c Config) Heap() int64 {
	heap := c.memory() - programMemory
	if c.Database == "" {
		connections := int64(database.Readers(c.Database)) + 1
		heap -= sqliteMemory + connections*c.pageCache()
	}
	return max(heap, leastMemory/4)
}

// newCapacity returns the limits of the server.
func newCapacity(c Config) *capacity.Limits {
	return capacity.New(capacity.Settings{Heap: c.Heap(), Cores: runtime.GOMAXPROCS(0), Readers: database.Readers(c.Database), Wait: c.maxWait})
}
