package journal_test

import (
	"path/filepath"
	"runtime"
	"testing"

	"khatm/simulator/internal/journal"
)

// heap returns the size of the live heap after a garbage collection.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestMemoryOfManyDocuments checks that the memory of a journal on disk is
// bounded, and that entries older than two days are released.
func TestMemoryOfManyDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("100,000 documents take seconds")
	}
	const documents, most = 100_000, 8 << 20
	c := newClock()
	j := open(t, filepath.Join(t.TempDir(), "journal"), c)
	before := heap()
	for n := range documents {
		mustAccept(t, j, submission(n+1), "")
	}
	used := heap() - before
	t.Logf("%d documents use %d bytes, %d each", documents, used, used/documents)
	if used > most {
		t.Errorf("the heap grew by %d bytes, want at most %d", used, most)
	}
	c.Advance(2 * journal.Window)
	mustAccept(t, j, submission(documents+1), "")
	if left := int64(heap()) - int64(before); left > most/8 {
		t.Errorf("%d bytes are in use two days later, want at most %d", left, most/8)
	}
	runtime.KeepAlive(j)
}

func BenchmarkAccept(b *testing.B) {
	for _, c := range []struct {
		name string
		path bool
		sync bool
	}{{"memory", false, false}, {"file", true, false}, {"sync", true, true}} {
		b.Run(c.name, func(b *testing.B) {
			path := ""
			if c.path {
				path = filepath.Join(b.TempDir(), "journal")
			}
			j, err := journal.Open(journal.Config{Path: path, Sync: c.sync, Now: newClock().Now})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				n++
				mustAccept(b, j, submission(n), "")
			}
			if err := j.Close(); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// BenchmarkMemory reports the memory per document of 100,000 accepted documents
// and of an audit of them.
func BenchmarkMemory(b *testing.B) {
	const documents = 100_000
	for b.Loop() {
		j, err := journal.Open(journal.Config{Path: filepath.Join(b.TempDir(), "journal"), Now: newClock().Now})
		if err != nil {
			b.Fatal(err)
		}
		before := heap()
		for n := range documents {
			mustAccept(b, j, submission(n+1), "")
		}
		b.ReportMetric(float64(heap()-before)/documents, "heap-bytes/document")
		at := heap()
		var held uint64
		seen := 0
		if _, err := j.Audit(func(journal.Record) bool {
			if seen++; seen == documents {
				held = heap() - at
			}
			return true
		}); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(held)/documents, "audit-bytes/document")
		if err := j.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
