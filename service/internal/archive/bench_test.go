package archive_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"khatm/service/internal/archive"
)

// document returns a line of the size of an issued document, with random digits.
func document(tb testing.TB, n int) []byte {
	tb.Helper()
	xml, err := os.ReadFile("../../../invoice/testdata/full.xml")
	if err != nil {
		tb.Fatal(err)
	}
	r := rand.New(rand.NewPCG(uint64(n), 0))
	for i, c := range xml {
		if '0' <= c && c <= '9' {
			xml[i] = byte('0' + r.IntN(10))
		}
	}
	line, err := json.Marshal(map[string]any{"kind": "document", "seq": n, "rows": map[string]any{"document": []any{map[string]any{"xml": string(xml)}}}})
	if err != nil {
		tb.Fatal(err)
	}
	return line
}

// BenchmarkAppend measures what an awaited archive in a folder costs each of 64
// callers, as a server with an archive has.
func BenchmarkAppend(b *testing.B) {
	dir := b.TempDir()
	a := begin(b, options(dir), 1)
	var texts [][]byte
	for n := range 256 {
		texts = append(texts, document(b, n))
	}
	b.SetBytes(int64(len(texts[0])))
	before := cpu(b)
	var last atomic.Int64
	b.SetParallelism(32)
	b.ResetTimer()
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			n := int(last.Add(1)) % len(texts)
			if err := a.Append(context.Background(), texts[n:n+1]); err != nil {
				b.Error(err)
			}
		}
	})
	b.StopTimer()
	b.ReportMetric(float64((cpu(b)-before).Microseconds())/float64(last.Load()), "cpu-µs/op")
	s := a.Stats()
	b.ReportMetric(float64(s.Lines)/float64(s.Batches), "lines/batch")
	b.ReportMetric(float64(s.Bytes)/float64(s.Lines), "stored-B/op")
}

// BenchmarkRead measures reading for a recovery.
func BenchmarkRead(b *testing.B) {
	a := begin(b, options(b.TempDir()), 1)
	var batch [][]byte
	for n := range 20 {
		batch = append(batch, document(b, n))
	}
	for range 50 {
		if err := a.Append(context.Background(), batch); err != nil {
			b.Fatal(err)
		}
	}
	b.ResetTimer()
	for range b.N {
		if _, err := a.Read(context.Background(), func(archive.Position, []byte) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(1000*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}

// cpu returns the CPU time of this process.
func cpu(tb testing.TB) time.Duration {
	tb.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
