package server_test

import (
	"testing"

	"khatm/service/internal/server"
)

// TestHeapOfAServer checks that heap and everything outside it fit into the memory
// of the server.
func TestHeapOfAServer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, database string
		memory         int64
		least, most    int64 // in MiB
	}{
		{"the least memory, SQLite", "", 256 << 20, 64, 190},
		{"512 MiB, SQLite", "", 512 << 20, 300, 420},
		{"2 GiB, SQLite", "", 2 << 30, 1600, 1930},
		{"512 MiB, PostgreSQL", "postgres://", 512 << 20, 440, 480},
	} {
		config := server.Defaults()
		config.Memory, config.Database = c.memory, c.database
		if heap := config.Heap() >> 20; heap < c.least || heap > c.most {
			t.Errorf("%s: a heap of %d MiB, want %d to %d", c.name, heap, c.least, c.most)
		}
	}
	config := server.Defaults()
	if heap := config.Heap(); heap < 64<<20 || heap > 2<<30 {
		t.Errorf("by default a heap of %d MiB, want at most 2 GiB", heap>>20)
	}
}

func TestMemoryThatIsTooSmall(t *testing.T) {
	t.Parallel()
	config := server.Defaults()
	config.Data, config.Memory = t.TempDir(), 100<<20
	s, err := server.New(t.Context(), config)
	if err == nil {
		s.Close()
		t.Fatal("a server with 100 MiB started")
	}
	if want := "--memory is 100 MiB; it must be at least 256 MiB"; err.Error() != want {
		t.Errorf("error %q, want %q", err, want)
	}
}
